"""Importing old IRC conversations: whole sessions, each in one transaction, so that it can be stopped and run again.

Nothing imported is ever first-hand, the owner's own lines included (`Origin.IMPORT`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from bot.context import Context, zone_of
from bot.memory.annotate import Taken, Understood, take, understand, write
from bot.memory.import_plan import Attested, Findings, LogFile, Planned, account_of, attest, find_logs, plan
from config.roster_file import Roster, check_single, draft
from connectors.imports.irc import folded_nick
from connectors.imports.signs import signs
from engine.failpoints import reach
from engine.ids import OWNER
from engine.store import Transaction

Progress = Callable[[int, int], None]
"""Called with how many messages are done, and of how many."""


@dataclass(slots=True)
class ImportReport:
    """What an import did.

    `messages` and `facts` are newly recorded, `attested` of them before people the roster names; `duplicates` were
    there before and keep the audience they have. `refused` were left out because nobody says who was there and the
    policy says `unresolved: refuse`. `malformed` and `contradicted` (somebody speaks at a time for which the roster
    does not have them: kept for the owner and the sender) are `file:line: why`, without words of the log.
    """

    messages: int = 0
    duplicates: int = 0
    attested: int = 0
    refused: int = 0
    sessions: int = 0
    facts: int = 0
    malformed: list[str] = field(default_factory=list)
    contradicted: list[str] = field(default_factory=list)


class _NothingNewError(Exception):
    """Everything in a session was recorded before; rolls its transaction back."""


class _OtherError(Exception):
    """A session is not what was understood; rolls its transaction back."""

    def __init__(self, taken: Taken) -> None:
        """`taken` is what it is."""
        super().__init__()
        self.taken = taken


def draft_roster(file: LogFile, timezone: str) -> str:
    """A roster made from what a log shows, as text for the owner to check; by itself it has no effect."""
    shown = [(s.nick, s.start, s.end, "" if s.left else "not seen to leave") for s in signs(file.log)]
    return draft(shown, channel=file.log.channel, day=file.day, timezone=timezone, cycle=file.log.cycle)


async def import_irc(
    context: Context,
    paths: Sequence[Path],
    *,
    roster: Roster | None = None,
    owner_nicks: Iterable[str] = (),
    progress: Progress = lambda _done, _total: None,
) -> ImportReport:
    """Import logs; a second run of the same content, wherever it lies, adds nothing and finishes what was cut off.

    Args:
        context: store, language, clock.
        paths: files and folders.
        roster: who was there, on the owner's word; None: every message is for the owner and its sender.
        owner_nicks: nicks that were the owner's in these logs. They make nobody the owner anywhere else.
        progress: told after every session.

    Raises:
        BadInput: for files, days or rosters that will not do; nothing is imported then.
    """
    logs = find_logs(paths, roster.day if roster else None)
    if roster is not None:
        check_single(roster, logs)
    async with context.store.transaction() as tx:
        policy, people = await tx.policy(), await tx.people()
    owner = frozenset(folded_nick(nick) for nick in owner_nicks)
    found = Findings()
    attested = [attest(file, roster, owner, people, zone_of(policy)) for file in logs]
    work = [(a, plan(a, found, refuse=policy.unresolved == "refuse")) for a in attested]
    report = ImportReport(refused=found.refused, malformed=found.malformed, contradicted=found.contradicted)
    total = sum(len(planned.messages) for _, sessions in work for planned in sessions)
    for log, sessions in work:
        if sessions:
            await _introduce(context, log, sessions[0].session.opened_at)
        for planned in sessions:
            await _keep(context, log, planned, report)
            progress(report.messages + report.duplicates, total)
    return report


async def _introduce(context: Context, log: Attested, at: datetime) -> None:
    """The room, and the people the owner says were in it."""
    async with context.store.transaction() as tx:
        await tx.chat(log.chat)
        for stay in log.stays:
            if log.person(folded_nick(stay.nick)) != OWNER:
                await tx.see(account_of(stay.nick), stay.nick, at, log.chat.id)


async def _keep(context: Context, log: Attested, planned: Planned, report: ImportReport) -> None:
    """Record one session with its facts, all or nothing. It is understood before, for that may take long."""
    async with context.store.transaction() as tx:
        known = await take(tx, planned.session.id)
    taken = replace(known, messages=tuple(message for _, message in planned.messages))
    done = None
    try:
        while done is None:
            found = await understand(context, taken)
            try:
                async with context.store.transaction() as tx:
                    done = await _record(tx, context, log, planned, found)
            except _OtherError as other:
                taken = other.taken
    except _NothingNewError:
        report.duplicates += len(planned.messages)
        return
    new, facts = done
    reach("imported")
    report.messages += new
    report.duplicates += len(planned.messages) - new
    report.attested += 0 if planned.messages[0][1].unresolved else new
    report.sessions += 1
    report.facts += facts


async def _record(
    tx: Transaction, context: Context, log: Attested, planned: Planned, found: Understood
) -> tuple[int, int]:
    """How many messages were new, and how many facts there are now.

    Raises:
        _NothingNewError: all of it is there.
        _OtherError: some of it is there or was forgotten, or the policy is another one by now.
    """
    session = replace(planned.session, closed=True)
    await tx.put_session(session)
    new = 0
    for event, message in planned.messages:
        if await tx.record(message, event=event):
            new += 1
            if message.sender != OWNER:
                await tx.see(
                    message.account, message.account.removeprefix("irc:"), message.sent_at, log.chat.id
                )
    if not new:
        raise _NothingNewError
    reach("importing")
    facts = await write(tx, context, found, session, context.clock.now())
    if facts is None:
        raise _OtherError(await take(tx, session.id))
    return new, len(facts)

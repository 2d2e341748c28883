"""Importing old IRC conversations: whole sessions, each in one transaction, so that it can be stopped and run again.

Nothing imported is ever first-hand, the owner's own lines included (`Origin.IMPORT`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from bot.context import Context, zone_of
from bot.memory.annotate import annotate_session
from bot.memory.import_plan import Attested, Findings, LogFile, Planned, account_of, attest, find_logs, plan
from config.roster_file import Roster, check_single, draft
from connectors.imports.irc import folded_nick
from connectors.imports.signs import signs
from engine.failpoints import reach
from engine.ids import OWNER
from engine.items import RawFact, RawSession
from engine.store import Transaction

Annotate = Callable[[Transaction, Context, RawSession, datetime], Awaitable[Sequence[RawFact]]]
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
    annotate: Annotate = annotate_session,
) -> ImportReport:
    """Import logs; a second run of the same content, wherever it lies, adds nothing and finishes what was cut off.

    Args:
        context: store, language, clock.
        paths: files and folders.
        roster: who was there, on the owner's word; None: every message is for the owner and its sender.
        owner_nicks: nicks that were the owner's in these logs. They make nobody the owner anywhere else.
        progress: told after every session.
        annotate: makes a session's facts.

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
            await _keep(context, log, planned, report, annotate)
            progress(report.messages + report.duplicates, total)
    return report


async def _introduce(context: Context, log: Attested, at: datetime) -> None:
    """The room, and the people the owner says were in it."""
    async with context.store.transaction() as tx:
        await tx.chat(log.chat)
        for stay in log.stays:
            if log.person(folded_nick(stay.nick)) != OWNER:
                await tx.see(account_of(stay.nick), stay.nick, at, log.chat.id)


async def _keep(
    context: Context, log: Attested, planned: Planned, report: ImportReport, annotate: Annotate
) -> None:
    """Record one session and annotate it, all or nothing."""
    try:
        async with context.store.transaction() as tx:
            new, facts = await _record(tx, context, log, planned, annotate)
    except _NothingNewError:
        report.duplicates += len(planned.messages)
        return
    reach("imported")
    report.messages += new
    report.duplicates += len(planned.messages) - new
    report.attested += 0 if planned.messages[0][1].unresolved else new
    report.sessions += 1
    report.facts += facts


async def _record(
    tx: Transaction, context: Context, log: Attested, planned: Planned, annotate: Annotate
) -> tuple[int, int]:
    """How many messages were new, and how many facts there are now."""
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
    return new, len(await annotate(tx, context, session, context.clock.now()))

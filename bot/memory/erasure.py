"""Erasing at the owner's word: inside the transaction the words go, after the commit the bytes leave the disk.

What is not finished yet is kept as notes, of ids and times alone: an erasure that is not off the disk, and messages that
platforms still show. They outlast a crash; `bot/service/maintenance.py` takes them up again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.context import Context, OwnerAct, zone_of
from bot.memory.edits import with_versions
from bot.owner.commands.args import one_line
from bot.owner.names import time_in_words
from bot.texts import say
from engine.cards import ForgetProposal
from engine.failpoints import reach
from engine.ids import ContainerId, FactId, MessageId
from engine.records import Forgotten, Posted
from engine.shown import Fate, Shown
from engine.store import Transaction

DISK = "erasing:disk"
_NOW = 30
"""So many messages are deleted on a platform before the owner has his answer; the others after it."""
_LISTED = 20


async def erase(
    tx: Transaction,
    context: Context,
    *,
    facts: Iterable[FactId] = (),
    messages: Iterable[MessageId] = (),
    quiet: bool = False,
) -> Forgotten:
    """Forget; `finish` sees to disk and platforms once it is committed.

    A message goes with all its versions: what it said before an edit, and since.

    `quiet`: what a platform still shows is deleted where that may be, and not listed.
    """
    now, wanted = context.clock.now(), list(facts)
    whole = await with_versions(tx, messages, wanted)
    gone = await tx.forget(facts=wanted, messages=whole, at=now, progress=context.progress)
    old = _Disk.read(await tx.note(DISK))
    await tx.put_note(DISK, _Disk(old.since if old else now, now, told=bool(old and old.told)).written())
    await _note_shown(tx, context, gone.posted, quiet=quiet)
    return gone


async def erase_for(
    tx: Transaction,
    context: Context,
    act: OwnerAct,
    *,
    facts: Iterable[FactId] = (),
    messages: Iterable[MessageId] = (),
) -> Forgotten:
    """Forget at the owner's word: his answer says `done` only if disk and platforms are done by then."""
    gone = await erase(tx, context, facts=facts, messages=messages)
    noted = await tx.note(DISK)
    act.later.append(lambda: finish(context, noted))
    return gone


async def carry_out_forgetting(
    tx: Transaction, context: Context, act: OwnerAct, proposal: ForgetProposal
) -> str:
    """Erase what the card showed."""
    gone = await erase_for(tx, context, act, facts=proposal.facts, messages=proposal.messages)
    return say(context.language, "erase.gone", facts=gone.facts, messages=gone.messages, turns=gone.turns)


@dataclass(frozen=True, slots=True)
class _Disk:
    """Erased since when, the last time, and whether the owner knows that it is not off the disk."""

    since: datetime
    last: datetime
    told: bool = False

    @classmethod
    def read(cls, note: str) -> _Disk | None:
        if not note:
            return None
        since, last, *told = note.split(" ")
        return cls(datetime.fromisoformat(since), datetime.fromisoformat(last), told=bool(told))

    def written(self) -> str:
        return " ".join([self.since.isoformat(), self.last.isoformat(), *(["told"] if self.told else [])])


async def finish(context: Context, noted: str) -> str:
    """What the owner's answer ends with, once his act is committed; `noted` is what it noted about the disk."""
    swept = await _sweep(context)
    async with context.store.transaction() as tx:
        now = await tx.note(DISK)
        disk = _Disk.read(now)
        if disk is not None and not swept:
            await tx.put_note(DISK, replace(disk, told=True).written())
        elif now == noted:  # else something was erased meanwhile, and is not off it yet
            await tx.put_note(DISK, "")
        waiting = await tx.still_shown()
    async with alone(context):
        report = await take_back(context, _NOW, waiting)
        await settle(context, report)
    told = [say(context.language, pending_text(context) if disk is not None and not swept else "erase.done")]
    if context.store.left_at:
        told.append(say(context.language, "erase.on_server", where=context.store.left_at))
    return "\n".join([*told, *await in_words(context, report)])


def pending_text(context: Context) -> str:
    """Why it is not off the disk."""
    return "erase.compact" if context.store.compacted_by_hand else "erase.pending"


async def _sweep(context: Context) -> bool:
    """Drive what was erased off the disk; False if something is in the way."""
    reach("forgotten")
    finished = await context.store.finish_forgetting()
    reach("checkpointed")
    return finished


async def off_the_disk(context: Context) -> bool:
    """Drive the bytes off the disk, if any are noted; False if something is in the way."""
    async with context.store.transaction() as tx:
        noted = await tx.note(DISK)
    if not noted:
        return True
    if not await _sweep(context):
        return False
    async with context.store.transaction() as tx:
        if await tx.note(DISK) == noted:  # else something was erased meanwhile, and is not off it yet
            await tx.put_note(DISK, "")
    return True


async def waits(tx: Transaction, *, untold: bool = True) -> datetime | None:
    """Since when something erased waits to leave the disk; without `untold` only what the owner knows to be pending."""
    found = _Disk.read(await tx.note(DISK))
    return found.since if found and (untold or found.told) else None


# what platforms still show


@dataclass(slots=True)
class Report:
    """What became of messages on platforms: how many are gone there, which are left, how many are for later.

    `unreachable`: because the platform could not be reached. `names` are those whose fate is known.
    """

    taken: int = 0
    left: list[tuple[Shown, Fate]] = field(default_factory=list)
    later: int = 0
    unreachable: bool = False
    names: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.taken or self.left)


async def _note_shown(tx: Transaction, context: Context, posted: Iterable[Posted], *, quiet: bool) -> None:
    if context.posts is None:
        return
    for shown in await context.posts.shown(tx, posted):
        if shown.mine or not quiet:
            await tx.put_shown(replace(shown, quiet=quiet))


def alone(context: Context) -> AbstractAsyncContextManager[object]:
    """While nobody else deletes on platforms; at once where there are none."""
    return nullcontext() if context.posts is None else context.posts.turn


async def take_back(context: Context, limit: int, waiting: Sequence[Shown]) -> Report:
    """Delete on platforms what may be deleted there, so many messages at most. Nothing is settled by this alone.

    `waiting` is what they still show.
    """
    report = Report()
    if context.posts is None:
        return report
    for shown in waiting:
        fate = Fate.NOT_MINE
        if shown.mine:
            fate = await context.posts.take_back(shown) if limit > 0 else Fate.LATER
            report.unreachable |= limit > 0 and fate is Fate.LATER
            limit = 0 if fate is Fate.LATER else limit - 1
        if fate is Fate.LATER:
            report.later += not shown.quiet
            continue
        report.names.append(shown.name)
        report.taken += fate is Fate.GONE and not shown.quiet
        if fate is not Fate.GONE and not shown.quiet:
            report.left.append((shown, fate))
    return report


async def settle(context: Context, report: Report) -> None:
    """What became of these is known and told."""
    if not report.names:
        return
    async with context.store.transaction() as tx:
        await tx.drop_shown(report.names)


async def in_words(context: Context, report: Report) -> list[str]:
    """For the owner: what is gone there, and what he must delete himself, with links."""
    language, lines = context.language, []
    if report.taken:
        lines.append(say(language, "erase.taken_back", count=report.taken))
    if report.left:
        async with context.store.transaction() as tx:
            titles = {chat.id: chat.title for chat in await tx.chats()}
            zone = zone_of(await tx.policy())
        lines.append(say(language, "erase.left"))
        for shown, fate in report.left[:_LISTED]:
            where = shown.link or _where(shown, titles, zone, language)
            lines.append(say(language, "erase.left_line", where=where, why=say(language, f"fate.{fate}")))
        if len(report.left) > _LISTED:
            lines.append(say(language, "wide.more", count=len(report.left) - _LISTED))
    if report.later:
        lines.append(say(language, "erase.later", count=report.later))
    return lines


def _where(shown: Shown, titles: dict[ContainerId, str], zone: ZoneInfo, language: str) -> str:
    room = titles.get(shown.container, "") or say(language, "room.direct")
    time = time_in_words(shown.at, zone, day_only=False) if shown.at else "?"
    return say(language, "shown.at", room=one_line(room, 40), time=time)

"""Retention: what has been kept for its period is forgotten, exactly as `/forget` does it.

A category's period takes whole messages: a message cannot be kept that has words of it. What else was told in the same
message goes with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.context import ZONE, Context, OwnerAct
from bot.memory.edits import with_versions
from bot.memory.erasure import erase, erase_for
from bot.owner.commands.args import one_line
from bot.texts import say
from config.defaults import display_name
from engine.cards import RetentionProposal
from engine.ids import CategoryName, ContainerId, FactId, MessageId
from engine.items import RawFact, RawMessage
from engine.retention import Period
from engine.store import Transaction

ALL = 1_000_000
_BATCH = 500


@dataclass(frozen=True, slots=True)
class Due:
    """What a period has over it: messages of its chat, or facts of its category, oldest first."""

    messages: Sequence[MessageId] = ()
    facts: Sequence[FactId] = ()

    def __bool__(self) -> bool:
        """Whether there is anything."""
        return bool(self.messages or self.facts)


async def kept(tx: Transaction, period: Period, before: datetime, limit: int) -> list[datetime]:
    """When what this period is about was said, oldest first, as far as that was before this moment."""
    return [at for _, at in await _listed(tx, period, before, limit)]


async def due(tx: Transaction, period: Period, now: datetime, limit: int) -> Due:
    """What has been kept long enough."""
    found = await _listed(tx, period, period.ends(now), limit)
    names = [name for name, _ in found]
    if period.chat is not None:
        return Due(messages=[MessageId(name) for name in names])
    return Due(facts=[FactId(name) for name in names])


async def _listed(
    tx: Transaction, period: Period, before: datetime, limit: int
) -> list[tuple[MessageId, datetime]] | list[tuple[FactId, datetime]]:
    if period.chat is not None:
        found = [
            one
            for chat in await ids_of(tx, period.chat)
            for one in await tx.messages_before(before, chat, limit)
        ]
        return sorted(found, key=lambda one: one[1])[:limit]
    return await tx.facts_before(before, period.category or CategoryName(""), limit)


async def with_all(tx: Transaction, found: Due) -> tuple[list[RawMessage], list[RawFact]]:
    """The messages that go, and the facts that go with them."""
    facts = await tx.facts(found.facts, ZONE)
    told = [*found.messages, *(source for fact in facts for source in fact.sources)]
    ids = dict.fromkeys(await with_versions(tx, told))
    messages = [m for i in ids if (m := await tx.message(i, ZONE)) is not None]
    behind = [f for f in await tx.facts_behind(messages, ZONE) if set(f.sources) & ids.keys()]
    return messages, list({f.id: f for f in [*facts, *behind]}.values())


async def apply_periods(context: Context) -> int:
    """Forget what has been kept for its period, some at a time, each time whole; returns how many messages and facts."""
    gone = 0
    async with context.store.transaction() as tx:
        periods = (await tx.policy()).retention.periods()
    for period in periods:
        while True:
            async with context.store.transaction() as tx:
                if period not in (await tx.policy()).retention.periods():
                    break  # changed meanwhile
                found = await due(tx, period, context.clock.now(), _BATCH)
                if not found:
                    break
                erased = await erase(tx, context, facts=found.facts, messages=found.messages, quiet=True)
                gone += erased.facts + erased.messages
    return gone


async def ids_of(tx: Transaction, chat: ContainerId) -> list[ContainerId]:
    """A chat's id, and those it had before: what was said there then is kept under them."""
    found = [chat]
    for known in found:
        found += [one for one in await tx.moved_from(known) if one not in found]
    return found


async def follow(context: Context, old: ContainerId, new: ContainerId) -> None:
    """A chat has another id now: its period goes on under that, for what was said before too."""
    async with context.store.transaction() as tx:
        await tx.keep_move(old, new)
        policy = await tx.policy()
        moved = policy.retention.moved(old, new)
        if moved != policy.retention:
            await tx.save_policy(replace(policy, retention=moved), context.clock.now())


async def carry_out_retention(
    tx: Transaction, context: Context, act: OwnerAct, proposal: RetentionProposal
) -> str:
    """Set the period, and forget at once what it has over it."""
    period, now = proposal.period, context.clock.now()
    policy = await tx.policy()
    await tx.save_policy(replace(policy, retention=policy.retention.put(period)), now)
    found = await due(tx, period, now, ALL)
    words = say(
        context.language,
        "keep.done",
        what=await subject(tx, period, context.language),
        period=in_days(period.days, context.language),
    )
    if not found:
        return words
    gone = await erase_for(tx, context, act, facts=found.facts, messages=found.messages)
    counts = say(context.language, "erase.gone", facts=gone.facts, messages=gone.messages, turns=gone.turns)
    return f"{words}\n{counts}"


async def chat_title(tx: Transaction, period: Period) -> str:
    """What the chat is called that a period is about; empty if it is a direct one, or a category."""
    titles = {chat.id: chat.title for chat in await tx.chats()}
    known = await ids_of(tx, period.chat) if period.chat is not None else []
    return next((titles[chat] for chat in known if titles.get(chat)), "")


async def subject(tx: Transaction, period: Period, language: str) -> str:
    """What a period is about, in words."""
    return subject_called(period, await chat_title(tx, period), language)


def subject_called(period: Period, title: str, language: str) -> str:
    """The same, where the chat's title is known."""
    if period.category is not None:
        return say(language, "keep.category", name=display_name(period.category, language))
    return say(language, "keep.here", room=one_line(title, 40) or say(language, "room.direct"))


def in_days(days: int, language: str) -> str:
    """How long a period is."""
    return say(language, "period.day", count=days)

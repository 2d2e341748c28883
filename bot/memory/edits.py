"""Versions of a message that its sender edited: which came before which, and whose facts a new one replaces.

A new version corrects the old ones: what they told is retired wherever the new one may be told, and stays with those
who heard only the old. Nothing that the owner granted or confirmed for an old version counts for a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.context import ZONE, Context
from engine.ids import FactId, MessageId
from engine.items import RawFact, RawMessage
from engine.people import folded
from engine.store import Search, Transaction

_NEIGHBOURS = 8


async def versions_before(tx: Transaction, message: MessageId) -> list[RawMessage]:
    """The earlier versions of a message that are not forgotten, the first one first."""
    rows = [row for row in await tx.versions([message]) if message in row[1:]]
    names = [name for row in rows for name in row[: row.index(message)]]
    found = [await tx.message(name, ZONE) for name in names]
    return [version for version in found if version is not None]


async def recorded_as(tx: Transaction, event: str) -> MessageId | None:
    """The first version of a message there is: as it was written, or as it was when it first came here, edited."""
    first = await tx.recorded(event)
    return first or next((row[1] for row in await tx.versions([event]) if row[0] == event), None)


async def says_nothing_new(tx: Transaction, event: str, text: str) -> bool:
    """Whether an edit of a message is nothing to Tact: its newest version has these words already, or was forgotten.

    What was forgotten stays so: a platform may call an edit what nobody touched, and all of it would be back.
    """
    first = await recorded_as(tx, event)
    if first is None:
        return False
    rows = [row for row in await tx.versions([first, event]) if row[0] in {first, event}]
    newest = await tx.message(max(rows, key=lambda row: row[0] == first)[-1] if rows else first, ZONE)
    return newest is None or newest.text == text


async def with_versions(
    tx: Transaction, messages: Iterable[MessageId], facts: Iterable[FactId] = ()
) -> list[MessageId]:
    """These messages, and all other versions of them and of what these facts were told in.

    On its platform a message is one, whatever became of it.
    """
    sources = [source for fact in await tx.facts(facts, ZONE) for source in fact.sources]
    found = dict.fromkeys(messages)
    for row in await tx.versions([*found, *sources]):
        found |= dict.fromkeys(row)
    return list(found)


async def replaced(
    tx: Transaction, message: RawMessage, stated: Sequence[RawFact], here: Sequence[RawFact]
) -> dict[FactId, FactId]:
    """Which facts of earlier versions of a message are replaced, each by the nearest one of the new version.

    Args:
        tx: the memory.
        message: the new version.
        stated: all that it states; what an old version states in the same words stays as it is.
        here: the facts of the session that is annotated, which are not kept yet.
    """
    earlier = await versions_before(tx, message.id) if stated else []
    if not earlier:
        return {}
    words = {folded(fact.text) for fact in stated}
    kept = await tx.facts_behind(earlier, ZONE)
    ids = {version.id for version in earlier}
    behind = {fact.id: fact for fact in (*kept, *here) if ids & set(fact.sources)}
    new = [f for f in here if message.id in f.sources]
    new += [f for f in behind.values() if folded(f.text) in words]
    old = [f for f in behind.values() if folded(f.text) not in words and f.teller == message.sender]
    confirmed = {f.id for f in (*kept, *here) if f.confirmed is not None}
    return {
        f.id: max(new, key=lambda one: (_alike(f.text, one.text), one.said_at, one.id)).id
        for f in old
        if new and (f.superseded_by is None or f.superseded_by not in confirmed)
    }


def _alike(one: str, other: str) -> int:
    """How many words, or signs of a script that needs no blanks, two texts share."""
    first, second = folded(one), folded(other)
    return len(set(first.split()) & set(second.split())) * 4 + len(set(first) & set(second))


async def retired_by(tx: Transaction, context: Context, fact: RawFact) -> list[RawFact]:
    """The facts that this one has replaced, as a correction or as a new version."""
    earlier = [one for source in fact.sources for one in await versions_before(tx, source)]
    behind = await tx.facts_behind(earlier, ZONE) if earlier else []
    hits = await tx.search(Search(context.reader.tokens(fact.text), b"", 0.0), ZONE, _NEIGHBOURS)
    found = {old.id: old for old in (*behind, *(hit.fact for hit in hits))}
    return [old for old in found.values() if old.superseded_by == fact.id]

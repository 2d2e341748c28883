"""Erasing at the owner's word: inside the transaction the words go, after the commit the bytes leave the disk."""

from __future__ import annotations

from collections.abc import Iterable

from bot.parts import Parts
from bot.texts import say
from engine.failpoints import reach
from engine.ids import FactId, MessageId
from engine.store import Forgotten, Transaction


async def erase(
    tx: Transaction, parts: Parts, *, facts: Iterable[FactId] = (), messages: Iterable[MessageId] = ()
) -> Forgotten:
    """Forget, and see to the disk once it is committed; the answer says `done` only if the bytes are gone by then."""
    gone = await tx.forget(facts=list(facts), messages=list(messages), at=parts.clock.now())

    async def finish() -> str:
        reach("forgotten")
        finished = await parts.store.finish_forgetting()
        reach("checkpointed")
        return say(parts.language, "erase.done" if finished else "erase.pending")

    parts.later.append(finish)
    return gone

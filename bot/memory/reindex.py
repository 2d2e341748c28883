"""Another embedding model takes over: every fact gets a vector of it, some at a time, while turns go on."""

from __future__ import annotations

from collections.abc import Callable

from bot.context import ZONE, Context
from engine.ids import FactId

_AT_A_TIME = 64


async def reindex(context: Context, told: Callable[[int, int], None]) -> int:
    """Embed all facts that have no vector of the model in use.

    It can be stopped and begun again: what has a vector already is not embedded twice. Until it has one, a fact is
    found by its words alone.

    Args:
        context: memory and model.
        told: how many of how many were looked at.

    Returns:
        How many facts got a vector.
    """
    model = context.embedder
    last: FactId | None = None
    given = seen = 0
    async with context.store.transaction() as tx:
        total = await tx.without_vector(model.name)
    while True:
        async with context.store.transaction() as tx:
            facts = await tx.facts_without_vector(model.name, ZONE, last, _AT_A_TIME)
        if not facts:
            return given
        vectors = await model.passages([fact.text for fact in facts])
        async with context.store.transaction() as tx:
            given += await tx.put_vectors(model.name, list(zip(facts, vectors, strict=True)))
        seen, last = seen + len(facts), facts[-1].id
        told(min(seen, total), total)

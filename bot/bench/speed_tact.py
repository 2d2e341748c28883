"""The read path that is measured: what a turn does between a question's vector and facts that may be told."""

from __future__ import annotations

from time import perf_counter
from typing import Final

from bot.bench.speed_asking import K, Question
from engine.ids import ContainerId, FactId
from engine.release import Place, release_facts
from engine.store import Scope, Store, Transaction
from engine.viewers import Known

_HERE: Final = ContainerId("bench:here")


async def by_tact(tx: Transaction, question: Question, *, hybrid: bool) -> tuple[float, list[FactId]]:
    """Admit, retrieve, look again in SQL, and judge, inside a turn's transaction.

    Returns:
        Seconds, and the facts that may be told, best first.
    """
    search = question.search(hybrid=hybrid)
    place = Place(Known(question.viewers.members), _HERE)
    start = perf_counter()
    policy = await tx.policy()
    hits = await tx.search(search, Scope(place.upper), K)
    released, _ = release_facts([hit.fact for hit in hits], place, policy)
    return perf_counter() - start, [fact.id for fact in released]


async def empty_transaction(store: Store) -> float:
    """Seconds for a transaction that does nothing but read which policy counts."""
    start = perf_counter()
    async with store.transaction() as tx:
        await tx.policy()
    return perf_counter() - start

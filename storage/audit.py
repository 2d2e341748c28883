"""`audit`: whether a memory holds together, tables and index."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from engine.audience import EVERYONE, OWNER_ONLY, Audience
from engine.errors import StoreFault
from engine.ids import FactId
from engine.items import RawSession
from engine.sealed_context import Ranked
from engine.store import Scope, Search, Transaction
from storage.repositories.consistency import Fault, Harm, TableAudit
from storage.repositories.fact_rows import covers
from storage.repositories.search import RecallRepository
from storage.tables import edges, facts

if TYPE_CHECKING:
    from storage.index import FactIndex

__all__ = ["AuditRepository", "Fault", "Harm", "annotated_sessions", "audit"]

_ASKED = [c for c in facts.c if c.name in {"id", "terms", "vector", "vector_model"}]
_PROBES = 40
_SCOPES = 12


async def audit(tx: Transaction) -> list[Fault]:
    """Everything that is wrong with a memory in a database; none of it is changed. A memory of another kind has no faults."""
    if not isinstance(tx, AuditRepository):
        return []
    found = [fault async for fault in tx.table_faults()]
    try:
        found += [fault async for fault in tx.index_faults()]
    except (StoreFault, KeyError) as error:  # of rows that do not open, or lead nowhere, no index is made
        found.append(Fault(Harm.DAMAGED, "index", f"it cannot be read: {error}"))
    return sorted(found)


async def annotated_sessions(tx: Transaction) -> list[RawSession]:
    """Sessions that count as annotated; of a memory in a database alone."""
    return await tx.annotated() if isinstance(tx, AuditRepository) else []


class AuditRepository(TableAudit, RecallRepository):
    """Compares the index that this process kept in step with the tables, and with one that is read afresh."""

    async def index_faults(self) -> AsyncIterator[Fault]:
        """Where the index says something else than the tables, or than a new one."""
        kept, fresh = await self._index(), await self._whole_index()
        policy = await self.policy()
        fresh.settle(policy)
        ids = [FactId(name) for (name,) in await self._rows(select(facts.c.id).order_by(facts.c.id))]
        whole = await self._whole_facts(ids)
        contacts = [Audience.of([person]) for person in sorted(policy.contacts)]
        for viewers in [OWNER_ONLY, EVERYONE, *contacts][:_SCOPES]:
            scope = Scope(viewers)
            right = {i for i, fact in whole.items() if covers(fact, policy, scope)}
            for index in (kept, fresh):
                for i in right ^ {i for i, _ in await _ranked(index, Search((), wide=True), scope, len(ids))}:
                    yield Fault(
                        Harm.STEP, "index", f"{i} {'is not' if i in right else 'should not be'} there"
                    )
        async for fault in self._answers(kept, fresh, ids):
            yield fault

    async def _answers(
        self, kept: FactIndex, fresh: FactIndex, ids: Sequence[FactId]
    ) -> AsyncIterator[Fault]:
        """The same questions to both: their terms, vectors and names are compared by what they answer."""
        chosen = ids[:: max(1, len(ids) // _PROBES)]
        scope = Scope(OWNER_ONLY)
        for row in await self._in_chunks(select(*_ASKED), facts.c.id, chosen):
            terms: Any = self._vault.open_json(row.terms, row.id)
            vector = self._vector(row)
            for query in (Search(tuple(terms), b"", 0.0), Search((), vector.data, 1.0, model=vector.model)):
                first, second = [await _ranked(index, query, scope, len(ids)) for index in (kept, fresh)]
                if first != second:
                    yield Fault(Harm.STEP, "index", f"another answer about {row.id} than from a new one")
        named = select(edges.c.fact_id, edges.c.position, edges.c.subject)
        for row in await self._in_chunks(named, edges.c.fact_id, chosen):
            name = self._vault.open_text(row.subject, f"{row.fact_id}/{row.position}")
            if kept.naming([name]) != fresh.naming([name]) or row.fact_id not in kept.naming([name]):
                yield Fault(Harm.STEP, "index", f"a name in {row.fact_id} leads elsewhere than in a new one")


async def _ranked(index: FactIndex, query: Search, scope: Scope, count: int) -> list[tuple[FactId, Ranked]]:
    """Everything in scope, and more than there should be if the index holds more."""
    return await index.search(query, scope, count + len(index))

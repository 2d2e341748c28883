"""Finding facts, edges and links: the index proposes, SQL decides under the same scope."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlalchemy import select

from engine.ids import FactId, LinkId, MessageId, SessionId
from engine.items import LinkKind, RawEdge, RawFact, RawLink, RawMessage
from engine.people import folded
from engine.sealed_context import Ranked
from engine.store import Hit, Scope, Search
from storage.repositories.base import in_scope
from storage.repositories.embedding import EmbeddingRepository
from storage.tables import edges as edge_table
from storage.tables import fact_sources, facts
from storage.tables import links as link_table
from storage.vectors.chroma_faults import VectorsDown, VectorsLost

_log = logging.getLogger(__name__)


class RecallRepository(EmbeddingRepository):
    """See `engine.store.Transaction`."""

    async def facts(self, ids: Iterable[FactId], scope: Scope) -> list[RawFact]:
        """These facts, as far as they are in scope."""
        wanted = list(dict.fromkeys(ids))
        found = await self._scoped(wanted, scope)
        return [found[i] for i in wanted if i in found]

    async def session_facts(self, session: SessionId, scope: Scope) -> list[RawFact]:
        """A session's facts, oldest first."""
        rows = await self._rows(select(facts.c.id).where(facts.c.session_id == session))
        return _in_time((await self._scoped([FactId(row.id) for row in rows], scope)).values())

    async def facts_behind(self, messages: Iterable[RawMessage], scope: Scope) -> list[RawFact]:
        """The facts that these messages are a source of, or told; oldest first."""
        every = list(messages)
        sourced = select(fact_sources.c.fact_id)
        rows = await self._in_chunks(sourced, fact_sources.c.message_id, [m.id for m in every])
        ids = [*(FactId(row.fact_id) for row in rows), *(i for m in every for i in m.used)]
        return _in_time((await self._scoped(ids, scope)).values())

    async def search(self, query: Search, scope: Scope, limit: int, offset: int = 0) -> list[Hit]:
        """Facts in scope, best first."""
        if scope.nothing:
            return []
        ranks = dict(await self._ranked(query, scope, limit, offset))
        found = await self._scoped(ranks, scope)
        return [Hit(found[i], rank) for i, rank in ranks.items() if i in found]

    async def _ranked(
        self, query: Search, scope: Scope, limit: int, offset: int
    ) -> list[tuple[FactId, Ranked]]:
        """What the index proposes. Vectors that are lost are looked for once more; if they cannot be had, words decide."""
        try:
            try:
                return await (await self._index()).search(query, scope, limit, offset)
            except VectorsLost:
                self._caches.index = None
                return await (await self._index()).search(query, scope, limit, offset)
        except (VectorsDown, VectorsLost) as fault:
            _log.warning("vectors.down", extra={"state": type(fault).__name__})
        index = await self._index()
        return await index.search(replace(query, vector=b""), scope, limit, offset)

    async def edges(
        self, scope: Scope, *, naming: Sequence[str] = (), facts: Iterable[FactId] = ()
    ) -> list[RawEdge]:
        """Edges that name somebody, or those of these facts; in order of their facts."""
        wanted, ids = {folded(name) for name in naming}, set(facts)
        if scope.nothing or not (wanted or ids):
            return []
        named = (await self._index()).naming(wanted) if wanted else set()
        told = _in_time((await self._scoped(ids | named, scope)).values())
        order = select(edge_table).order_by(edge_table.c.fact_id, edge_table.c.position)
        by_fact: dict[str, list[RawEdge]] = {}
        for row in await self._in_chunks(order, edge_table.c.fact_id, [fact.id for fact in told]):
            place = f"{row.fact_id}/{row.position}"
            words = [self._vault.open_text(w, place) for w in (row.subject, row.predicate, row.object)]
            by_fact.setdefault(row.fact_id, []).append(RawEdge(FactId(row.fact_id), *words))
        found = [edge for fact in told for edge in by_fact.get(fact.id, ())]
        return [e for e in found if e.fact in ids or wanted & {folded(e.subject), folded(e.object)}]

    async def links(self, facts: Iterable[FactId], scope: Scope) -> list[RawLink]:
        """Links with both ends among these facts."""
        ids = await self._scoped(facts, scope)
        seen = select(link_table).where(in_scope(link_table.c.audience_id, scope))
        rows = await self._in_chunks(seen, link_table.c.left_id, ids)
        known = await self._audiences({row.audience_id for row in rows})
        found = [
            RawLink(
                LinkId(row.id), LinkKind(row.kind), FactId(row.left_id), FactId(row.right_id),
                MessageId(row.message_id), known[row.audience_id],
            )
            for row in rows
            if row.right_id in ids
        ]  # fmt: skip
        return sorted(found, key=lambda link: link.id)


def _in_time(found: Iterable[RawFact]) -> list[RawFact]:
    return sorted(found, key=lambda fact: (fact.said_at, fact.id))

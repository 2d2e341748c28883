"""Keeping the index in step with the tables."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from engine.ids import EventId, FactId
from storage.garbage import all_staying
from storage.prepared_reads import IDS, Prepared
from storage.repositories.fact_rows import Lists, by_fact, by_itself, fact_of, lists_of, sources_of
from storage.repositories.facts import FactRepository
from storage.tables import edges, fact_sources, facts, list_entries

if TYPE_CHECKING:
    from storage.index import FactIndex
    from storage.vectors.port import Vector, Vectors

_WORDLESS = Prepared(
    select(
        *(c for c in facts.c if c.name != "text"),
        fact_sources.c.position,
        fact_sources.c.message_id,
    )
    .select_from(facts.outerjoin(fact_sources, fact_sources.c.fact_id == facts.c.id))
    .where(facts.c.id.in_(IDS))
)
"""Facts without their words, a row for each source."""

_NAMED = select(edges.c.fact_id, edges.c.position, edges.c.subject, edges.c.object)
_PAGE = 500


@dataclass(frozen=True, slots=True)
class _Beside:
    """What belongs to facts and lies in other tables."""

    lists: Lists
    names: Mapping[str, list[str]]


class IndexLoading(FactRepository):
    """Reads the index whole when it is first asked, and what changed since then.

    It gets everything that a fact is but its words: whom the policy releases a fact to may hang on any of it.
    """

    async def _index(self) -> FactIndex:
        """The index as of this moment in this transaction."""
        caches = self._caches
        if caches.index is None:
            caches.index = await self._whole_index(caches.keeping.vectors if caches.keeping else None)
        elif caches.stale_facts or caches.stale_events:
            await self._refresh(caches.index, set(caches.stale_facts), set(caches.stale_events))
        caches.stale_facts.clear()
        caches.stale_events.clear()
        caches.index.settle(await self.policy())
        return caches.index

    async def _whole_index(self, vectors: Vectors | None = None) -> FactIndex:
        """A new index; its vectors lie there, or in this process."""
        from storage.index import FactIndex  # noqa: PLC0415 - numpy is loaded with the first search

        index = FactIndex(vectors)
        await index.vectors.begin()
        lists = lists_of(await self._rows(select(list_entries).order_by(list_entries.c.id)))
        beside = _Beside(lists, self._names(await self._rows(_NAMED)))
        every = [row.id for row in await self._rows(select(facts.c.id))]
        with all_staying(len(every)):
            for start in range(0, len(every), _PAGE):  # never all of them at once: sealed, they are large
                page = await _WORDLESS.read(self._connection, every[start : start + _PAGE])
                await self._take_in(index, page, beside)
                await asyncio.sleep(0)  # let others run
                await index.vectors.pause()
        for event, entries in lists.of_events.items():
            index.list_event(event, entries)
        index.vectors.complete()
        return index

    async def _refresh(self, index: FactIndex, ids: set[FactId], events: set[EventId]) -> None:
        rows = await _WORDLESS.read(self._connection, ids)
        present = list({FactId(row.id) for row in rows})
        events |= {EventId(row.event_id) for row in rows}
        lists = await self._lists(present, events)
        names = self._names(await self._in_chunks(_NAMED, edges.c.fact_id, present))
        for gone in ids - set(present):
            index.drop(gone)
        await self._take_in(index, rows, _Beside(lists, names))
        for event in events:
            index.list_event(event, lists.of_events.get(event, ()))

    def _names(self, rows: Iterable[Any]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for row in rows:
            place = f"{row.fact_id}/{row.position}"
            words = [self._vault.open_text(sealed, place) for sealed in (row.subject, row.object)]
            found.setdefault(row.fact_id, []).extend(words)
        return found

    async def _take_in(self, index: FactIndex, rows: Sequence[Any], beside: _Beside) -> None:
        known = await self._audiences({row.audience_id for row in rows})
        for i, some in by_fact(rows).items():
            row = some[0]
            fact = fact_of(
                row,
                known[row.audience_id],
                self._details(row),
                sources=sources_of(some),
                event=by_itself(row),
                lists=beside.lists.of_facts.get(i, ()),
            )
            terms: Any = self._vault.open_json(row.terms, row.id)
            index.put(fact, terms, self._vector(row), beside.names.get(i, ()))

    def _vector(self, row: Any) -> Vector:
        from storage.vectors.port import Vector  # noqa: PLC0415 - as above

        data = b"" if row.vector is None else self._vault.open(row.vector, row.id)
        return Vector(data, row.vector_model or "")

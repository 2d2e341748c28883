"""Keeping the index in step with the tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from engine.ids import EventId, FactId
from engine.items import ListEntry
from storage.mapping import entry_of
from storage.repositories.facts import FactRepository
from storage.repositories.rows import fact_of
from storage.tables import edges, facts, list_entries

if TYPE_CHECKING:
    from storage.index import FactIndex

_WITHOUT_TEXT = [c for c in facts.c if c.name != "text"]
_NAMED = (edges.c.fact_id, edges.c.position, edges.c.subject, edges.c.object)


class IndexLoading(FactRepository):
    """Reads the index whole when it is first asked, and what changed since then."""

    async def _index(self) -> FactIndex:
        """The index as of this moment in this transaction."""
        caches = self._caches
        if caches.index is None:
            caches.index = await self._whole_index()
        elif caches.stale_facts or caches.stale_events:
            await self._refresh(caches.index, set(caches.stale_facts), set(caches.stale_events))
        caches.stale_facts.clear()
        caches.stale_events.clear()
        caches.index.settle(await self.policy())
        return caches.index

    async def _whole_index(self) -> FactIndex:
        from storage.index import FactIndex  # noqa: PLC0415 - numpy is loaded with the first search

        index = FactIndex()
        own: dict[FactId, tuple[ListEntry, ...]] = {}
        of_events: dict[EventId, tuple[ListEntry, ...]] = {}
        for row in await self._rows(select(list_entries).order_by(list_entries.c.id)):
            if row.fact_id is not None:
                own[FactId(row.fact_id)] = (*own.get(FactId(row.fact_id), ()), entry_of(row))
            else:
                event = EventId(row.event_id)
                of_events[event] = (*of_events.get(event, ()), entry_of(row))
        await self._take_in(
            index,
            await self._rows(select(*_WITHOUT_TEXT)),
            own,
            self._names(await self._rows(select(*_NAMED))),
        )
        for event, entries in of_events.items():
            index.list_event(event, entries)
        return index

    async def _refresh(self, index: FactIndex, ids: set[FactId], events: set[EventId]) -> None:
        rows = await self._in_chunks(select(*_WITHOUT_TEXT), facts.c.id, ids)
        present = [FactId(row.id) for row in rows]
        events |= {EventId(row.event_id) for row in rows}
        own, of_events = await self._lists(present, events)
        named = self._names(await self._in_chunks(select(*_NAMED), edges.c.fact_id, present))
        for gone in ids - set(present):
            index.drop(gone)
        await self._take_in(index, rows, own, named)
        for event in events:
            index.list_event(event, of_events.get(event, ()))

    def _names(self, rows: Iterable[Any]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for row in rows:
            place = f"{row.fact_id}/{row.position}"
            words = [self._vault.open_text(sealed, place) for sealed in (row.subject, row.object)]
            found.setdefault(row.fact_id, []).extend(words)
        return found

    async def _take_in(
        self,
        index: FactIndex,
        rows: Sequence[Any],
        own: Mapping[FactId, tuple[ListEntry, ...]],
        named: Mapping[str, list[str]],
    ) -> None:
        known = await self._audiences({row.audience_id for row in rows})
        for row in rows:
            fact = fact_of(row, known[row.audience_id], self._details(row), lists=own.get(FactId(row.id), ()))
            terms: Any = self._vault.open_json(row.terms, row.id)
            vector = b"" if row.vector is None else self._vault.open(row.vector, row.id)
            index.put(fact, terms, vector, named.get(row.id, ()))

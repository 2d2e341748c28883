"""Writing facts, and what belongs to them: lists, edges, links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, delete, or_, select, update

from engine.failpoints import reach
from engine.ids import EventId, FactId, SessionId
from engine.items import ListEntry, RawEdge, RawFact, RawLink
from engine.store import NewFact
from storage.mapping import details_of, entry_values
from storage.prepared_reads import IDS, Prepared
from storage.repositories.base import chunks
from storage.repositories.fact_rows import MARKS, FactRows
from storage.tables import edges as edge_table
from storage.tables import fact_sources, facts, list_entries
from storage.tables import links as link_table
from storage.word_copies import still_meant

_RECORDED = ("first_hand", "owner_typed", "unresolved")
"""Marks of how a fact was recorded: nothing changes them."""

_OF_SESSION = Prepared(select(facts.c.id).where(facts.c.session_id.in_(IDS)))
_THERE = Prepared(select(facts.c.id).where(facts.c.id.in_(IDS)))


class FactRepository(FactRows):
    """See `engine.store.Transaction`."""

    async def put_facts(
        self, session: SessionId, facts: Sequence[NewFact], edges: Sequence[RawEdge], links: Sequence[RawLink]
    ) -> None:
        """Replace everything that was annotated from a session; a grant stays with the words it was given for."""
        if any(new.fact.session != session for new in facts):
            raise ValueError("a fact of another session")
        gone = await self._gone(i for n in facts for i in (n.fact.id, *n.fact.sources))
        kept = list({n.fact.id: n for n in facts if not gone & {n.fact.id, *n.fact.sources}}.values())
        ids = [n.fact.id for n in kept]
        old = await self._annotated(session, ids)
        before = await self._whole_facts(i for i in ids if i in old)
        own = (await self._lists(list(before), ())).of_facts
        await self._clear(session, old, keep=set(ids))
        reach("cleared")
        lists = {
            n.fact.id: (
                *still_meant(own.get(n.fact.id, ()), before, n.fact),
                *_given(n.fact, before.get(n.fact.id)),
            )
            for n in kept
        }
        events = {i: fact.event.id for i, fact in before.items()}
        await self._insert_facts(kept, lists, events)
        reach("filled")
        await self._insert_edges(edges, set(ids))
        await self._insert_links(session, links)
        for i in {*old, *ids}:
            self._changed("fact", i)

    async def _annotated(self, session: SessionId, ids: Sequence[FactId]) -> set[FactId]:
        """The facts there are of a session, and those that have one of these ids."""
        of_session = await _OF_SESSION.read(self._connection, [session])
        same = await _THERE.read(self._connection, ids)
        return {FactId(row.id) for row in (*of_session, *same)}

    async def _clear(self, session: SessionId, old: Iterable[FactId], keep: set[FactId]) -> None:
        """Erase facts with all that belongs to them, and the session's links; links to kept facts of others stay."""
        await self._run(delete(link_table).where(link_table.c.session_id == session))
        every = set(old)
        for part in chunks(every - keep):
            await self._run(delete(link_table).where(_touching(part)))
        for part in chunks(every):
            await self._run(delete(facts).where(facts.c.id.in_(part)))

    async def _insert_facts(
        self,
        new: Sequence[NewFact],
        lists: dict[FactId, tuple[ListEntry, ...]],
        events: dict[FactId, EventId],
    ) -> None:
        rows = [await self._fact_values(n, events.get(n.fact.id, n.fact.event.id)) for n in new]
        await self._insert(facts, rows)
        sources: list[dict[str, object]] = [
            {"fact_id": n.fact.id, "position": place, "message_id": message}
            for n in new
            for place, message in enumerate(n.fact.sources)
        ]
        await self._insert(fact_sources, sources)
        entries = [{"fact_id": i, "event_id": None, **entry_values(e)} for i, es in lists.items() for e in es]
        await self._insert(list_entries, entries)

    async def _fact_values(self, new: NewFact, event: EventId) -> dict[str, object]:
        fact, vault = new.fact, self._vault
        vector = vault.seal("facts", "vector", fact.id, new.vector) if new.vector else None
        return {
            "id": fact.id,
            "event_id": event,
            "session_id": fact.session,
            "container_id": fact.container,
            "teller": fact.teller,
            "said_at": fact.said_at,
            "audience_id": await self._number(fact.audience),
            "text": vault.seal_text("facts", "text", fact.id, fact.text),
            "details": vault.seal_json("facts", "details", fact.id, details_of(fact)),
            "terms": vault.seal_json("facts", "terms", fact.id, list(new.terms)),
            "vector": vector,
            "vector_model": new.model if new.vector else None,
            **{name: getattr(fact, name) for name in MARKS},
        }

    async def _insert_edges(self, edges: Sequence[RawEdge], ids: set[FactId]) -> None:
        rows: list[dict[str, object]] = []
        places: dict[FactId, int] = {}
        for edge in (e for e in edges if e.fact in ids):
            place = places[edge.fact] = places.get(edge.fact, -1) + 1
            words = {
                name: self._vault.seal_text("edges", name, f"{edge.fact}/{place}", getattr(edge, name))
                for name in ("subject", "predicate", "object")
            }
            rows.append({"fact_id": edge.fact, "position": place, **words})
        await self._insert(edge_table, rows)

    async def _insert_links(self, session: SessionId, links: Sequence[RawLink]) -> None:
        gone = await self._gone(i for link in links for i in (link.message, link.left, link.right))
        kept = {link.id: link for link in links if not gone & {link.message, link.left, link.right}}
        for part in chunks(kept):
            await self._run(delete(link_table).where(link_table.c.id.in_(part)))
        rows: list[dict[str, object]] = [
            {
                "id": link.id,
                "session_id": session,
                "kind": str(link.kind),
                "left_id": link.left,
                "right_id": link.right,
                "message_id": link.message,
                "audience_id": await self._number(link.audience),
            }
            for link in kept.values()
        ]
        await self._insert(link_table, rows)

    async def change_fact(self, fact: RawFact) -> None:
        """Store a fact's marks; how it was recorded never changes."""
        marks = {name: getattr(fact, name) for name in MARKS if name not in _RECORDED}
        marks["details"] = self._vault.seal_json("facts", "details", fact.id, details_of(fact))
        await self._run(update(facts).where(facts.c.id == fact.id).values(marks))
        self._changed("fact", fact.id)

    async def list_person(
        self, entry: ListEntry, *, fact: FactId | None = None, event: EventId | None = None
    ) -> None:
        """Add a list entry, once."""
        if (fact is None) == (event is None):
            raise ValueError("either a fact or an event")
        lists = await self._lists([fact] if fact else [], [event] if event else [])
        known = (*lists.of_facts.values(), *lists.of_events.values())
        if any(entry in entries for entries in known) or not (event or await self._exists(fact)):
            return
        row = {"fact_id": fact, "event_id": event, **entry_values(entry)}
        await self._insert(list_entries, [row])
        self._changed("fact" if fact else "event", str(fact or event))

    async def _exists(self, fact: FactId | None) -> bool:
        return (await self._run(select(facts.c.id).where(facts.c.id == fact))).first() is not None


def _given(new: RawFact, before: RawFact | None) -> tuple[ListEntry, ...]:
    """The entries that come with a fact and that it did not have before, by itself or through its event.

    An annotation's entry that differs in its time alone is the same one.
    """
    known = before.lists if before else ()
    marks = {_mark(e) for e in known if not e.by_owner}
    fresh = [e for e in new.lists if e not in known and (e.by_owner or _mark(e) not in marks)]
    return tuple(dict.fromkeys(fresh))


def _mark(entry: ListEntry) -> tuple[object, ...]:
    return (entry.colour, entry.person, entry.basis, entry.set_by, entry.real_truth)


def _touching(ids: Sequence[str]) -> ColumnElement[bool]:
    return or_(link_table.c.left_id.in_(ids), link_table.c.right_id.in_(ids))

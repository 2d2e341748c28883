"""Facts, lists, edges and links, in the twin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.ids import OWNER, EventId, FactId, SessionId
from engine.items import Basis, Colour, EventState, ListEntry, RawEdge, RawFact, RawLink, RawMessage
from engine.people import folded
from engine.release import release_of
from engine.store import Hit, NewFact, Scope, Search
from storage.twin.people import PeoplePart
from storage.twin.ranking import ranked
from storage.twin.state import visible
from storage.word_copies import still_meant


class FactsPart(PeoplePart):
    """See `engine.store.Transaction`."""

    def _entries(self, fact: RawFact) -> tuple[ListEntry, ...]:
        """A fact's own list entries, and what its event contributes."""
        s = self._state
        found = list(s.fact_lists.get(fact.id, ()))
        if self._policy().blacklist_scope == "event":
            found += s.event_lists.get(fact.event.id, ())
            for other in s.facts.values():
                if other.fact.event.id == fact.event.id:
                    found += [e for e in s.fact_lists.get(other.fact.id, ()) if e.colour is Colour.BLACK]
        own = s.fact_lists.get(fact.id, ())
        reaching = [e for e in found if e in own or _binds(e, fact)]
        return tuple(sorted(set(reaching), key=_order))

    def _whole(self, fact: RawFact) -> RawFact:
        """A fact with what the other facts of its event contribute."""
        group = [n.fact for n in self._state.facts.values() if n.fact.event.id == fact.event.id]
        state = EventState(
            fact.event.id,
            frozenset(f.teller for f in group),
            any(f.confidential for f in group),
            any(f.unresolved for f in group),
        )
        return replace(fact, event=state, lists=self._entries(fact))

    def _visible(self, scope: Scope) -> list[RawFact]:
        """Every fact in scope, oldest first."""
        whole = [self._whole(new.fact) for new in self._state.facts.values()]
        policy = self._policy()
        found = [f for f in whole if visible(f.audience | release_of(f, policy), scope)]
        return sorted(found, key=lambda f: (f.said_at, f.id))

    async def put_facts(
        self, session: SessionId, facts: Sequence[NewFact], edges: Sequence[RawEdge], links: Sequence[RawLink]
    ) -> None:
        """Replace everything that was annotated from a session."""
        s = self._state
        if any(new.fact.session != session for new in facts):
            raise ValueError("a fact of another session")
        kept = list({n.fact.id: n for n in facts if not {n.fact.id, *n.fact.sources} & s.tombstones}.values())
        ids = {new.fact.id for new in kept}
        old = {i for i, n in s.facts.items() if n.fact.session == session or i in ids}
        given = {new.fact.id: self._given(new.fact) for new in kept}
        events = {i: s.facts[i].fact.event.id for i in old & ids}
        before = {i: s.facts[i].fact for i in old & ids}
        for gone in old:
            del s.facts[gone]
            lists = s.fact_lists.pop(gone, ())
            if gone in ids:
                s.fact_lists[gone] = lists
        for new in kept:
            i = new.fact.id
            event = EventState(events.get(i, new.fact.event.id))
            s.facts[i] = replace(new, fact=replace(new.fact, event=event, lists=()))
            s.fact_lists[i] = (*still_meant(s.fact_lists.get(i, ()), before, new.fact), *given[i])
        s.edges = [e for e in s.edges if e.fact not in old] + [e for e in edges if e.fact in ids]
        s.links = {
            i: pair for i, pair in s.links.items() if pair[0] != session and not _ends(pair[1]) & (old - ids)
        }
        s.links |= {link.id: (session, link) for link in links if link.message not in s.tombstones
                    and not _ends(link) & s.tombstones}  # fmt: skip

    def _given(self, fact: RawFact) -> tuple[ListEntry, ...]:
        """The entries that come with a fact and that it did not have before."""
        stored = self._state.facts.get(fact.id)
        known = set(self._entries(stored.fact)) if stored else set()
        marks = {_mark(e) for e in known if not e.by_owner}
        new = [e for e in fact.lists if e not in known and (e.by_owner or _mark(e) not in marks)]
        return tuple(dict.fromkeys(new))

    async def change_fact(self, fact: RawFact) -> None:
        """Store a fact's marks."""
        new = self._state.facts.get(fact.id)
        if new is None:
            return
        old = new.fact
        marked = replace(
            fact,
            event=old.event, session=old.session, container=old.container, sources=old.sources, text=old.text,
            teller=old.teller, said_at=old.said_at, audience=old.audience, first_hand=old.first_hand,
            owner_typed=old.owner_typed, unresolved=old.unresolved, lists=(),
        )  # fmt: skip
        self._state.facts[fact.id] = replace(new, fact=marked)

    async def list_person(
        self, entry: ListEntry, *, fact: FactId | None = None, event: EventId | None = None
    ) -> None:
        """Add a list entry."""
        s = self._state
        if (fact is None) == (event is None):
            raise ValueError("either a fact or an event")
        if fact is not None and fact in s.facts and entry not in s.fact_lists.get(fact, ()):
            s.fact_lists[fact] = (*s.fact_lists.get(fact, ()), entry)
        if event is not None and entry not in s.event_lists.get(event, ()):
            s.event_lists[event] = (*s.event_lists.get(event, ()), entry)

    async def facts(self, ids: Iterable[FactId], scope: Scope) -> list[RawFact]:
        """These facts, as far as they are in scope."""
        found = {f.id: f for f in self._visible(scope)}
        return [found[i] for i in dict.fromkeys(ids) if i in found]

    async def session_facts(self, session: SessionId, scope: Scope) -> list[RawFact]:
        """A session's facts."""
        return [f for f in self._visible(scope) if f.session == session]

    async def facts_behind(self, messages: Iterable[RawMessage], scope: Scope) -> list[RawFact]:
        """The facts that these messages are a source of, or told."""
        every = list(messages)
        ids, told = {m.id for m in every}, {i for m in every for i in m.used}
        return [f for f in self._visible(scope) if ids & set(f.sources) or f.id in told]

    async def search(self, query: Search, scope: Scope, limit: int, offset: int = 0) -> list[Hit]:
        """Facts in scope, best first."""
        found = [(f, self._state.facts[f.id]) for f in self._visible(scope)]
        return [Hit(f, rank) for f, rank in ranked(found, query)[offset : offset + max(0, limit)]]

    async def without_vector(self, model: str) -> int:
        """How many facts have no vector of this model."""
        return sum(1 for new in self._state.facts.values() if not _is_of(new, model))

    async def facts_without_vector(
        self, model: str, scope: Scope, after: FactId | None, limit: int
    ) -> list[RawFact]:
        """The next of them in scope."""
        missing = [f for f in self._visible(scope) if not _is_of(self._state.facts[f.id], model)]
        return sorted((f for f in missing if f.id > (after or "")), key=lambda f: f.id)[:limit]

    async def put_vectors(self, model: str, vectors: Sequence[tuple[RawFact, bytes]]) -> int:
        """Give facts vectors of this model, as far as they still have these words."""
        known = self._state.facts
        same = [(f.id, v) for f, v in vectors if f.id in known and known[f.id].fact.text == f.text]
        known.update({i: replace(known[i], vector=vector, model=model) for i, vector in same})
        return len(same)

    async def edges(
        self, scope: Scope, *, naming: Sequence[str] = (), facts: Iterable[FactId] = ()
    ) -> list[RawEdge]:
        """Edges that name somebody, or those of these facts."""
        wanted, ids = {folded(n) for n in naming}, set(facts)
        result: list[RawEdge] = []
        for fact in self._visible(scope):
            own = [e for e in self._state.edges if e.fact == fact.id]
            result += [e for e in own if e.fact in ids or wanted & {folded(e.subject), folded(e.object)}]
        return result

    async def links(self, facts: Iterable[FactId], scope: Scope) -> list[RawLink]:
        """Links with both ends among these facts."""
        ids = {f.id for f in self._visible(scope)} & set(facts)
        found = [link for _, link in self._state.links.values() if visible(link.audience, scope)]
        return sorted((link for link in found if _ends(link) <= ids), key=lambda link: link.id)


def _ends(link: RawLink) -> set[FactId]:
    return {link.left, link.right}


def _binds(entry: ListEntry, fact: RawFact) -> bool:
    """A request by somebody else than the owner binds only what that person told."""
    return entry.basis is not Basis.REQUEST or entry.set_by in (OWNER, fact.teller)


def _mark(entry: ListEntry) -> tuple[object, ...]:
    return (entry.colour, entry.person, entry.basis, entry.set_by, entry.real_truth)


def _order(entry: ListEntry) -> tuple[object, ...]:
    return (entry.at, entry.colour, entry.person or "", entry.basis, entry.set_by, entry.real_truth)


def _is_of(new: NewFact, model: str) -> bool:
    return bool(new.vector) and new.model == model

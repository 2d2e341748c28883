"""The fact index: in memory, without words but index terms; says which facts in scope fit a query, and how well.

SQL stays the authority: what comes from here is looked up there again under the same scope.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.audience import Audience
from engine.ids import CategoryName, EventId, FactId
from engine.items import ListEntry, RawFact
from engine.people import folded
from engine.policy import Policy
from engine.release import release_of
from engine.sealed_context import Ranked
from engine.store import Scope, Search
from storage.event_limits import Event, Member
from storage.ranking import Floats, Rows, best, norm_of, rarity_of, spread
from storage.scopes import Scopes
from storage.types import ticks
from storage.vectors.exact import ExactVectors
from storage.vectors.port import NOTHING_NEAR, Near, Vector, Vectors, Within

_FIRST = 1024
_LATELY = 16
"""So many sets of viewers have their rows kept."""


class FactIndex:
    """Facts by row: audience with releases, time, index terms; their vectors lie behind a port.

    INVARIANT: `settle` runs between a change and the next search; a row's audience is `Aud ∪ Rel` under the policy that
    was settled last.

    Args:
        vectors: where the vectors lie; in this process, unless said otherwise.
    """

    def __init__(self, vectors: Vectors | None = None) -> None:
        self.vectors = vectors or ExactVectors()
        self._rows: dict[FactId, int] = {}
        self._ids: list[FactId] = []
        self._free: list[int] = []
        self._base: dict[FactId, RawFact] = {}
        self._names: dict[FactId, frozenset[str]] = {}
        self._named: defaultdict[str, set[FactId]] = defaultdict(set)
        self._events: defaultdict[EventId, set[FactId]] = defaultdict(set)
        self._event_lists: dict[EventId, tuple[ListEntry, ...]] = {}
        self._changed: set[EventId] = set()
        self._policy: Policy | None = None
        self._scopes = Scopes()
        self._lately: dict[Audience, Within] = {}
        self._terms: dict[FactId, Mapping[str, int]] = {}
        self._postings: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self._packed: dict[str, tuple[Rows, NDArray[np.float64]]] = {}
        self._audience: Rows = np.zeros(_FIRST, dtype=np.int64)
        self._said: Rows = np.zeros(_FIRST, dtype=np.int64)
        self._norm = np.ones(_FIRST, dtype=np.float64)

    def __len__(self) -> int:
        return len(self._rows)

    # what changed

    def put(self, fact: RawFact, terms: Sequence[str], vector: Vector, names: Iterable[str]) -> None:
        """Take in a fact, or its new state.

        Args:
            fact: without words, with the list entries of its own.
            terms: its index terms.
            vector: its vector; one without data if it has none.
            names: subjects and objects of its edges.
        """
        self.drop(fact.id)
        row = self._row(fact.id)
        self._base[fact.id] = replace(fact, text="") if fact.text else fact
        self._events[fact.event.id].add(fact.id)
        self._changed.add(fact.event.id)
        self._said[row] = ticks(fact.said_at)
        self._norm[row] = norm_of(len(terms))
        self._terms[fact.id] = _counted(terms)
        for term, often in self._terms[fact.id].items():
            self._postings[term][row] = often
            self._packed.pop(term, None)
        self.vectors.put(row, fact.id, vector)
        self._names[fact.id] = frozenset(folded(name) for name in names)
        for name in self._names[fact.id]:
            self._named[name].add(fact.id)

    def drop(self, fact_id: FactId) -> None:
        """Let go of a fact, its terms and its vector; unknown ids are fine."""
        row = self._rows.pop(fact_id, None)
        if row is None:
            return
        event = self._base.pop(fact_id).event.id
        self._events[event].discard(fact_id)
        self._changed.add(event)
        for term in self._terms.pop(fact_id):
            del self._postings[term][row]
            self._packed.pop(term, None)
            if not self._postings[term]:
                del self._postings[term]
        for name in self._names.pop(fact_id):
            self._named[name].discard(fact_id)
        self.vectors.drop(row)
        self._lately.clear()
        self._audience[row] = Scopes.NOBODY
        self._ids[row] = FactId("")
        self._free.append(row)

    def list_event(self, event: EventId, entries: Sequence[ListEntry]) -> None:
        """Replace the entries that are set on an event itself."""
        self._event_lists[event] = tuple(entries)
        self._changed.add(event)

    def settle(self, policy: Policy) -> None:
        """Gather changed events and recompute whom their facts are released to; all of them under a new policy."""
        if self._changed:
            self._lately.clear()
        if policy != self._policy:
            self._scopes = Scopes()
            self._lately.clear()
            self._changed = set(self._events)
            self._policy = policy
        for event in self._changed:
            self._gather(event, policy)
        self._changed.clear()

    def _gather(self, event_id: EventId, policy: Policy) -> None:
        ids = self._events.get(event_id)
        if not ids:
            self._events.pop(event_id, None)
            return
        members = [member_of(self._base[i]) for i in ids]
        by_event = policy.blacklist_scope == "event"
        event = Event(event_id, members, self._event_lists.get(event_id, ()), by_event=by_event)
        for member in members:
            fact = self._base[member.id]
            lists = event.lists(member)
            same = fact.event == event.state and fact.lists == lists
            whole = fact if same else replace(fact, event=event.state, lists=lists)
            heard, released = fact.audience, release_of(whole, policy)
            wide = heard if heard.covers(released) else heard | released
            self._audience[self._rows[member.id]] = self._scopes.number(wide)

    # what is asked

    def naming(self, names: Iterable[str]) -> set[FactId]:
        """Facts with an edge from or to somebody of one of these names, whoever may know them."""
        return {fact for name in names for fact in self._named.get(folded(name), ())}

    def filed_before(self, category: CategoryName, moment: datetime) -> list[FactId]:
        """Facts of a category that were said before this moment, oldest first, whoever may know them."""
        every = self._base.values()
        found = [(f.said_at, f.id) for f in every if f.category == category and f.said_at < moment]
        return [fact for _, fact in sorted(found)]

    async def search(
        self, query: Search, scope: Scope, limit: int, offset: int = 0
    ) -> list[tuple[FactId, Ranked]]:
        """Facts in scope, best first: complete, whatever else there is."""
        within = self._within(scope)
        if not len(within.rows) or limit <= 0:
            return []
        near = NOTHING_NEAR
        if query.vector and not query.wide:
            near = await self.vectors.cosines(Vector(query.vector, query.model), within)
        scores = self._scores(query, within.rows, near)
        chosen = best(scores, self._said, self._ids, within.rows, offset + limit)[offset:]
        return [(self._ids[within.rows[p]], Ranked(float(scores[p]), near.cosine(p))) for p in chosen]

    def _within(self, scope: Scope) -> Within:
        """The rows in scope; kept for the next question of the same viewers, as long as nothing changes."""
        if scope.nothing:
            return Within(np.zeros(0, dtype=np.int64))
        known = self._lately.get(scope.viewers)
        if known is None:
            covering = self._scopes.covering(scope.viewers)
            inside = np.take(
                covering, self._audience[: len(self._ids)], mode="clip"
            )  # quicker than to check each
            known = Within(np.flatnonzero(inside))
            if len(self._lately) >= _LATELY:
                self._lately.clear()
            self._lately[scope.viewers] = known
        return known

    def _scores(self, query: Search, rows: Rows, near: Near) -> Floats:
        """Fused scores of these rows."""
        if query.wide:
            return np.zeros(len(rows))
        words = spread(self._bm25(query.terms, rows)) if query.terms else np.zeros(len(rows))
        if not len(near.places):
            return words
        nearness = spread(near.values)
        if len(nearness) < len(rows):
            some, nearness = nearness, np.zeros(len(rows))
            nearness[near.places] = some
        return query.share * nearness + (1 - query.share) * words

    def _bm25(self, terms: Sequence[str], rows: Rows) -> NDArray[np.float64]:
        inside = np.zeros(len(self._ids), dtype=np.bool_)
        inside[rows] = True
        total = np.zeros(len(self._ids))
        for term in dict.fromkeys(terms):
            if term not in self._postings:
                continue
            having, often = self._posting(term)
            chosen = inside[having]
            having, often = having[chosen], often[chosen]
            rarity = rarity_of(len(having), len(rows))
            total[having] += rarity * (often * 2.5) / (often + self._norm[having])
        result: NDArray[np.float64] = total[rows]
        return result

    def _posting(self, term: str) -> tuple[Rows, NDArray[np.float64]]:
        if term not in self._packed:
            found = self._postings[term]
            rows = np.fromiter(found.keys(), dtype=np.int64, count=len(found))
            often = np.fromiter(found.values(), dtype=np.float64, count=len(found))
            self._packed[term] = (rows, often)
        return self._packed[term]

    # rows

    def _row(self, fact_id: FactId) -> int:
        if self._free:
            row = self._free.pop()
            self._ids[row] = fact_id
        else:
            row = len(self._ids)
            self._ids.append(fact_id)
            if row == len(self._said):
                self._grow(2 * row)
        self._lately.clear()
        self._rows[fact_id] = row
        self._audience[row] = Scopes.NOBODY  # until settled
        return row

    def _grow(self, size: int) -> None:
        self._audience = _longer(self._audience, size)
        self._said = _longer(self._said, size)
        self._norm = _longer(self._norm, size)


def member_of(fact: RawFact) -> Member:
    """A fact as its event's other facts see it."""
    return Member(fact.id, fact.teller, fact.confidential, fact.unresolved, fact.lists)


def _counted(terms: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for term in terms:
        found[term] = found.get(term, 0) + 1
    return found


def _longer(array: NDArray[Any], size: int) -> NDArray[Any]:
    grown = np.zeros((size, *array.shape[1:]), dtype=array.dtype)
    grown[: len(array)] = array
    return grown

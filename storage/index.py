"""The fact index: in memory, without words but index terms; says which facts in scope fit a query, and how well.

SQL stays the authority: what comes from here is looked up there again under the same scope.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.context import Ranked
from engine.ids import EventId, FactId
from engine.items import ListEntry, RawFact
from engine.people import folded
from engine.policy import Policy
from engine.release import release_of
from engine.store import Scope, Search
from storage.gather import Event, Member
from storage.ranking import Rows, best, cosines, norm_of, rarity_of, spread, whole_steps
from storage.scopes import Scopes
from storage.types import ticks

_FIRST = 1024


class FactIndex:
    """Facts by row: audience with releases, time, index terms, vector.

    INVARIANT: `settle` runs between a change and the next search; a row's audience is `Aud ∪ Rel` under the policy that
    was settled last.
    """

    def __init__(self) -> None:
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
        self._terms: dict[FactId, Mapping[str, int]] = {}
        self._postings: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self._packed: dict[str, tuple[Rows, NDArray[np.float64]]] = {}
        self._audience = np.zeros(_FIRST, dtype=np.int32)
        self._said: Rows = np.zeros(_FIRST, dtype=np.int64)
        self._norm = np.ones(_FIRST, dtype=np.float64)
        self._vectors: dict[int, tuple[NDArray[np.float32], NDArray[np.bool_]]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    # what changed

    def put(self, fact: RawFact, terms: Sequence[str], vector: bytes, names: Iterable[str]) -> None:
        """Take in a fact, or its new state.

        Args:
            fact: without words, with the list entries of its own.
            terms: its index terms.
            vector: its vector, or empty bytes.
            names: subjects and objects of its edges.
        """
        self.drop(fact.id)
        row = self._row(fact.id)
        self._base[fact.id] = replace(fact, text="") if fact.text else fact
        self._events[fact.event.id].add(fact.id)
        self._changed.add(fact.event.id)
        self._said[row] = ticks(fact.said_at)
        self._norm[row] = norm_of(len(terms))
        self._terms[fact.id] = Counter(terms)
        for term, often in self._terms[fact.id].items():
            self._postings[term][row] = often
            self._packed.pop(term, None)
        if vector:
            self._put_vector(row, vector)
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
        for matrix, has in self._vectors.values():
            matrix[row], has[row] = 0, False
        self._audience[row] = Scopes.NOBODY
        self._ids[row] = FactId("")
        self._free.append(row)

    def list_event(self, event: EventId, entries: Sequence[ListEntry]) -> None:
        """Replace the entries that are set on an event itself."""
        self._event_lists[event] = tuple(entries)
        self._changed.add(event)

    def settle(self, policy: Policy) -> None:
        """Gather changed events and recompute whom their facts are released to; all of them under a new policy."""
        if policy != self._policy:
            self._scopes = Scopes()
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
            whole = replace(fact, event=event.state, lists=event.lists(member))
            self._audience[self._rows[member.id]] = self._scopes.number(
                fact.audience | release_of(whole, policy)
            )

    # what is asked

    def naming(self, names: Iterable[str]) -> set[FactId]:
        """Facts with an edge from or to somebody of one of these names, whoever may know them."""
        return {fact for name in names for fact in self._named.get(folded(name), ())}

    def search(self, query: Search, scope: Scope, limit: int, offset: int = 0) -> list[tuple[FactId, Ranked]]:
        """Facts in scope, best first: complete, whatever else there is."""
        rows = self._in_scope(scope)
        if not len(rows) or limit <= 0:
            return []
        scores, similar = self._scores(query, rows)
        chosen = best(scores, self._said, self._ids, rows, offset + limit)[offset:]
        return [(self._ids[rows[p]], Ranked(float(scores[p]), similar.get(p))) for p in chosen]

    def _in_scope(self, scope: Scope) -> Rows:
        if scope.nothing:
            return np.zeros(0, dtype=np.int64)
        covering = self._scopes.covering(scope.viewers)
        return np.flatnonzero(covering[self._audience[: len(self._ids)]])

    def _scores(self, query: Search, rows: Rows) -> tuple[NDArray[np.float64], Any]:
        """Fused scores of these rows, and a mapping from position to cosine."""
        if query.wide:
            return np.zeros(len(rows)), {}
        words = spread(self._bm25(query.terms, rows))
        matrix, has = self._vectors.get(len(query.vector) // 4, (None, None))
        if matrix is None or has is None or not query.vector:
            return words, {}
        with_vector = np.flatnonzero(has[rows])
        if not len(with_vector):
            return words, {}
        values = cosines(matrix, len(self._ids), rows[with_vector], query.vector)
        near = np.zeros(len(rows))
        near[with_vector] = spread(values)
        return query.share * near + (1 - query.share) * words, _Similar(with_vector, values)

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
        self._rows[fact_id] = row
        self._audience[row] = Scopes.NOBODY  # until settled
        return row

    def _grow(self, size: int) -> None:
        self._audience = _longer(self._audience, size)
        self._said = _longer(self._said, size)
        self._norm = _longer(self._norm, size)
        self._vectors = {d: (_longer(m, size), _longer(h, size)) for d, (m, h) in self._vectors.items()}

    def _put_vector(self, row: int, vector: bytes) -> None:
        dimension = len(vector) // 4
        if dimension not in self._vectors:
            size = len(self._said)
            self._vectors[dimension] = (np.zeros((size, dimension), np.float32), np.zeros(size, np.bool_))
        matrix, has = self._vectors[dimension]
        matrix[row], has[row] = whole_steps(vector), True


class _Similar:
    """Position to cosine, without making a dictionary of all of them."""

    def __init__(self, places: Rows, values: NDArray[np.float64]) -> None:
        self._places, self._values = places, values

    def get(self, place: int) -> float | None:
        found = int(np.searchsorted(self._places, place))
        known = found < len(self._places) and int(self._places[found]) == place
        return float(self._values[found]) if known else None


def member_of(fact: RawFact) -> Member:
    """A fact as its event's other facts see it."""
    return Member(fact.id, fact.teller, fact.confidential, fact.unresolved, fact.lists)


def _longer(array: NDArray[Any], size: int) -> NDArray[Any]:
    grown = np.zeros((size, *array.shape[1:]), dtype=array.dtype)
    grown[: len(array)] = array
    return grown

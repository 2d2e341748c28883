"""Reading facts out of SQL: rows to values, and what a fact's event contributes to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

from sqlalchemy import exists, or_, select

from engine.audience import Audience
from engine.ids import ContainerId, EventId, FactId, MessageId, PersonId, SessionId
from engine.items import EventState, ListEntry, RawFact
from engine.policy import Policy
from engine.release import release_of
from engine.store import Scope
from storage.event_limits import Event, Member
from storage.mapping import details_in, entry_of
from storage.prepared_reads import IDS, Prepared
from storage.repositories.people import PeopleRepository
from storage.tables import fact_sources, facts, list_entries

MARKS = (
    "first_hand", "owner_typed", "unresolved", "confidential", "cover", "secret", "sensitive", "kept_private",
    "settled", "confirmed", "superseded_by",
)  # fmt: skip
"""Columns that are a fact's attributes as they are."""
_MARKED = attrgetter(*MARKS)

_SAME = facts.alias("same")
_SHARED = exists().where(_SAME.c.event_id == facts.c.event_id, _SAME.c.id != facts.c.id)
_LISTED = or_(
    exists().where(list_entries.c.fact_id == facts.c.id),
    exists().where(list_entries.c.event_id == facts.c.event_id),
)
_WHOLE = Prepared(
    select(
        *(c for c in facts.c if c.name not in {"terms", "vector"}),
        fact_sources.c.position,
        fact_sources.c.message_id,
        _SHARED.label("shared"),
        _LISTED.label("listed"),
    )
    .select_from(facts.outerjoin(fact_sources, fact_sources.c.fact_id == facts.c.id))
    .where(facts.c.id.in_(IDS))
)
"""Facts with their words, a row for each source; whether its event has others, and whether there are lists."""

_MEMBERS = Prepared(
    select(facts.c.id, facts.c.event_id, facts.c.teller, facts.c.confidential, facts.c.unresolved).where(
        facts.c.event_id.in_(IDS)
    )
)
_OF_FACTS = Prepared(select(list_entries).where(list_entries.c.fact_id.in_(IDS)))
_OF_EVENTS = Prepared(select(list_entries).where(list_entries.c.event_id.in_(IDS)))


@dataclass(frozen=True, slots=True)
class Lists:
    """List entries by what they are about."""

    of_facts: dict[FactId, tuple[ListEntry, ...]] = field(default_factory=dict)
    of_events: dict[EventId, tuple[ListEntry, ...]] = field(default_factory=dict)


_Gathered = tuple[Event, dict[FactId, Member]]


class FactRows(PeopleRepository):
    """Whole facts, read from SQL alone."""

    async def _whole_facts(self, ids: Iterable[FactId]) -> dict[FactId, RawFact]:
        """These facts with their words, sources and gathered lists, whoever may know them."""
        read = by_fact(await _WHOLE.read(self._connection, ids))
        rows = [some[0] for some in read.values()]
        known = await self._audiences({row.audience_id for row in rows})
        events = await self._events({EventId(r.event_id) for r in rows if r.shared or r.listed})
        return {i: self._joined(some, known[some[0].audience_id], events) for i, some in read.items()}

    def _joined(
        self, rows: Sequence[Any], audience: Audience, events: Mapping[EventId, _Gathered]
    ) -> RawFact:
        """A fact of its rows. One that is alone of its event and on no list is its whole event."""
        row = rows[0]
        i, event_id = FactId(row.id), EventId(row.event_id)
        if event_id in events:
            event, members = events[event_id]
            state, lists = event.state, event.lists(members[i])
        else:
            state, lists = by_itself(row), ()
        return fact_of(
            row,
            audience,
            self._details(row),
            text=self._vault.open_text(row.text, row.id),
            sources=sources_of(rows),
            event=state,
            lists=lists,
        )

    async def _scoped(self, ids: Iterable[FactId], scope: Scope) -> dict[FactId, RawFact]:
        """Those of these facts whose `Aud⁺` covers the scope's viewers. INVARIANT: judged on what SQL holds now."""
        if scope.nothing:
            return {}
        whole = await self._whole_facts(ids)
        if all(fact.audience.covers(scope.viewers) for fact in whole.values()):
            return whole
        policy = _asked_for(scope, await self.policy())
        return {i: fact for i, fact in whole.items() if covers(fact, policy, scope)}

    async def _events(self, ids: set[EventId]) -> dict[EventId, _Gathered]:
        """These events with all their facts."""
        if not ids:
            return {}
        rows = await _MEMBERS.read(self._connection, ids)
        lists = await self._lists([row.id for row in rows], ids)
        members: dict[EventId, dict[FactId, Member]] = {event: {} for event in ids}
        for row in rows:
            i = FactId(row.id)
            found = Member(
                i, PersonId(row.teller), row.confidential, row.unresolved, lists.of_facts.get(i, ())
            )
            members[EventId(row.event_id)][i] = found
        by_event = (await self.policy()).blacklist_scope == "event"
        return {
            event: (
                Event(event, list(inside.values()), lists.of_events.get(event, ()), by_event=by_event),
                inside,
            )
            for event, inside in members.items()
        }

    async def _lists(self, ids: Sequence[str], events: Iterable[str]) -> Lists:
        """List entries of these facts, and of these events."""
        found = await _OF_FACTS.read(self._connection, ids)
        found += await _OF_EVENTS.read(self._connection, events)
        return lists_of(sorted(found, key=lambda row: int(row.id)))

    def _details(self, row: Any) -> dict[str, Any]:
        return details_in(self._vault.open_json(row.details, row.id))


def lists_of(rows: Iterable[Any]) -> Lists:
    """List entries of their rows."""
    found = Lists()
    for row in rows:
        if row.fact_id is not None:
            fact = FactId(row.fact_id)
            found.of_facts[fact] = (*found.of_facts.get(fact, ()), entry_of(row))
        else:
            event = EventId(row.event_id)
            found.of_events[event] = (*found.of_events.get(event, ()), entry_of(row))
    return found


def by_fact(rows: Iterable[Any]) -> dict[FactId, list[Any]]:
    """Rows of facts joined with their sources, each fact's together."""
    found: dict[FactId, list[Any]] = {}
    for row in rows:
        found.setdefault(row.id, []).append(row)
    return found


def sources_of(rows: Sequence[Any]) -> tuple[MessageId, ...]:
    """A fact's sources, in order, of its rows."""
    if len(rows) == 1:
        return () if rows[0].message_id is None else (rows[0].message_id,)
    return tuple(row.message_id for row in sorted(rows, key=lambda row: row.position))


def by_itself(row: Any) -> EventState:
    """What a fact contributes to its event: the event's whole state, if nothing else belongs to it."""
    return EventState(
        EventId(row.event_id), frozenset({PersonId(row.teller)}), row.confidential, row.unresolved
    )


def _asked_for(scope: Scope, policy: Policy) -> Policy:
    """The policy with no other contacts than a scope's viewers: whether *they* are released to hangs on nobody else.

    It saves asking for every contact the owner has, for every fact that is read. The twin asks for all of them, and
    the two are held to the same answers.
    """
    asked = {p: policy.contacts[p] for p in scope.viewers.members if p in policy.contacts}
    return replace(policy, contacts=asked)


def covers(fact: RawFact, policy: Policy, scope: Scope) -> bool:
    """Layer 1 for one fact: heard by all of them, or released to the rest."""
    heard = fact.audience.covers(scope.viewers)
    return heard or (fact.audience | release_of(fact, policy)).covers(scope.viewers)


def fact_of(
    row: Any,
    audience: Audience,
    details: dict[str, Any],
    *,
    text: str = "",
    sources: Sequence[MessageId] = (),
    event: EventState | None = None,
    lists: tuple[ListEntry, ...] = (),
) -> RawFact:
    """A fact of its row."""
    return RawFact(
        id=FactId(row.id),
        event=event or EventState(EventId(row.event_id)),
        session=SessionId(row.session_id),
        container=ContainerId(row.container_id),
        sources=tuple(sources),
        text=text,
        teller=PersonId(row.teller),
        said_at=row.said_at,
        audience=audience,
        lists=lists,
        **dict(zip(MARKS, _MARKED(row), strict=True)),
        **details,
    )

"""Reading facts out of SQL: rows to values, and what a fact's event contributes to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import or_, select

from engine.audience import Audience
from engine.ids import ContainerId, EventId, FactId, MessageId, PersonId, SessionId
from engine.items import EventState, ListEntry, RawFact
from engine.policy import Policy
from engine.release import release_of
from engine.store import Scope
from storage.gather import Event, Member
from storage.mapping import details_in, entry_of
from storage.repositories.people import PeopleRepository
from storage.repositories.unit import chunks
from storage.tables import fact_sources, facts, list_entries

MARKS = (
    "first_hand", "owner_typed", "unresolved", "confidential", "cover", "secret", "sensitive", "kept_private",
    "settled", "confirmed", "superseded_by",
)  # fmt: skip
"""Columns that are a fact's attributes as they are."""

_WITHOUT_INDEX = [c for c in facts.c if c.name not in {"terms", "vector"}]
_MEMBERS = (facts.c.id, facts.c.event_id, facts.c.teller, facts.c.confidential, facts.c.unresolved)


@dataclass(frozen=True, slots=True)
class Lists:
    """List entries by what they are about."""

    of_facts: dict[FactId, tuple[ListEntry, ...]] = field(default_factory=dict)
    of_events: dict[EventId, tuple[ListEntry, ...]] = field(default_factory=dict)


class FactRows(PeopleRepository):
    """Whole facts, read from SQL alone."""

    async def _whole_facts(self, ids: Iterable[FactId]) -> dict[FactId, RawFact]:
        """These facts with their words, sources and gathered lists, whoever may know them."""
        rows: list[Any] = await self._in_chunks(select(*_WITHOUT_INDEX), facts.c.id, ids)
        if not rows:
            return {}
        events = await self._events({EventId(row.event_id) for row in rows})
        order = select(fact_sources).order_by(fact_sources.c.fact_id, fact_sources.c.position)
        of_these = await self._in_chunks(order, fact_sources.c.fact_id, [row.id for row in rows])
        sources = sources_of(of_these)
        known = await self._audiences({row.audience_id for row in rows})
        whole = {}
        for row in rows:
            event, members = events[EventId(row.event_id)]
            i = FactId(row.id)
            whole[i] = fact_of(
                row,
                known[row.audience_id],
                self._details(row),
                text=self._vault.open_text(row.text, row.id),
                sources=sources.get(row.id, ()),
                event=event.state,
                lists=event.lists(members[i]),
            )
        return whole

    async def _scoped(self, ids: Iterable[FactId], scope: Scope) -> dict[FactId, RawFact]:
        """Those of these facts whose `Aud⁺` covers the scope's viewers. INVARIANT: judged on what SQL holds now."""
        if scope.nothing:
            return {}
        whole = await self._whole_facts(ids)
        policy = _asked_for(scope, await self.policy())
        return {i: fact for i, fact in whole.items() if covers(fact, policy, scope)}

    async def _events(self, ids: set[EventId]) -> dict[EventId, tuple[Event, dict[FactId, Member]]]:
        """These events with all their facts."""
        rows = await self._in_chunks(select(*_MEMBERS), facts.c.event_id, ids)
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
        found: list[Any] = []
        order = select(list_entries).order_by(list_entries.c.id)
        for part in chunks([*(("fact", i) for i in ids), *(("event", e) for e in events)]):
            of_fact = list_entries.c.fact_id.in_([i for kind, i in part if kind == "fact"])
            of_event = list_entries.c.event_id.in_([e for kind, e in part if kind == "event"])
            found += await self._rows(order.where(or_(of_fact, of_event)))
        return lists_of(found)

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


def sources_of(rows: Iterable[Any]) -> dict[str, list[MessageId]]:
    """Facts' sources of their rows, in order."""
    found: dict[str, list[MessageId]] = {}
    for row in rows:
        found.setdefault(row.fact_id, []).append(MessageId(row.message_id))
    return found


def _asked_for(scope: Scope, policy: Policy) -> Policy:
    """The policy with no other contacts than a scope's viewers: whether *they* are released to hangs on nobody else.

    It saves asking for every contact the owner has, for every fact that is read. The twin asks for all of them, and
    the two are held to the same answers.
    """
    asked = {p: held for p, held in policy.contacts.items() if p in scope.viewers.members}
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
        **{name: getattr(row, name) for name in MARKS},
        **details,
    )

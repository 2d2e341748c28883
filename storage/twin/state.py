"""What the twin holds, and the base of its transaction."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from engine.audience import Audience
from engine.cards import Card
from engine.ids import AccountId, ContainerId, EventId, FactId, LinkId, MessageId, PersonId, SessionId, TurnId
from engine.items import ListEntry, RawEdge, RawLink, RawMessage, RawSession
from engine.mailroom import Arrival, Room, Sending
from engine.people import Seen
from engine.policy import Policy
from engine.records import Chat, TurnTrace
from engine.shown import Shown
from engine.store import NewFact, Scope


@dataclass(slots=True)
class State:
    """Everything, in dictionaries of immutable values, so that a copy of the dictionaries is a snapshot."""

    policies: list[Policy] = field(default_factory=list)
    owners: list[AccountId] = field(default_factory=list)
    joined: dict[AccountId, PersonId] = field(default_factory=dict)
    names: dict[PersonId, tuple[str, ...]] = field(default_factory=dict)
    seen: dict[AccountId, Seen] = field(default_factory=dict)
    chats: dict[ContainerId, Chat] = field(default_factory=dict)
    events: dict[str, MessageId] = field(default_factory=dict)
    messages: dict[MessageId, RawMessage] = field(default_factory=dict)
    raws: dict[MessageId, str] = field(default_factory=dict)
    heard: dict[MessageId, tuple[MessageId, ...]] = field(default_factory=dict)
    sessions: dict[SessionId, RawSession] = field(default_factory=dict)
    facts: dict[FactId, NewFact] = field(default_factory=dict)
    fact_lists: dict[FactId, tuple[ListEntry, ...]] = field(default_factory=dict)
    event_lists: dict[EventId, tuple[ListEntry, ...]] = field(default_factory=dict)
    edges: list[RawEdge] = field(default_factory=list)
    links: dict[LinkId, tuple[SessionId, RawLink]] = field(default_factory=dict)
    turns: dict[TurnId, TurnTrace] = field(default_factory=dict)
    cards: dict[str, Card] = field(default_factory=dict)
    outbox: dict[str, Sending] = field(default_factory=dict)
    arrivals: dict[str, Arrival | None] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    versions: dict[MessageId, tuple[MessageId, ...]] = field(default_factory=dict)
    rooms: dict[ContainerId, Room] = field(default_factory=dict)
    moved: dict[ContainerId, tuple[ContainerId, ...]] = field(default_factory=dict)
    shown: dict[str, Shown] = field(default_factory=dict)
    blank: set[str] = field(default_factory=set)
    tombstones: set[str] = field(default_factory=set)

    def snapshot(self) -> State:
        """A copy that later changes leave alone."""
        return State(**{f.name: getattr(self, f.name).copy() for f in fields(self)})


class Part:
    """A part of the twin's transaction: it works on the state and nothing else."""

    def __init__(self, state: State) -> None:
        self._state = state


def visible(audience: Audience, scope: Scope) -> bool:
    """Whether a scope covers an item of this audience."""
    return not scope.nothing and audience.covers(scope.viewers)

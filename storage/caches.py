"""What a store keeps in memory between transactions, and what has to be read again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.audience import Audience
from engine.ids import ContainerId, EventId, FactId
from engine.people import People
from engine.policy import Policy
from engine.records import Chat

if TYPE_CHECKING:  # numpy is loaded with the first search
    from storage.index import FactIndex
    from storage.vectors.chroma_sync import VectorKeeping


@dataclass(slots=True)
class Caches:
    """Everything here can be thrown away and read again.

    Args:
        seq: changes up to this one are in.
        audiences / numbers: interned audiences, which never change.
        policies: policy versions, which never change.
        stale_facts / stale_events: what the index has to read again before it is asked.
        keeping: where the index's vectors are, if not in this process; it lasts as long as the store.
    """

    seq: int = 0
    audiences: dict[int, Audience] = field(default_factory=dict)
    numbers: dict[Audience, int] = field(default_factory=dict)
    policies: dict[int, Policy] = field(default_factory=dict)
    people: People | None = None
    chats: dict[ContainerId, Chat] | None = None
    index: FactIndex | None = None
    stale_facts: set[FactId] = field(default_factory=set)
    stale_events: set[EventId] = field(default_factory=set)
    keeping: VectorKeeping | None = None

    def changed(self, kind: str, name: str) -> None:
        """Something was written, here or by another process."""
        if kind == "fact":
            self.stale_facts.add(FactId(name))
        elif kind == "event":
            self.stale_events.add(EventId(name))
        elif kind == "people":
            self.people = None
        elif kind == "chats":
            self.chats = None

    def drop(self) -> None:
        """Forget everything that was read: what is in the database may be another past than the one it was read from."""
        self.seq, self.people, self.chats, self.index = 0, None, None, None
        for kept in (self.audiences, self.numbers, self.policies, self.stale_facts, self.stale_events):
            kept.clear()

    @property
    def newest_policy(self) -> int:
        """The newest policy version read so far; 0 if none was."""
        return max(self.policies, default=0)

    def know(self, number: int, audience: Audience) -> None:
        """An audience and its number in the database."""
        self.audiences[number] = audience
        self.numbers[audience] = number

"""The part of the memory's port that a platform needs: what arrived, what goes out, and what is known of its rooms.

What a platform hands over is kept before it is acknowledged, so that a crash loses nothing; what is sent passes through
states that say, after a crash, whether it may have gone out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from engine.ids import ContainerId, FactId, MessageId

NOTICE = "doubt/"
"""How the key of a notice to the owner about a delivery begins: that delivery's key follows, and words of it are told."""


class State(StrEnum):
    """How far a delivery got. Only what is `PENDING` or `WAITING` is ever tried again by itself."""

    PENDING = "pending"  # nothing of it was written to the network
    WAITING = "waiting"  # tried, and nothing of it was written
    SENDING = "sending"  # about to be written; found after a crash, it is uncertain
    SENT = "sent"
    UNCERTAIN = "uncertain"  # written, and never answered: it may have arrived
    HELD = "held"  # not written, because a part before it is uncertain: the owner decides
    REFUSED = "refused"  # the platform said no
    DROPPED = "dropped"  # no longer to be sent
    FORGOTTEN = "forgotten"


@dataclass(frozen=True, slots=True)
class Sending:
    """One delivery: its idempotency key, where to, the words, and how far it got (a `State`).

    `used` are the facts its words tell, so that forgetting one of them erases the words; a delivery that had not
    gone out by then is `forgotten`, and never will.
    """

    key: str
    container: ContainerId
    text: str = field(repr=False)
    state: str = State.PENDING
    used: tuple[FactId, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrival:
    """One raw event of a platform, kept until it was handled; `key` is the platform's own id of the event."""

    key: str
    payload: str = field(repr=False)


class Mailroom(Protocol):
    """See `engine.store.Transaction`."""

    async def keep_arrival(self, arrival: Arrival) -> bool:
        """Keep a raw event until it is handled; False, and nothing done, if one of this key ever arrived."""
        ...

    async def arrivals(self) -> list[Arrival]:
        """Events not handled yet, in order of arrival."""
        ...

    async def finish_arrival(self, key: str) -> None:
        """An event was handled: its payload goes, its key stays."""
        ...

    async def recorded(self, event: str) -> MessageId | None:
        """The message recorded for an event; None if there is none."""
        ...

    async def sending(self, key: str) -> Sending | None:
        """One delivery."""
        ...

    async def note(self, name: str) -> str:
        """A small document of a platform's, by name; empty if there is none."""
        ...

    async def notes(self, prefix: str) -> dict[str, str]:
        """All documents whose name begins like this."""
        ...

    async def put_note(self, name: str, value: str) -> None:
        """Create or replace a document; an empty one is taken away."""
        ...

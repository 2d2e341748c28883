"""The part of the memory's port that a platform needs: what arrived, what goes out, and what is known of its rooms.

What a platform hands over is kept before it is acknowledged, so that a crash loses nothing; what is sent passes through
states that say, after a crash, whether it may have gone out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from engine.ids import AccountId, ContainerId, FactId, MessageId
from engine.shown import Shown


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


class SendingKind(StrEnum):
    """Which released words a delivery has, and so which way it may go, the first time and again."""

    REPLY = "reply"
    LINE = "line"
    OWNER = "owner"


@dataclass(frozen=True, slots=True)
class Sending:
    """One delivery: its idempotency key, where to, the words, and how far it got (a `State`).

    Args:
        used: the facts its words tell, so that forgetting one of them erases the words; a delivery that had not gone
            out by then is `forgotten`, and never will.
        kind: what it is; unless something else is known it follows the owner.
        about: the key of the delivery that it tells the owner about; empty for all but such notices.
        message: the platform's message that it became, once it is out.
        sent_at: when that was.
    """

    key: str
    container: ContainerId
    text: str = field(repr=False)
    state: str = State.PENDING
    used: tuple[FactId, ...] = ()
    kind: SendingKind = SendingKind.OWNER
    about: str = ""
    message: str = ""
    sent_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Arrival:
    """One raw event of a platform, kept until it was handled; `key` is the platform's own id of the event."""

    key: str
    payload: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Pull:
    """A complete list of a chat's members: when it was complete, and at which count of changes."""

    at: datetime
    members: frozenset[AccountId]
    version: int


@dataclass(frozen=True, slots=True)
class Room:
    """What is known of one group between pulls.

    Seen accounts are candidates, not members: only a fresh pull establishes who is there. `changes` counts who came and
    went; `pull` is the last complete list of this run, and is not stored; `introduced` says that Tact has said there what
    it is.
    """

    chat: ContainerId
    known: frozenset[AccountId] = frozenset()
    bots: frozenset[AccountId] = frozenset()
    changes: int = 0
    changed_at: datetime | None = None
    pull: Pull | None = field(default=None, compare=False)
    introduced: bool = False


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

    async def sending_of(self, message: str) -> Sending | None:
        """The delivery that became this message of a platform."""
        ...

    async def keep_version(self, first: MessageId, new: MessageId) -> None:
        """Keep that a message is the newest version of another, which may have come here only as an edit."""
        ...

    async def versions(self, of: Iterable[str]) -> list[tuple[MessageId, ...]]:
        """The whole row of versions of each of these, the first one first; nothing for what was never edited."""
        ...

    async def room(self, chat: ContainerId) -> Room:
        """What is known of a group, without a list of its members."""
        ...

    async def rooms(self, platform: str) -> list[ContainerId]:
        """The groups of a platform of which anything is known."""
        ...

    async def put_room(self, room: Room) -> None:
        """Create or replace what is known of a group."""
        ...

    async def keep_move(self, old: ContainerId, new: ContainerId) -> None:
        """Keep that a chat has another id now."""
        ...

    async def moved_from(self, chat: ContainerId) -> list[ContainerId]:
        """The ids that a chat had just before this one."""
        ...

    async def put_shown(self, shown: Shown) -> None:
        """Keep that a platform still shows something that was erased here; ids and times, no words."""
        ...

    async def still_shown(self) -> list[Shown]:
        """All that was kept so and not dropped, by name."""
        ...

    async def drop_shown(self, names: Iterable[str]) -> None:
        """What became of these is known and told."""
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

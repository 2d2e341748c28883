"""What arrived from platforms, and what is known of their rooms, in the twin."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.ids import ContainerId, MessageId
from engine.mailroom import Arrival, Room, Sending
from engine.shown import Shown
from storage.twin.state import Part


class MailroomPart(Part):
    """See `engine.mailroom.Mailroom`."""

    async def keep_arrival(self, arrival: Arrival) -> bool:
        """Keep a raw event until it is handled."""
        if arrival.key in self._state.arrivals:
            return False
        self._state.arrivals[arrival.key] = arrival
        return True

    async def arrivals(self) -> list[Arrival]:
        """Events not handled yet."""
        return [a for a in self._state.arrivals.values() if a is not None]

    async def finish_arrival(self, key: str) -> None:
        """An event was handled."""
        if key in self._state.arrivals:
            self._state.arrivals[key] = None

    async def recorded(self, event: str) -> MessageId | None:
        """The message recorded for an event."""
        return self._state.events.get(event)

    async def sending(self, key: str) -> Sending | None:
        """One delivery."""
        return self._state.outbox.get(key)

    async def sending_of(self, message: str) -> Sending | None:
        """The delivery that became this message."""
        return next((s for s in self._state.outbox.values() if message and s.message == message), None)

    async def keep_version(self, first: MessageId, new: MessageId) -> None:
        """Keep that a message is the newest version of another."""
        self._state.versions[first] = (*self._state.versions.get(first, (first,)), new)

    async def versions(self, of: Iterable[str]) -> list[tuple[MessageId, ...]]:
        """The whole row of versions of each of these."""
        wanted = set(of)
        return [row for _, row in sorted(self._state.versions.items()) if wanted & set(row)]

    async def room(self, chat: ContainerId) -> Room:
        """What is known of a group."""
        return self._state.rooms.get(chat, Room(chat))

    async def rooms(self, platform: str) -> list[ContainerId]:
        """The groups of a platform of which anything is known."""
        return sorted(chat for chat in self._state.rooms if chat.startswith(f"{platform}:"))

    async def put_room(self, room: Room) -> None:
        """Create or replace what is known of a group."""
        self._state.rooms[room.chat] = replace(room, pull=None)

    async def keep_move(self, old: ContainerId, new: ContainerId) -> None:
        """Keep that a chat has another id now."""
        self._state.moved[new] = tuple(dict.fromkeys((*self._state.moved.get(new, ()), old)))

    async def moved_from(self, chat: ContainerId) -> list[ContainerId]:
        """The ids that a chat had just before this one."""
        return list(self._state.moved.get(chat, ()))

    async def put_shown(self, shown: Shown) -> None:
        """Keep that a platform still shows something."""
        self._state.shown[shown.name] = shown

    async def still_shown(self) -> list[Shown]:
        """All that was kept so and not dropped."""
        return [shown for _, shown in sorted(self._state.shown.items())]

    async def drop_shown(self, names: Iterable[str]) -> None:
        """What became of these is known and told."""
        for name in names:
            self._state.shown.pop(name, None)

    async def note(self, name: str) -> str:
        """A document by name."""
        return self._state.notes.get(name, "")

    async def notes(self, prefix: str) -> dict[str, str]:
        """All documents whose name begins like this."""
        return {name: value for name, value in sorted(self._state.notes.items()) if name.startswith(prefix)}

    async def put_note(self, name: str, value: str) -> None:
        """Create, replace or take away a document."""
        self._state.notes.pop(name, None)
        if value:
            self._state.notes[name] = value

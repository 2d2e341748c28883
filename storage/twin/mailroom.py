"""What arrived from platforms, and what is known of their rooms, in the twin."""

from __future__ import annotations

from engine.ids import MessageId
from engine.mailroom import Arrival, Sending
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

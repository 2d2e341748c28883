"""What arrived from platforms, and what is known of their rooms."""

from __future__ import annotations

from sqlalchemy import delete, insert, select, update

from engine.ids import MessageId
from engine.mailroom import Arrival, Sending
from storage.mapping import event_digest
from storage.repositories.deeds import DeedRepository
from storage.tables import arrivals, inbox, notes, outbox


class MailroomRepository(DeedRepository):
    """See `engine.mailroom.Mailroom`."""

    async def keep_arrival(self, arrival: Arrival) -> bool:
        """Keep a raw event until it is handled."""
        known = select(arrivals.c.seq).where(arrivals.c.key == arrival.key)
        if (await self._run(known)).first() is not None:
            return False
        sealed = self._vault.seal_text("arrivals", "payload", arrival.key, arrival.payload)
        await self._run(insert(arrivals).values(key=arrival.key, done=False, payload=sealed))
        return True

    async def arrivals(self) -> list[Arrival]:
        """Events not handled yet."""
        wanted = select(arrivals).where(arrivals.c.done.is_(False)).order_by(arrivals.c.seq)
        return [
            Arrival(row.key, self._vault.open_text(row.payload, row.key)) for row in await self._rows(wanted)
        ]

    async def finish_arrival(self, key: str) -> None:
        """An event was handled."""
        await self._run(update(arrivals).where(arrivals.c.key == key).values(done=True, payload=None))

    async def recorded(self, event: str) -> MessageId | None:
        """The message recorded for an event."""
        found = await self._run(select(inbox.c.message_id).where(inbox.c.event == event_digest(event)))
        name = found.scalar()
        return None if name is None else MessageId(name)

    async def sending(self, key: str) -> Sending | None:
        """One delivery."""
        return next(iter(await self._sendings(select(outbox).where(outbox.c.key == key))), None)

    async def note(self, name: str) -> str:
        """A document by name."""
        row = (await self._run(select(notes).where(notes.c.name == name))).first()
        return "" if row is None else self._vault.open_text(row.value, name)

    async def notes(self, prefix: str) -> dict[str, str]:
        """All documents whose name begins like this."""
        like = select(notes).where(
            notes.c.name.startswith(prefix, autoescape=True)
        )  # SQLite minds no capitals
        found = {row.name: row for row in await self._rows(like) if row.name.startswith(prefix)}
        return {name: self._vault.open_text(found[name].value, name) for name in sorted(found)}

    async def put_note(self, name: str, value: str) -> None:
        """Create, replace or take away a document."""
        await self._run(delete(notes).where(notes.c.name == name))
        if value:
            sealed = self._vault.seal_text("notes", "value", name, value)
            await self._run(insert(notes).values(name=name, value=sealed))

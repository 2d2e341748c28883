"""What arrived from platforms, and what is known of their rooms."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import delete, func, insert, select, update

from engine.ids import AccountId, ContainerId, MessageId
from engine.mailroom import Arrival, Room, Sending
from engine.shown import Shown
from storage.mapping import event_digest
from storage.repositories.base import chunks
from storage.repositories.deeds import DeedRepository
from storage.tables import (
    arrivals,
    inbox,
    message_versions,
    moved_chats,
    notes,
    outbox,
    room_accounts,
    rooms,
)
from storage.tables import shown as shown_table


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

    async def sending_of(self, message: str) -> Sending | None:
        """The delivery that became this message."""
        return next(iter(await self._sendings(select(outbox).where(outbox.c.message == message))), None)

    async def keep_version(self, first: MessageId, new: MessageId) -> None:
        """Keep that a message is the newest version of another."""
        mine = select(func.count()).where(message_versions.c.first == first).scalar_subquery()
        await self._run(insert(message_versions).values(first=first, position=mine, message_id=new))

    async def versions(self, of: Iterable[str]) -> list[tuple[MessageId, ...]]:
        """The whole row of versions of each of these."""
        v, wanted = message_versions.c, set(of)
        firsts = {r.first for r in await self._in_chunks(select(v.first), v.message_id, wanted)} | wanted
        rows = await self._in_chunks(select(message_versions).order_by(v.first, v.position), v.first, firsts)
        found: dict[str, list[MessageId]] = {}
        for row in rows:
            found.setdefault(row.first, [MessageId(row.first)]).append(MessageId(row.message_id))
        return [tuple(found[first]) for first in sorted(found)]

    async def room(self, chat: ContainerId) -> Room:
        """What is known of a group."""
        row = (await self._run(select(rooms).where(rooms.c.container_id == chat))).first()
        if row is None:
            return Room(chat)
        seen = await self._rows(select(room_accounts).where(room_accounts.c.container_id == chat))
        known, bots = (
            frozenset(AccountId(s.account_id) for s in seen if getattr(s, flag)) for flag in ("known", "bot")
        )
        return Room(chat, known, bots, row.changes, row.changed_at, introduced=row.introduced)

    async def rooms(self, platform: str) -> list[ContainerId]:
        """The groups of a platform of which anything is known."""
        ids = (row.container_id for row in await self._rows(select(rooms.c.container_id)))
        return sorted(ContainerId(name) for name in ids if name.startswith(f"{platform}:"))

    async def put_room(self, room: Room) -> None:
        """Create or replace what is known of a group."""
        values = {"changes": room.changes, "changed_at": room.changed_at, "introduced": room.introduced}
        mine, a = rooms.c.container_id == room.chat, room_accounts.c
        if not (await self._run(update(rooms).where(mine).values(values))).rowcount:
            await self._run(insert(rooms).values(container_id=room.chat, **values))
        kept = await self.room(room.chat)
        marks = {name: (name in room.known, name in room.bots) for name in room.known | room.bots}
        before = {name: (name in kept.known, name in kept.bots) for name in kept.known | kept.bots}
        other = [name for name, mark in before.items() if marks.get(name) != mark]
        for part in chunks(other):
            await self._run(delete(room_accounts).where(a.container_id == room.chat, a.account_id.in_(part)))
        new: list[dict[str, object]] = [
            {"container_id": room.chat, "account_id": name, "known": known, "bot": bot}
            for name, (known, bot) in sorted(marks.items())
            if before.get(name) != (known, bot)
        ]
        await self._insert(room_accounts, new)

    async def keep_move(self, old: ContainerId, new: ContainerId) -> None:
        """Keep that a chat has another id now."""
        earlier = await self.moved_from(new)
        if old not in earlier:
            values = {"container_id": new, "position": len(earlier), "earlier": old}
            await self._run(insert(moved_chats).values(values))

    async def moved_from(self, chat: ContainerId) -> list[ContainerId]:
        """The ids that a chat had just before this one."""
        wanted = select(moved_chats.c.earlier).where(moved_chats.c.container_id == chat)
        return [ContainerId(row.earlier) for row in await self._rows(wanted.order_by(moved_chats.c.position))]

    async def put_shown(self, shown: Shown) -> None:
        """Keep that a platform still shows something."""
        await self.drop_shown([shown.name])
        link = self._vault.seal_text("shown", "link", shown.name, shown.link)
        values = {"name": shown.name, "container_id": shown.container, "at": shown.at, "link": link}
        await self._run(insert(shown_table).values(**values, mine=shown.mine, quiet=shown.quiet))

    async def still_shown(self) -> list[Shown]:
        """All that was kept so and not dropped."""
        found = [
            Shown(
                row.name, ContainerId(row.container_id), row.at, row.mine,
                self._vault.open_text(row.link, row.name), row.quiet,
            )
            for row in await self._rows(select(shown_table))
        ]  # fmt: skip
        return sorted(found, key=lambda one: one.name)

    async def drop_shown(self, names: Iterable[str]) -> None:
        """What became of these is known and told."""
        for part in chunks(sorted(names)):
            await self._run(delete(shown_table).where(shown_table.c.name.in_(part)))

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

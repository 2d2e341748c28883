"""What is known of each group of a platform, kept between runs, and how it changes.

A list of members made in an earlier run proves nothing: events may have been missed since.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.turn.record import mode_note
from engine.ids import AccountId, ContainerId
from engine.mailroom import Room
from engine.store import Store


class NoRooms:
    """Nothing is known of any group: where a platform is only asked who Tact is there."""

    async def get(self, chat: ContainerId) -> Room:
        """Nothing is known of it."""
        return Room(chat)

    async def put(self, room: Room) -> None:
        """Keep nothing."""


class KnownRooms:
    """All groups of one platform."""

    def __init__(self, store: Store, platform: str) -> None:
        """Read from and write to this memory."""
        self._store, self._platform = store, platform
        self._rooms: dict[ContainerId, Room] = {}

    async def all(self) -> list[ContainerId]:
        """Every group of which anything is known."""
        async with self._store.transaction() as tx:
            return await tx.rooms(self._platform)

    async def get(self, chat: ContainerId) -> Room:
        """What is known of a group."""
        if chat not in self._rooms:
            async with self._store.transaction() as tx:
                self._rooms[chat] = await tx.room(chat)
        return self._rooms[chat]

    async def put(self, room: Room) -> None:
        """Keep it; nothing is written if nothing but the list of members is new."""
        old = self._rooms.get(room.chat)
        self._rooms[room.chat] = room
        if old != room:
            async with self._store.transaction() as tx:
                await tx.put_room(room)

    async def saw(self, chat: ContainerId, account: AccountId | None, *, bot: bool = False) -> None:
        """Somebody whom the platform vouches for wrote or pressed a button in a group."""
        room = await self.get(chat)
        if account and account not in room.known:
            await self.put(
                replace(room, known=room.known | {account}, bots=room.bots | ({account} if bot else set()))
            )

    async def heard(
        self, chat: ContainerId, account: AccountId | None, at: datetime, *, bot: bool = False
    ) -> None:
        """Somebody wrote. Who is not on a list that was complete came without the platform's telling: a change like any."""
        room = await self.get(chat)
        listed = room.pull is None or account in room.pull.members or account in room.known
        if account and not listed:
            await self.changed(chat, at, account, bot=bot)
        else:
            await self.saw(chat, account, bot=bot)

    async def changed(
        self, chat: ContainerId, at: datetime, account: AccountId | None = None, *, bot: bool = False
    ) -> None:
        """Somebody came, went or rose: what was listed before is out of date."""
        room = await self.get(chat)
        known = room.known | ({account} if account else set())
        bots = room.bots | ({account} if account and bot else set())
        await self.put(replace(room, known=known, bots=bots, changes=room.changes + 1, changed_at=at))

    def distrust(self) -> None:
        """Events may have been missed: no list made so far proves who was there before a message."""
        self._rooms = {chat: replace(room, pull=None) for chat, room in self._rooms.items()}

    async def move(self, old: ContainerId, new: ContainerId, at: datetime) -> None:
        """A group has another id now: its `/mode` and its accounts come along, what was listed does not."""
        before, after = await self.get(old), await self.get(new)
        async with self._store.transaction() as tx:
            mode = await tx.note(mode_note(old))
            if mode:
                await tx.put_note(mode_note(new), mode)
                await tx.put_note(mode_note(old), "")
        await self.put(
            replace(
                after, known=after.known | before.known, bots=after.bots | before.bots, pull=None,
                changes=after.changes + 1, changed_at=at, introduced=after.introduced or before.introduced,
            )
        )  # fmt: skip

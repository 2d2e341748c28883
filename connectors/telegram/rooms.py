"""What is known of each group, kept between runs: whose accounts were seen in it, and who was in it when last listed.

Seen accounts are candidates, not members: only a fresh pull establishes who is there (see `roster.py`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import datetime

from connectors.telegram.inbound import container_of
from engine.store import Store

_NOTE = "telegram:room:"


@dataclass(frozen=True, slots=True)
class Pull:
    """A complete list of members: when it was complete, and at which count of changes."""

    at: datetime
    members: frozenset[int]
    version: int


@dataclass(frozen=True, slots=True)
class Room:
    """One group. `changes` counts who came and went; `pull` is the last complete list."""

    chat: int
    known: frozenset[int] = frozenset()
    bots: frozenset[int] = frozenset()
    changes: int = 0
    changed_at: datetime | None = None
    pull: Pull | None = field(default=None, compare=False)
    introduced: bool = False


class Rooms:
    """All groups. A list made in an earlier run proves nothing: events may have been missed since."""

    def __init__(self, store: Store) -> None:
        """Read from and write to this memory."""
        self._store = store
        self._rooms: dict[int, Room] = {}

    async def all(self) -> list[int]:
        """Every group there is a note of."""
        async with self._store.transaction() as tx:
            return [int(name.removeprefix(_NOTE)) for name in await tx.notes(_NOTE)]

    async def get(self, chat: int) -> Room:
        """What is known of a group."""
        if chat not in self._rooms:
            async with self._store.transaction() as tx:
                self._rooms[chat] = _read(chat, await tx.note(_NOTE + str(chat)))
        return self._rooms[chat]

    async def put(self, room: Room) -> None:
        """Keep it; nothing is written if nothing but the list of members is new."""
        old = self._rooms.get(room.chat)
        self._rooms[room.chat] = room
        if old != room:
            async with self._store.transaction() as tx:
                await tx.put_note(_NOTE + str(room.chat), _written(room))

    async def saw(self, chat: int, user: int, *, bot: bool = False) -> None:
        """Somebody whom Telegram vouches for wrote or pressed a button in a group."""
        room = await self.get(chat)
        if user and user not in room.known:
            await self.put(
                replace(room, known=room.known | {user}, bots=room.bots | ({user} if bot else set()))
            )

    async def heard(self, chat: int, user: int, at: datetime, *, bot: bool = False) -> None:
        """Somebody wrote. Who is not on a list that was complete came without Telegram's telling: a change like any."""
        room = await self.get(chat)
        listed = room.pull is None or user in room.pull.members or user in room.known
        if user and not listed:
            await self.changed(chat, at, user, bot=bot)
        else:
            await self.saw(chat, user, bot=bot)

    async def changed(self, chat: int, at: datetime, user: int = 0, *, bot: bool = False) -> None:
        """Somebody came, went or rose: what was listed before is out of date."""
        room = await self.get(chat)
        known = room.known | ({user} if user else set())
        bots = room.bots | ({user} if user and bot else set())
        await self.put(replace(room, known=known, bots=bots, changes=room.changes + 1, changed_at=at))

    def distrust(self) -> None:
        """Events may have been missed: no list made so far proves who was there before a message."""
        self._rooms = {chat: replace(room, pull=None) for chat, room in self._rooms.items()}

    async def move(self, old: int, new: int, at: datetime) -> None:
        """A group has another id now: its `/mode` and its accounts come along, what was listed does not."""
        before, after = await self.get(old), await self.get(new)
        async with self._store.transaction() as tx:
            mode = await tx.note(f"mode:{container_of(old)}")
            if mode:
                await tx.put_note(f"mode:{container_of(new)}", mode)
                await tx.put_note(f"mode:{container_of(old)}", "")
        await self.put(
            replace(
                after, known=after.known | before.known, bots=after.bots | before.bots, pull=None,
                changes=after.changes + 1, changed_at=at, introduced=after.introduced or before.introduced,
            )
        )  # fmt: skip


def _read(chat: int, text: str) -> Room:
    if not text:
        return Room(chat)
    kept = json.loads(text)
    changed = kept["changed_at"]
    return Room(
        chat, frozenset(kept["known"]), frozenset(kept["bots"]), kept["changes"],
        datetime.fromisoformat(changed) if changed else None, introduced=kept["introduced"],
    )  # fmt: skip


def _written(room: Room) -> str:
    return json.dumps(
        {
            "known": sorted(room.known),
            "bots": sorted(room.bots),
            "changes": room.changes,
            "changed_at": room.changed_at.isoformat() if room.changed_at else None,
            "introduced": room.introduced,
        }
    )

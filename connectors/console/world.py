"""A small world of people and rooms on one machine, and the lines that are typed in it.

Every name is an account `console:NAME`; a full account id stands for itself. Speaking in no room is speaking to Tact in
private.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from engine.errors import BadInput
from engine.ids import AccountId, ContainerId
from engine.items import Origin
from engine.mailroom import Arrival
from engine.viewers import ChatKind, FutureReaders, RosterEvidence

OWNER_ACCOUNT = AccountId("console:owner")
ROOM = "console:room:"
DIRECT = "console:direct:"
NO_ROOM = "nobody knows of this room"


@dataclass(frozen=True, slots=True)
class Room:
    """A group chat: who is in it now; `kind` and `listed` say otherwise where a world plays a stranger place."""

    name: str
    members: frozenset[AccountId]
    kind: ChatKind = ChatKind.GROUP
    listed: bool = True


def account_of(name: str) -> AccountId:
    """`bob` → `console:bob`; an id with a platform stands for itself."""
    return AccountId(name if ":" in name else f"console:{name.strip().lower()}")


class World:
    """People and rooms. `typed` are lines that wait for whoever receives from here, who is woken by `wake`."""

    def __init__(self, rooms: Mapping[str, Iterable[AccountId]] | None = None) -> None:
        """Begin with these rooms."""
        self._rooms = {name: Room(name, frozenset(members)) for name, members in (rooms or {}).items()}
        self.typed: list[Arrival] = []
        self.wake = asyncio.Event()
        self._count = 0

    @property
    def rooms(self) -> Mapping[str, Room]:
        """Every room by name."""
        return self._rooms

    def open_room(self, room: Room) -> None:
        """Create a room, or change who is in it."""
        self._rooms[room.name] = room

    def join(self, account: AccountId, room: str) -> None:
        """Somebody joins a room."""
        old = self._room(room)
        self._rooms[room] = Room(room, old.members | {account}, old.kind, old.listed)

    def leave(self, account: AccountId, room: str) -> None:
        """Somebody leaves a room."""
        old = self._room(room)
        self._rooms[room] = Room(room, old.members - {account}, old.kind, old.listed)

    def line(
        self,
        account: AccountId,
        room: str | None,
        text: str,
        at: datetime,
        *,
        name: str = "",
        origin: Origin = Origin.TYPED,
        answers: str = "",
        first: str = "",
    ) -> Arrival:
        """What somebody types in a room, or in private (`room` None), as the console platform reads it.

        Args:
            account: who types.
            room: where.
            text: the line.
            at: when.
            name: what they call themselves; empty: as the account does.
            origin: whether they typed it themselves.
            answers: the id of the message that it replies to.
            first: the id of the line that it is a new version of.
        """
        self._count += 1
        made = f"console:{at.isoformat()}:{self._count}"
        line = {
            "id": made,
            "first": first or made,
            "account": account,
            "room": None if room is None else self._room(room).name,
            "name": name or account.partition(":")[2],
            "text": text,
            "at": at.isoformat(),
            "origin": str(origin),
            "answers": answers,
        }
        return Arrival(made, json.dumps(line))

    def type(self, line: Arrival) -> None:
        """A line waits for whoever receives from this console."""
        self.typed.append(line)
        self.wake.set()

    def direct(self, account: AccountId) -> ContainerId:
        """The direct chat of an account with Tact."""
        return ContainerId(DIRECT + account)

    def _room(self, name: str) -> Room:
        if name not in self._rooms:
            known = ", ".join(sorted(self._rooms)) or "none"
            raise BadInput(f"no room {name!r}", fix=f"rooms are: {known}")
        return self._rooms[name]

    def evidence(
        self,
        container: ContainerId,
        sender: AccountId | None,
        owners: frozenset[AccountId],
        *,
        snapshot: bool,
    ) -> RosterEvidence:
        """Who can read a place now; `snapshot`: and heard what was just said there."""
        if container.startswith(DIRECT):
            account = AccountId(container.removeprefix(DIRECT))
            kind = ChatKind.PRIVATE if account in owners else ChatKind.DIRECT
            return RosterEvidence(kind, sender or account, frozenset({account}), snapshot=snapshot)
        room = self._rooms.get(container.removeprefix(ROOM))
        if room is None:
            return RosterEvidence(ChatKind.GROUP, sender, None, faults=(NO_ROOM,))
        roster = room.members if room.listed else None
        seen = frozenset() if sender is None else frozenset({sender})
        who = sender or min(room.members, default=None)
        return RosterEvidence(room.kind, who, roster, seen, future=FutureReaders.NONE, snapshot=snapshot)


def is_addressed(text: str) -> bool:
    """Whether a message in a room is meant for Tact: a command, or its name as a word of its own, with or without `@`."""
    plain = text.casefold()
    if plain.lstrip().startswith(("/", "／")):
        return True
    at = plain.find("tact")
    while at >= 0:
        before, after = plain[at - 1 : at], plain[at + 4 : at + 5]
        if not (before.isascii() and before.isalnum()) and not (after.isascii() and after.isalnum()):
            return True
        at = plain.find("tact", at + 1)
    return False

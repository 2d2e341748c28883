"""Where the chat stands: who is speaking, in which place, and what was said so far.

One person plays everybody, so this knows all of it. Tact knows only what each turn's evidence shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from bot.context import SystemClock
from bot.texts import say
from config.contact_entries import accounts_of
from connectors.console.world import OWNER_ACCOUNT, ROOM, Room, World, account_of
from engine.errors import BadInput
from engine.ids import AccountId, ContainerId
from engine.people import People, folded
from engine.policy import Policy

_NAME = re.compile(r"[\w.-]{1,40}")
_ACCOUNT = re.compile(r"[a-z]+:\S{1,100}")


class SandboxClock(SystemClock):
    """The machine's clock, set forward by what `/wait` said."""

    def __init__(self) -> None:
        """Begin at the machine's time."""
        self._ahead = timedelta()

    def now(self) -> datetime:
        """The time now, in UTC."""
        return datetime.now(UTC) + self._ahead

    def move(self, by: timedelta) -> None:
        """Let time pass."""
        self._ahead += by


@dataclass(frozen=True, slots=True)
class Spoken:
    """A numbered message that can be replied to."""

    number: int
    container: ContainerId
    message: str


@dataclass(slots=True)
class Stage:
    """Who speaks and where. `people` and `policy` are as of the last turn."""

    world: World
    owner_name: str
    language: str
    people: People = field(default_factory=People)
    policy: Policy = field(default_factory=Policy)
    speaker: AccountId = OWNER_ACCOUNT
    room: str | None = None
    answering: Spoken | None = None
    said: list[Spoken] = field(default_factory=list, repr=False)
    extras: set[AccountId] = field(default_factory=set)

    @property
    def place(self) -> ContainerId:
        """The container the speaker is in."""
        return self.world.direct(self.speaker) if self.room is None else ContainerId(ROOM + self.room)

    @property
    def next_number(self) -> int:
        """The number of the next message."""
        return self.said[-1].number + 1 if self.said else 1

    @property
    def as_owner(self) -> bool:
        """Whether the owner is speaking."""
        return self.speaker == OWNER_ACCOUNT

    @property
    def accounts(self) -> list[AccountId]:
        """Everybody there is: the owner first, then in order of their names."""
        rooms = {account for room in self.world.rooms.values() for account in room.members}
        named = {account for person in self.people.names for account in accounts_of(person, self.people)}
        every = {*rooms, *named, *self.people.seen, *self.extras, self.speaker} - {OWNER_ACCOUNT}
        return [OWNER_ACCOUNT, *sorted(every, key=lambda account: (folded(self.name(account)), account))]

    def name(self, account: AccountId) -> str:
        """What the console calls an account: the owner's name for it, else the account."""
        if account == OWNER_ACCOUNT:
            return self.owner_name
        return self.people.called(self.people.person(account)) or account.removeprefix("console:")

    def names(self, accounts: Iterable[AccountId]) -> str:
        """Several, the owner first."""
        found = set(accounts)
        return say(self.language, "chat.join").join(self.name(a) for a in self.accounts if a in found)

    def find(self, name: str) -> AccountId:
        """The account that a name or an account id means; a new name is a new stranger.

        Raises:
            BadInput: if several persons have that name, or it can be nobody's.
        """
        if not name:
            raise BadInput(say(self.language, "name.missing"), fix=self.names(self.accounts))
        if folded(name) in {folded(self.owner_name), "owner"} or name == OWNER_ACCOUNT:
            return OWNER_ACCOUNT
        if _ACCOUNT.fullmatch(name):
            return AccountId(name)
        called = {a for p in self.people.resolve(name) for a in accounts_of(p, self.people)[:1]} - {
            OWNER_ACCOUNT
        }
        if len(called) > 1:
            raise BadInput(say(self.language, "name.several", name=name), fix=", ".join(sorted(called)))
        if called:
            return called.pop()
        if folded(name) == "tact" or not _NAME.fullmatch(name):
            raise BadInput(say(self.language, "name.odd", name=name), fix=say(self.language, "name.odd_fix"))
        return account_of(name)

    def speak_as(self, account: AccountId) -> None:
        """Somebody else speaks: in the room, if they are in it, else in private."""
        self.speaker = account
        self.extras.add(account)
        self.answering = None
        if self.room is not None and account not in self.world.rooms[self.room].members:
            self.room = None

    def go(self, room: str | None) -> bool:
        """Go to a room, or back to the direct chat; a new room is made with whoever is here. True if it was made.

        Raises:
            BadInput: if the speaker is not in it, or it can be no room's name.
        """
        made = False
        if room is not None and room not in self.world.rooms:
            if not _NAME.fullmatch(room):
                raise BadInput(
                    say(self.language, "room.odd", room=room), fix=say(self.language, "name.odd_fix")
                )
            here = {self.speaker} if self.room is None else self.world.rooms[self.room].members
            self.world.open_room(Room(room, frozenset(here)))
            made = True
        if room is not None and self.speaker not in self.world.rooms[room].members:
            who = self.name(self.speaker)
            inside = self.names(self.world.rooms[room].members)
            raise BadInput(
                say(self.language, "room.outside", name=who, room=room, people=inside),
                fix=f"/invite {who} {room}",
            )
        self.room, self.answering = room, None
        return made

    def find_room(self, name: str) -> str:
        """A room by its name, or the one the speaker is in if none is named.

        Raises:
            BadInput: if there is none.
        """
        if not name and self.room is not None:
            return self.room
        if name in self.world.rooms:
            return name
        what = say(self.language, "room.none", room=name) if name else say(self.language, "room.missing")
        raise BadInput(what, fix=", ".join(sorted(self.world.rooms)) or "/in ROOM")

    def note(self, message: str, container: ContainerId) -> int:
        """Number a message."""
        self.said.append(Spoken(self.next_number, container, message))
        return self.said[-1].number

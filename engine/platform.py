"""The platform port: what a channel to the outside provides. Everything else about platforms is written once, in `bot/service/`.

A platform decides nothing and keeps nothing: it turns what arrives into events, reports evidence of who can read a place,
and carries words that were released. Its calls fail in three ways and no others.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from engine.errors import TactError
from engine.events import Event
from engine.ids import AccountId, ContainerId
from engine.mailroom import Arrival, Room
from engine.people import People
from engine.policy import Policy
from engine.viewers import RosterEvidence


class PlatformFault(TactError):
    """A call to a platform that did not work out. No text of the platform's own is in it: that may hold a token."""


class NotWritten(PlatformFault):
    """Nothing of the request went out, or the platform asked to wait: it may be tried again after `wait` seconds."""

    def __init__(self, said: str, wait: float = 0.0) -> None:
        """`said` is the fault in one line."""
        super().__init__(said)
        self.wait = wait


class Uncertain(PlatformFault):
    """The request went out and was not answered: it may have been carried out."""


class Why(StrEnum):
    """Why a platform refuses."""

    TOKEN = "token"  # noqa: S105 - it is no longer valid
    SHUT_OUT = "shut out"  # Tact was removed or blocked there
    TWO = "two"  # another program uses the same token
    MOVED = "moved"  # the chat has another id now
    REQUEST = "request"


class Refused(PlatformFault):
    """The platform said no, and would say so again."""

    def __init__(self, said: str, why: Why) -> None:
        """`said` is the fault in one line."""
        super().__init__(said)
        self.why = why


@dataclass(frozen=True, slots=True)
class Button:
    """A button: what stands on it, and what it says when it is pressed (1 to 64 bytes)."""

    label: str
    data: str = field(repr=False)


Rows = Sequence[Sequence[Button]]
"""Rows of buttons under a message."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Who Tact is on a platform.

    Args:
        account: its own account.
        name: what others read.
        claim: a link that brings whoever opens it to Tact; a one-time code is put behind it.
        advice: keys of texts that say what should still be set up there.
    """

    account: AccountId
    name: str
    claim: str = ""
    advice: tuple[str, ...] = ()


class State(StrEnum):
    """How a thing stands that was looked at."""

    OK = "ok"
    MIND = "mind"  # it works, and something should be known or done
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that a platform looked at for the owner: the keys of texts, and what stands in them.

    `said` are words that need no translation; `fix` is the key of what to do about it.
    """

    about: str
    state: State
    text: str = ""
    fix: str = ""
    said: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sighting:
    """Where a kept arrival's message is on the platform: its id, when it was sent, and whether in a direct chat."""

    message: str
    at: datetime
    direct: bool


class Rooms(Protocol):
    """What is known of all groups of a platform."""

    async def get(self, chat: ContainerId) -> Room:
        """What is known of one."""
        ...

    async def put(self, room: Room) -> None:
        """Keep it."""
        ...


@dataclass(frozen=True, slots=True)
class Insiders:
    """The accounts that evidence depends on: the owner's, and those that he has named (a bot among them is a person)."""

    owners: frozenset[AccountId]
    enrolled: frozenset[AccountId]


def insiders(policy: Policy, people: People) -> Insiders:
    """The insiders under this policy, among these people."""
    persons = {*policy.contacts, *people.names}
    joined = (account for account, person in people.joined.items() if person in persons)
    return Insiders(people.owners, frozenset({*map(AccountId, persons), *joined}))


Keep = Callable[[Sequence[Arrival]], Awaitable[None]]
"""Keeps raw events; only when it has returned may they be acknowledged."""


class Platform(Protocol):
    """One platform, with one account of Tact's on it. Every call may raise a `PlatformFault`, and nothing of a library's."""

    @property
    def name(self) -> str:
        """How ids of this platform begin: `telegram` in `telegram:12345`."""
        ...

    @property
    def longest(self) -> int:
        """UTF-16 units that a message may have."""
        ...

    @property
    def has_buttons(self) -> bool:
        """Whether a message can have buttons."""
        ...

    async def start(self) -> Profile:
        """Check the token, learn who Tact is there, and make ready to receive."""
        ...

    async def stop(self) -> None:
        """Let go of connections."""
        ...

    async def receive(self, keep: Keep, lost: Callable[[], None]) -> None:
        """Hand raw events over until cancelled; `lost` is called when events may have been missed.

        Raises:
            Refused: the token is no longer valid.
        """
        ...

    def read(self, payload: str) -> Event:
        """What a kept raw event is. Pure; raises anything for one that cannot be read."""
        ...

    def sighting(self, payload: str) -> Sighting | None:
        """Where the message of a kept raw event is; None if it has none."""
        ...

    async def look(self, container: ContainerId, sender: AccountId | None, known: Insiders) -> RosterEvidence:
        """Pull evidence of who can read a place now; never raises: what is missing is a fault of the evidence.

        Args:
            container: the place.
            sender: who wrote there; None if nobody whom the platform vouches for did.
            known: the accounts that it depends on.
        """
        ...

    async def send(self, container: ContainerId, text: str, rows: Rows) -> str:
        """Send one plain text, with rows of buttons; returns the id of the message."""
        ...

    async def delete(self, message: str) -> None:
        """Delete a message, for everybody."""
        ...

    async def answer(self, press: str, text: str) -> None:
        """Answer the press of a button: only who pressed it sees that."""
        ...

    async def set_buttons(self, message: str, rows: Rows) -> None:
        """Give a message of Tact's other buttons, or none."""
        ...

    async def show_typing(self, container: ContainerId) -> None:
        """Show for some seconds that an answer is being written."""
        ...

    async def set_menu(self, chat: ContainerId, commands: Sequence[tuple[str, str]]) -> None:
        """Set the command menu of one direct chat: names, and what they do."""
        ...

    async def checks(self, chats: Sequence[ContainerId]) -> list[Check]:
        """What an owner should know about the connection, and about these groups. Once started."""
        ...

    def direct(self, account: AccountId) -> ContainerId | None:
        """The direct chat with an account of this platform; None for any other account."""
        ...

    def link(self, container: ContainerId, message: str) -> str:
        """What opens a message for a member of its group; empty where there are no such links."""
        ...

    def too_old(self, age_s: float) -> bool:
        """Whether a message of this age can no longer be deleted there."""
        ...

"""Telegram as a turn sees it. A room takes `Released*` values, by type; what is the owner's goes to his private chat."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from connectors.telegram.client import Api, Rows
from connectors.telegram.inbound import account_of, container_of, place_of, user_of
from connectors.telegram.outbound import Outbox
from connectors.telegram.rooms import Rooms
from connectors.telegram.roster import Roster, private_with
from engine.errors import NotReleased
from engine.ids import AccountId, ContainerId
from engine.people import People
from engine.release import OwnerOnly, ReleasedLine, ReleasedReply
from engine.viewers import RosterEvidence

ROLL = "here:"
"""What the button of a roll call says; a press counts by who pressed it, and this only says which call it was."""


class Pressable(Protocol):
    """A button of a card."""

    @property
    def label(self) -> str:
        """What stands on it."""
        ...

    @property
    def data(self) -> str:
        """What it says when it is pressed: 1 to 64 bytes."""
        ...


@dataclass(frozen=True, slots=True)
class Hub:
    """What all turns on Telegram share."""

    api: Api
    rooms: Rooms
    roster: Roster
    outbox: Outbox
    people: Callable[[], Awaitable[People]]
    enrolled: Callable[[], Awaitable[frozenset[AccountId]]]

    async def evidence(self, chat: int, account: AccountId | None) -> RosterEvidence:
        """Who can read a chat now; `account` is who wrote, if Telegram vouches for anybody."""
        people = await self.people()
        if chat > 0:
            return private_with(account_of(chat), people.owners)
        return await self.roster.group(
            chat, account, user_of(account) if account else 0, await self.enrolled()
        )

    async def owner_chat(self, asker: AccountId | None = None) -> int:
        """The private chat of the owner: of the account that asked, else of the first of his; 0 if there is none."""
        owners = (await self.people()).owners
        if asker in owners and user_of(asker):
            return user_of(asker)
        return min((user for user in map(user_of, owners) if user), default=0)


class TelegramChannel:
    """The channel of one turn."""

    def __init__(self, hub: Hub, asker: AccountId | None = None) -> None:
        """`asker` is who wrote."""
        self._hub, self._asker = hub, asker

    async def look(self, container: ContainerId) -> RosterEvidence:
        """Pull fresh evidence of who can read this place now."""
        return await self._hub.evidence(place_of(container)[0], self._asker)

    async def say(self, container: ContainerId, words: ReleasedReply | ReleasedLine, key: str) -> None:
        """Send to a room or a direct chat, once for each key.

        Raises:
            NotReleased: for anything but released words.
            NotWritten: nothing of it went out.
        """
        if not isinstance(words, ReleasedReply | ReleasedLine):
            raise NotReleased("a room takes released words only")
        used = words.used if isinstance(words, ReleasedReply) else ()
        await self._hub.outbox.deliver(container, words.text, key, used)

    async def tell_owner(self, words: OwnerOnly, key: str = "") -> None:
        """Send to the owner's private chat, once for each key that is not empty."""
        await self._to_owner(words, key, ())

    async def show_card(self, words: OwnerOnly, rows: Sequence[Sequence[Pressable]], key: str) -> None:
        """Send a card to the owner's private chat, with its buttons, once a key."""
        await self._to_owner(words, key, [[(button.label, button.data) for button in row] for row in rows])

    async def _to_owner(self, words: OwnerOnly, key: str, rows: Rows) -> None:
        if not isinstance(words, OwnerOnly):
            raise NotReleased("the owner's chat takes the owner's words only")
        chat = await self._hub.owner_chat(self._asker)
        if chat:
            await self._hub.outbox.deliver(
                container_of(chat), words.text, key or f"o_{secrets.token_hex(6)}/owner", rows=rows
            )

    async def call_roll(
        self, container: ContainerId, line: ReleasedLine, button: ReleasedLine, key: str
    ) -> None:
        """Post a line with a button; who presses it is there."""
        rows = [[(button.text, ROLL + secrets.token_hex(8))]]
        await self._hub.outbox.deliver(container, line.text, key, rows=rows)

    async def census(self, container: ContainerId) -> tuple[int, int] | None:
        """Of how many in a group Tact knows that they are there, and how many there are; None if Telegram does not say."""
        chat = place_of(container)[0]
        found = await self._hub.evidence(chat, self._asker) if chat < 0 else None
        if found is None or found.roster is None or found.reported_count is None:
            return None
        return len(found.roster), found.reported_count

"""The channel of one turn on a platform.

A room takes `Released*` values, by type; what is the owner's goes to his direct chat and nowhere else.
"""

from __future__ import annotations

import secrets

from bot.service.connection import Connection
from engine.errors import NotReleased
from engine.ids import AccountId, ContainerId
from engine.mailroom import SendingKind
from engine.platform import Button, Insiders, Rows
from engine.release import OwnerOnly, ReleasedLine, ReleasedReply
from engine.viewers import RosterEvidence

ROLL = "here:"
"""What the button of a roll call says; a press counts by who pressed it, and this only says which call it was."""


class PlatformChannel:
    """The channel of one turn on a platform."""

    def __init__(
        self,
        connection: Connection,
        asker: AccountId | None = None,
        owners: frozenset[AccountId] | None = None,
    ) -> None:
        """`asker` is who wrote; `owners` are the owner's accounts as they were read with it."""
        self._connection, self._asker, self._owners = connection, asker, owners

    @property
    def has_buttons(self) -> bool:
        """Whether a message can have buttons."""
        return self._connection.platform.has_buttons

    async def look(self, container: ContainerId, known: Insiders) -> RosterEvidence:
        """Pull fresh evidence of who can read this place now."""
        return await self._connection.platform.look(container, self._asker, known)

    async def say(
        self,
        container: ContainerId,
        words: ReleasedReply | ReleasedLine,
        key: str,
        roll: ReleasedLine | None = None,
    ) -> None:
        """Send to a room or a direct chat, once for each key.

        Raises:
            NotReleased: for anything but released words.
            NotWritten: nothing of it went out.
        """
        if not isinstance(words, ReleasedReply | ReleasedLine):
            raise NotReleased("a room takes released words only")
        reply = words if isinstance(words, ReleasedReply) else None
        kind = SendingKind.REPLY if reply else SendingKind.LINE
        rows = [[Button(roll.text, ROLL + secrets.token_hex(8))]] if roll else ()
        await self._connection.outbox.deliver(
            container, words.text, key, kind, reply.used if reply else (), rows
        )

    async def tell_owner(self, words: OwnerOnly, key: str = "", rows: Rows = (), about: str = "") -> None:
        """Send to the owner's direct chat, once for each key that is not empty; `about` as in `Sending`.

        Raises:
            NotReleased: for anything but the owner's words.
            NotWritten: nothing of it went out.
        """
        if not isinstance(words, OwnerOnly):
            raise NotReleased("the owner's chat takes the owner's words only")
        chat = await self._connection.owner_chat(self._asker, self._owners)
        if chat:
            once = key or f"o_{secrets.token_hex(6)}/owner"
            await self._connection.outbox.deliver(
                chat, words.text, once, SendingKind.OWNER, rows=rows, about=about
            )

"""The platform port on Telegram.

A bot may delete what it sent, and what it was sent in a private chat, for 48 hours.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from connectors.telegram.checks import checks
from connectors.telegram.client import Api, fetch
from connectors.telegram.inbound import (
    arrival_key,
    container_of,
    message_id,
    numbers_of,
    place_of,
    read,
    user_of,
)
from connectors.telegram.payloads import kept, sighting
from connectors.telegram.roster import Roster
from engine.events import Event
from engine.ids import AccountId, ContainerId
from engine.mailroom import Arrival
from engine.platform import Check, Insiders, Keep, Profile, Rooms, Rows, Sighting
from engine.viewers import RosterEvidence

_SUPERGROUP = -1_000_000_000_000
_DELETABLE = timedelta(hours=48)


class Telegram:
    """The platform port on Telegram; see `engine.platform.Platform` for what each method promises."""

    name: Final = "telegram"
    longest: Final = 4096
    has_buttons: Final = True

    def __init__(self, api: Api, rooms: Rooms, now: Callable[[], datetime], *, wait: int = 25) -> None:
        """Nothing is asked yet.

        Args:
            api: the bot's calls.
            rooms: what is known of groups.
            now: the machine's clock.
            wait: the seconds of one long poll.
        """
        self.api, self._wait = api, wait
        self._roster = Roster(api, rooms, now)

    async def start(self) -> Profile:
        """Check the token, and have updates wait to be fetched."""
        profile = await self.api.profile()
        await self.api.no_webhook()
        return profile

    async def stop(self) -> None:
        """Let go of connections."""
        await self.api.stop()

    async def receive(self, keep: Keep, lost: Callable[[], None]) -> None:
        """Fetch updates until cancelled."""

        async def keep_updates(updates: Sequence[dict[str, Any]]) -> None:
            bot = self.api.me.id
            await keep([Arrival(arrival_key(bot, u["update_id"]), kept(u)) for u in updates])

        await fetch(self.api, keep_updates, wait=self._wait, lost=lost)

    def read(self, payload: str) -> Event:
        """What an update is."""
        update = self.api.parsed(json.loads(payload))
        if update is None:
            raise ValueError("no update")
        return read(update, self.api.me, ("Tact",))

    def sighting(self, payload: str) -> Sighting | None:
        """Where an update's message is."""
        return sighting(payload, self.api.me.id)

    async def look(self, container: ContainerId, sender: AccountId | None, known: Insiders) -> RosterEvidence:
        """Who can read a place now."""
        return await self._roster.look(container, sender, known)

    async def send(self, container: ContainerId, text: str, rows: Rows) -> str:
        """Send one plain text."""
        chat, thread = place_of(container)
        return message_id(self.api.me.id, chat, await self.api.send(chat, thread, text, rows))

    async def delete(self, message: str) -> None:
        """Delete a message."""
        await self.api.delete(*numbers_of(message))

    async def answer(self, press: str, text: str) -> None:
        """Answer a press."""
        await self.api.answer(press, text)

    async def set_buttons(self, message: str, rows: Rows) -> None:
        """Give a message other buttons."""
        await self.api.rebutton(*numbers_of(message), rows)

    async def show_typing(self, container: ContainerId) -> None:
        """Show for five seconds that an answer is being written."""
        await self.api.typing(*place_of(container))

    async def set_menu(self, chat: ContainerId, commands: Sequence[tuple[str, str]]) -> None:
        """Set the command menu of a private chat."""
        await self.api.menu(place_of(chat)[0], commands)

    async def checks(self, chats: Sequence[ContainerId]) -> list[Check]:
        """The clock, and the bot's rights in these groups."""
        return await checks(self.api, chats)

    def direct(self, account: AccountId) -> ContainerId | None:
        """The private chat with an account."""
        user = user_of(account)
        return container_of(user) if user else None

    def link(self, container: ContainerId, message: str) -> str:
        """What opens a message of a supergroup; private chats and small groups have no such links."""
        thread = place_of(container)[1]
        chat, number = numbers_of(message)
        if chat >= _SUPERGROUP:
            return ""
        topic = [str(thread)] if thread else []
        return "/".join(["https://t.me/c", str(_SUPERGROUP - chat), *topic, str(number)])

    def too_old(self, age_s: float) -> bool:
        """A bot may delete messages for 48 hours."""
        return age_s > _DELETABLE.total_seconds()

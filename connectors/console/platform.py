"""The platform port on the console: lines that somebody types on this machine, and words that are shown on it.

There are no buttons: what a card offers stands in its words, and pressing is typing that. A line that was shown stays
where it is, and nobody's clock, token or network is in between.
"""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from connectors.console.world import DIRECT, ROOM, World, is_addressed
from engine.events import Message
from engine.ids import AccountId, ContainerId
from engine.items import Origin
from engine.platform import (
    Check,
    Insiders,
    Keep,
    NotWritten,
    Profile,
    Refused,
    Rows,
    Sighting,
    Uncertain,
    Why,
)
from engine.viewers import RosterEvidence


@dataclass(frozen=True, slots=True)
class Written:
    """A message of Tact's: its id, where it stands, and the words."""

    id: str
    container: ContainerId
    text: str = field(repr=False)


class Console:
    """The platform port on the console; see `engine.platform.Platform` for what each method promises."""

    name: Final = "console"
    longest: Final = sys.maxsize
    has_buttons: Final = False

    def __init__(self, world: World, show: Callable[[Written], None], *, at_once: bool = False) -> None:
        """Nothing is shown yet.

        Args:
            world: who is where, and what was typed.
            show: writes on the screen; may raise what writing raises.
            at_once: each line is handled before anybody comes or goes, so that who is there now also heard the line.
        """
        self._world, self._show, self._at_once = world, show, at_once

    async def start(self) -> Profile:
        """Tact is always there."""
        return Profile(AccountId("console:tact"), "Tact")

    async def stop(self) -> None:
        """There is nothing to let go of."""

    async def receive(self, keep: Keep, lost: Callable[[], None]) -> None:
        """Hand over what was typed; it is taken out of the world once it is kept."""
        world = self._world
        while True:
            world.wake.clear()
            if taken := list(world.typed):
                await keep(taken)
                del world.typed[: len(taken)]
            else:
                await world.wake.wait()

    def read(self, payload: str) -> Message:
        """What a typed line is: in a room it is for Tact if it is a command or names it."""
        line = json.loads(payload)
        account, room = AccountId(line["account"]), line["room"]
        place = ContainerId(DIRECT + account if room is None else ROOM + room)
        return Message(
            id=line["id"],
            first=line["first"],
            container=place,
            chat=place,
            account=account,
            vouched=True,
            name=line["name"],
            text=line["text"],
            sent_at=datetime.fromisoformat(line["at"]),
            title=room or "",
            direct=room is None,
            addressed=room is None or is_addressed(line["text"]),
            origin=Origin(line["origin"]),
            answers=line["answers"],
        )

    def sighting(self, payload: str) -> Sighting | None:
        """What was typed is no message that could be taken away."""
        return None

    async def look(self, container: ContainerId, sender: AccountId | None, known: Insiders) -> RosterEvidence:
        """Who is there now: two in a direct chat, and in a room whoever is in it."""
        return self._world.evidence(container, sender, known.owners, snapshot=self._at_once)

    async def send(self, container: ContainerId, text: str, rows: Rows) -> str:
        """Show one text."""
        written = Written(f"console:{secrets.token_hex(8)}", container, text)
        try:
            self._show(written)
        except BlockingIOError:
            raise NotWritten("the screen takes nothing at the moment", 1.0) from None
        except BrokenPipeError:
            raise Refused("nobody reads here any more", Why.SHUT_OUT) from None
        except OSError:
            raise Uncertain("the screen broke off") from None
        return written.id

    async def delete(self, message: str) -> None:
        """A line that was shown stays."""
        raise Refused("what was shown stays on the screen", Why.REQUEST)

    async def answer(self, press: str, text: str) -> None:
        """There are no buttons."""

    async def set_buttons(self, message: str, rows: Rows) -> None:
        """There are no buttons."""

    async def show_typing(self, container: ContainerId) -> None:
        """Nobody waits for long."""

    async def set_menu(self, chat: ContainerId, commands: Sequence[tuple[str, str]]) -> None:
        """Tab shows them."""

    async def checks(self, chats: Sequence[ContainerId]) -> list[Check]:
        """There is nothing that could be wrong."""
        return []

    def direct(self, account: AccountId) -> ContainerId | None:
        """The direct chat with an account of this machine's."""
        return ContainerId(DIRECT + account) if account.startswith("console:") else None

    def link(self, container: ContainerId, message: str) -> str:
        """Nothing opens a line of a screen."""
        return ""

    def too_old(self, age_s: float) -> bool:
        """No line can be deleted."""
        return True

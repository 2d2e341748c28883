"""Notices to the owner that no message of his asked for: what may not have arrived, and what could not be handled."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from bot.owner.commands.args import one_line
from bot.owner.commands.resend import called
from bot.owner.queries.chats import room
from bot.owner.queries.deliveries import held_behind
from bot.platforms import title_of
from bot.service.lanes import Lanes
from bot.texts import say
from engine.ids import ContainerId
from engine.mailroom import Sending, State
from engine.platform import NotWritten
from engine.release import OwnerOnly, release_to_owner
from engine.store import Store

_KINDS: Final[Mapping[str, str]] = {State.REFUSED: "resend.refused", State.HELD: "resend.rest"}
_LANE: Final = "notices"


def pause(tries: int) -> float:
    """Seconds before another try: soon at first, a minute at most."""
    return min(60.0, 0.25 * float(2 ** min(tries, 8)))


class Notices:
    """Tells the owner, beside everything else, each thing once."""

    def __init__(
        self,
        store: Store,
        lanes: Lanes,
        tell_owner: Callable[[OwnerOnly, str, str], Awaitable[None]],
        language: str,
    ) -> None:
        """`tell_owner` sends words to the owner's direct chat, under a key, about a delivery or nothing."""
        self._store, self._lanes, self._tell_owner, self._language = store, lanes, tell_owner, language

    async def doubt(self, sending: Sending) -> None:
        """A part may not have arrived, was refused or is held back. Of such a notice itself no further one is sent."""
        if sending.about:
            return
        async with self._store.transaction() as tx:
            title = (await room(tx, sending.container)).title
            held = await held_behind(tx, sending) if sending.state == State.UNCERTAIN else []
        name = _KINDS.get(sending.state, "resend.doubt")
        text = one_line(sending.text, 60)
        platform = title_of(sending.container)
        lines = [
            say(
                self._language,
                name,
                room=called(title, self._language),
                text=text,
                delivery=sending.key,
                platform=platform,
            )
        ]
        lines += [say(self._language, "resend.held", delivery=part.key) for part in held[:1]]
        self._tell("\n".join(lines), f"doubt/{sending.key}", sending.key)

    async def failed(self, key: str, container: ContainerId) -> None:
        """An event could not be handled; it is kept."""
        async with self._store.transaction() as tx:
            title = (await room(tx, container)).title
        self._tell(say(self._language, "turn.failed", room=called(title, self._language)), f"failed/{key}")

    def _tell(self, text: str, key: str, about: str = "") -> None:
        words = release_to_owner(text)
        tries = iter(range(1, 1000))

        async def tell() -> float | None:
            try:
                await self._tell_owner(words, key, about)
            except NotWritten as fault:
                return max(fault.wait, pause(next(tries)))
            return None

        self._lanes.put(_LANE, tell)

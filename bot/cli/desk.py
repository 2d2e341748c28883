"""The console served by whoever types: each line is handled, and what came of it read, before the next one.

Lines come in and words go out as on every platform: by the dispatcher, the channel and the outbox. Inbox and lanes are
left out, for nothing is acknowledged to anybody, and a fault is shown to whoever typed the line instead of a try later.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.bootstrap import Tact
from bot.service.channel import PlatformChannel
from bot.service.connection import Connection
from bot.service.dispatcher import Dispatcher
from bot.service.outbox import Outbox
from bot.service.rooms import KnownRooms
from config.settings import Settings
from connectors.console.platform import Console, Written
from connectors.console.world import World
from engine.ids import ContainerId
from engine.mailroom import Arrival, Sending, SendingKind
from engine.records import TurnTrace
from engine.release import OwnerOnly


@dataclass(frozen=True, slots=True)
class Heard:
    """Words that arrived somewhere: in a room, in a direct chat, or with the owner alone; `id` is to reply to them."""

    container: ContainerId
    text: str = field(repr=False)
    kind: SendingKind
    id: str


class Desk:
    """A console world with Tact in it."""

    def __init__(self, tact: Tact, settings: Settings, world: World) -> None:
        """Nobody has typed anything yet."""
        self.tact = tact
        self._store, self._written = tact.context.store, list[Written]()
        self._console = Console(world, self._written.append, at_once=True)
        outbox = Outbox(self._store, self._console, _never)
        connection = Connection(
            self._console, self._store, KnownRooms(self._store, self._console.name), outbox
        )
        self._channel = PlatformChannel(connection)
        self._dispatcher = Dispatcher(tact, settings, connection, played=True)

    async def take(self, line: Arrival) -> TurnTrace | None:
        """Take one line; None if it was no turn."""
        return await self._dispatcher.take(self._console.read(line.payload), raw=line.payload)

    async def tell_owner(self, words: OwnerOnly, key: str) -> None:
        """Words for the owner alone, once a key that is not empty."""
        await self._channel.tell_owner(words, key)

    async def heard(self) -> list[Heard]:
        """Everything heard since the last call."""
        written = self._written[:]
        if not written:
            return []
        self._written.clear()
        async with self._store.transaction() as tx:
            sent = [await tx.sending_of(one.id) for one in written]
        return [
            Heard(one.container, one.text, SendingKind.OWNER if delivery is None else delivery.kind, one.id)
            for one, delivery in zip(written, sent, strict=True)
        ]


async def _never(sending: Sending) -> None:
    """A list takes whatever is written."""

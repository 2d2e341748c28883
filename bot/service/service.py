"""`tact run`: the platforms that are connected, until told to stop.

A platform that cannot be reached, or whose token is no longer valid, leaves the others serving. A signal to end lets what
has begun come to its end; what has not begun is kept, and comes at the next start.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Final

from typer import echo

from bot.bootstrap import Tact, open_tact
from bot.open_memory import command, settings_of_memory
from bot.platforms import PLATFORMS, Kind
from bot.service.channel import PlatformChannel
from bot.service.connection import Connection
from bot.service.dispatcher import Dispatcher
from bot.service.lanes import Lanes
from bot.service.lock import only_run
from bot.service.maintenance import Tidying
from bot.service.notices import Notices
from bot.service.outbox import Outbox, doubt_what_was_marked
from bot.service.ownership import write_claims
from bot.service.posts import Posts
from bot.service.receiver import Receiver
from bot.service.rooms import KnownRooms
from bot.texts import say
from config.keys import load_token
from config.settings import Settings
from engine.errors import BadInput, StoreFault
from engine.ids import ContainerId
from engine.mailroom import Sending
from engine.platform import NotWritten, Platform, PlatformFault
from engine.release import OwnerOnly

_log = logging.getLogger(__name__)
DRAIN_S = 20.0
_MINUTE = 60.0
NO_BASES: Final[Mapping[str, str]] = MappingProxyType({})


def run(chosen: Path | None) -> int:
    """Run until SIGTERM or SIGINT."""
    settings = settings_of_memory(chosen)
    tokens = {name: token for name in PLATFORMS if (token := load_token(settings, name))}
    if not tokens:
        fix = command(settings, f"connect {next(iter(PLATFORMS))}")
        raise BadInput("no platform is connected", where=str(settings.data), fix=fix)
    logging.getLogger().setLevel(logging.WARNING)  # nobody is there to whom a command could say it
    with only_run(settings):
        asyncio.run(_until_told(settings, tokens))
    return 0


async def _until_told(settings: Settings, tokens: Mapping[str, str]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):
            loop.add_signal_handler(name, stop.set)
    async with open_tact(settings, alone=True) as tact:
        await Service(tact, settings, tokens, tells=echo).run(stop)


class Service:
    """Platforms, running on an open memory.

    `ready` is set once events come in from one of them, `claimed` once an account became the owner's.
    """

    def __init__(
        self, tact: Tact, settings: Settings, tokens: Mapping[str, str], *, bases: Mapping[str, str] = NO_BASES,
        kinds: Mapping[str, Kind] = PLATFORMS, tells: Callable[[str], None] = lambda _: None,
    ) -> None:  # fmt: skip
        """Nothing runs yet.

        Args:
            tact: the memory.
            settings: its settings.
            tokens: by platform.
            bases: addresses of servers of one's own, by platform.
            kinds: the registry of platforms.
            tells: takes lines for whoever started it.

        Raises:
            BadInput: one of the tokens is none.
        """
        self._tells, self._kinds = tells, kinds
        self.ready, self.claimed, self.lanes = asyncio.Event(), asyncio.Event(), Lanes()
        self.settings, self.store = settings, tact.context.store
        self.notices = Notices(self.store, self.lanes, self.to_owner, settings.language)
        clock, connected = tact.context.clock, list[tuple[Platform, KnownRooms]]()
        for name, token in tokens.items():
            rooms = KnownRooms(self.store, kinds[name].name)
            connected.append((kinds[name].connected(token, rooms, clock.now, bases.get(name, "")), rooms))
        self.tact = tact.shown_on(Posts([platform for platform, _ in connected], clock.now))
        self.receivers = [self._receiver(platform, rooms) for platform, rooms in connected]
        self.tidying = Tidying(self.tact.context, self.to_owner)
        self._broken: BaseException | None = None
        self._stop = asyncio.Event()

    def _receiver(self, platform: Platform, rooms: KnownRooms) -> Receiver:
        outbox = Outbox(self.store, platform, self.notices.doubt)
        connection = Connection(platform, self.store, rooms, outbox)

        def claimed(chat: ContainerId) -> None:
            self.claimed.set()
            receiver.greet(chat)

        dispatcher = Dispatcher(self.tact, self.settings, connection, claimed)
        receiver = Receiver(dispatcher, self.lanes, self.notices, tells=self._tells, broken=self._break)
        return receiver

    def _break(self, fault: BaseException) -> None:
        """The memory cannot be used any more."""
        self._broken = fault
        self._stop.set()

    async def to_owner(self, words: OwnerOnly, key: str, about: str = "") -> None:
        """Words for the owner's direct chat, on the first platform that has one; none there: nothing. `about` as in `Sending`.

        Raises:
            NotWritten: it could not be sent, and may be tried again.
        """
        for receiver in self.receivers:
            if receiver.up and await receiver.connection.owner_chat():
                await PlatformChannel(receiver.connection).tell_owner(words, key, about=about)
                return
        if not any(receiver.up for receiver in self.receivers):
            raise NotWritten("no platform can be reached", 1.0)

    async def run(self, stop: asyncio.Event) -> None:
        """Run until told to stop.

        Raises:
            Refused: no token is valid.
            StoreFault: the memory cannot be used any more.
        """
        self._stop = stop
        await write_claims(self.store, self.settings)
        doubted = await doubt_what_was_marked(self.store)
        receiving = [asyncio.create_task(self._receive(one, doubted)) for one in self.receivers]
        beside = [asyncio.create_task(job) for job in (self._annotate(), self._tidy())]
        ready = [asyncio.create_task(self._ready(one)) for one in self.receivers]
        stopping = asyncio.create_task(stop.wait())
        try:
            await _all_or(receiving, stopping)
        finally:
            tasks = (*receiving, stopping, *beside, *ready)
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*receiving, return_exceptions=True)
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.lanes.drain(DRAIN_S)
            for receiver in self.receivers:
                with suppress(PlatformFault):
                    await receiver.platform.stop()
        fault = self._broken or next((one for one in ended if isinstance(one, Exception)), None)
        if isinstance(fault, Exception) and (self._broken or not stop.is_set()):
            raise fault

    async def _receive(self, receiver: Receiver, doubted: Sequence[Sending]) -> None:
        """One platform, until cancelled; if it ends by itself, the others go on."""
        kind = self._kinds[receiver.platform.name]

        async def began() -> None:
            for sending in doubted:
                if kind.owns(sending.container):
                    await self.notices.doubt(sending)
            if not await receiver.connection.owner_chat():
                link = command(self.settings, f"connect {kind.name} --link")
                self._tells(say(self.settings.language, "run.no_owner", command=link, platform=kind.title))

        try:
            await receiver.run(kind.title, began)
        except PlatformFault as fault:
            _log.warning("platform.ended", extra={"platform": kind.name})
            if len(self.receivers) > 1:
                self._tells(f"{kind.title}: {fault}")
            raise
        except StoreFault as fault:
            self._break(fault)
            raise
        finally:
            receiver.up = False

    async def _ready(self, receiver: Receiver) -> None:
        await receiver.ready.wait()
        self.ready.set()

    async def _tidy(self) -> None:
        """What tidying has to tell needs a platform that was reached."""
        await self.ready.wait()
        await self.tidying.keep()

    async def _annotate(self) -> None:
        """Annotate what an earlier run left, when something was said, and once a minute what has come to its end."""
        wake = self.tact.wake
        wake.set()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_MINUTE):  # `wait_for` may swallow being told to end
                    await wake.wait()
            wake.clear()
            try:
                await self.tact.annotate()
            except StoreFault as fault:
                self._break(fault)
                return
            except Exception:  # noqa: BLE001 - the session stays in the queue
                _log.exception("annotating.failed")


async def _all_or(tasks: Sequence[asyncio.Task[None]], stopping: asyncio.Task[bool]) -> None:
    """Wait until all of these have ended, or the other one has."""
    left = set(tasks)
    while left and not stopping.done():
        done, _ = await asyncio.wait([*left, stopping], return_when=asyncio.FIRST_COMPLETED)
        left -= done

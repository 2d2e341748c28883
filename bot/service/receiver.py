"""One platform while Tact runs: reached, listened to, and its events kept before they are acknowledged."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial

from bot.service.connection import Connection
from bot.service.dispatcher import Dispatcher, owner_menu
from bot.service.lanes import Lanes
from bot.service.notices import Notices, pause
from bot.texts import say
from engine.errors import StoreFault
from engine.events import Event, chat_of
from engine.ids import ContainerId
from engine.mailroom import Arrival
from engine.platform import NotWritten, PlatformFault, Profile, Uncertain

_log = logging.getLogger(__name__)
_TRIES = 3


class Receiver:
    """Receives from one platform. `up` is set while the platform has been reached; `ready` once events are fetched."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        lanes: Lanes,
        notices: Notices,
        *,
        tells: Callable[[str], None],
        broken: Callable[[BaseException], None],
    ) -> None:
        """Nothing runs yet.

        Args:
            dispatcher: handles what arrives.
            lanes: where it is done, in order for each chat.
            notices: tell the owner what could not be handled.
            tells: takes lines for whoever started Tact.
            broken: is told that the memory cannot be used any more.
        """
        self.dispatcher = dispatcher
        self.connection: Connection = dispatcher.connection
        self.platform = dispatcher.connection.platform
        self.up, self.ready = False, asyncio.Event()
        self._lanes, self._notices, self._tells, self._broken = lanes, notices, tells, broken
        self._language = dispatcher.settings.language
        self._tries: dict[str, int] = {}
        self._aside: set[asyncio.Task[None]] = set()

    async def run(self, title: str, began: Callable[[], Awaitable[None]]) -> None:
        """Reach the platform, take up what an earlier run left, and receive until cancelled.

        Args:
            title: what people call the platform.
            began: what is to be done once it was reached.

        Raises:
            Refused: the token is not valid.
        """
        profile = await self._reach(title)
        self.up = True
        await began()
        await self._take_up()
        owner = await self.connection.owner_chat()
        if owner:
            self.greet(owner)
        looking = self._start(self.look_around())
        try:
            receiving = asyncio.create_task(self.platform.receive(self._keep, self._lost))
            self.ready.set()
            self._tells(say(self._language, "run.as", name=profile.name))
            await _ended(receiving)
        finally:
            looking.cancel()
            for task in self._aside:
                task.cancel()
            await asyncio.gather(*self._aside, return_exceptions=True)

    async def _reach(self, title: str) -> Profile:
        attempt = 0
        while True:
            try:
                return await self.platform.start()
            except (NotWritten, Uncertain):
                attempt += 1
                if attempt == 1:
                    self._tells(say(self._language, "run.no_answer", platform=title))
                _log.warning(
                    "platform.unreachable", extra={"platform": self.platform.name, "attempt": attempt}
                )
                await asyncio.sleep(min(30.0, 0.5 * 2 ** min(attempt, 6)))

    async def _take_up(self) -> None:
        """Queue what an earlier run kept and did not finish."""
        async with self.connection.store.transaction() as tx:
            waiting = await tx.arrivals()
        for arrival in waiting:
            if arrival.key.startswith(f"{self.platform.name}:"):
                self._queue(arrival)

    async def _keep(self, arrivals: Sequence[Arrival]) -> None:
        """Keep raw events, in one transaction, and only then begin with them."""
        async with self.connection.store.transaction() as tx:
            new = [arrival for arrival in arrivals if await tx.keep_arrival(arrival)]
        for arrival in new:
            self._queue(arrival)

    def _queue(self, arrival: Arrival) -> None:
        try:
            event = self.platform.read(arrival.payload)
        except Exception:  # noqa: BLE001 - whatever it is, it must not keep the others from being read
            # it stays where it is kept: a later version of Tact may be able to read it
            _log.warning("event.unreadable", extra={"event": arrival.key})
            return
        self._lanes.put(chat_of(event) or self.platform.name, partial(self._do, arrival, event))

    async def _do(self, arrival: Arrival, event: Event) -> float | None:
        """Handle one event; the seconds after which to try again, or None when it is finished."""
        key = arrival.key
        tries = self._tries[key] = self._tries.get(key, 0) + 1
        try:
            finished = await self.dispatcher.handle(event, key, arrival.payload)
        except NotWritten as fault:
            return max(fault.wait, pause(tries))
        except StoreFault as fault:
            self._broken(fault)
            return 60.0
        except Exception:  # noqa: BLE001 - one event must not end the others
            _log.exception("event.failed", extra={"event": key, "attempt": tries})
            if tries < _TRIES:
                return 1.0
            await self._notices.failed(key, chat_of(event))
            return None  # it stays in the inbox: the next start tries it again
        self._tries.pop(key, None)
        if not finished:
            async with self.connection.store.transaction() as tx:
                await tx.finish_arrival(key)
        return None

    def greet(self, owner: ContainerId) -> None:
        """There is an owner: he alone gets the command menu, in this chat."""
        self._start(self._menu(owner))

    async def _menu(self, chat: ContainerId) -> None:
        tact = self.dispatcher.tact
        with suppress(PlatformFault):
            await self.platform.set_menu(chat, owner_menu(tact.commands, tact.context.language))

    def _lost(self) -> None:
        """The connection was gone for long: who came and went meanwhile may never be told."""
        self.connection.rooms.distrust()
        self._start(self.look_around())

    async def look_around(self) -> None:
        """List the members of every group, so that the next message there has a list from before it."""
        for chat in await self.connection.rooms.all():
            await self.connection.evidence(chat)

    def _start(self, work: Awaitable[None]) -> asyncio.Task[None]:
        """Begin something beside the events."""

        async def done() -> None:
            await work

        task = asyncio.create_task(done())
        self._aside.add(task)
        task.add_done_callback(self._aside.discard)
        return task


async def _ended(task: asyncio.Task[None]) -> None:
    """Wait for a task to end; it is cancelled with whoever waits."""
    try:
        await task
    finally:
        task.cancel()

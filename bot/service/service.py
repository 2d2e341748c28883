"""`tact run`: the platforms that are connected, until told to stop.

A signal to end lets what has begun come to its end; what has not begun is kept, and comes at the next start.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from typer import echo

from bot.bootstrap import Tact, open_tact
from bot.cli.open_memory import command
from bot.service.dispatcher import Desk, owner_menu
from bot.service.lanes import Lanes
from bot.service.lock import only_run
from bot.service.maintenance import Tidying
from bot.service.notices import Notices, pause
from bot.service.ownership import write_claims
from bot.texts import say
from config.settings import Settings, load_settings
from config.tokens import load_token
from connectors.telegram.channel import Hub, TelegramChannel
from connectors.telegram.client import HOME, Api, fetch
from connectors.telegram.errors import NotWritten, TelegramFault, Uncertain
from connectors.telegram.inbound import Event, Spoken, container_of, read
from connectors.telegram.outbound import Outbox, doubt_what_was_marked
from connectors.telegram.payloads import kept
from connectors.telegram.posts import TelegramPosts
from connectors.telegram.rooms import Rooms
from connectors.telegram.roster import Roster
from engine.errors import BadInput, StoreFault
from engine.ids import AccountId
from engine.mailroom import Arrival
from engine.people import People
from engine.release import OwnerOnly

_log = logging.getLogger(__name__)
DRAIN_S = 20.0
_TRIES = 3
_MINUTE = 60.0
API_VARIABLE = "TACT_TELEGRAM_API"
"""The address of a Bot API server of one's own; `tact selftest` uses it as well."""


def run(chosen: Path | None) -> int:
    """Run until SIGTERM or SIGINT."""
    settings = load_settings(chosen)
    if not (settings.data / "tact.db").exists() and not settings.database_url:
        raise BadInput("there is no memory here", where=str(settings.data), fix="tact init makes one")
    token = load_token(settings, "telegram")
    if not token:
        fix = command(settings, "connect telegram")
        raise BadInput("no platform is connected", where=str(settings.data), fix=fix)
    logging.getLogger().setLevel(logging.WARNING)  # nobody is there to whom a command could say it
    with only_run(settings):
        asyncio.run(_until_told(settings, token))
    return 0


async def _until_told(settings: Settings, token: str) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):
            loop.add_signal_handler(name, stop.set)
    async with open_tact(settings, alone=True) as tact:
        await Service(tact, settings, token, tells=echo).run(stop)


class Service:
    """Telegram, running on an open memory. `ready` is set once updates are fetched, `claimed` once there is an owner."""

    def __init__(
        self, tact: Tact, settings: Settings, token: str, *, base: str = "", wait: int = 25,
        tells: Callable[[str], None] = lambda _: None,
    ) -> None:  # fmt: skip
        """Nothing runs yet.

        Args:
            tact: the memory.
            settings: its settings.
            token: the bot's.
            base: the Bot API's address.
            wait: the seconds of one long poll.
            tells: takes lines for whoever started it.
        """
        self._tells = tells
        self.ready, self.claimed, self.lanes = asyncio.Event(), asyncio.Event(), Lanes()
        self._wake = asyncio.Event()
        self.tact, self.settings, self.wait = tact, settings, wait
        self.store = tact.context.store
        self.api = Api(token, base or os.environ.get(API_VARIABLE, "") or HOME)
        posts = TelegramPosts(self.api, tact.context.clock.now)
        tact.context = replace(tact.context, wake_annotator=self._wake.set, posts=posts)
        rooms = Rooms(self.store)
        roster = Roster(self.api, rooms, tact.context.clock.now)
        self.notices = Notices(self.store, self.lanes, self._to_owner, settings.language)
        outbox = Outbox(self.store, self.api, self.notices.doubt)
        self.hub = Hub(self.api, rooms, roster, outbox, self._people, self._enrolled)
        self.channel = TelegramChannel(self.hub)
        self.tidying = Tidying(tact.context, self.channel.tell_owner)
        self.desk = Desk(tact.context, settings, tact.commands, self.hub, self._claim)
        self._tries: dict[str, int] = {}
        self._aside: set[asyncio.Task[None]] = set()
        self._broken: BaseException | None = None
        self._stop = asyncio.Event()

    async def run(self, stop: asyncio.Event) -> None:
        """Run until told to stop.

        Raises:
            Refused: the token is not valid.
            StoreFault: the memory cannot be used any more.
        """
        self._stop = stop
        try:
            if await self._begin(stop):
                await self._go_on(stop)
        finally:
            with suppress(TelegramFault):
                await self.api.stop()

    async def _go_on(self, stop: asyncio.Event) -> None:
        fetching = asyncio.create_task(fetch(self.api, self._keep, wait=self.wait, lost=self._lost))
        jobs = (self._annotate(), self._look_around(), self.tidying.keep())
        beside = [asyncio.create_task(job) for job in jobs]
        stopping = asyncio.create_task(stop.wait())
        self.ready.set()
        self._tells(say(self.settings.language, "run.as", name=self.api.me.username))
        try:
            await asyncio.wait([fetching, stopping], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (fetching, stopping, *beside, *self._aside):
                task.cancel()
            ended = await asyncio.gather(fetching, stopping, *beside, *self._aside, return_exceptions=True)
            await self.lanes.drain(DRAIN_S)
        fault = self._broken or ended[0]
        if isinstance(fault, Exception):
            raise fault

    async def _begin(self, stop: asyncio.Event) -> bool:
        """Reach Telegram, and take up what an earlier run left; False if told to stop before that."""
        attempt = 0
        while not stop.is_set():
            try:
                await self.api.start()
                await self.api.no_webhook()
                break
            except (NotWritten, Uncertain):
                attempt += 1
                if attempt == 1:
                    self._tells(say(self.settings.language, "run.no_answer"))
                _log.warning("telegram.unreachable", extra={"attempt": attempt})
                with suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), min(30.0, 0.5 * 2 ** min(attempt, 6)))
        else:
            return False
        await write_claims(self.store, self.settings)
        for sending in await doubt_what_was_marked(self.store):
            await self.notices.doubt(sending)
        async with self.store.transaction() as tx:
            waiting = await tx.arrivals()
        for arrival in waiting:
            await self._queue(arrival)
        owner = await self.hub.owner_chat()
        if owner:
            self._claim(owner, new=False)
        else:
            link = command(self.settings, "connect telegram --link")
            self._tells(say(self.settings.language, "run.no_owner", command=link))
        return True

    async def _to_owner(self, words: OwnerOnly, key: str) -> None:
        await self.channel.tell_owner(words, key)

    async def _people(self) -> People:
        async with self.store.transaction() as tx:
            return await tx.people()

    async def _enrolled(self) -> frozenset[AccountId]:
        """Accounts that the owner has named; a bot among them is a person like others."""
        async with self.store.transaction() as tx:
            policy, people = await tx.policy(), await tx.people()
        persons = {*policy.contacts, *people.names}
        return frozenset({*map(AccountId, persons), *(a for a, p in people.joined.items() if p in persons)})

    async def _keep(self, updates: Sequence[dict[str, Any]]) -> None:
        """Keep raw updates, in one transaction, and only then begin with them."""
        arrivals = [Arrival(f"telegram:{u['update_id']}", kept(u)) for u in updates]
        async with self.store.transaction() as tx:
            new = [arrival for arrival in arrivals if await tx.keep_arrival(arrival)]
        for arrival in new:
            await self._queue(arrival)

    async def _queue(self, arrival: Arrival) -> None:
        try:
            update = self.api.parsed(json.loads(arrival.payload))
            event: Event | None = read(update, self.api.me, ("Tact",)) if update is not None else None
        except Exception:  # noqa: BLE001 - whatever it is, it must not keep the others from being read
            event = None
        if event is None:  # it stays where it is kept: a later version of Tact may be able to read it
            _log.warning("telegram.unreadable", extra={"event": arrival.key})
            return
        if isinstance(event, Spoken):
            event = replace(event, raw=arrival.payload)
        self.lanes.put(getattr(event, "chat", 0), partial(self._do, arrival.key, event))

    async def _do(self, key: str, event: Event) -> float | None:
        """Handle one event; the seconds after which to try again, or None when it is finished."""
        tries = self._tries[key] = self._tries.get(key, 0) + 1
        try:
            await self.desk.handle(event)
        except NotWritten as fault:
            return max(fault.wait, pause(tries))
        except StoreFault as fault:
            self._broken = fault
            self._stop.set()
            return 60.0
        except Exception:  # noqa: BLE001 - one event must not end the others
            _log.exception("telegram.event_failed", extra={"event": key, "attempt": tries})
            if tries < _TRIES:
                return 1.0
            await self.notices.failed(key, container_of(getattr(event, "chat", 0)))
            return None  # it stays in the inbox: the next start tries it again
        self._tries.pop(key, None)
        await self._finish(key)
        return None

    async def _finish(self, key: str) -> None:
        async with self.store.transaction() as tx:
            await tx.finish_arrival(key)

    def _claim(self, user: int, *, new: bool = True) -> None:
        """There is an owner: he alone gets the command menu."""
        if new:
            self.claimed.set()
        menu = asyncio.create_task(self._menu(user))
        self._aside.add(menu)
        menu.add_done_callback(self._aside.discard)

    async def _menu(self, user: int) -> None:
        with suppress(TelegramFault):
            await self.api.menu(user, owner_menu(self.tact.commands, self.tact.context.language))

    def _lost(self) -> None:
        """The connection was gone for long: who came and went meanwhile may never be told."""
        self.hub.rooms.distrust()
        again = asyncio.create_task(self._look_around())
        self._aside.add(again)
        again.add_done_callback(self._aside.discard)

    async def _look_around(self) -> None:
        """List the members of every group, so that the next message there has a list from before it."""
        for chat in await self.hub.rooms.all():
            await self.hub.evidence(chat, None)

    async def _annotate(self) -> None:
        """Annotate what an earlier run left, when something was said, and once a minute what has come to its end."""
        self._wake.set()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_MINUTE):  # `wait_for` may swallow being told to end
                    await self._wake.wait()
            self._wake.clear()
            try:
                await self.tact.annotate()
            except StoreFault as fault:
                self._broken = fault
                self._stop.set()
                return
            except Exception:  # noqa: BLE001 - the session stays in the queue
                _log.exception("annotating.failed")

"""A real memory behind the unmodified client library, and a small Telegram on loopback in front of it."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.bootstrap import Tact, make_context, set_up
from bot.cli.app import run
from bot.owner.commands.all import registry
from bot.platforms import PLATFORMS
from bot.selftest.telegram_wire import TelegramWire
from bot.selftest.telegram_world import BOT, TOKEN, TelegramWorld
from bot.service.connection import Connection
from bot.service.receiver import Receiver
from bot.service.service import Service
from config.settings import Settings, write_settings
from connectors.language.offline.embedder import NoEmbedder
from connectors.telegram.inbound import account_of, container_of
from engine.people import People
from storage import SqlStore, Vault

KEY = bytes(range(32))
OWNER, BOB, CAROL, DAVE, EVE = 7, 8, 9, 10, 11
GROUP = -1001


class Clock:
    """The machine's clock, set forward at will; waiting costs nothing."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def move(self, seconds: float) -> None:
        self.ahead += timedelta(seconds=seconds)

    async def sleep_until(self, moment: datetime) -> None:
        await asyncio.sleep(0)


@dataclass
class Stage:
    """Everybody, and a Tact that can be started and stopped."""

    world: TelegramWorld
    wire: TelegramWire
    folder: Path
    clock: Clock = field(default_factory=Clock)
    owned: bool = True
    service: Service | None = None

    def settings(self) -> Settings:
        return Settings(data=self.folder, owner_name="Alex", deflect_after_s=0)

    @asynccontextmanager
    async def running(self, left: int = 0) -> AsyncIterator[Service]:
        """Tact, from start to a clean end; `left` events stay in its inbox."""
        settings = self.settings()
        store = await SqlStore.open(self.folder / "tact.db", Vault(KEY))
        context = make_context(store, settings, clock=self.clock, embedder=NoEmbedder())
        await set_up(context, settings)
        stop = asyncio.Event()
        self.service = service = Service(
            Tact(context, registry()), settings, {"telegram": TOKEN}, bases={"telegram": self.wire.url}
        )
        task = asyncio.create_task(service.run(stop))
        ready = asyncio.create_task(service.ready.wait())
        await asyncio.wait([task, ready], return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        try:
            if task.done():
                task.result()
            await self.settle(left=left)
            yield service
        finally:
            stop.set()
            with suppress(asyncio.CancelledError):
                await task
            await store.close()

    async def settle(self, seconds: float = 15, left: int = 0) -> None:
        """Wait until everything that arrived is handled, but for so many events: three looks in a row say so.

        The memory is asked only where nothing else tells that there is work: it takes longer than the turn it waits for.
        """
        deadline = asyncio.get_running_loop().time() + seconds
        quiet = 0
        while quiet < 3:
            await asyncio.sleep(0.02)
            quiet = 0 if self.world.queue or not self.service.lanes.idle else quiet + 1
            if quiet == 3:
                async with self.service.store.transaction() as tx:
                    waiting = await tx.arrivals()
                if self.world.queue or len(waiting) > left or not self.service.lanes.idle:
                    quiet = 0
            assert asyncio.get_running_loop().time() < deadline, "it does not come to rest"

    async def says(self, chat: int, user: int, text: str, *, left: int = 0, **more) -> list[str]:
        """Somebody writes; returns what the chat reads because of it."""
        before = len(self.world.texts(chat))
        self.world.say(chat, user, text, **more)
        await self.settle(left=left)
        return self.world.texts(chat)[before:]

    async def owner(self, text: str, chat: int = OWNER) -> str:
        """The owner writes; returns what he reads in private."""
        before = len(self.world.texts(OWNER))
        self.world.say(chat, OWNER, text)
        await self.settle()
        return "\n".join(self.world.texts(OWNER)[before:])

    async def tells(self, text: str) -> None:
        """The owner tells something in private, and confirms."""
        assert "Noted" in await self.owner(text)
        await self.owner("confirm")

    async def meets_bob(self, label: str = "L1-work") -> None:
        await self.says(BOB, BOB, "/start")
        await self.owner(f"/meet telegram:{BOB} as Bob")
        await self.owner(f"/level add Bob {label}")
        await self.owner("confirm earlier")

    @property
    def receiver(self) -> Receiver:
        """Telegram's."""
        return self.service.receivers[0]

    @property
    def connection(self) -> Connection:
        return self.receiver.connection

    async def people(self) -> People:
        async with self.service.store.transaction() as tx:
            return await tx.people()

    async def saw(self, user: int, chat: int = GROUP) -> None:
        """Somebody is known to have been in a group."""
        await self.connection.rooms.saw(container_of(chat), account_of(user))

    async def quiet(self) -> None:
        """Long enough for counts to be worth something, with a pull before what comes next."""
        self.clock.move(200)
        await self.receiver.look_around()

    def stamp(self, ahead: float = 3) -> int:
        """A date for a message that is surely after the last pull."""
        return int((self.clock.now() + timedelta(seconds=ahead)).timestamp())


@pytest.fixture
async def stage(tmp_path: Path, empty_memory: Path) -> AsyncIterator[Stage]:
    """Alex the owner, Bob and three others; a private supergroup of Alex and Bob, with Tact as administrator."""
    folder = tmp_path / "tact"
    write_settings(folder, owner_name="Alex", owner_accounts=("console:owner", f"telegram:{OWNER}"))
    shutil.copy(empty_memory, folder / "tact.db")
    world = TelegramWorld()
    for number, name in ((OWNER, "Alex"), (BOB, "Bobby"), (CAROL, "Caz"), (DAVE, "Dave"), (EVE, "Eve")):
        world.user(number, name)
    world.group(GROUP, {OWNER: "creator", BOB: "member", BOT: "administrator"})
    async with TelegramWire(world) as wire:
        yield Stage(world, wire, folder)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: Stage) -> Path:
    """A folder that `tact init` made, with a token beside it, and the environment that leads to the small Telegram."""
    monkeypatch.setenv(PLATFORMS["telegram"].api_variable, stage.wire.url)
    monkeypatch.setenv("TACT_DEFLECT_AFTER_S", "0")
    monkeypatch.delenv("TACT_TELEGRAM_TOKEN", raising=False)
    folder = tmp_path / "mine"
    assert run(["init", "--data", str(folder), "--owner", "Alex", "--timezone", "UTC", "--yes"]) == 0
    (tmp_path / "t").write_text(TOKEN + "\n")
    return folder


Says = Callable[..., object]

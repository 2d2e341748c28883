"""What the suite needs of each platform: people who speak, and faults of the wire to order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from bot.bootstrap import Tact, make_context, set_up
from bot.owner.commands.all import registry
from bot.platforms import PLATFORMS, Kind
from bot.selftest.telegram_wire import TelegramWire
from bot.selftest.telegram_world import BOT, TOKEN, TelegramWorld
from bot.service.service import Service
from config.settings import Settings, write_settings
from connectors.console.platform import Console, Written
from connectors.console.world import DIRECT, ROOM, World
from connectors.language.offline.embedder import NoEmbedder
from engine.ids import AccountId, ContainerId
from engine.mailroom import Arrival
from storage import SqlStore, Vault
from tests.contract.platform.pigeon import Loft, Pigeon

KEY = bytes(range(32))
OWNER, BOB, EVE, GROUP = "owner", "bob", "eve", "group"


class Rig:
    """One platform with Alex the owner, Bob and Eve; a group of Alex and Bob."""

    name = ""
    token = ""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.service: Service | None = None
        self.tokens: dict[str, str] = {}

    def account(self, who: str) -> str:
        """The account of somebody, or the container of the group."""
        raise NotImplementedError

    def chat(self, name: str) -> ContainerId:
        """The container of somebody's direct chat, or of the group."""
        return ContainerId(self.account(name))

    def say(self, chat: str, who: str, text: str, **more):
        raise NotImplementedError

    def edit(self, said, text: str) -> None:
        raise NotImplementedError

    def again(self, said) -> None:
        """The platform hands the same message over once more, as another event."""
        raise NotImplementedError

    def press(self, chat: str, who: str, label: str) -> None:
        raise NotImplementedError

    def joins(self, who: str) -> None:
        raise NotImplementedError

    def fail(self, how: str) -> None:
        """The next sending fails: `unwritten`, `unanswered` or `refused`."""
        raise NotImplementedError

    def texts(self, chat: str) -> list[str]:
        raise NotImplementedError

    @property
    def waiting(self) -> int:
        """Events that the platform still holds."""
        raise NotImplementedError

    def kinds(self) -> dict[str, Kind]:
        return dict(PLATFORMS)

    def bases(self) -> dict[str, str]:
        return {}

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Rig]:
        write_settings(self.folder, owner_name="Alex", owner_accounts=("console:owner",))
        yield self

    @asynccontextmanager
    async def running(self, *, left: int = 0) -> AsyncIterator[Service]:
        settings = Settings(data=self.folder, owner_name="Alex", deflect_after_s=0)
        store = await SqlStore.open(self.folder / "tact.db", Vault(KEY))
        context = make_context(store, settings, embedder=NoEmbedder())
        await set_up(context, settings)
        async with store.transaction() as tx:
            await tx.own(self.account(OWNER))
        self.service = Service(
            Tact(context, registry()),
            settings,
            self.tokens or {self.name: self.token},
            bases=self.bases(),
            kinds=self.kinds(),
        )
        stop = asyncio.Event()
        self.task = task = asyncio.create_task(self.service.run(stop))
        ready = asyncio.create_task(self.service.ready.wait())
        await asyncio.wait([task, ready], return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        try:
            if task.done():
                task.result()
            await self.settle(left)
            yield self.service
        finally:
            stop.set()
            await asyncio.gather(task, return_exceptions=True)
            await store.close()

    async def settle(self, left: int = 0) -> None:
        """Wait until all that arrived is handled, but for so many events."""
        for _ in range(1000):
            await asyncio.sleep(0.02)
            if self.waiting or not self.service.lanes.idle:
                continue
            async with self.service.store.transaction() as tx:
                if len(await tx.arrivals()) <= left and self.service.lanes.idle:
                    return
        raise AssertionError("it does not come to rest")

    async def says(self, chat: str, who: str, text: str, *, left: int = 0) -> list[str]:
        """Somebody writes; returns what the chat reads because of it, `left` events being unfinished."""
        before = len(self.texts(chat))
        self.say(chat, who, text)
        await self.settle(left)
        return self.texts(chat)[before:]

    async def owner(self, text: str) -> str:
        return "\n".join(await self.says(OWNER, OWNER, text))

    async def meets_bob(self) -> None:
        await self.says(BOB, BOB, "/start")
        await self.owner(f"/meet {self.account(BOB)} as Bob")
        await self.owner("/level add Bob L1-work")
        await self.owner("confirm earlier")

    async def tells(self, text: str) -> None:
        await self.owner(text)
        await self.owner("confirm")


class PigeonRig(Rig):
    name, token = "pigeon", "grain"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.loft = Loft()
        self.loft.members[GROUP] = {OWNER, BOB}
        self.count = 0

    def kinds(self) -> dict[str, Kind]:
        def make(token, rooms, now, base):
            return Pigeon(token, self.loft)

        return {"pigeon": Kind("pigeon", "Pigeon post", make, "pigeon:1", "TACT_PIGEON_API", "ask the loft")}

    def account(self, who: str) -> str:
        return f"pigeon:{who}"

    def say(self, chat: str, who: str, text: str, **more):
        self.count += 1
        return self.loft.push("letter", chat=chat, who=who, text=text, id=self.count, **more)

    def edit(self, said, text: str) -> None:
        self.loft.push("letter", **{**self._body(said), "text": text}, edit=True)

    def again(self, said) -> None:
        self.loft.push("letter", **self._body(said))

    def _body(self, said) -> dict:
        return {key: value for key, value in said.items() if key in {"chat", "who", "text", "id"}}

    def press(self, chat: str, who: str, label: str) -> None:
        message = next(m for m in reversed(self.loft.sent) if m["chat"] == chat and m["buttons"])
        data = next(data for text, data in message["buttons"] if text == label)
        self.loft.push("press", chat=chat, who=who, message=message["id"], data=data)

    def joins(self, who: str) -> None:
        self.loft.members[GROUP].add(who)
        self.loft.push("member", chat=GROUP, who=who, present=True)

    def fail(self, how: str) -> None:
        self.loft.faults.append(how)

    def texts(self, chat: str) -> list[str]:
        return [m["text"] for m in self.loft.sent if m["chat"] == chat]

    @property
    def waiting(self) -> int:
        return len(self.loft.waiting)


class ConsoleRig(Rig):
    """Nobody needs a token for his own machine; a button is pressed by typing what it would say."""

    name = "console"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.world = World({GROUP: [AccountId(self.account(who)) for who in (OWNER, BOB)]})
        self.shown: list[Written] = []
        self.faults: list[OSError] = []

    def kinds(self) -> dict[str, Kind]:
        return {
            "console": Kind(
                "console", "Console", lambda *_: Console(self.world, self._show), "console:bob", "", "type"
            )
        }

    def _show(self, written: Written) -> None:
        if self.faults:
            raise self.faults.pop()
        self.shown.append(written)

    def account(self, who: str) -> str:
        return f"console:{who}"

    def chat(self, name: str) -> ContainerId:
        return ContainerId(ROOM + name if name == GROUP else DIRECT + self.account(name))

    def say(self, chat: str, who: str, text: str, **more):
        room = chat if chat == GROUP else None
        line = self.world.line(AccountId(self.account(who)), room, text, datetime.now(UTC), **more)
        self.world.type(line)
        return line

    def edit(self, said: Arrival, text: str) -> None:
        self.say(OWNER, OWNER, text, first=said.key)

    def again(self, said: Arrival) -> None:
        self.world.type(Arrival(f"{said.key}:again", said.payload))

    def press(self, chat: str, who: str, label: str) -> None:
        self.say(chat, who, label)

    def joins(self, who: str) -> None:
        self.world.join(AccountId(self.account(who)), GROUP)

    def fail(self, how: str) -> None:
        faults = {"unwritten": BlockingIOError, "unanswered": OSError, "refused": BrokenPipeError}
        self.faults.append(faults[how]())

    def texts(self, chat: str) -> list[str]:
        return [written.text for written in self.shown if written.container == self.chat(chat)]

    @property
    def waiting(self) -> int:
        return len(self.world.typed)


class TelegramRig(Rig):
    name, token = "telegram", TOKEN

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.numbers = {OWNER: 7, BOB: 8, EVE: 11, GROUP: -1001}
        self.world = TelegramWorld()
        for who in (OWNER, BOB, EVE):
            self.world.user(self.numbers[who], who)
        self.world.group(
            self.numbers[GROUP],
            {self.numbers[OWNER]: "creator", self.numbers[BOB]: "member", BOT: "administrator"},
        )
        self.wire = TelegramWire(self.world)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Rig]:
        async with super().open(), self.wire:
            yield self

    def bases(self) -> dict[str, str]:
        return {"telegram": self.wire.url}

    def account(self, who: str) -> str:
        return f"telegram:{self.numbers[who]}"

    def say(self, chat: str, who: str, text: str, **more):
        named = text.replace("@tact", "@tact_bot")
        return self.world.say(self.numbers[chat], self.numbers[who], named, **more)

    def edit(self, said, text: str) -> None:
        self.world.edit(said, text)

    def again(self, said) -> None:
        self.world.push("message", said)

    def press(self, chat: str, who: str, label: str) -> None:
        message, data = next(
            (m, b["callback_data"])
            for m in reversed(self.world.sent)
            if m["chat"]["id"] == self.numbers[chat] and "reply_markup" in m
            for row in m["reply_markup"]["inline_keyboard"]
            for b in row
            if b["text"] == label
        )
        self.world.press(message, self.numbers[who], data)

    def joins(self, who: str) -> None:
        self.world.set_member(self.numbers[GROUP], self.numbers[who], "member")

    def fail(self, how: str) -> None:
        kind, value = {"unwritten": ("wait", 1), "unanswered": ("lose", 0), "refused": ("error", 403)}[how]
        self.wire.order("sendMessage", kind, value)

    def texts(self, chat: str) -> list[str]:
        return self.world.texts(self.numbers[chat])

    @property
    def waiting(self) -> int:
        return len(self.world.queue)


RIGS = {"console": ConsoleRig, "pigeon": PigeonRig, "telegram": TelegramRig}

"""One memory, and a Tact on it that is killed again and again."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Literal

from bot.bootstrap import make_context, open_store
from bot.selftest import crowd
from bot.selftest.beginning import ORDERS, see_begun
from bot.selftest.checking import Checker
from bot.selftest.counting import count
from bot.selftest.crowd import Crowd, log_of
from bot.selftest.databases import set_back
from bot.selftest.nursery import Child, Nursery
from bot.selftest.places import HITS, IMPORTING, MIGRATING, OLDEST, STRANGERS, WORK
from bot.selftest.shelves import vector_faults
from bot.selftest.tally import Tally
from bot.selftest.telegram_wire import TelegramWire
from bot.selftest.telegram_world import TOKEN, TelegramWorld
from config.settings import Settings
from connectors.telegram.inbound import account_of
from engine.errors import BadInput, StoreFault
from engine.store import Store
from storage.audit import Harm

_PATIENCE_S = 180.0
_REST_S = 360.0
_ENDS_S = 120.0
_STARTING_S, _WORKING_S = (0.0, 0.5), (0.4, 2.6)
"""When a start is not over, and when it works: seconds after it was begun."""
_EARLY, _IMPORTING, _MEANWHILE = 0.2, 0.15, 0.1
"""How often a random kill is early, or meets an import, and how often somebody writes meanwhile."""
_FIRST_DAY = date(2001, 1, 1)


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a memory is: its folder, its database's URL if it is on a server, and where its vectors are."""

    folder: Path
    url: str = ""
    vectors: str = "exact"

    @property
    def database(self) -> str:
        """Its database's URL."""
        return self.url or f"sqlite+aiosqlite:///{self.folder / 'tact.db'}"

    @property
    def environ(self) -> dict[str, str]:
        """The same, as a process is told."""
        return {"TACT_VECTORS": self.vectors, **({"TACT_DATABASE_URL": self.url} if self.url else {})}

    def settings(self, vectors: Literal["exact", "chroma"] = "exact") -> Settings:
        """The same, as this process looks at it."""
        return Settings(data=self.folder, database_url=self.url, vectors=vectors)


@asynccontextmanager
async def new_round(scene: Scene, nursery: Nursery, tally: Tally, chance: Random) -> AsyncIterator[Round]:
    """A memory there, ready to be killed.

    Raises:
        BadInput: if it cannot be made, or Tact does not do what it is told at the beginning.
    """
    world = TelegramWorld()
    people = Crowd(world, chance)
    people.gather()
    async with TelegramWire(world) as wire:
        round_ = Round(scene, wire, people, nursery, tally)
        await round_.make()
        await round_.open()
        try:
            await see_begun(round_.checker.context.store)
            yield round_
        finally:
            await round_.close()


class Round:
    """One Tact after another on one memory."""

    checker: Checker

    def __init__(
        self, scene: Scene, wire: TelegramWire, people: Crowd, nursery: Nursery, tally: Tally
    ) -> None:
        """Nothing is made yet."""
        self.scene, self.wire, self.people, self.tally = scene, wire, people, tally
        self._nursery = nursery
        self._logs: list[Path] = []
        self._quiet = False

    @property
    def _store(self) -> Store:
        return self.checker.context.store

    async def _start(self, *arguments: str, failpoint: str = "", **more: str) -> Child:
        environ = {"TACT_DEFLECT_AFTER_S": "0", **more}
        environ |= {"TACT_TELEGRAM_API": self.wire.url, "TACT_TELEGRAM_TOKEN": TOKEN}
        arguments = (*arguments, "--data", str(self.scene.folder))
        return await self._nursery.start(arguments, environ | self.scene.environ, failpoint)

    async def _whole(self, *arguments: str, **more: str) -> None:
        """Run a command to its end."""
        child = await self._start(*arguments, **more)
        code = await child.wait(_PATIENCE_S)
        if code != 0:
            await self._end(child)
            self.tally.note("damaged", 1, f"tact {arguments[0]} ends with {code}")

    async def make(self) -> None:
        """A memory with a fact that everybody may hear, and a friend of the owner's in it."""
        accounts = f"console:owner,{account_of(crowd.OWNER)}"
        child = await self._start(
            "init", "--owner", "Owner", "--timezone", "UTC", "--yes", TACT_OWNER_ACCOUNTS=accounts
        )
        _see_well("init", await child.wait(_PATIENCE_S))
        child = await self._start("run")
        texts = self.people.world.texts
        for text in ORDERS:
            before = len(texts(crowd.OWNER))
            self.people.say(crowd.OWNER, crowd.OWNER, text)
            await _until(partial(_more, texts, before), child)
        child.send(signal.SIGTERM)
        _see_well("run", await child.wait(_PATIENCE_S))

    async def open(self) -> None:
        """Look into the memory from this process, too."""
        settings = self.scene.settings()
        context = make_context(await open_store(settings), settings)
        if hasattr(self, "checker"):
            self.checker.context = context
        else:
            self.checker = Checker(context)

    async def close(self) -> None:
        """Look no more."""
        await self._store.close()

    # kills

    async def kill(self, point: str) -> None:
        """Kill a Tact when it gets to this place, for the first time or a later one, and look at what it left."""
        order = f"{point}:{self.people.chance.randint(1, HITS.get(point, 2))}"
        if point in MIGRATING:
            await self._kill_migrating(point, order)
        elif point in IMPORTING:
            await self._dies(point, order, await self._start("import", "irc", self._log(), failpoint=order))
        else:
            self._say(WORK.get(point, STRANGERS))
            await self._dies(point, order, await self._start("run", failpoint=order))
        await self._after()

    async def _dies(self, point: str, order: str, child: Child) -> None:
        died = await child.wait(_ENDS_S) == -signal.SIGKILL
        await self._end(child)
        self.tally.kills += died
        self.tally.note("missed", int(not died), f"{order} was not reached")
        self.tally.points[point] = self.tally.points.get(point, 0) + died

    async def _kill_migrating(self, point: str, order: str) -> None:
        """Kill a migration; the next one comes to its end, and no row is missing."""
        await self._rest()
        before = await self._counts()
        await self.close()
        await set_back(self.scene.database, OLDEST)
        await self._dies(point, order, await self._start("status", failpoint=order))
        await self._whole("status")
        await self.open()
        self.tally.note("damaged", int(await self._counts() != before), "rows are missing after a migration")

    async def _counts(self) -> dict[str, int]:
        async with self._store.transaction() as tx:
            return await tx.counts()

    async def kill_at_random(self, chance: Random) -> None:
        """Kill a Tact at any moment: while it starts, in the middle of its work, or when it has nothing to do."""
        if chance.random() < _IMPORTING:
            child = await self._start("import", "irc", self._log())
        else:
            self._say([chance.choice(crowd.EVERYTHING) for _ in range(chance.randrange(1, 3))])
            child = await self._start("run")
        moment = chance.uniform(*(_STARTING_S if chance.random() < _EARLY else _WORKING_S))
        until = asyncio.get_running_loop().time() + moment
        while (left := until - asyncio.get_running_loop().time()) > 0:
            await asyncio.sleep(min(left, chance.uniform(0, 0.3)))
            if chance.random() < _MEANWHILE:
                self._say([chance.choice(crowd.EVERYTHING)])
        child.send(signal.SIGKILL)
        await self._end(child)
        self.tally.kills += 1
        self.tally.at_random += 1
        self.tally.busy += await self._busy()
        await self._after()

    def _say(self, kinds: Sequence[str]) -> None:
        for kind in kinds:
            self.people.do(kind)
        self._quiet = False

    def _log(self) -> str:
        """A new log to be imported."""
        number = len(self._logs)
        self._logs.append(self.scene.folder.parent / f"{_FIRST_DAY + timedelta(days=number)}.log")
        self._logs[-1].write_text(log_of(number))
        return str(self._logs[-1])

    async def _end(self, child: Child) -> None:
        child.send(signal.SIGKILL)
        if await child.wait(_PATIENCE_S) is None:
            raise BadInput("a process cannot be killed", fix="look for it by its number in the process list")

    async def _after(self) -> None:
        """Look at what a killed process left, before another one touches it."""
        await self.checker.look()
        if self.scene.vectors == "chroma":
            self.checker.found |= await vector_faults(self.scene.settings("chroma"))
        waiting = [update["update_id"] for update in self.people.world.queue]
        gone = await self.checker.unrecorded(self.people.said, waiting)
        self.tally.note("lost", len(gone), f"{len(gone)} message(s) neither kept nor waiting")
        for said in gone:
            self.people.said.remove(said)

    # the end

    async def _rest(self) -> None:
        """A Tact that nobody kills does what is left."""
        if self._quiet:
            return
        child = await self._start("run")
        quiet, deadline = 0, asyncio.get_running_loop().time() + _REST_S
        while quiet < 4 and asyncio.get_running_loop().time() < deadline:  # noqa: PLR2004 - half a second of quiet
            quiet = 0 if await self._busy() else quiet + 1
            await asyncio.sleep(0.12)
        self.tally.note(
            "damaged", int(not quiet), "a Tact that nobody kills does not come to an end of its work"
        )
        child.send(signal.SIGTERM)
        if await child.wait(_PATIENCE_S) != 0:
            self.tally.note("damaged", 1, "tact run does not end as it should after a crash")
            await self._end(child)
        self._quiet = True

    async def _busy(self) -> bool:
        """Whether there is anything that a Tact has not done yet."""
        try:
            async with self._store.transaction() as tx:
                kept, unread = await tx.arrivals(), await tx.sessions_to_do(self.checker.context.clock.now())
        except StoreFault:  # somebody works in there for long
            return True
        return bool(kept or unread or self.people.world.queue)

    async def finish(self) -> None:
        """Let everything come to its end, and count."""
        await self._rest()
        for path in self._logs:
            await self._whole("import", "irc", str(path))
        await self._after()
        await count(self.tally, self.people, self._store, self._logs)
        for fault in sorted(self.checker.found):
            self.tally.note(Harm(fault.harm), 1, f"{fault.where}: {fault.what}")


def _more(texts: Callable[[int], list[str]], than: int) -> bool:
    return len(texts(crowd.OWNER)) > than


async def _until(done: Callable[[], bool], child: Child) -> None:
    deadline = asyncio.get_running_loop().time() + _PATIENCE_S
    while not done():
        code = await child.wait(0.05)
        if code is not None or asyncio.get_running_loop().time() > deadline:
            _see_well("run", code)
            raise BadInput("tact run ends before it has answered", fix="tact doctor")


def _see_well(command: str, code: int | None) -> None:
    """See that a command that nobody killed came to its end."""
    if code != 0:
        how = "does not do its work" if code is None else f"ends with {code}"
        raise BadInput(f"nothing was tried: tact {command} {how}", fix="tact doctor")

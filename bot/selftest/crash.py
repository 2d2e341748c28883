"""`tact selftest crash`: a real Tact is killed again and again, and what became of every message is counted.

The counting is done in the journal of the small Telegram that it talked to, and in its own outbox: a message is lost if
neither the journal nor an `uncertain` in the outbox accounts for its answer, and doubled if the journal has it twice.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from typer import echo

from bot.bootstrap import open_store
from bot.commandline.starting import make
from bot.selftest.dying import MARK
from bot.selftest.telegram_wire import TelegramWire
from bot.selftest.telegram_world import TOKEN, TelegramWorld
from config.settings import KeySource, Settings, load_settings
from connectors.telegram.inbound import place_of
from engine.errors import BadInput
from engine.failpoints import POINTS as ALL
from engine.mailroom import State

OWNER = 7
POINTS = tuple(ALL)[:8]
_PATIENCE_S = 60.0
_ONCE_A_START = frozenset({"received", "kept"})  # what waits comes in one batch


@dataclass(slots=True)
class Tally:
    """What was counted."""

    kills: int = 0
    messages: int = 0
    lost: int = 0
    doubled: int = 0
    uncertain: int = 0
    uncertain_arrived: int = 0  # sent again by itself, each of these would be there twice
    missed: int = 0  # kills that were ordered and whose point was not reached
    points: dict[str, int] = field(default_factory=dict)


def crash(points: str, kills: int, *, as_json: bool) -> int:
    """Kill at these points (`all`, or names with commas), each so often; 0 if nothing was lost or doubled.

    Raises:
        BadInput: for a point that there is not.
    """
    chosen = POINTS if points == "all" else tuple(p.strip() for p in points.split(","))
    wrong = [p for p in chosen if p not in POINTS]
    if wrong or kills < 1:
        raise BadInput(
            f"there is no point {wrong[:1]}", where="--points", fix=f"all, or of {', '.join(POINTS)}"
        )
    tally = asyncio.run(measured(chosen, kills))
    if as_json:
        echo(json.dumps(asdict(tally), indent=1))
    else:
        echo(", ".join(f"{name} {value}" for name, value in asdict(tally).items() if name != "points"))
    return int(bool(tally.lost or tally.doubled or tally.missed))


async def measured(points: Sequence[str], kills: int) -> Tally:
    """Kill, start again, and count at the end."""
    with tempfile.TemporaryDirectory(prefix="tact-crash-") as place:
        folder = Path(place) / "data"
        await asyncio.to_thread(_made, folder)
        world = TelegramWorld()
        world.user(OWNER, "Owner")
        async with TelegramWire(world) as wire:
            run = _Run(folder, world, wire)
            await run.prepare()
            for number in range(kills):
                for point in points:
                    await run.kill(point, 1 if point in _ONCE_A_START else 1 + number % 2)
            await run.finish()
            return await run.count()


def _made(folder: Path) -> None:
    given = Settings(
        data=folder, owner_accounts=("console:owner", f"telegram:{OWNER}"), key_source=KeySource.FILE
    )
    make(folder, given, "Owner", "en", "UTC")
    (folder / MARK).touch()


class _Run:
    """One Tact after another on one folder."""

    def __init__(self, folder: Path, world: TelegramWorld, wire: TelegramWire) -> None:
        self.folder, self.world, self.wire = folder, world, wire
        self.tally = Tally()
        self.expected: dict[int, int] = {}
        self._next = 1000

    async def start(self, failpoint: str = "") -> asyncio.subprocess.Process:
        """A Tact that will die at this point."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("TACT_")}
        mine = {
            "TACT_TELEGRAM_API": self.wire.url,
            "TACT_TELEGRAM_TOKEN": TOKEN,
            "TACT_FAILPOINT": failpoint,
            "TACT_DEFLECT_AFTER_S": "0",
        }
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "run", "--data", str(self.folder), env={**kept, **mine},
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip

    async def prepare(self) -> None:
        """A fact that everybody may hear, so that strangers' questions have answers."""
        process = await self.start()
        for text in ("The Borealis fair is on Friday.", "/share last with everyone", "confirm"):
            before = len(self.world.texts(OWNER))
            self.world.say(OWNER, OWNER, text)
            await self._until(lambda before=before: len(self.world.texts(OWNER)) > before)
        process.terminate()
        await process.wait()

    async def kill(self, point: str, hit: int) -> None:
        """Two strangers write, and Tact dies on the way."""
        self._greet()
        self._ask()
        process = await self.start(f"{point}:{hit}")
        try:
            died = await asyncio.wait_for(process.wait(), _PATIENCE_S / 3) == -signal.SIGKILL
        except TimeoutError:
            died = False
            process.kill()
            await process.wait()
        self.tally.kills += died
        self.tally.missed += not died
        self.tally.points[point] = self.tally.points.get(point, 0) + died

    def _greet(self) -> None:
        self.world.say(self._stranger(1), self._next, "Hi there")

    def _ask(self) -> None:
        self.world.say(self._stranger(2), self._next, "When is the Borealis fair?")

    def _stranger(self, answers: int) -> int:
        self._next += 1
        self.expected[self._next] = answers
        self.tally.messages += 1
        return self.world.user(self._next, f"s{self._next}")

    async def finish(self) -> None:
        """A last Tact, that nobody kills, does what is left."""
        process = await self.start()
        settings = load_settings(self.folder)
        store = await open_store(settings)
        try:
            quiet = 0
            deadline = asyncio.get_running_loop().time() + _PATIENCE_S * 3
            while quiet < 10 and asyncio.get_running_loop().time() < deadline:  # noqa: PLR2004 - a second of quiet
                async with store.transaction() as tx:
                    waiting = await tx.arrivals()
                quiet = 0 if waiting or self.world.queue else quiet + 1
                await asyncio.sleep(0.1)
        finally:
            await store.close()
            process.terminate()
            await process.wait()

    async def count(self) -> Tally:
        """What became of every message."""
        store = await open_store(load_settings(self.folder))
        try:
            async with store.transaction() as tx:
                sent = Counter(
                    place_of(s.container)[0] for s in await tx.sendings(State.SENT) if "#" in s.key
                )
                doubt = Counter(place_of(s.container)[0] for s in await tx.sendings(State.UNCERTAIN))
        finally:
            await store.close()
        for chat, wanted in self.expected.items():
            there = len(self.world.texts(chat))
            self.tally.lost += max(0, wanted - sent[chat] - doubt[chat], sent[chat] - there)
            self.tally.doubled += max(0, there - wanted)
            self.tally.uncertain += doubt[chat]
            self.tally.uncertain_arrived += min(doubt[chat], max(0, there - sent[chat]))
        return self.tally

    async def _until(self, done: object) -> None:
        deadline = asyncio.get_running_loop().time() + _PATIENCE_S
        while callable(done) and not done():
            if asyncio.get_running_loop().time() > deadline:
                raise BadInput("Tact does not answer", fix="tact doctor")
            await asyncio.sleep(0.05)

"""What another process does to the same memory counts in the very next turn of this one, whatever it holds in memory."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.bootstrap import Tact, open_tact
from bot.turn.turn import take_turn
from config.settings import Settings
from connectors.console.world import OWNER_ACCOUNT, Room
from connectors.language.offline.embedder import NoEmbedder
from engine.ids import AccountId
from tests.world import Heard, World

QUESTION = "What happened to the Kestrel prototype?"
ROOM = Room("team", frozenset({OWNER_ACCOUNT, AccountId("console:bob")}))


@dataclass
class One:
    """A process's Tact, with a world of its own to speak in."""

    tact: Tact
    world: World

    async def says(self, who: str, text: str, room: str | None = None) -> list[Heard]:
        message = self.world.message(AccountId(f"console:{who}"), room, text, self.tact.context.clock.now())
        assert await take_turn(self.tact.context, self.world, self.tact.commands, message) is not None
        await self.tact.annotate()
        return self.world.take_heard()

    async def hears(self, who: str, text: str, room: str | None = None) -> str:
        """What was said in reply where it was asked."""
        return "\n".join(h.text for h in await self.says(who, text, room) if h.kind != "owner")

    async def owner(self, *lines: str) -> str:
        """What the owner alone reads of the answer to the last line."""
        heard: list[Heard] = []
        for line in lines:
            heard = await self.says("owner", line)
        return "\n".join(h.text for h in heard)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """Where the memory is; empty: in the data folder."""
    return "" if request.param == "sqlite" else request.getfixturevalue("postgres_memory")


def settings_of(folder: Path, database_url: str) -> Settings:
    return Settings(data=folder, owner_name="Alex", deflect_after_s=0, database_url=database_url)


def lay_key(settings: Settings) -> None:
    """The key that the tests' empty memories are made with."""
    settings.data.mkdir()
    settings.key_file.write_text(b64encode(bytes(range(32))).decode())
    settings.key_file.chmod(0o600)


async def opened(stack: AsyncExitStack, settings: Settings) -> One:
    tact = await stack.enter_async_context(open_tact(settings, embedder=NoEmbedder(), make_key=True))
    world = World()
    world.open_room(ROOM)
    return One(tact, world)


@pytest.fixture
async def two(tmp_path: Path, database_url: str) -> AsyncIterator[tuple[One, One]]:
    """Two Tacts on one memory, in which Bob may hear of work; the first one's index and caches are warm."""
    settings = settings_of(tmp_path / "data", database_url)
    lay_key(settings)
    async with AsyncExitStack() as stack:
        first, second = await opened(stack, settings), await opened(stack, settings)
        await first.hears("bob", "Hello")
        await first.owner("/meet console:bob as Bob", "/level add Bob L1-work", "confirm")
        await first.owner("The Kestrel prototype failed its drop test.", "confirm")
        assert "drop test" in await first.hears("bob", QUESTION)
        assert "drop test" in await second.hears("bob", QUESTION)
        yield first, second


async def test_a_label_that_another_process_takes_away_is_gone_in_the_next_turn(two):
    here, there = two
    nothing = await here.hears("mallory", QUESTION)
    await there.owner("/level remove Bob L1-work")
    assert await here.hears("bob", QUESTION) == nothing
    assert "drop test" not in await here.hears("bob", f"tact, {QUESTION}", "team")
    await here.owner("/level add Bob L1-work", "confirm earlier")
    assert "drop test" in await there.hears("bob", QUESTION)


async def test_a_block_by_another_process_counts_in_the_next_turn(two):
    here, there = two
    assert "Bob" in await there.owner("/block Bob Kestrel")
    assert "drop test" not in await here.hears("bob", QUESTION)
    assert "drop test" in await here.owner(QUESTION)


async def test_what_another_process_forgot_is_gone_in_the_next_turn(two):
    here, there = two
    await there.owner("/forget about Kestrel prototype", "confirm")
    assert "drop test" not in await here.hears("bob", QUESTION)
    assert "drop test" not in await here.owner(QUESTION)
    assert "drop test" not in await here.owner("/facts Kestrel")


async def test_people_and_rooms_that_another_process_met_are_known_in_the_next_turn(two):
    here, there = two
    assert "Zoe" not in await here.owner("/contacts")
    await there.hears("zoe", "Hello")
    await there.owner("/meet console:zoe as Zoe", "/level add Zoe L1-work", "confirm earlier")
    assert "Zoe" in await here.owner("/contacts")
    assert "drop test" in await here.hears("zoe", QUESTION)
    assert "new room" not in await here.owner("/audience")
    there.world.open_room(Room("new room", ROOM.members))
    await there.says("bob", "Anybody here?", "new room")
    assert "new room" in await here.owner("/audience")


@pytest.mark.slow
async def test_a_real_second_process_is_obeyed(two, tmp_path, database_url):
    here, _ = two

    def elsewhere(*lines: str) -> None:
        """`tact chat` on the same memory, from beginning to end."""
        run = subprocess.run(
            [sys.executable, "-m", "bot", "chat", "--data", str(tmp_path / "data")],
            input="\n".join(lines) + "\n",
            env={**os.environ, "TACT_DATABASE_URL": database_url, "TACT_OWNER_NAME": "Alex"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        assert run.stdout

    await asyncio.to_thread(elsewhere, "/level remove Bob L1-work")
    assert "drop test" not in await here.hears("bob", QUESTION)
    await asyncio.to_thread(elsewhere, "/level add Bob L1-work", "confirm earlier")
    assert "drop test" in await here.hears("bob", QUESTION)
    await asyncio.to_thread(elsewhere, "/block Bob Kestrel")
    assert "drop test" not in await here.hears("bob", QUESTION)
    await asyncio.to_thread(elsewhere, "/forget about Kestrel prototype", "confirm")
    assert "drop test" not in await here.owner(QUESTION)

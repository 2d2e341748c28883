"""A reader in another process keeps old bytes on the disk: pending, finished later by itself, also after a restart."""

from __future__ import annotations

import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from bot.service.maintenance import Tidying
from storage import SqlStore, Vault
from tests.reading import READER
from tests.stage import KEY, Stage, make_stage, open_stage

SECRET = "The moonstone is under the birch."


class Reader:
    """A second process in the middle of a read transaction."""

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", READER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdout.readline() == b"reading\n"

    def goes(self) -> None:
        self._process.communicate(b"\n", timeout=20)


class Glass(Vault):
    """A vault that hides nothing, to see what deleting alone is worth."""

    def _close(self, plain: bytes, place: bytes) -> bytes:
        return plain

    def _disclose(self, data: bytes, place: bytes) -> bytes:
        return data


def on_disk(folder: Path) -> list[str]:
    """Files that hold the secret's word."""
    return [path.name for path in sorted(folder.iterdir()) if b"moonstone" in path.read_bytes().lower()]


@pytest.fixture
async def memory(tmp_path: Path) -> Path:
    path = tmp_path / "tact.db"
    await (await SqlStore.open(path, Glass(KEY))).close()
    return path


async def told(stage: Stage, tidy: Tidying) -> list[str]:
    """What the owner is told by a round of tidying."""
    await tidy.once()
    return [heard.text for heard in stage.world.take_heard()]


async def test_it_is_pending_while_somebody_reads_and_the_owner_is_told_when_it_is_done(memory):
    stage = await open_stage(await SqlStore.open(memory, Glass(KEY)), memory.parent)
    tidy = Tidying(stage.context, stage.world.tell_owner)
    assert await told(stage, tidy) == []
    fact = await stage.tells(SECRET)
    reader = Reader(memory)
    answer = await stage.owner(f"/forget {fact}")
    assert "Pending: the words are out of the memory" in answer
    assert "moonstone" not in answer
    assert on_disk(memory.parent), "the reader was in nobody's way, so this shows nothing"
    assert "erased on 2026-05-04" in await stage.owner("/status")
    assert await told(stage, tidy) == []
    reader.goes()
    (words,) = await told(stage, tidy)
    assert words.startswith("Done: every copy of what was to be forgotten on 2026-05-04 09:")
    assert on_disk(memory.parent) == []
    assert await told(stage, tidy) == []
    assert "erased on" not in await stage.owner("/status")
    await stage.context.store.close()


async def test_after_a_restart_it_is_known_to_be_pending_and_told_when_done(memory):
    stage = await open_stage(await SqlStore.open(memory, Glass(KEY)), memory.parent)
    fact = await stage.tells(SECRET)
    reader = Reader(memory)
    assert "Pending" in await stage.owner(f"/forget {fact}")
    await stage.context.store.close()

    again = make_stage(await SqlStore.open(memory, Glass(KEY)), memory.parent)
    tidy = Tidying(again.context, again.world.tell_owner)
    assert await told(again, tidy) == []
    reader.goes()
    assert len(await told(again, tidy)) == 1
    assert on_disk(memory.parent) == []
    await again.context.store.close()


async def test_what_was_cut_off_before_anything_was_told_is_told_after_the_restart(memory, tmp_path):
    """The erasure was committed, and the process died before it saw to the disk."""
    stage = await open_stage(await SqlStore.open(memory, Glass(KEY)), memory.parent)
    fact = await stage.tells(SECRET)
    from bot.memory.erasure import erase  # noqa: PLC0415

    async with stage.context.store.transaction() as tx:
        await erase(tx, stage.context, facts=[fact])
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    for path in memory.parent.glob("tact.db*"):
        shutil.copy(path, crashed)
    again = make_stage(await SqlStore.open(crashed / "tact.db", Glass(KEY)), crashed)
    (words,) = await told(again, Tidying(again.context, again.world.tell_owner))
    assert words.startswith("Done: every copy")
    assert on_disk(crashed) == []
    for open_one in (stage, again):
        await open_one.context.store.close()


async def test_a_turn_that_is_still_at_it_tells_it_itself(memory):
    stage = await open_stage(await SqlStore.open(memory, Glass(KEY)), memory.parent)
    tidy = Tidying(stage.context, stage.world.tell_owner)
    await tidy.once()
    fact = await stage.tells(SECRET)
    from bot.memory.erasure import DISK, erase, finish  # noqa: PLC0415

    async with stage.context.store.transaction() as tx:
        await erase(tx, stage.context, facts=[fact])
        noted = await tx.note(DISK)
    assert await told(stage, tidy) == []
    assert (await finish(stage.context, noted)).startswith("Done: every copy is gone.")
    assert await told(stage, tidy) == []
    await stage.context.store.close()


async def test_what_an_earlier_run_left_untold_is_retried_until_the_reader_goes(memory):
    stage = await open_stage(await SqlStore.open(memory, Glass(KEY)), memory.parent)
    fact = await stage.tells(SECRET)
    from bot.memory.erasure import erase  # noqa: PLC0415

    reader = Reader(memory)
    async with stage.context.store.transaction() as tx:
        await erase(tx, stage.context, facts=[fact])
    await stage.context.store.close()
    again = make_stage(await SqlStore.open(memory, Glass(KEY)), memory.parent)
    tidy = Tidying(again.context, again.world.tell_owner)
    assert await told(again, tidy) == []
    assert await told(again, tidy) == []
    reader.goes()
    assert len(await told(again, tidy)) == 1
    assert on_disk(memory.parent) == []
    await again.context.store.close()


async def test_what_was_too_old_leaves_the_disk_when_the_reader_goes_and_nothing_is_said(memory):
    stage = await open_stage(await SqlStore.open(memory, Glass(KEY)), memory.parent)
    tidy = Tidying(stage.context, stage.world.tell_owner)
    await stage.says("bob", SECRET, "hall")
    await stage.owner("/retention here 1d", "hall")
    reader = Reader(memory)
    stage.clock.at += timedelta(days=2)
    assert await told(stage, tidy) == []
    assert on_disk(memory.parent)
    reader.goes()
    assert await told(stage, tidy) == []
    assert on_disk(memory.parent) == []
    await stage.context.store.close()

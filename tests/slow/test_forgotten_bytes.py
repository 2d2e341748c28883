"""What was forgotten is in no byte of the data folder, also after the process was killed; nor before it, in the clear."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bot.selftest.telegram_wire import TelegramWire
from bot.selftest.telegram_world import TelegramWorld
from config.settings import write_settings
from tests.reading import READER
from tests.telegram.conftest import BOB, OWNER, Stage

pytestmark = pytest.mark.slow
CANARY = "Quetzalcoatlus"

TALK = f"""/meet console:bob as Bob
/level add Bob L1-work
confirm
The {CANARY} prototype failed its drop test.
confirm
/as bob
What happened to the {CANARY} prototype?
/as owner
/facts {CANARY}
"""

FORGET = f"""/forget about {CANARY}
confirm
"""


def begin(data: Path) -> subprocess.Popen[str]:
    """`tact chat` in a folder of its own, to be typed at."""
    return subprocess.Popen(
        [sys.executable, "-m", "bot", "chat", "--data", str(data)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
        env={**os.environ, "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"},
    )


def chat(data: Path, lines: str, *, kill: bool = False) -> str:
    """Type lines at `tact chat`; `kill` ends it with SIGKILL after the last answer."""
    process = begin(data)
    assert process.stdin is not None
    assert process.stdout is not None
    if not kill:
        return process.communicate(lines, timeout=120)[0]
    process.stdin.write(lines + "/status\n")
    process.stdin.flush()
    heard = ""
    for line in process.stdout:
        heard += line
        if "policy" in line.casefold() and "/status" not in line:
            break
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    return heard


def holding(folder: Path) -> list[Path]:
    """Files that hold the canary, in UTF-8 or UTF-16."""
    words = [CANARY.encode(), CANARY.lower().encode(), CANARY.encode("utf-16-le")]
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files, "nothing was written at all"
    return [path for path in files if any(word in path.read_bytes() for word in words)]


def test_a_canary_is_in_no_byte_before_and_after_it_is_forgotten(tmp_path: Path) -> None:
    """Told, answered from, killed, restarted, forgotten, killed, restarted: never in a byte, then gone from memory."""
    data = tmp_path / "data"
    told = chat(data, TALK, kill=True)
    assert "drop test" in told, "the canary was never remembered, so its absence proves nothing"
    assert holding(data) == []

    again = chat(data, f"/as bob\nWhat happened to the {CANARY} prototype?\n")
    assert "drop test" in again, "the kill lost a recorded fact"

    chat(data, FORGET, kill=True)
    assert holding(data) == []
    after = chat(data, f"/as bob\nWhat happened to the {CANARY} prototype?\n/as owner\n/facts {CANARY}\n")
    assert "drop test" not in after
    assert holding(data) == []


def test_a_reader_in_the_way_is_waited_for_by_the_next_run_too(tmp_path: Path) -> None:
    """Pending while another process reads the file; a later run finishes it, and says so."""
    data = tmp_path / "data"
    assert "drop test" in chat(data, TALK)
    reader = subprocess.Popen(
        [sys.executable, "-c", READER, str(data / "tact.db")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert reader.stdout is not None
    assert reader.stdout.readline() == b"reading\n"
    told = chat(data, FORGET + "/status\n")
    assert "Pending: the words are out of the memory" in told
    assert "not yet off the disk" in told
    assert "Done: every copy" not in told
    again = chat(data, "Hello\n/status\n")
    assert "not yet off the disk" in again
    assert "Done: every copy" not in again
    reader.communicate(b"\n", timeout=20)
    after = chat(data, "Hello\n/status\n")
    assert "Done: every copy of what was to be forgotten on" in after
    assert "not yet off the disk" not in after.partition("/status")[2]
    assert holding(data) == []


def test_a_period_that_is_over_leaves_no_byte_and_no_word_in_the_log(tmp_path: Path) -> None:
    """A chat with a period: set, shown first because it is old enough by then, confirmed, gone."""
    data = tmp_path / "data"
    chat(data, TALK)
    with sqlite3.connect(data / "tact.db") as db:  # months go by
        for table, column in (("messages", "sent_at"), ("facts", "said_at"), ("turns", "at")):
            db.execute(f"UPDATE {table} SET {column} = {column} - 90 * 86400000000")  # noqa: S608
    db.close()
    told = chat(data, "/retention here 30d\nconfirm\n/retention\n")
    assert "This erases for good" in told
    assert "Done: every copy is gone." in told
    assert "after 30 day(s)" in told
    after = chat(data, f"/as bob\nWhat happened to the {CANARY} prototype?\n/as owner\n/facts {CANARY}\n")
    assert "drop test" not in after
    assert holding(data) == []


async def test_telegram_and_what_stands_around_it(tmp_path: Path, empty_memory: Path) -> None:
    """Told in a direct chat, told on to Bob, listed, forgotten: in no byte of the folder, and nowhere on Telegram."""
    data = tmp_path / "tact"
    write_settings(data, owner_name="Alex", owner_accounts=("console:owner", f"telegram:{OWNER}"))
    shutil.copy(empty_memory, data / "tact.db")
    world = TelegramWorld()
    for number, name in ((OWNER, "Alex"), (BOB, "Bobby")):
        world.user(number, name)
    async with TelegramWire(world) as wire:
        stage = Stage(world, wire, data)
        async with stage.running():
            await stage.meets_bob()
            await stage.tells(f"The {CANARY} prototype failed its drop test.")
            await stage.owner(f"/share {CANARY} with Bob")
            await stage.owner("confirm")
            told = await stage.says(BOB, BOB, f"What happened to the {CANARY} prototype?")
            assert any("drop test" in text for text in told), "never told, so its absence proves nothing"
            await stage.owner(f"/facts {CANARY}")
            await stage.owner("/why last")
            await stage.owner(f"/forget about {CANARY}")
            answer = await stage.owner("confirm")
            assert "Done: every copy is gone." in answer
            assert "somebody else wrote it" in answer
        left = [m for m in (*world.sent, *world.said) if CANARY.lower() in (m["text"] or "").lower()]
        assert [(m["from"]["id"], m["chat"]["id"]) for m in left] == [(BOB, BOB)]
        assert holding(data) == []

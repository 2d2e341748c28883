"""Killed at each step that it takes on the disk, a backup leaves the old file or the new one, a restore the old memory or the new."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from config.keys import load_key
from storage import Vault
from storage.backups.archive import DATABASE, Archive

pytestmark = pytest.mark.slow

PROGRAM = """
import os, signal, sys
folder, stop, *arguments = sys.argv[1:]
left = int(stop)
STEPS = {"os.rename", "os.link", "os.remove", "os.rmdir", "sqlite3.connect"}

def step(event, values):
    global left
    if event not in STEPS or folder not in str(values[0]):
        return
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)

from bot.cli.app import run
sys.addaudithook(step)
sys.exit(run(arguments))
"""


def tact(
    *arguments: object, folder: Path | str = "/nowhere", stop: int = 0, typed: str = ""
) -> subprocess.CompletedProcess:
    """Run a command in a process of its own, which dies before its step number `stop` in a folder."""
    command = [sys.executable, "-c", PROGRAM, str(folder), str(stop), *map(str, arguments)]
    environ = {**os.environ, "TACT_DEFLECT_AFTER_S": "0"}
    return subprocess.run(command, capture_output=True, text=True, check=False, input=typed, env=environ)


def each_step(folder: Path, *arguments: object) -> Iterator[int]:
    """Kill a command at one step after another until it comes to its end."""
    for stop in range(500):
        done = tact(*arguments, folder=folder, stop=stop)
        yield stop
        if done.returncode != -signal.SIGKILL:
            assert (done.returncode, done.stderr) == (0, "")
            return
    pytest.fail("it never came to its end")


def messages(data: Path) -> int:
    """How many messages a memory has; it must be whole."""
    with closing(sqlite3.connect(data / "tact.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return connection.execute("SELECT count(*) FROM messages").fetchone()[0]


def opens(data: Path) -> None:
    """The memory is of use."""
    done = tact("status", "--data", data)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A memory of one message."""
    folder = tmp_path / "data"
    assert tact("init", "--data", folder, "--yes").returncode == 0
    assert tact("chat", "--data", folder, typed="The launch of Borealis is on Friday.\n").returncode == 0
    return folder


def test_a_backup_is_the_old_one_or_the_new_one(data: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    file = kept / "tact.backup"
    assert tact("backup", file, "--data", data).returncode == 0
    old, whole = file.read_bytes(), {"old": 0, "new": 0}
    vault = Vault(load_key(data / "key", source="file"))
    for stop in each_step(kept, "backup", file, "--data", data, "--force"):
        whole["old" if file.read_bytes() == old else "new"] += 1
        Archive(file, vault).unpack(DATABASE, tmp_path / f"whole{stop}")
        file.write_bytes(old)
    assert whole["old"] > 3
    assert whole["new"] > 0
    assert [path.name for path in kept.iterdir()] == ["tact.backup"]


def test_a_restored_memory_is_the_old_one_or_the_new_one(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "tact.backup"
    assert tact("backup", file, "--data", data).returncode == 0
    assert messages(data) == 1
    assert tact("chat", "--data", data, typed="The dinner is on Monday.\n").returncode == 0
    assert messages(data) == 2
    seen = [messages(data) for _ in each_step(data, "restore", file, "--data", data, "--yes")]
    assert seen == sorted(seen, reverse=True)  # once it is in place, it stays
    assert (seen[0], seen[-1]) == (2, 1)
    opens(data)
    assert not [path.name for path in data.iterdir() if "before" in path.name or path.name.startswith(".")]


def test_a_restore_into_a_new_folder_can_always_be_said_again(data: Path, tmp_path: Path) -> None:
    file, new = tmp_path / "tact.backup", tmp_path / "new"
    assert tact("backup", file, "--data", data).returncode == 0
    for _ in each_step(new, "restore", file, "--data", new, "--key-file", data / "key"):
        if (new / "tact.db").exists():
            assert messages(new) == messages(data)
            break
    done = tact("restore", file, "--data", new, "--key-file", data / "key", "--yes")
    assert (done.returncode, done.stderr) == (0, "")
    assert messages(new) == messages(data)
    opens(new)

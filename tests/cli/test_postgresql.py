"""`tact` on a PostgreSQL database: from `tact init` to the last byte of what was forgotten."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.bootstrap import open_tact
from bot.service.lock import only_run
from config.settings import Settings
from connectors.language.offline.embedder import NoEmbedder
from engine.errors import BadInput
from storage.vectors.chroma_folder import Folder

URL = "TACT_DATABASE_URL"
STORY = "steps:\n  - owner: The launch is on Friday.\n  - confirm\n"


@pytest.fixture
def database(postgres_server) -> Iterator[str]:
    """The URL of a database with nothing in it, with a password that must not be seen anywhere."""
    url = postgres_server.make()
    yield url.replace("@", ":hunter2@", 1)
    postgres_server.drop(url)


def tables(postgres_server, database: str) -> int:
    return len(postgres_server.run("SELECT 1 FROM pg_tables WHERE schemaname = 'public'", url=database))


@pytest.mark.slow
def test_from_init_to_the_last_byte_of_what_was_forgotten(tact, database, tmp_path, monkeypatch):
    data, place = tmp_path / "data", "postgresql://" + database.rpartition("@")[2]
    monkeypatch.setenv(URL, database)
    made = tact("init", "--data", data, "--yes", "--owner", "Mia")
    assert made.code == 0
    assert place in made.out
    assert sorted(path.name for path in data.iterdir()) == ["key", "tact.toml"]
    monkeypatch.delenv(URL)  # from here on tact.toml says where; the password is asked for by nobody here
    said = [made]

    def say(*arguments: str, typed: str = "", code: int = 0) -> str:
        done = tact(*arguments, "--data", data, typed=typed)
        said.append(done)
        assert done.code == code, done.err
        return done.out + done.err

    assert place in say("status")
    assert "database: opens" in say("doctor", "--offline")
    assert say(
        "chat",
        typed="/level add console:bob L1-work as Bob\nconfirm\nThe Borealis launch is on Friday.\nconfirm\n",
    )
    heard = say(
        "chat",
        typed="/as bob\nWhen is the Borealis launch?\n/as owner\n/forget about Borealis launch\nconfirm\n",
    )
    assert "on Friday" in heard
    assert "Pending" in heard
    assert "tact forget --compact" in heard
    state = say("chat", typed="/status\n")
    assert "tact forget --compact" in state
    assert place in state
    assert "tact forget --compact" in say("forget", "--finish", code=1)
    assert "off the disk" in say("forget", "--compact")
    assert "tact forget --compact" not in say("chat", typed="/status\n")
    assert "on Friday" not in say("chat", typed="/as bob\nWhen is the Borealis launch?\n")
    say("backup", str(tmp_path / "saved.tact"))
    assert f"Restored to {place}." in say("restore", str(tmp_path / "saved.tact"), "--yes")
    assert not any("hunter2" in done.out + done.err for done in said)
    assert not any(b"hunter2" in path.read_bytes() for path in data.rglob("*") if path.is_file())


@pytest.mark.slow
def test_what_chroma_still_has_is_not_off_the_disk(tact, database, tmp_path, monkeypatch):
    data = tmp_path / "data"
    monkeypatch.setenv(URL, database)
    assert tact("init", "--data", data, "--yes", "--owner", "Mia").code == 0
    typed = "The Borealis launch is on Friday.\nconfirm\n"
    assert tact("chat", "--data", data, typed=typed).code == 0
    assert tact("vectors", "rebuild", "--to", "chroma", "--data", data).code == 0
    holder = Folder(data / "vectors")
    assert holder.hold()
    assert tact("chat", "--data", data, typed="/forget about Borealis launch\nconfirm\n").code == 0
    done = tact("forget", "--compact", "--data", data)
    assert done.code == 1
    assert "Chroma still has its vectors" in done.err
    holder.close()
    assert "tact forget --compact" in tact("chat", "--data", data, typed="/status\n").out
    assert "off the disk" in tact("forget", "--compact", "--data", data).out


def test_a_memory_of_another_key_is_left_alone_and_so_is_the_folder(tact, database, tmp_path, monkeypatch):
    monkeypatch.setenv(URL, database)
    assert tact("init", "--data", tmp_path / "one", "--yes").code == 0
    done = tact("init", "--data", tmp_path / "two", "--yes")
    assert done.code == 3
    assert "this is not the key that the memory was made with" in done.err
    assert not (tmp_path / "two").exists()
    assert tact("status", "--data", tmp_path / "one").code == 0


@pytest.mark.parametrize(
    ("url", "code", "line"),
    [
        (
            "mysql://root:hunter2@localhost/tact",
            2,
            "Tact keeps no memory in mysql; write postgresql://user@host/database",
        ),
        ("hunter2", 2, "this is no URL; write postgresql://"),
        ("postgresql://tact:hun/ter2@localhost/tact", 2, "in a password write %40 for @"),
        (
            "postgresql://tact:hunter2@127.0.0.1:1/tact",
            3,
            "PostgreSQL does not answer at postgresql://127.0.0.1:1/tact",
        ),
    ],
)
@pytest.mark.parametrize("command", ["init", "doctor"])
def test_a_database_that_cannot_be_used_is_one_line(tact, tmp_path, monkeypatch, url, code, line, command):
    monkeypatch.setenv(URL, url)
    data = tmp_path / "data"
    if command != "init":
        monkeypatch.delenv(URL)
        tact("init", "--data", data, "--yes")
        monkeypatch.setenv(URL, url)
    done = tact(command, "--data", data, *(["--yes"] if command == "init" else []))
    shown = done.out if command == "doctor" else done.err
    assert done.code == (1 if command == "doctor" else code)
    assert line in shown
    assert "hunter2" not in done.out + done.err
    assert "ter2" not in done.out + done.err
    assert command == "doctor" or len(done.err.splitlines()) == 1
    assert command != "init" or not data.exists()


def test_a_story_of_its_own_leaves_the_database_of_the_environment_alone(
    tact, database, postgres_server, tmp_path: Path, monkeypatch
):
    (tmp_path / "story.yaml").write_text(STORY, encoding="utf-8")
    monkeypatch.setenv(URL, database)
    assert tact("play", tmp_path / "story.yaml").code == 0
    assert tact("chat", typed="Hello\n").code == 0
    assert tables(postgres_server, database) == 0
    assert tact("play", tmp_path / "story.yaml", "--data", tmp_path / "data").code == 0
    assert tables(postgres_server, database) > 0


def run_elsewhere(data: Path, database: str) -> subprocess.CompletedProcess[str]:
    """`tact run` in a process of its own, with a token that nobody is asked about."""
    return subprocess.run(
        [sys.executable, "-m", "bot", "run", "--data", str(data)],
        env={**os.environ, URL: database, "TACT_TELEGRAM_TOKEN": f"123456:{'A' * 35}"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


async def test_a_second_run_on_one_database_says_who_holds_it_from_whichever_folder(database, tmp_path):
    settings = Settings(data=tmp_path / "one", database_url=database)
    async with open_tact(settings, make_key=True, alone=True, embedder=NoEmbedder()):
        shutil.copytree(tmp_path / "one", tmp_path / "two")
        done = await asyncio.to_thread(run_elsewhere, tmp_path / "two", database)
    assert done.returncode == 2
    place = "postgresql://" + database.rpartition("@")[2]
    assert re.fullmatch(
        rf"tact: {place}: Tact is running on this memory already \(process {os.getpid()} on \S+, since .* UTC\)"
        r" - use that one, or stop it first\n",
        done.stderr,
    )


def test_nor_on_one_file_that_two_folders_name(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    with only_run(Settings(data=one)):
        elsewhere = Settings(data=two, database_url=f"sqlite:///{one / 'tact.db'}")
        with (
            pytest.raises(BadInput, match=f"{one}: Tact is running on this folder already"),
            only_run(elsewhere),
        ):
            pass
        with only_run(Settings(data=two)):
            pass


def test_a_server_that_is_away_is_not_taken_for_a_wrong_key(tact, tmp_path, monkeypatch):
    data = tmp_path / "data"
    tact("init", "--data", data, "--yes")
    monkeypatch.setenv(URL, "postgresql://tact@127.0.0.1:1/keys")
    found = tact("doctor", "--offline", "--data", data).out
    assert "does not answer" in found
    assert "put the right key back" not in found
    assert "what it says" in found

"""`tact init`: all of it or nothing, for the owner's eyes only, and never over what is there."""

from __future__ import annotations

import builtins
import os
import stat
from pathlib import Path

import pytest

from bot.cli import init
from bot.cli.init import machine_zone


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in [folder, *folder.iterdir()]}


def test_everything_it_makes_is_for_the_owner_alone(tact, tmp_path: Path) -> None:
    old = os.umask(0o000)
    try:
        tact("init", "--data", str(tmp_path / "data"), "--yes")
    finally:
        os.umask(old)

    found = modes(tmp_path / "data")
    assert found.pop("data") == 0o700
    assert {"key", "tact.db", "tact.toml"} <= set(found)
    assert set(found.values()) == {0o600}


def test_it_says_what_it_made_and_that_the_key_is_to_be_kept(tact, tmp_path: Path) -> None:
    done = tact("init", "--data", str(tmp_path / "data"))

    assert done.err == ""
    for word in ("tact.toml", "tact.db", "key", "Back it up", "tact chat"):
        assert word in done.out


def test_flags_are_what_the_first_policy_starts_with(tact, tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    tact("init", "--data", data, "--owner", "米娅", "--lang", "zh", "--timezone", "Asia/Shanghai")

    shown = tact("policy", "show", "--data", data).out
    assert "owner: 米娅" in shown
    assert "timezone: Asia/Shanghai" in shown
    assert shown.count("release: confirm") == 8
    assert 'language = "zh"' in (tmp_path / "data" / "tact.toml").read_text()


def test_without_a_folder_it_takes_the_one_of_the_environment(tact, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("TACT_DATA", str(tmp_path / "there"))

    assert tact("init").code == 0
    assert (tmp_path / "there" / "tact.db").exists()
    assert tact("status").code == 0


@pytest.mark.parametrize("left", ["tact.toml", "key", "tact.db"])
def test_it_never_overwrites(tact, folder: Path, left: str) -> None:
    for path in list(folder.iterdir()):
        if path.name != left:
            path.unlink()
    before = (folder / left).read_bytes()

    done = tact("init", "--data", str(folder), "--yes")

    assert done.code == 2
    assert done.err.count("\n") == 1
    assert (folder / left).read_bytes() == before
    assert [path.name for path in folder.iterdir()] == [left]


def test_a_fault_half_way_leaves_nothing(tact, tmp_path: Path, monkeypatch) -> None:
    async def broken(_settings: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(init, "_first_opening", broken)
    data = tmp_path / "data"

    assert tact("init", "--data", str(data)).code == 1
    assert not data.exists()


def test_the_key_can_be_kept_in_the_environment(tact, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("TACT_KEY_SOURCE", "env")
    monkeypatch.setenv("TACT_KEY", "A" * 43 + "=")
    data = tmp_path / "data"

    done = tact("init", "--data", str(data))

    assert done.code == 0
    assert not (data / "key").exists()
    assert "The key is in your env" in done.out
    monkeypatch.delenv("TACT_KEY_SOURCE")
    assert tact("status", "--data", str(data)).code == 0


def test_questions_are_asked_again_until_the_answer_will_do(tact, tmp_path: Path, monkeypatch) -> None:
    asked: list[str] = []
    answers = iter(["fr", "en", "Mia", "Mars/Olympus", "Europe/Lisbon"])

    def answer(question: str) -> str:
        asked.append(question)
        return next(answers)

    monkeypatch.setattr(init, "interactive", lambda: True)
    monkeypatch.setattr(builtins, "input", answer)

    done = tact("init", "--data", str(tmp_path / "data"))

    assert done.code == 0
    assert len(asked) == 5
    text = (tmp_path / "data" / "tact.toml").read_text()
    assert 'owner_name = "Mia"' in text
    assert 'timezone = "Europe/Lisbon"' in text


def test_yes_and_a_pipe_ask_nothing(tact, tmp_path: Path, monkeypatch) -> None:
    def answer(question: str) -> str:
        raise AssertionError(question)

    monkeypatch.setattr(builtins, "input", answer)

    assert tact("init", "--data", str(tmp_path / "a")).code == 0
    monkeypatch.setattr(init, "interactive", lambda: True)
    assert tact("init", "--data", str(tmp_path / "b"), "--yes").code == 0


def test_the_zone_of_the_machine_is_one_that_there_is(monkeypatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    assert machine_zone() == "Asia/Shanghai"
    monkeypatch.setenv("TZ", "Mars/Olympus")
    assert machine_zone()

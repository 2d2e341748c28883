"""`tact policy`, `tact status` and `tact forget`: what opens is shown before it counts."""

from __future__ import annotations

import builtins
import json
import stat
from pathlib import Path

import pytest

from bot.cli import questions


@pytest.fixture
def opening(tact, memory: Path, tmp_path: Path) -> Path:
    """The same policy, with work opened to Bob."""
    file = tmp_path / "policy.yaml"
    assert tact("policy", "export", str(file), "--data", str(memory)).code == 0
    text = file.read_text()
    changed = text.replace("Bob: {accounts: [console:bob], labels: []}", "Bob: {labels: [L1-work]}")
    assert changed != text
    file.write_text(changed)
    return file


def version(tact, data: Path) -> int:
    return json.loads(tact("status", "--json", "--data", str(data)).out)["policy_version"]


def test_what_is_exported_changes_nothing_when_it_is_applied(tact, memory: Path, tmp_path: Path) -> None:
    file = tmp_path / "policy.yaml"
    tact("policy", "export", str(file), "--data", str(memory))

    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text() == tact("policy", "show", "--data", str(memory)).out
    assert tact("policy", "apply", str(file), "--data", str(memory)).out == "It changes nothing.\n"


def test_an_export_does_not_overwrite(tact, memory: Path, opening: Path) -> None:
    before = opening.read_text()

    assert tact("policy", "export", str(opening), "--data", str(memory)).code == 2
    assert opening.read_text() == before


def test_check_says_what_would_change_and_changes_nothing(tact, memory: Path, opening: Path) -> None:
    before = version(tact, memory)

    done = tact("policy", "check", str(opening), "--data", str(memory))

    assert done.code == 0
    assert "No mistakes" in done.out
    assert "opens    Bob may hear work-projects" in done.out
    assert version(tact, memory) == before


def test_check_needs_no_memory(tact, tmp_path: Path) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text("owner: Mia\n")

    assert "No mistakes" in tact("policy", "check", str(file), "--data", str(tmp_path / "none")).out


def test_what_opens_something_is_not_applied_unasked(tact, memory: Path, opening: Path) -> None:
    before = version(tact, memory)

    done = tact("policy", "apply", str(opening), "--data", str(memory))

    assert done.code == 2
    assert "say --yes" in done.err
    assert "opens    Bob may hear work-projects (said from" in done.out
    assert version(tact, memory) == before


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("是", 0), ("", 1), ("n", 1)])
def test_somebody_at_a_terminal_is_asked(tact, memory, opening, monkeypatch, answer: str, code: int) -> None:
    monkeypatch.setattr(questions, "interactive", lambda: True)
    monkeypatch.setattr(builtins, "input", lambda _question: answer)
    before = version(tact, memory)

    assert tact("policy", "apply", str(opening), "--data", str(memory)).code == code
    assert version(tact, memory) == before + 1 - code


def test_what_was_said_before_opens_only_with_earlier(tact, memory: Path, opening: Path) -> None:
    question = "/as bob\nWhen is the launch?\n"

    tact("policy", "apply", str(opening), "--data", str(memory), "--yes")
    assert "Friday" not in tact("chat", "--data", str(memory), typed=question).out

    done = tact("policy", "apply", str(opening), "--data", str(memory), "--yes", "--earlier")
    assert 'Bob would hear "The launch of Borealis is on Friday."' in done.out
    assert "Friday" in tact("chat", "--data", str(memory), typed=question).out


def test_narrowing_needs_no_yes(tact, memory: Path, opening: Path) -> None:
    tact("policy", "apply", str(opening), "--data", str(memory), "--yes", "--earlier")
    opening.write_text(opening.read_text().replace("labels: [L1-work]}", "labels: []}"))

    done = tact("policy", "apply", str(opening), "--data", str(memory))

    assert done.code == 0
    assert "closes   Bob no longer hears work-projects" in done.out


def test_status_counts_and_quotes_nothing(tact, memory: Path) -> None:
    found = json.loads(tact("status", "--json", "--data", str(memory)).out)

    assert found["counts"]["facts"] == 1
    assert found["owner"] == "Mia"
    text = tact("status", "--data", str(memory)).out
    assert "facts" in text
    assert "Borealis" not in text


def test_an_erasure_is_finished_from_outside(tact, memory: Path) -> None:
    done = tact("forget", "--finish", "--data", str(memory))

    assert (done.code, done.err) == (0, "")

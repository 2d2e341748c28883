"""`tact import irc`: a log, its roster, and rows that are odd."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

LOG = """\
=== ann [ann@host]  has joined #trips
=== bob [bob@host]  has joined #trips
[12:00] <ann> The bus to Lisbon leaves at nine on Friday.
[12:01] <bob> I will bring the maps.
[12:02] this is no row at all
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    file = tmp_path / "2016-06-08.log"
    file.write_text(LOG)
    return file


def facts(tact, folder: Path) -> int:
    return json.loads(tact("status", "--json", "--data", str(folder)).out)["counts"]["facts"]


def test_a_log_is_read_once(tact, folder: Path, log: Path) -> None:
    first = tact("import", "irc", str(log), "--data", str(folder))
    known = facts(tact, folder)
    second = tact("import", "irc", str(log), "--data", str(folder))

    assert first.code == 0, first.err
    assert "messages    2 new, 0 known before" in first.out
    assert "without --roster every message is kept for you and its sender" in first.out
    assert "malformed   1 rows" in first.out
    assert "2016-06-08.log:5:" in first.out
    assert "messages    0 new, 2 known before" in second.out
    assert facts(tact, folder) == known > 0


def test_a_draft_of_a_roster_is_written_and_then_vouched_for(
    tact, folder: Path, log: Path, tmp_path: Path
) -> None:
    roster = tmp_path / "roster.yaml"

    drafted = tact("import", "irc", str(log), "--draft-roster", str(roster), "--data", str(folder))

    assert drafted.code == 0, drafted.err
    assert stat.S_IMODE(roster.stat().st_mode) == 0o600
    assert facts(tact, folder) == 0
    assert tact("import", "irc", str(log), "--draft-roster", str(roster), "--data", str(folder)).code == 2

    roster.write_text(
        'channel: "#trips"\nday: "2016-06-08"\ntimezone: UTC\npresent:\n  - {nick: ann}\n  - {nick: cat}\n'
    )
    done = tact(
        "import", "irc", str(log), "--roster", str(roster), "--data", str(folder), "--owner-nick", "bob"
    )
    assert done.code == 0, done.err
    assert "vouched     2 of the new messages" in done.out


def test_words_of_a_log_are_in_no_report(tact, folder: Path, log: Path) -> None:
    done = tact("import", "irc", str(log), "--data", str(folder))

    assert "Lisbon" not in done.out + done.err
    assert "no row" not in done.out + done.err


def test_a_pipe_gets_no_bar(tact, folder: Path, log: Path) -> None:
    assert tact("import", "irc", str(log), "--data", str(folder)).err == ""

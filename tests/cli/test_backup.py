"""`tact backup` and `tact restore` as they are typed: what they say, and that every fault is one line."""

from __future__ import annotations

import json
import shutil
import sqlite3
import stat
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from config.keys import create_key_file


def _only_line(done) -> str:
    assert (done.code, done.err.count("\n"), done.err[:6]) == (2, 1, "tact: ")
    return done.err


def _facts(tact, folder: Path) -> int:
    return json.loads(tact("status", "--data", folder, "--json").out)["counts"]["facts"]


@pytest.fixture
def backup(tact, memory: Path, tmp_path: Path) -> Path:
    """A backup of a memory with one fact, and its key beside it."""
    file = tmp_path / "tact.backup"
    done = tact("backup", file, "--data", memory, "--key-file", tmp_path / "tact.key")
    assert (done.code, done.err) == (0, "")
    return file


def test_a_backup_says_what_it_holds_and_what_not(tact, memory: Path, tmp_path: Path) -> None:
    done = tact("backup", tmp_path / "b", "--data", memory)
    assert done.code == 0
    assert "1 facts and 3 messages" in done.out
    assert "The key is not in it" in done.out
    assert stat.S_IMODE((tmp_path / "b").stat().st_mode) == 0o600


def test_neither_key_nor_tokens_are_in_it(tact, memory: Path, tmp_path: Path) -> None:
    (memory / "telegram.token").write_text("12345:SECRET-TOKEN\n")
    (memory / "model.key").write_text("sk-secret\n")
    settings = memory / "tact.toml"
    settings.write_text(settings.read_text().replace('database_url = ""', 'database_url = "" # hunter2'))
    assert tact("backup", tmp_path / "b", "--data", memory).code == 0
    assert tact("restore", tmp_path / "b", "--data", tmp_path / "new", "--key-file", memory / "key").code == 0
    names = {path.name for path in (tmp_path / "new").iterdir()}
    assert names == {"key", "tact.db", "tact.lock", "tact.toml"}
    assert "hunter2" not in (tmp_path / "new" / "tact.toml").read_text()
    held = (tmp_path / "b").read_bytes()
    assert [n for n in (b"SECRET-TOKEN", b"sk-secret", (memory / "key").read_bytes()) if n in held] == []


def test_a_backup_is_restored_to_a_new_folder_with_its_settings(tact, backup: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    done = tact("restore", backup, "--data", new, "--key-file", tmp_path / "tact.key")
    assert (done.code, done.err) == (0, "")
    assert "No memory was here to tell what was forgotten" in done.out
    assert _facts(tact, new) == 1
    assert (new / "key").read_bytes() == (tmp_path / "tact.key").read_bytes()
    for path in new.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(new.stat().st_mode) == 0o700
    assert "Borealis" in tact("chat", "--data", new, typed="/facts Borealis\n").out


def test_what_was_forgotten_since_is_forgotten_again(tact, backup: Path, memory: Path) -> None:
    tact("chat", "--data", memory, typed="/forget last\nconfirm\n")
    assert _facts(tact, memory) == 0
    done = tact("restore", backup, "--data", memory, "--yes")
    assert (done.code, done.err) == (0, "")
    assert "Forgotten again, because it was forgotten since: 1 facts" in done.out
    assert _facts(tact, memory) == 0
    assert "Borealis" not in tact("chat", "--data", memory, typed="/facts launch\n").out


def test_a_policy_that_was_narrowed_since_stays_and_the_backups_is_shown_first(
    tact, memory: Path, tmp_path: Path
) -> None:
    tact(
        "chat", "--data", memory, typed="/meet console:bob as Bob\n/level add Bob L1-work\nconfirm earlier\n"
    )
    assert tact("backup", tmp_path / "b", "--data", memory).code == 0
    assert "Bob" in tact("policy", "show", "--data", memory).out
    tact("chat", "--data", memory, typed="/level remove Bob L1-work\n")
    narrow = tact("policy", "show", "--data", memory).out
    done = tact("restore", tmp_path / "b", "--data", memory, "--yes")
    assert "--policy backup takes the backup's" in done.out
    assert "would hear" not in done.out
    assert tact("policy", "show", "--data", memory).out == narrow
    refused = tact("restore", tmp_path / "b", "--data", memory, "--policy", "backup")
    assert "opens    Bob may hear work-projects" in refused.out
    assert "Facts that somebody would hear and would not hear now: 1\n  Bob: “The launch" in refused.out
    assert "may open what is closed now" in _only_line(refused)
    assert tact("policy", "show", "--data", memory).out == narrow
    done = tact("restore", tmp_path / "b", "--data", memory, "--policy", "backup", "--yes")
    assert done.code == 0
    assert tact("policy", "show", "--data", memory).out != narrow


def test_a_memory_that_is_there_is_not_replaced_unasked(tact, backup: Path, memory: Path) -> None:
    before = (memory / "tact.db").read_bytes()
    done = tact("restore", backup, "--data", memory)
    assert "there is a memory here, so nothing was restored - say --yes" in _only_line(done)
    assert (memory / "tact.db").read_bytes() == before
    assert [p.name for p in memory.iterdir() if p.name.startswith(".")] == []


def test_faults_are_one_line_and_leave_nothing(tact, backup: Path, memory: Path, tmp_path: Path) -> None:
    key, new = tmp_path / "tact.key", tmp_path / "new"
    (tmp_path / "cut").write_bytes(backup.read_bytes()[:5000])
    create_key_file(tmp_path / "other.key")
    (tmp_path / "open.key").write_bytes(key.read_bytes())
    (tmp_path / "open.key").chmod(0o644)
    for arguments, said in (
        ((tmp_path / "none", "--key-file", key), "there is no such file - name what tact backup wrote"),
        ((tmp_path, "--key-file", key), "this is a folder"),
        ((memory / "tact.toml", "--key-file", key), "no backup of Tact's"),
        ((tmp_path / "cut", "--key-file", key), "no backup of Tact's, or was cut off"),
        ((backup, "--key-file", tmp_path / "other.key"), "not the key that the backup was made with"),
        ((backup, "--key-file", tmp_path / "open.key"), "others can read the key file"),
        ((backup, "--key-file", tmp_path / "no.key"), "there is no such file"),
        ((backup,), "the backup's key is not here"),
        ((backup, "--key-file", key, "--policy", "both"), "--policy"),
    ):
        assert said in _only_line(tact("restore", *arguments, "--data", new))
        assert not new.exists()
    for arguments, said in (
        ((backup,), "there already"),
        ((tmp_path,), "this is a folder"),
        ((tmp_path / "no" / "b",), "no such folder"),
        ((tmp_path / "b", "--key-file", tmp_path / "other.key"), "there is a key already"),
    ):
        assert said in _only_line(tact("backup", *arguments, "--data", memory))
    assert "there is no memory here" in _only_line(tact("backup", tmp_path / "b", "--data", new))
    assert not (tmp_path / "b").exists()


def test_another_key_in_the_folder_is_never_overwritten(tact, backup: Path, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    tact("init", "--data", folder, "--yes")
    before = (folder / "key").read_bytes()
    done = tact("restore", backup, "--data", folder, "--key-file", tmp_path / "tact.key", "--yes")
    assert "there is another key here" in _only_line(done)
    (folder / "tact.db").unlink()
    assert "another key" in _only_line(
        tact("restore", backup, "--data", folder, "--key-file", tmp_path / "tact.key")
    )
    assert (folder / "key").read_bytes() == before


def test_a_backup_written_again_asks_for_force_and_keeps_the_key_file(
    tact, backup: Path, memory: Path
) -> None:
    key = backup.with_name("tact.key")
    before = key.read_bytes()
    assert tact("backup", backup, "--data", memory, "--key-file", key, "--force").code == 0
    assert key.read_bytes() == before


@pytest.mark.parametrize("name", ["key", "tact.toml", "tact.db"])
def test_no_other_file_than_a_backup_is_overwritten(tact, memory: Path, name: str) -> None:
    before = (memory / name).read_bytes()
    done = tact("backup", memory / name, "--data", memory, "--force")
    assert "this file is no backup, so it is not overwritten" in _only_line(done)
    assert (memory / name).read_bytes() == before
    assert tact("status", "--data", memory).code == 0


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_key_is_not_overwritten_by_the_backup_that_it_opens(
    tact, memory: Path, tmp_path: Path, force
) -> None:
    both = tmp_path / "both"
    done = tact("backup", both, "--data", memory, "--key-file", both, *force)
    assert str(both) in _only_line(done)
    assert both.read_bytes() == (memory / "key").read_bytes()


@pytest.mark.parametrize("kept", [0, 4, 1000])
def test_a_backup_that_was_cut_off_can_be_written_again(tact, backup: Path, memory: Path, kept: int) -> None:
    backup.write_bytes(backup.read_bytes()[:kept])
    assert tact("backup", backup, "--data", memory, "--force").code == 0
    assert zipfile.is_zipfile(backup)


def test_no_vector_of_what_a_restore_leaves_behind_stays_in_chroma(
    tact, backup: Path, memory: Path, monkeypatch
) -> None:
    """They lie unencrypted there, and Chroma keeps in its files what is taken out of it."""
    monkeypatch.setenv("TACT_VECTORS", "chroma")
    before = _fact_ids(memory)
    assert tact("chat", "--data", memory, typed="The zebra lunch is on Sunday.\n").code == 0
    (fact,) = _fact_ids(memory) - before
    assert any(fact.encode() in path.read_bytes() for path in _chroma(memory))
    assert tact("restore", backup, "--data", memory, "--yes").code == 0
    assert not any(fact.encode() in path.read_bytes() for path in _chroma(memory))
    assert "Sunday" not in tact("chat", "--data", memory, typed="When is the zebra lunch?\n").out
    assert not any(fact.encode() in path.read_bytes() for path in _chroma(memory))
    assert any(name.encode() in path.read_bytes() for path in _chroma(memory) for name in before)


def _fact_ids(memory: Path) -> set[str]:
    with closing(sqlite3.connect(memory / "tact.db")) as connection:
        return {name for (name,) in connection.execute("SELECT id FROM facts")}


def _chroma(memory: Path) -> list[Path]:
    return [path for path in (memory / "vectors").rglob("*") if path.is_file()]


def test_moved_is_for_a_new_place(tact, backup: Path, memory: Path) -> None:
    done = tact("restore", backup, "--data", memory, "--moved", "--yes")
    assert "--moved: there is a memory here" in _only_line(done)


def test_a_folder_that_tact_runs_on_is_not_restored_into(tact, backup: Path, memory: Path) -> None:
    from bot.service.lock import only_one  # noqa: PLC0415

    with only_one(memory):
        assert "is running on this folder already" in _only_line(tact("restore", backup, "--data", memory))


def test_it_speaks_chinese(tact, memory: Path, tmp_path: Path) -> None:
    settings = memory / "tact.toml"
    settings.write_text(settings.read_text().replace('language = "en"', 'language = "zh"'))
    assert "已备份到" in tact("backup", tmp_path / "b", "--data", memory).out
    done = tact("restore", tmp_path / "b", "--data", tmp_path / "new", "--key-file", memory / "key")
    assert "已恢复到" in done.out
    shutil.rmtree(tmp_path / "new")


def test_a_memory_that_cannot_be_read_is_not_passed_over(tact, backup: Path, memory: Path) -> None:
    database = memory / "tact.db"
    database.write_bytes(b"not a database at all" * 999)
    said = _only_line(tact("restore", backup, "--data", memory, "--yes"))
    assert "what it has forgotten cannot be seen - move it out of the folder" in said
    database.rename(memory / "broken")
    assert tact("restore", backup, "--data", memory).code == 0
    assert _facts(tact, memory) == 1
    database.write_bytes(b"")
    assert tact("restore", backup, "--data", memory).code == 0
    assert _facts(tact, memory) == 1


NARROWED = {
    "a label taken away": "/level remove Bob L1-work\n",
    "a person barred from a fact": "/block Bob Borealis\n",
    "a category made narrower": "/category edit work-projects L1-life\n",
    "a category that is never released": "/category edit work-projects L2-work release=never\n",
    "a person barred from everything": "/block Bob\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("since", NARROWED.values(), ids=NARROWED)
def test_whatever_was_closed_since_is_closed_after_a_restore(
    tact, memory: Path, tmp_path: Path, since: str
) -> None:
    """Before: Bob could hear it. Then the owner closes it; the restored memory tells what the closed one told."""

    def heard() -> str:
        out = tact("chat", "--data", memory, typed="/preview Bob When is the launch of Borealis?\n").out
        return out.partition("Borealis?")[2]

    tact(
        "chat", "--data", memory, typed="/meet console:bob as Bob\n/level add Bob L1-work\nconfirm earlier\n"
    )
    open_to_bob = heard()
    assert tact("backup", tmp_path / "b", "--data", memory).code == 0
    tact("chat", "--data", memory, typed=since + "confirm\n")
    closed = heard()
    assert closed != open_to_bob
    done = tact("restore", tmp_path / "b", "--data", memory, "--yes")
    assert (done.code, "would hear" in done.out) == (0, False)
    assert heard() == closed
    done = tact("restore", tmp_path / "b", "--data", memory, "--yes", "--policy", "backup")
    assert "Facts that somebody would hear and would not hear now: 1\n  Bob:" in done.out
    assert heard() == open_to_bob

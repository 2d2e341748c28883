"""`tact vectors rebuild` and `tact reindex`: there and back, with what is left unencrypted nowhere."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from config.settings import load_settings
from storage.vectors.chroma_folder import Folder

ASKED = "When is the launch of Borealis?\n/facts launch\n"


def _said(text: str) -> str:
    """What Tact said, without the numbers of lines."""
    return "\n".join(line for line in text.splitlines() if "Tact " in line or "│" in line)


def _models(memory) -> set[str]:
    with closing(sqlite3.connect(memory / "tact.db")) as connection:
        return {row[0] for row in connection.execute("SELECT vector_model FROM facts")}


def test_there_and_back(tact, memory) -> None:
    before = tact("chat", "--data", memory, typed=ASKED).out
    done = tact("vectors", "rebuild", "--to", "chroma", "--data", memory)
    assert done.code == 0
    assert f"1 vectors are in Chroma, at {memory / 'vectors'}" in done.out
    assert load_settings(memory).vectors == "chroma"

    there = tact("chat", "--data", memory, typed=ASKED)
    assert there.code == 0
    assert "Friday" in there.out
    assert _said(there.out) == _said(before)
    assert (memory / "vectors" / "current.json").exists()
    assert "1 vectors are in Chroma" in tact("vectors", "rebuild", "--data", memory).out
    assert "compared in Chroma" in tact("doctor", "--offline", "--data", memory).out

    back = tact("vectors", "rebuild", "--to", "exact", "--data", memory)
    assert back.code == 0
    assert "Chroma has none of them any more" in back.out
    assert not (memory / "vectors").exists()
    assert load_settings(memory).vectors == "exact"


def test_what_the_environment_says_is_named(tact, memory, monkeypatch) -> None:
    monkeypatch.setenv("TACT_VECTORS", "exact")
    done = tact("vectors", "rebuild", "--to", "chroma", "--data", memory)
    assert "TACT_VECTORS=exact in the environment still wins" in done.out


def test_a_folder_that_another_one_holds_is_left_alone(tact, memory) -> None:
    tact("vectors", "rebuild", "--to", "chroma", "--data", memory)
    holder = Folder(memory / "vectors")
    assert holder.hold()
    for to in ("chroma", "exact"):
        done = tact("vectors", "rebuild", "--to", to, "--data", memory)
        assert done.code == 3
        assert "another Tact holds" in done.err
        assert len(done.err.splitlines()) == 1
    assert (memory / "vectors" / "current.json").exists()
    holder.close()


def test_a_folder_with_other_things_in_it_keeps_them(tact, memory, tmp_path, monkeypatch) -> None:
    mine = tmp_path / "shelf" / "games" / "chess"
    mine.parent.mkdir(parents=True)
    mine.write_text("precious")
    monkeypatch.setenv("TACT_CHROMA_PATH", str(tmp_path / "shelf"))
    assert tact("vectors", "rebuild", "--to", "chroma", "--data", memory).code == 0
    assert "Friday" in tact("chat", "--data", memory, typed=ASKED).out
    assert tact("vectors", "rebuild", "--to", "exact", "--data", memory).code == 0
    assert [path for path in (tmp_path / "shelf").rglob("*") if path.is_file()] == [mine]


def test_a_folder_that_cannot_be_used_is_one_line(tact, memory) -> None:
    (memory / "vectors").write_text("a file in the way")
    done = tact("vectors", "rebuild", "--to", "chroma", "--data", memory)
    assert done.code == 3
    assert f"{memory / 'vectors'} cannot be used (File exists)" in done.err
    assert len(done.err.splitlines()) == 1
    assert load_settings(memory).vectors == "exact"
    assert tact("vectors", "rebuild", "--to", "exact", "--data", memory).code == 0
    assert (memory / "vectors").read_text() == "a file in the way"


def test_forgetting_reaches_the_folder_also_if_the_setting_was_changed_by_hand(tact, memory) -> None:
    tact("vectors", "rebuild", "--to", "chroma", "--data", memory)
    tact("chat", "--data", memory, typed=ASKED)
    file = memory / "tact.toml"
    file.write_text(file.read_text().replace('vectors = "chroma"', 'vectors = "exact"'))
    assert (memory / "vectors" / "current.json").exists()
    said = tact("chat", "--data", memory, typed="/forget about launch\nconfirm\n").out
    assert "Done: every copy is gone" in said
    assert not (memory / "vectors").exists()


def test_a_server_that_is_not_there_is_one_line(tact, memory, monkeypatch) -> None:
    monkeypatch.setenv("TACT_CHROMA_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("TACT_VECTORS", "chroma")
    done = tact("chat", "--data", memory, typed="/status\n")
    assert done.code == 3
    assert "http://127.0.0.1:9" in done.err
    assert len(done.err.splitlines()) == 1
    gone = tact("vectors", "rebuild", "--to", "exact", "--data", memory)
    assert gone.code == 0
    assert "could not be reached at http://127.0.0.1:9" in gone.out


def test_reindex_gives_facts_vectors_of_the_model_in_use(tact, memory) -> None:
    model = _models(memory)
    assert len(model) == 1
    with closing(sqlite3.connect(memory / "tact.db")) as connection, connection:
        connection.execute("UPDATE facts SET vector_model = 'one of before'")
    looked = tact("doctor", "--offline", "--data", memory).out
    assert "1 fact(s) have none of" in looked
    assert "tact reindex" in looked

    done = tact("reindex", "--data", memory)
    assert (done.code, done.out) == (0, f"1 facts have vectors of {next(iter(model))} now.\n")
    assert _models(memory) == model
    assert "has a vector of" in tact("reindex", "--data", memory).out


@pytest.mark.parametrize("command", [("vectors", "rebuild"), ("reindex",)])
def test_without_a_memory_there_is_nothing_to_do(tact, tmp_path, command) -> None:
    done = tact(*command, "--data", tmp_path / "nowhere")
    assert done.code == 2
    assert "tact init" in done.err

"""The impostor matrix once more on a database: not a byte of it changes beyond the record of what was said."""

from __future__ import annotations

import shutil
import sqlite3

import pytest

from bot.owner.commands.all import registry
from engine.items import Origin
from storage import SqlStore, Vault
from tests.stage import KEY, open_stage

LASTING = (
    "meta",
    "names",
    "policy_versions",
    "facts",
    "fact_sources",
    "list_entries",
    "edges",
    "links",
    "cards",
)
LASTING = (*LASTING, "outbox", "outbox_facts", "tombstones")
IMPOSTORS = (("bob", None), ("bob", "hall"), ("zed", None), ("zed", "street"), ("bob", "fog"))


def dump(path):
    """The ciphertext of every lasting row, rowids included: a row written again would look different."""
    with sqlite3.connect(path) as db:
        rows = {table: db.execute(f"select rowid, * from {table}").fetchall() for table in LASTING}  # noqa: S608
    db.close()
    return rows


@pytest.fixture
async def sql(tmp_path, empty_memory):
    shutil.copy(empty_memory, tmp_path / "tact.db")
    store = await SqlStore.open(tmp_path / "tact.db", Vault(KEY))
    yield await open_stage(store, tmp_path), tmp_path / "tact.db"
    await store.close()


async def test_nothing_changes_and_one_constant_line_is_sent(sql):
    stage, path = sql
    await stage.tells("The moonstone is under the birch.")
    await stage.owner("/level add Bob L1-work")
    before = dump(path)
    assert before["facts"]
    assert before["cards"]
    for command in registry():
        for text in (
            command.examples("en")[-1],
            command.examples("zh")[-1],
            f"/{command.name}",
            f"/{command.name} \x00",
        ):
            for who, room in IMPOSTORS:
                heard = await stage.says(who, text, room, display_name="Alex")
                assert [h.kind for h in heard] == ["line"]
                assert "Alex" in heard[0].text
                assert "birch" not in heard[0].text
            await stage.says("owner", text, origin=Origin.FORWARD)
    assert dump(path) == before


async def test_what_the_owner_mistypes_changes_nothing(sql):
    stage, path = sql
    await stage.tells("The moonstone is under the birch.")
    before = {table: rows for table, rows in dump(path).items() if table != "outbox"}  # answers go out
    for command in registry():
        for args in ("\x00", "no such thing at all", "with ,", "as"):
            assert await stage.owner(f"/{command.name} {args}")
    assert {table: rows for table, rows in dump(path).items() if table != "outbox"} == before

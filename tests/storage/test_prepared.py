"""Prepared reads: the same rows as the usual way, however many ids, in whichever thread."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import column, insert, select, table
from sqlalchemy.ext.asyncio import create_async_engine

from engine.errors import StoreFault
from storage import prepared_reads, sqlite
from storage.prepared_reads import IDS, Prepared
from storage.tables import metadata, policy_versions, tombstones

AT = datetime(2026, 5, 1, tzinfo=UTC)
GONE = Prepared(select(tombstones.c.id, tombstones.c.at).where(tombstones.c.id.in_(IDS)))
COUNT = 1203


@pytest.fixture
async def connection(tmp_path):
    engine = create_async_engine(sqlite.url_of(tmp_path / "x.db"))
    sqlite.prepare(engine)
    async with engine.connect() as opened:
        await opened.run_sync(metadata.create_all)
        rows = [{"kind": "fact", "id": f"f{n}", "at": AT} for n in range(COUNT)]
        await opened.execute(insert(tombstones), rows)
        await opened.commit()
        yield opened
    await engine.dispose()


@pytest.mark.parametrize("count", [0, 1, 2, 12, 13, 64, 65, 500, 501, COUNT])
async def test_every_id_gives_its_row_once(connection, count):
    ids = [f"f{n}" for n in range(count)]
    found = await GONE.read(connection, [*ids, *ids[:3], "unknown"])
    assert sorted(row.id for row in found) == sorted(ids)
    assert {row.at for row in found} <= {AT}  # as the column's type reads it


async def test_it_makes_no_difference_in_which_thread(connection, monkeypatch):
    ids = [f"f{n}" for n in range(40)]
    here = await GONE.read(connection, ids)
    monkeypatch.setattr(prepared_reads, "_SHARED", False)
    assert await GONE.read(connection, ids) == here


async def test_a_read_begins_the_transaction_that_it_belongs_to(connection):
    """Else the write lock would be taken after it, and what it read could change in between."""
    assert not connection.in_transaction()
    assert await Prepared(select(policy_versions.c.version)).read_all(connection) == []
    assert connection.in_transaction()


async def test_what_was_just_written_is_read(connection):
    await connection.execute(insert(tombstones).values(kind="fact", id="new", at=AT))
    assert [row.id for row in await GONE.read(connection, ["new"])] == ["new"]
    await connection.rollback()
    assert await GONE.read(connection, ["new"]) == []


@pytest.mark.parametrize("count", [1, 200])
async def test_the_drivers_errors_come_as_a_fault(connection, count):
    nowhere = table("nowhere", column("id"))
    with pytest.raises(StoreFault, match="no such table"):
        await Prepared(select(nowhere.c.id).where(nowhere.c.id.in_(IDS))).read(
            connection, [f"f{n}" for n in range(count)]
        )

"""What was forgotten is in no byte of PostgreSQL's table files once `compact` was run; nor ever in its statistics."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import asyncpg
import pytest

from engine.ids import FactId
from storage import SqlStore, Vault, compaction, postgres

KEY = bytes(range(32))
SEALED = "SELECT text FROM facts UNION ALL SELECT details FROM facts UNION ALL SELECT text FROM messages"


def nothing(_done: int, _all: int) -> None:
    """No progress bar."""


@pytest.fixture
def url(postgres_new) -> str:
    return postgres_new()


@pytest.fixture
async def admin(url) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(url)
    yield connection
    await connection.close()


@pytest.fixture
async def store(url) -> AsyncIterator[SqlStore]:
    opened = await SqlStore.open(url, Vault(KEY))
    yield opened
    await opened.close()


async def folder_of(admin: asyncpg.Connection) -> Path:
    """The database's files on this machine, or the test is skipped."""
    place = await admin.fetchval("SELECT current_setting('data_directory')")
    number = await admin.fetchval("SELECT oid FROM pg_database WHERE datname = current_database()")
    folder = Path(place) / "base" / str(number)
    try:
        if not any(folder.iterdir()):
            pytest.skip("PostgreSQL's files are elsewhere")
    except OSError:
        pytest.skip("PostgreSQL's files cannot be read here")
    return folder


def holding(folder: Path, sealed: list[bytes]) -> set[str]:
    """Files that hold one of these."""
    files = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    return {path.name for path, data in files.items() if any(piece in data for piece in sealed)}


def pieces(values: list[bytes]) -> list[bytes]:
    """What to look for: no value is stored in one piece once it is long, but this much of it is."""
    return [
        value[at : at + 24]
        for value in values
        for at in (0, max(0, len(value) // 2), max(0, len(value) - 24))
    ]


async def tell(store: SqlStore, make, words: str) -> None:
    """Have a message and the fact of it remembered."""
    async with store.transaction() as tx:
        await tx.record(make.message("m_a", words), event="e1")
        await tx.put_facts(make.session, [make.new(make.fact("a", words))], [], [])


@pytest.mark.parametrize("size", [1, 2000], ids=["a short text", "one that is stored out of line"])
async def test_forgotten_words_leave_the_tables_files(store, admin, size, make):
    folder = await folder_of(admin)
    await tell(store, make, "The Quetzalcoatlus prototype failed its drop test. " * size)
    sealed = pieces([row["text"] for row in await admin.fetch(SEALED)])
    await admin.execute("CHECKPOINT")
    assert holding(folder, sealed), "the words were never there, so that their absence proves nothing"
    async with store.transaction() as tx:
        await tx.forget(facts=[FactId("a")], at=make.start)
    assert not await store.finish_forgetting()
    await admin.execute("CHECKPOINT")
    assert await admin.fetch(SEALED) == []
    assert holding(folder, sealed), "PostgreSQL overwrites what is erased by itself: nothing is to be done"
    steps: list[tuple[int, int]] = []
    assert await store.compact(lambda done, every: steps.append((done, every))) == "done"
    assert holding(folder, sealed) == set()
    assert steps[0][0] == 1
    assert steps[-1][0] < steps[-1][1]


async def test_it_says_so_while_somebody_can_still_see_the_words(store, url, make, monkeypatch):
    await tell(store, make, "words")
    reader = await asyncpg.connect(url)
    async with reader.transaction(isolation="repeatable_read"):
        await reader.fetchval("SELECT 1")  # from now on it sees what is there now
        async with store.transaction() as tx:
            await tx.forget(facts=[FactId("a")], at=make.start)
        with monkeypatch.context() as patch:
            patch.setattr(compaction, "PATIENCE_S", 0.1)
            assert await store.compact(nothing) == "held"
    await reader.close()
    assert await store.compact(nothing) == "done"


async def test_a_table_that_somebody_uses_is_told_like_a_reader(url, admin, make, monkeypatch):
    monkeypatch.setattr(postgres, "LOCK_WAIT_S", 0.1)
    store = await SqlStore.open(url, Vault(KEY))
    async with admin.transaction():
        await admin.fetch("SELECT 1 FROM facts")
        assert await store.compact(nothing) == "held"
    assert await store.compact(nothing) == "done"
    await store.close()


async def test_a_user_without_the_right_to_a_checkpoint_is_told_so(admin, url):
    name = "tact_test_owner_" + url.rpartition("_")[2]
    await admin.execute(f"CREATE ROLE {name} LOGIN")
    try:
        tables = await admin.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        for row in tables:
            await admin.execute(f'ALTER TABLE "{row["tablename"]}" OWNER TO {name}')
        store = await SqlStore.open(url.replace("postgres@", f"{name}@"), Vault(KEY))
        assert await store.compact(nothing) == "no checkpoint"
        await store.close()
    finally:
        await admin.execute(
            f"REASSIGN OWNED BY {name} TO CURRENT_USER; DROP OWNED BY {name}; DROP ROLE {name}"
        )


async def test_the_planners_statistics_hold_no_words(store, admin, make):
    async with store.transaction() as tx:
        for number in range(50):
            await tx.record(make.message(f"m{number}", f"words {number}"), event=f"e{number}")
            await tx.call(make.person(f"p{number}"), f"Name {number}")
    await admin.execute("ANALYZE")
    looked_at = await admin.fetch(
        """SELECT tablename, attname FROM pg_stats JOIN information_schema.columns
        ON tablename = table_name AND attname = column_name
        WHERE schemaname = 'public' AND data_type = 'bytea'"""
    )
    assert looked_at == []
    assert (
        await admin.fetchval("SELECT count(*) FROM pg_stats WHERE tablename = 'messages' AND attname = 'id'")
        == 1
    )

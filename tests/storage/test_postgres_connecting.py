"""PostgreSQL: what a URL asks for and cannot have, ids that it cannot keep, other ends that are gone, another past."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import asyncpg
import pytest
from sqlalchemy import text

from engine.audience import OWNER_ONLY
from engine.errors import BadInput
from engine.ids import FactId, PersonId
from engine.policy import Policy
from engine.store import Scope
from storage import SqlStore, Vault, postgres
from storage.postgres import address_of
from storage.postgres_faults import Unreachable, no_connection

VAULT = Vault(bytes(range(32)))
NOW = datetime(2026, 5, 4, tzinfo=UTC)


@pytest.fixture
async def store(postgres_memory) -> AsyncIterator[SqlStore]:
    opened = await SqlStore.open(postgres_memory, VAULT)
    yield opened
    await opened.close()


async def names(store: SqlStore) -> set[str]:
    async with store.transaction() as tx:
        return {name for each in (await tx.people()).names.values() for name in each}


async def meet(store: SqlStore, name: str) -> None:
    async with store.transaction() as tx:
        await tx.call(PersonId(f"console:{name}"), name)


# what the URL asks for


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ("no_such_option=1", "no_such_option in the URL: PostgreSQL knows no such setting"),
        ("statement_timeout=soon", "statement_timeout in the URL: .* has a value that it cannot have"),
        ("shared_buffers=1", "cannot be changed for one connection"),
        ("sslmode=sometimes", "the options in the URL cannot be used"),
        ("sslmode=verify-full", "add sslrootcert=FILE"),
    ],
)
async def test_an_option_that_cannot_be_is_the_users_to_mend(
    postgres_memory, options, fault, monkeypatch, tmp_path
):
    monkeypatch.setenv("HOME", str(tmp_path))
    url = f"{postgres_memory}?password=hunter2&{options}"
    with pytest.raises(BadInput, match=fault) as caught:
        await SqlStore.open(url, VAULT)
    assert caught.value.where == address_of(url).where
    assert "hunter2" not in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_no_port_has_such_a_number():
    with pytest.raises(BadInput, match="cannot be read"):
        address_of("postgresql://u@h:65536/d")
    with pytest.raises(BadInput, match="cannot be used"):
        await SqlStore.open("postgresql://u:hunter2@/d?host=127.0.0.1&port=65536", VAULT)


async def test_ids_of_every_script_need_a_database_for_them(postgres_server):
    url = await asyncio.to_thread(postgres_server.make)
    name = url.rpartition("/")[2]
    make = f"CREATE DATABASE {name} ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
    await asyncio.to_thread(postgres_server.run, f"DROP DATABASE {name}", make, "SELECT 1")
    try:
        with pytest.raises(BadInput, match=r"encoding is LATIN1, .* createdb --encoding UTF8"):
            await SqlStore.open(url, VAULT)
        tables = "SELECT count(*) AS n FROM pg_tables WHERE schemaname = 'public'"
        assert (await asyncio.to_thread(postgres_server.run, tables, url=url))[0]["n"] == 0
    finally:
        await asyncio.to_thread(postgres_server.drop, url)


@pytest.mark.parametrize("name", ["a\0b", "x" * 300])
async def test_an_id_that_cannot_be_kept_is_the_users_to_mend(store, name):
    with pytest.raises(BadInput, match=r"an id (holds a sign|is longer)") as caught:
        await meet(store, name)
    assert name not in str(caught.value)
    await meet(store, "Ana")
    assert await names(store) == {"Ana"}


async def test_a_question_for_an_id_that_cannot_be_is_no_fault_of_the_memory(store):
    with pytest.raises(BadInput, match="an id holds a sign"):
        async with store.transaction() as tx:
            await tx.facts([FactId("f_\0")], Scope(OWNER_ONLY))
    assert await names(store) == set()


# other ends that are gone


async def test_a_server_that_hangs_up_in_the_greeting_may_come_back():
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(Unreachable):
            await SqlStore.open(f"postgresql://u@127.0.0.1:{port}/d?sslmode=disable", VAULT)


def test_what_a_pooler_refuses_will_not_come_back():
    assert not isinstance(no_connection("08P01", "there"), Unreachable)


async def test_neither_end_waits_for_ever(store):
    async with store.transaction() as tx:
        shown = [
            (await tx._run(text(f"SHOW {name}"))).scalar()
            for name in ("lock_timeout", "tcp_keepalives_count")
        ]
        driver: Any = (await tx._connection.get_raw_connection()).driver_connection
    assert shown[0] == f"{postgres.LOCK_WAIT_S}s"
    wire = driver._transport.get_extra_info("socket")
    if wire.family != socket.AF_UNIX:
        assert shown[1] == str(postgres._PROBES)
        assert wire.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) != 0


# another past


async def test_numbers_that_went_back_are_another_past(store, postgres_memory):
    """As after a dump was loaded into the emptied tables of a Tact that is connected."""
    admin = await asyncpg.connect(postgres_memory)
    await meet(store, "Ana")
    for owner in ("Mia", "Zoe"):
        async with store.transaction() as tx:
            await tx.save_policy(Policy(owner_name=owner), NOW)
    await admin.execute("DELETE FROM policy_versions WHERE version = 2")
    async with store.transaction() as tx:
        assert (await tx.policy()).owner_name == "Mia"
    await save_elsewhere(postgres_memory, "Noa")
    async with store.transaction() as tx:
        assert (await tx.policy()).owner_name == "Noa"
    await admin.execute("DELETE FROM names; DELETE FROM changes")
    assert await names(store) == set()
    await admin.close()


async def save_elsewhere(url: str, owner: str) -> None:
    other = await SqlStore.open(url, VAULT)
    async with other.transaction() as tx:
        await tx.save_policy(Policy(owner_name=owner), NOW)
    await other.close()


_RESTORED = """
    CREATE TABLE fresh (LIKE changes INCLUDING ALL); INSERT INTO fresh SELECT * FROM changes;
    ALTER SEQUENCE changes_seq_seq OWNED BY fresh.seq; DROP TABLE changes; ALTER TABLE fresh RENAME TO changes;
    DELETE FROM policy_versions WHERE version = 2"""


async def test_tables_that_are_others_are_another_past_even_when_the_numbers_are_the_same(postgres_new):
    """As after `pg_restore --clean`, and somebody else's decision since."""
    url = await asyncio.to_thread(postgres_new)
    store = await SqlStore.open(url, VAULT)
    for owner in ("Mia", "Zoe"):
        async with store.transaction() as tx:
            await tx.save_policy(Policy(owner_name=owner), NOW)
    admin = await asyncpg.connect(url)
    await admin.execute(_RESTORED)
    await admin.close()
    await save_elsewhere(url, "Noa")
    async with store.transaction() as tx:
        assert (await tx.policy()).owner_name == "Noa"
    await store.close()

"""PostgreSQL: addresses, whose turn it is, connections that break, and faults in one line."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise

import asyncpg
import pytest
from sqlalchemy import text

from engine.errors import BadInput, StoreFault
from engine.ids import ContainerId, PersonId
from engine.policy import Policy
from engine.records import Chat
from storage import SqlStore, Vault, postgres
from storage.postgres import address_of

VAULT = Vault(bytes(range(32)))
NOW = datetime(2026, 5, 4, tzinfo=UTC)


@pytest.fixture
async def store(postgres_memory) -> AsyncIterator[SqlStore]:
    opened = await SqlStore.open(postgres_memory, VAULT)
    yield opened
    await opened.close()


@pytest.fixture
async def admin(postgres_memory) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(postgres_memory)
    yield connection
    await connection.close()


async def others(admin: asyncpg.Connection) -> list[int]:
    """The server's processes for everybody else on this database."""
    found = await admin.fetch(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    return [row["pid"] for row in found]


async def cut_off(admin: asyncpg.Connection) -> None:
    """End everybody else's connection, as a restart does."""
    for pid in await others(admin):
        await admin.execute("SELECT pg_terminate_backend($1, 5000)", pid)


async def meet(store: SqlStore, name: str) -> None:
    async with store.transaction() as tx:
        await tx.call(PersonId(f"console:{name}"), name)


async def names(store: SqlStore) -> set[str]:
    async with store.transaction() as tx:
        return {name for each in (await tx.people()).names.values() for name in each}


# addresses


@pytest.mark.parametrize(
    ("url", "where"),
    [
        ("postgresql://u:secret@db.example:5433/tact", "postgresql://db.example:5433/tact"),
        ("postgres://u@[::1]:5432/tact", "postgresql://[::1]:5432/tact"),
        ("postgresql+asyncpg://u:se%40cret@h/d?sslmode=require&password=secret", "postgresql://h/d"),
        ("POSTGRESQL://a.example:1,b.example:2/d", "postgresql://a.example:1,b.example:2/d"),
        ("postgresql:///tact?host=/run/postgresql", "postgresql:///tact"),
    ],
)
def test_an_address_is_shown_without_user_and_password(url, where):
    assert address_of(url).where == where
    assert "secret" not in repr(address_of(url))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u:se/cret@h/d", "postgresql://u:sec@ret@h/d", "postgresql://u:12?secret@h/d",
        "postgresql://u:secret#1@h/d", "postgresql://tact:secret", "postgresql://[secret/d",
    ],
)  # fmt: skip
def test_a_password_that_is_not_escaped_is_not_quoted(url):
    with pytest.raises(BadInput) as caught:
        address_of(url)
    assert not {"secret", "cret", "sec", "ret@"} & set(str(caught.value).replace("@", " ").split())
    assert "secret" not in str(caught.value)
    assert "%40" in str(caught.value)


@pytest.mark.parametrize("url", ["mysql://root:secret@h/d", "sqlite://", "sqlite+aiosqlite:///:memory:"])
async def test_another_kind_of_database_is_refused(url):
    with pytest.raises(BadInput, match=r"Tact keeps no memory in|has to last") as caught:
        await SqlStore.open(url, VAULT)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("kind", ["sqlite", "sqlite+aiosqlite"])
async def test_a_file_by_its_url(kind, tmp_path):
    file = tmp_path / "a file"
    await (await SqlStore.open(f"{kind}:///{file}", VAULT)).close()
    assert file.stat().st_mode & 0o777 == 0o600


# whose turn it is


async def test_a_transaction_waits_before_it_draws_a_number_and_then_sees_what_the_other_wrote(
    store, postgres_memory, admin
):
    drawn = "SELECT last_value, is_called FROM changes_seq_seq"
    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    other = await SqlStore.open(postgres_memory, VAULT)
    await names(other)  # warm
    try:
        async with store.transaction() as tx:
            await tx.call(PersonId("console:ana"), "Ana")
            before = tuple(await admin.fetchrow(drawn))
            late = asyncio.create_task(meet(other, "Bob"))
            while not await admin.fetchval(waiting):  # noqa: ASYNC110 - the event is in the server
                await asyncio.sleep(0.01)
            assert tuple(await admin.fetchrow(drawn)) == before
        await late
        rows = await admin.fetch("SELECT id FROM changes ORDER BY seq DESC LIMIT 2")
        assert [row["id"] for row in rows] == ["console:Bob", "console:ana"]
        assert await names(other) == await names(store) == {"Ana", "Bob"}
    finally:
        await other.close()


async def test_no_change_is_missed_however_transactions_meet(store, postgres_memory):
    stores = [await SqlStore.open(postgres_memory, VAULT) for _ in range(2)]
    seen: list[set[str]] = []

    async def write(which: SqlStore, mark: str) -> None:
        for number in range(15):
            await meet(which, f"{mark}{number}")

    async def read() -> None:
        while len(seen) < 2 or seen[-1] != seen[-2] or len(seen[-1]) < 30:
            seen.append(await names(store))

    try:
        await asyncio.gather(write(stores[0], "a"), write(stores[1], "b"), read())
    finally:
        for each in stores:
            await each.close()
    assert seen[-1] == {f"{mark}{number}" for mark in "ab" for number in range(15)}
    assert all(before <= after for before, after in pairwise(seen))


async def test_it_waits_no_longer_than_the_limit(postgres_memory, admin, monkeypatch):
    monkeypatch.setattr(postgres, "LOCK_WAIT_S", 0.1)
    store = await SqlStore.open(postgres_memory, VAULT)
    await admin.execute("BEGIN")
    await admin.execute(str(postgres._TAKE_TURN))
    with pytest.raises(StoreFault, match="another Tact has been busy"):
        await meet(store, "Bob")
    await admin.execute("ROLLBACK")
    await meet(store, "Bob")
    await store.close()


# one running Tact


async def test_a_memory_is_claimed_by_one_and_open_to_others(postgres_memory, admin):
    one = await SqlStore.open(postgres_memory, VAULT, alone=True)
    beside = await SqlStore.open(postgres_memory, VAULT)
    with pytest.raises(
        BadInput, match=r"running on this memory already \(process \d+ on .*, since 20"
    ) as caught:
        await SqlStore.open(postgres_memory, VAULT, alone=True)
    assert caught.value.where == address_of(postgres_memory).where
    await cut_off(admin)
    await meet(one, "Ana")  # claims it again
    with pytest.raises(BadInput, match="running on this memory"):
        await SqlStore.open(postgres_memory, VAULT, alone=True)
    assert await names(beside) == {"Ana"}
    await cut_off(admin)
    next_one = await SqlStore.open(postgres_memory, VAULT, alone=True)
    with pytest.raises(StoreFault, match="running on this memory"):
        await meet(one, "Bob")
    for store in (one, beside, next_one):
        await store.close()


# connections that break


@dataclass
class Wire:
    """The way to the server, which can be cut: what goes in is forwarded, until it is not."""

    url: str
    target: tuple[str, int]
    port: int = 0
    passes_on_the_end: bool = True
    server: asyncio.Server | None = None
    inner: list[asyncio.StreamWriter] = field(default_factory=list)
    outer: list[asyncio.StreamWriter] = field(default_factory=list)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def mend(self) -> None:
        self.server = await asyncio.start_server(self._arrived, "127.0.0.1", self.port)
        self.port = self.server.sockets[0].getsockname()[1]
        self.passes_on_the_end = True

    async def _arrived(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(*self.target)
        self.outer.append(writer)
        self.inner.append(back)
        self.tasks += [
            asyncio.create_task(self._pump(reader, back)),
            asyncio.create_task(self._pump(there, writer)),
        ]

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        if self.passes_on_the_end:
            writer.close()

    async def cut(self, *, server_notices: bool = True) -> None:
        """Break everything that is connected, and refuse what comes."""
        assert self.server is not None
        self.server.close()
        self.passes_on_the_end = server_notices
        for writer in [*self.outer, *(self.inner if server_notices else [])]:
            writer.transport.abort()
        self.outer.clear()

    async def end(self) -> None:
        await self.cut()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


@pytest.fixture
async def wire(postgres_memory) -> AsyncIterator[Wire]:
    hosts = postgres_memory.rpartition("@")[2].partition("/")
    host, _, port = hosts[0].partition(":")
    wire = Wire("", (host, int(port or 5432)))
    await wire.mend()
    wire.url = postgres_memory.replace(hosts[0], f"127.0.0.1:{wire.port}").replace("@", ":hunter2@", 1)
    yield wire
    await wire.end()


async def test_a_connection_that_broke_in_between_is_made_anew(store, admin):
    await meet(store, "Ana")
    await cut_off(admin)
    await meet(store, "Bob")
    assert await names(store) == {"Ana", "Bob"}


async def test_behind_a_new_connection_nothing_is_taken_for_granted(store, admin):
    """As after a failover to a replica that had not heard of the last transactions."""
    async with store.transaction() as tx:
        await tx.call(PersonId("console:ana"), "Ana")
        await tx.chat(Chat(ContainerId("console:room"), "group"))
        assert (await tx.save_policy(Policy(owner_name="Mia"), NOW)).version == 1
    await admin.execute(
        "DELETE FROM names; DELETE FROM containers; DELETE FROM policy_versions; DELETE FROM changes"
    )
    await cut_off(admin)
    async with store.transaction() as tx:
        assert (await tx.people()).names == {}
        assert await tx.chats() == []
        assert (await tx.policy()).version == 0
        await tx.save_policy(Policy(owner_name="Zoe"), NOW)
    async with store.transaction() as tx:
        assert (await tx.policy()).owner_name == "Zoe"


async def test_one_that_breaks_inside_a_transaction_undoes_it(store, admin):
    await meet(store, "Ana")
    with pytest.raises(StoreFault, match=r"^the connection to postgresql://\S+ was lost - see that"):  # noqa: PT012 - it has to break inside
        async with store.transaction() as tx:
            await tx.call(PersonId("console:bob"), "Bob")
            await cut_off(admin)
            await tx.chat(Chat(ContainerId("console:room"), "group"))
    assert await names(store) == {"Ana"}
    async with store.transaction() as tx:
        assert await tx.chats() == []


async def test_a_server_that_comes_back_in_time_is_waited_for(wire):
    store = await SqlStore.open(wire.url, VAULT)
    await meet(store, "Ana")
    await wire.cut()
    late = asyncio.create_task(meet(store, "Bob"))
    await asyncio.sleep(0.05)
    assert not late.done()
    await wire.mend()
    await late
    assert await names(store) == {"Ana", "Bob"}
    await store.close()


async def test_one_that_breaks_late_while_it_waits_for_its_turn_is_made_anew(
    store, postgres_memory, admin, monkeypatch
):
    monkeypatch.setattr(postgres, "PATIENCE_S", 0.1)
    await meet(store, "Ana")
    holder = await asyncpg.connect(postgres_memory)
    await holder.execute("BEGIN")
    await holder.execute(str(postgres._TAKE_TURN))
    late = asyncio.create_task(meet(store, "Bob"))
    await asyncio.sleep(0.5)  # longer than its patience
    await cut_off(admin)
    await late
    assert await names(store) == {"Ana", "Bob"}


async def test_one_that_does_not_is_a_fault_in_one_line(wire, monkeypatch):
    monkeypatch.setattr(postgres, "PATIENCE_S", 0.3)
    store = await SqlStore.open(wire.url, VAULT)
    await wire.cut()
    with pytest.raises(StoreFault) as caught:
        await meet(store, "Bob")
    assert str(caught.value).startswith(
        f"PostgreSQL does not answer at postgresql://127.0.0.1:{wire.port}/tact_test_"
    )
    assert "hunter2" not in str(caught.value)
    assert str(caught.value).endswith("(Connection refused) - start it, or mend database_url")
    with pytest.raises(StoreFault, match="does not answer"):
        await SqlStore.open(wire.url, VAULT)
    await wire.mend()
    assert await names(store) == set()
    await store.close()


async def test_a_claim_whose_end_the_server_has_not_noticed_is_taken_over(wire):
    store = await SqlStore.open(wire.url, VAULT, alone=True)
    await wire.cut(server_notices=False)
    await wire.mend()
    await meet(store, "Ana")
    await store.close()


# rights and limits


@pytest.fixture
async def guest(admin, postgres_memory) -> AsyncIterator[str]:
    """A user who may read everything and write nothing."""
    name = "tact_test_guest_" + postgres_memory.rpartition("_")[2]
    await admin.execute(f"CREATE ROLE {name} LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO {name}")
    yield "postgresql://" + name + "@" + postgres_memory.rpartition("@")[2]
    await admin.execute(f"DROP OWNED BY {name}; DROP ROLE {name}")


async def test_who_may_only_read_can_look_and_is_told_what_is_missing(guest, store):
    await meet(store, "Ana")
    reader = await SqlStore.open(guest, VAULT)
    assert await names(reader) == {"Ana"}
    with pytest.raises(StoreFault, match=r"this user lacks a right - Tact's user has to own its tables"):
        await meet(reader, "Bob")
    with pytest.raises(StoreFault, match="may not compact"):
        await reader.compact(lambda _done, _all: None)
    assert await names(reader) == {"Ana"}
    await reader.close()


async def test_a_statement_that_takes_too_long_is_told_by_its_name(postgres_memory):
    store = await SqlStore.open(postgres_memory + "?statement_timeout=200", VAULT)
    with pytest.raises(StoreFault, match="ran into statement_timeout - raise it"):
        async with store.transaction() as tx:
            await tx._run(text("SELECT pg_sleep(5)"))
    assert await names(store) == set()
    await store.close()


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("/tact_test_", "/tact_test_none_"), "there is no such database - create it first"),
        (("postgres@", "tact_test_nobody:hunter2@"), "this user may not connect|wrong user or password"),
        (
            ("?", "?sslmode=require&sslrootcert=/no/such&"),
            "No such file or directory: its socket, or a file that",
        ),
        (("?", "?target_session_attrs=standby&"), "no server there is what target_session_attrs asks for"),
        (("?", "?search_path=no_such&"), "search_path names no schema"),
    ],
)
async def test_who_is_refused_is_told_why(postgres_memory, change, fault):
    url = (postgres_memory + "?application_name=x").replace(*change)
    with pytest.raises(StoreFault, match=fault) as caught:
        await SqlStore.open(url, VAULT)
    assert "hunter2" not in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_a_statements_error_quotes_no_value(store):
    with pytest.raises(StoreFault) as caught:
        async with store.transaction() as tx:
            await tx._connection.exec_driver_sql(
                "INSERT INTO accounts (id, owner) VALUES ('zoe', true), ('zoe', true)"
            )
    assert "UniqueViolation" in str(caught.value)
    assert "zoe" not in str(caught.value)

"""Hypothesis profiles, and a PostgreSQL server for the tests that need one.

`HYPOTHESIS_PROFILE=ci` looks longer. No deadline: a slow machine is no failure.

`TACT_TEST_POSTGRES` is the URL of a server where databases can be made; they are called `tact_test_…` and dropped at the
end. Named there, the server has to answer; else it is looked for on this machine, and without one the tests that need it
are skipped.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import httpx
import pytest
from hypothesis import HealthCheck, settings

COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.filter_too_much]}
settings.register_profile("default", max_examples=50, **COMMON)
settings.register_profile("ci", max_examples=200, **COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

SERVER = "TACT_TEST_POSTGRES"
USUAL = "postgresql://postgres@127.0.0.1:5432/postgres"
KEY = bytes(range(32))
MISSING = f"no PostgreSQL on this machine ({SERVER} names one elsewhere)"


@dataclass
class Postgres:
    """A server, and the databases that a test run made there."""

    admin: str
    made: list[str] = field(default_factory=list)

    def url(self, name: str) -> str:
        """The URL of a database on this server."""
        return self.admin.rpartition("/")[0] + f"/{name}"

    def run(self, *statements: str, url: str = "") -> list[Any]:
        """Run statements one by one, each in a transaction of its own; returns the last one's rows."""

        async def work() -> list[Any]:
            connection = await asyncpg.connect(url or self.admin, timeout=10)
            try:
                for statement in statements[:-1]:
                    await connection.execute(statement)
                return await connection.fetch(statements[-1])
            finally:
                await connection.close()

        return asyncio.run(work())

    def make(self, like: str = "") -> str:
        """A new database, empty or a copy; returns its URL."""
        name = f"tact_test_{secrets.token_hex(6)}"
        self.run(f"CREATE DATABASE {name}" + (f" TEMPLATE {like.rpartition('/')[2]}" if like else ""))
        self.made.append(self.url(name))
        return self.made[-1]

    def empty(self, url: str) -> None:
        """Take everything out of a memory but its tables and its key."""
        self.run(_EMPTIED, "SELECT 1", url=url)

    def drop(self, url: str) -> None:
        """Drop a database of ours, whoever is connected."""
        self.made.remove(url)
        self.run(f"DROP DATABASE IF EXISTS {url.rpartition('/')[2]} WITH (FORCE)")


@pytest.fixture(scope="session", autouse=True)
def _certificates_once() -> Iterator[None]:
    """Reading the machine's certificates takes longer than most tests, and no test speaks to anybody who has one."""
    made = httpx.create_ssl_context()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("httpx._transports.default.create_ssl_context", lambda *_, **__: made)
        yield


@pytest.fixture(scope="session")
def empty_memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database file with tables and nothing in it, to copy: making the tables takes a while."""
    from storage import SqlStore, Vault  # noqa: PLC0415 - only where a memory is

    path = tmp_path_factory.mktemp("empty") / "tact.db"

    async def make() -> None:
        store = await SqlStore.open(path, Vault(KEY))
        await store.finish_forgetting()
        await store.close()

    asyncio.run(make())
    return path


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """All tests that are skipped for want of the server are one line of the summary."""
    report = yield
    if report.skipped and isinstance(report.longrepr, tuple) and report.longrepr[2].endswith(MISSING):
        report.longrepr = (__file__, 1, report.longrepr[2])
    return report


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """The server; what was made there is dropped at the end."""
    server = Postgres(os.environ.get(SERVER) or USUAL)
    try:
        server.run("SELECT 1")
    except (OSError, asyncpg.PostgresError) as error:
        if os.environ.get(SERVER):
            pytest.fail(f"{SERVER}: no PostgreSQL ({type(error).__name__})")
        pytest.skip(MISSING)
    yield server
    for url in list(server.made):
        server.drop(url)


@pytest.fixture(scope="session")
def postgres_template(postgres_server: Postgres) -> str:
    """A database with tables and nothing in it, to copy: making the tables takes a while."""
    from storage import SqlStore, Vault  # noqa: PLC0415 - only where the server is

    url = postgres_server.make()

    async def tables() -> None:
        await (await SqlStore.open(url, Vault(KEY))).close()

    asyncio.run(tables())
    return url


@pytest.fixture
def postgres_new(postgres_server: Postgres, postgres_template: str) -> Iterator[Callable[[], str]]:
    """Makes a new memory, with tables and nothing in it, for this test alone; returns its URL."""
    before = set(postgres_server.made)
    yield lambda: postgres_server.make(postgres_template)
    for url in set(postgres_server.made) - before:
        postgres_server.drop(url)


@pytest.fixture(scope="session")
def _postgres_shared(postgres_server: Postgres, postgres_template: str) -> str:
    return postgres_server.make(postgres_template)


@pytest.fixture
def postgres_memory(postgres_server: Postgres, _postgres_shared: str) -> str:
    """An empty memory that was other tests' before: emptying it is quicker than making a new one."""
    postgres_server.empty(_postgres_shared)
    return _postgres_shared


_EMPTIED = """DO $$ DECLARE name text; BEGIN
    SET LOCAL session_replication_role = replica;  -- without cascades: everything goes
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('meta', 'alembic_version')
    LOOP EXECUTE format('DELETE FROM %I', name); END LOOP; END $$"""


@pytest.fixture(scope="session")
def chroma_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a Chroma server of this test run's own, on loopback."""
    url, process = _chroma(tmp_path_factory.mktemp("chroma"), "")
    yield url
    process.terminate()
    process.wait(30)


@pytest.fixture
def start_chroma() -> Iterator[Callable[..., tuple[str, subprocess.Popen[bytes]]]]:
    """Starts a Chroma server on a folder, at a URL or a free port; it ends with the test if not before."""
    started: list[subprocess.Popen[bytes]] = []

    def start(folder: Path, url: str = "") -> tuple[str, subprocess.Popen[bytes]]:
        folder.mkdir(exist_ok=True)
        url, process = _chroma(folder, url)
        started.append(process)
        return url, process

    yield start
    for process in started:
        process.kill()
        process.wait(30)


def _chroma(folder: Path, url: str) -> tuple[str, subprocess.Popen[bytes]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = url.rpartition(":")[2] or str(free.getsockname()[1])
    command = [str(Path(sys.executable).with_name("chroma")), "run", "--host", "127.0.0.1"]
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen([*command, "--port", port, "--path", str(folder)], stdout=log, stderr=log)
    url = f"http://127.0.0.1:{port}"
    _wait_for(f"{url}/api/v2/heartbeat", process)
    return url, process


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        with suppress(httpx.TransportError):
            if httpx.get(url, trust_env=False).is_success:
                return
        time.sleep(0.1)
    process.kill()
    pytest.fail("the Chroma server did not start")

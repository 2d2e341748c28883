"""A PostgreSQL server of the test's own: passwords, TLS, and restarts, which a server shared with others cannot be put to."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import pytest

from engine.errors import StoreFault
from engine.ids import PersonId
from storage import SqlStore, Vault, postgres

pytestmark = pytest.mark.slow
VAULT = Vault(bytes(range(32)))
PASSWORD = "hunter2/@#"
ESCAPED = "hunter2%2F%40%23"


@dataclass
class Server:
    folder: Path
    programs: Path
    user: str | None
    port: int

    def run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self.programs / program, *arguments],
            user=self.user,
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def control(self, what: str) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        log = str(self.folder / "log")
        self.run(
            "pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", "fast", "-l", log, "-o", options, what
        )

    def url(self, password: str = f":{ESCAPED}", more: str = "") -> str:
        return f"postgresql://postgres{password}@127.0.0.1:{self.port}/postgres{more}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    homes = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = shutil.which("initdb") or (homes and homes[-1])
    if not found:
        pytest.skip("no initdb on this machine")
    user = "postgres" if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="tact-test-postgresql-") as folder:
        place = Path(folder)
        (place / "password").write_text(PASSWORD)
        if user:
            shutil.chown(place, user)
            shutil.chown(place / "password", user)
        server = Server(place, Path(found).parent, user, free_port())
        settings = ["-U", "postgres", "--auth=scram-sha-256", f"--pwfile={place / 'password'}", "--no-sync"]
        server.run("initdb", "-D", str(place / "data"), *settings)
        certificate(place / "data")
        if user:
            for name in ("server.key", "server.crt"):
                shutil.chown(place / "data" / name, user)
        with (place / "data" / "postgresql.conf").open("a") as file:
            file.write("ssl = on\n")
        server.control("start")
        yield server
        server.control("stop")


def certificate(folder: Path) -> None:
    """A certificate of its own for 127.0.0.1."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "server.key", "-out", "server.crt"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    (folder / "server.key").chmod(0o600)


@pytest.fixture(autouse=True)
def _nobodys_password(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("PG")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))


async def usable(url: str) -> None:
    """Open, remember, close."""
    store = await SqlStore.open(url, VAULT)
    await meet(store, "Ana")
    await store.close()


async def meet(store: SqlStore, name: str) -> None:
    async with store.transaction() as tx:
        await tx.call(PersonId(f"console:{name}"), name)


@pytest.fixture
async def _empty(server) -> AsyncIterator[None]:
    yield
    connection = await asyncpg.connect(server.url())
    await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    await connection.close()


@pytest.mark.usefixtures("_empty")
async def test_the_password_is_in_the_url_the_environment_or_a_file(server, monkeypatch, tmp_path):
    await usable(server.url())
    await usable(server.url(password="", more=f"?password={ESCAPED}"))
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    await usable(server.url(password=""))
    monkeypatch.delenv("PGPASSWORD")
    for wrong in ("", ":hunter3"):
        with pytest.raises(StoreFault) as caught:
            await usable(server.url(password=wrong))
        assert "wrong user or password - see TACT_DATABASE_URL or database_url, PGPASSWORD" in str(
            caught.value
        )
        assert "hunter" not in str(caught.value)
    kept = tmp_path / ".pgpass"
    kept.write_text(f"127.0.0.1:{server.port}:*:postgres:{PASSWORD}\n")
    kept.chmod(0o600)
    await usable(server.url(password=""))


@pytest.mark.usefixtures("_empty")
async def test_tls_is_asked_for_in_the_url(server):
    root = server.folder / "root.crt"
    shutil.copy(server.folder / "data" / "server.crt", root)
    await usable(server.url(more="?sslmode=require"))
    await usable(server.url(more=f"?sslmode=verify-full&sslrootcert={root}"))
    with pytest.raises(
        StoreFault, match=r"its TLS certificate is not one to be trusted: sslrootcert"
    ) as caught:
        await usable(server.url(more=f"?sslmode=verify-full&sslrootcert={certificate_of_another(server)}"))
    assert "\n" not in str(caught.value)


def certificate_of_another(server: Server) -> Path:
    other = server.folder / "other"
    other.mkdir(exist_ok=True)
    certificate(other)
    return other / "server.crt"


@pytest.mark.usefixtures("_empty")
async def test_a_restart_is_survived_and_a_stop_is_one_line(server, monkeypatch):
    store = await SqlStore.open(server.url(), VAULT, alone=True)
    await meet(store, "Ana")
    server.control("restart")
    await meet(store, "Bob")
    lost = r"the connection to postgresql://127\.0\.0\.1:\d+/postgres was lost"
    with pytest.raises(StoreFault, match=lost):  # noqa: PT012 - in the middle
        async with store.transaction() as tx:
            await tx.call(PersonId("console:zoe"), "Zoe")
            server.control("stop")
            await tx.call(PersonId("console:yan"), "Yan")
    monkeypatch.setattr(postgres, "PATIENCE_S", 0.5)
    with pytest.raises(
        StoreFault, match=r"PostgreSQL does not answer at \S+ \(Connection refused\) - start it"
    ):
        await meet(store, "Zoe")
    server.control("start")
    async with store.transaction() as tx:
        assert {n for names in (await tx.people()).names.values() for n in names} == {"Ana", "Bob"}
    await store.close()

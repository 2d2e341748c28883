"""A key, and a fresh place for a memory."""

from __future__ import annotations

import asyncio
import shutil
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from storage import SqlStore, Vault
from storage.backups.table_copy import continue_numbers, copy_rows
from storage.engines import opened


@pytest.fixture
def vault() -> Vault:
    return Vault(bytes(range(32)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tact.db"


FILLED = Path(__file__).parent / "filled"
"""Memories of each released revision as SQL dumps; `make.py` beside them says how they were made."""


@pytest.fixture
def filled(tmp_path: Path) -> Callable[..., Path]:
    """Makes a small memory of a revision, with rows in every table: `filled("0002")`."""

    def make(revision: str, name: str = "filled.db") -> Path:
        path = tmp_path / name
        path.touch(mode=0o600)
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript((FILLED / f"{revision}.sql").read_text(encoding="utf-8"))
        return path

    return make


@pytest.fixture(scope="session")
def _up_to_date(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("filled") / "tact.db"
    path.touch(mode=0o600)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((FILLED / "0002.sql").read_text(encoding="utf-8"))

    async def upgraded() -> None:
        await (await SqlStore.open(path, Vault(bytes(range(32))))).close()

    asyncio.run(upgraded())
    return path


@pytest.fixture
def memory(_up_to_date: Path, tmp_path: Path) -> Path:
    """A memory of this version with rows in every table."""
    return Path(shutil.copy(_up_to_date, tmp_path / "tact.db"))


@pytest.fixture
def rows() -> Callable[[Path], dict[str, list[dict[str, object]]]]:
    """Every row of every table of a database file, as it lies there."""

    def read(path: Path) -> dict[str, list[dict[str, object]]]:
        with closing(sqlite3.connect(path)) as connection:
            connection.row_factory = sqlite3.Row
            named = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            tables = [row["name"] for row in named if "sqlite_" not in row["name"]]
            return {
                table: [
                    dict(row)
                    for row in connection.execute(f'SELECT * FROM "{table}" ORDER BY 1')  # noqa: S608 - its own names
                ]
                for table in tables
                if table != "alembic_version"
            }

    return read


@pytest.fixture
def postgres_empty(postgres_server) -> Iterator[str]:
    """A database with nothing in it, not even tables; its URL."""
    url = postgres_server.make()
    yield url
    postgres_server.drop(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a memory can be made, on each back end: a path or a URL."""
    return (
        str(tmp_path / "tact.db") if request.param == "sqlite" else request.getfixturevalue("postgres_empty")
    )


@pytest.fixture
def unused_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


async def filled_server(file: Path, url: str) -> None:
    """Put every row of a SQLite memory into an empty one on a server."""
    async with (
        opened(str(file)) as left,
        opened(url) as right,
        left.connect() as source,
        right.begin() as target,
    ):
        await target.exec_driver_sql("DELETE FROM meta")
        await copy_rows(source, target, lambda _done, _total: None)
        await continue_numbers(target)

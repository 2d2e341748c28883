"""Everything that only SQLite understands: files, PRAGMAs, the write lock, the checkpoint."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine, make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from engine.errors import BadInput, StoreFault

_SHORT_WAIT, _LONG_WAIT = 500, 180_000
"""Milliseconds for another process's lock. The long one is for whoever erases very much there, which is one transaction."""

_PRAGMAS = (
    f"PRAGMA busy_timeout = {_LONG_WAIT}",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA secure_delete = ON",  # what is deleted is overwritten
    "PRAGMA foreign_keys = ON",
    "PRAGMA temp_store = MEMORY",  # nothing spills into files beside the database
)


def url_of(path: Path) -> str:
    """The URL of a database file."""
    return f"sqlite+aiosqlite:///{path}"


def file_of(url: str) -> Path | None:
    """The database file that a URL, or a plain path, names; None if it names none."""
    if "://" not in url:
        return Path(url)
    if not url.startswith("sqlite"):
        return None
    named = make_url(url).database
    return Path(named) if named else None


def make_file(path: Path) -> None:
    """Create the file for its owner's eyes only (0600), if it is not there; `-wal` and `-shm` inherit its mode.

    One that is there is not opened: closing it would take every lock of this process on it away (POSIX), and with them
    the memory that is open in it already.

    Raises:
        BadInput: if it cannot be made.
        StoreFault: if one is there with nothing in it: SQLite would take that for a new memory, and say that all is well.
    """
    try:
        if not path.exists():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        elif not path.stat().st_size:
            raise StoreFault(
                f"{path}: the memory's file is empty - put a backup back, or delete it if it never held anything"
            )
    except FileExistsError:
        return
    except OSError as error:
        raise BadInput(
            f"the memory cannot be opened ({error.strerror})", where=str(path), fix="check folder and rights"
        ) from None


def prepare(engine: AsyncEngine) -> None:
    """Set the PRAGMAs of each new connection, and let each transaction take the write lock when it begins.

    Taking it at once means that a transaction never has to be retried because another one wrote in between.
    """
    sync: Engine = engine.sync_engine

    @event.listens_for(sync, "connect")
    def _connected(connection: Any, record: object) -> None:
        del record
        connection.isolation_level = None  # the driver begins nothing by itself
        cursor = connection.cursor()
        for pragma in _PRAGMAS:
            cursor.execute(pragma)
        cursor.close()

    @event.listens_for(sync, "begin")
    def _begun(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")


async def checkpoint(connection: AsyncConnection) -> bool:
    """Move the write-ahead log into the database and cut it to nothing; False while a reader is in the way.

    It goes past SQLAlchemy to the driver: a checkpoint cannot run inside a transaction.

    Raises:
        StoreFault: if it cannot be done at all, as on a full disk.
    """
    driver = (await connection.get_raw_connection()).driver_connection
    if driver is None:
        return False
    await driver.execute(f"PRAGMA busy_timeout = {_SHORT_WAIT}")
    try:
        cursor = await driver.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        row = await cursor.fetchone()
        await cursor.close()
    except sqlite3.OperationalError as error:  # a full disk; nobody's words are in what SQLite says of it
        raise StoreFault(f"the memory cannot be used: {error}") from None
    finally:
        await driver.execute(f"PRAGMA busy_timeout = {_LONG_WAIT}")
    return int(row[0]) == 0


async def set_foreign_keys(connection: AsyncConnection, *, on: bool) -> None:
    """Switch references on or off; outside a transaction, for inside one SQLite would do nothing.

    They are off while tables are changed: a table that is made afresh would otherwise take its children's rows along.
    """
    driver = (await connection.get_raw_connection()).driver_connection
    if driver is not None:
        await driver.execute(f"PRAGMA foreign_keys = {'ON' if on else 'OFF'}")


async def damage(connection: AsyncConnection) -> list[str]:
    """What SQLite finds wrong with its own pages and indexes."""
    rows = (await connection.exec_driver_sql("PRAGMA integrity_check")).all()
    return [str(row[0]) for row in rows if row[0] != "ok"]


async def strays(connection: AsyncConnection) -> list[tuple[str, object, str]]:
    """Rows that refer to one that is not there: their table, their number, the table they refer to."""
    rows = (await connection.exec_driver_sql("PRAGMA foreign_key_check")).all()
    return [(str(row.table), row.rowid, str(row.parent)) for row in rows]


async def check_references(connection: AsyncConnection) -> None:
    """See that no row refers to one that is not there.

    Raises:
        StoreFault: if one does.
    """
    for table, _, parent in await strays(connection):
        raise StoreFault(f"the memory is damaged: {table} refers to what is not in {parent}")


def snapshot(path: Path, into: Path) -> None:
    """Copy a database as it is at one moment, whoever writes meanwhile, into one new file (0600) without free pages.

    Raises:
        BadInput: if the copy cannot be written.
        StoreFault: if the database cannot be read.
    """
    make_file(into)
    try:
        with closing(_plain(path)) as connection:
            connection.execute("VACUUM INTO ?", (str(into),))
    except sqlite3.Error as error:
        into.unlink(missing_ok=True)
        if error.sqlite_errorname in {"SQLITE_FULL", "SQLITE_IOERR_WRITE"}:
            raise BadInput("the disk is full", where=str(into.parent), fix="make room") from None
        raise StoreFault(f"the memory cannot be copied: {error}") from None
    _write_through(into)


def _plain(path: Path) -> sqlite3.Connection:
    """A connection of its own to a file that is there."""
    connection = sqlite3.connect(f"file:{quote(str(path))}?mode=rw", uri=True, isolation_level=None)
    connection.execute(f"PRAGMA busy_timeout = {_LONG_WAIT}")
    connection.execute("PRAGMA secure_delete = ON")  # in the copies that it makes, too
    return connection


def _write_through(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def check_whole(path: Path) -> None:
    """Look over every page of a database.

    Raises:
        StoreFault: if it is damaged, or no database.
    """
    try:
        with closing(_plain(path)) as connection:
            found = connection.execute("PRAGMA integrity_check").fetchone()
    except sqlite3.Error as error:
        raise StoreFault(f"the memory is damaged: {error}") from None
    if found != ("ok",):
        raise StoreFault(f"the memory is damaged: {' '.join(str(found[0]).split())}")


def let_go(path: Path) -> None:
    """Put all of a database into its one file, which works only when nobody has it open.

    Raises:
        BadInput: if somebody does.
        StoreFault: if it cannot be read.
    """
    try:
        with closing(_plain(path)) as connection:
            connection.execute(f"PRAGMA busy_timeout = {_SHORT_WAIT}")
            alone = connection.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorname != "SQLITE_BUSY":
            raise StoreFault(f"the memory cannot be used: {error}") from None
        alone = False
    if not alone:
        raise BadInput("another Tact has this memory open", where=str(path), fix="end it first")


def rows_in(path: Path, table: str) -> int | None:
    """How many rows a table of a database file has; None if it cannot be read."""
    try:
        with closing(_plain(path)) as connection:
            return int(connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0])  # noqa: S608 - our own names
    except sqlite3.Error:
        return None

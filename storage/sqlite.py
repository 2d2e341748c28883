"""Everything that only SQLite understands: files, PRAGMAs, the write lock, the checkpoint."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from engine.errors import BadInput

_SHORT_WAIT, _LONG_WAIT = 500, 10_000
"""Milliseconds for another process's lock."""

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


def make_file(path: Path) -> None:
    """Create the file for its owner's eyes only (0600), if it is not there; `-wal` and `-shm` inherit its mode.

    Raises:
        BadInput: if it cannot be made.
    """
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
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
    """
    driver = (await connection.get_raw_connection()).driver_connection
    if driver is None:
        return False
    await driver.execute(f"PRAGMA busy_timeout = {_SHORT_WAIT}")
    cursor = await driver.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    row = await cursor.fetchone()
    await cursor.close()
    await driver.execute(f"PRAGMA busy_timeout = {_LONG_WAIT}")
    return int(row[0]) == 0

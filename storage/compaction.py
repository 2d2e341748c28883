"""Driving forgotten words out of PostgreSQL's files.

PostgreSQL overwrites nothing: an erased row stays in its table's file, sealed as it was, until that is written anew.
Which is what `compact` does. The log (WAL), replicas and archives are not ours to clean.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection

from engine.errors import StoreFault
from storage.postgres_faults import PAGE, lost, refused
from storage.tables import metadata
from storage.types import EncryptedText

_NUMBER = re.compile(r"\d+")
_NOT_ALLOWED: Final = "42501"
_LOCKED: Final = "55P03"
PATIENCE_S: Final = 15.0
"""So long a table is tried again: the server's own autovacuum, for one, looks at old rows for a moment."""

_PAUSE_S: Final = 0.5


class Compacted(StrEnum):
    """How a compaction ended."""

    DONE = "done"
    NO_CHECKPOINT = "no checkpoint"  # the tables are clean; this user may not ask for a checkpoint
    VECTORS = "vectors"  # the tables are clean; Chroma still has what was forgotten
    HELD = (
        "held"  # somebody's open transaction or replication slot can still see erased rows, or locks a table
    )


def _words() -> Iterator[tuple[str, str]]:
    """Table and column of everything that holds words."""
    for table in metadata.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, EncryptedText):
                yield table.name, column.name


_COUNTED = text(
    """SELECT relname, attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = current_schema()::regnamespace AND relname || '.' || attname IN :names
    AND coalesce(attstattarget, -1) <> 0"""
).bindparams(bindparam("names", expanding=True))


async def keep_words_out_of_statistics(connection: AsyncConnection) -> None:
    """See that the planner's statistics sample no column of words: they would keep copies of rows long erased."""
    names = [f"{table}.{column}" for table, column in _words()]
    for table, column in (await connection.execute(_COUNTED, {"names": names})).all():
        await connection.execute(text(f'ALTER TABLE "{table}" ALTER COLUMN "{column}" SET STATISTICS 0'))


async def compact(connection: AsyncConnection, where: str, progress: Callable[[int, int], None]) -> Compacted:
    """Write every table that holds words anew, and free what the old ones took.

    Args:
        connection: outside a transaction.
        where: the server, as it is shown.
        progress: told how many steps of how many are done.

    Raises:
        StoreFault: the tables are not this user's, or the connection was lost.
    """
    from asyncpg import InterfaceError, PostgresError  # noqa: PLC0415 - loaded only for PostgreSQL

    driver: Any = (await connection.get_raw_connection()).driver_connection
    try:
        return await _checkpoint(driver) if await _all_anew(driver, progress) else Compacted.HELD
    except PostgresError as error:
        if error.sqlstate == _LOCKED:  # a dump that is being made, for one
            return Compacted.HELD
        raise refused(str(error.sqlstate or ""), type(error).__name__, where) from error
    except InterfaceError as error:
        raise lost(where) from error


async def _all_anew(driver: Any, progress: Callable[[int, int], None]) -> bool:
    """Write every table anew; False if old rows had to be kept in one, however often it was tried."""
    tables = sorted({table for table, _ in _words()})
    left, until = tables, asyncio.get_running_loop().time() + PATIENCE_S
    while left:
        held = []
        for number, table in enumerate(left, 1):
            if await _written_anew(driver, table) > 0:
                held.append(table)
            progress(len(tables) - len(left) - len(held) + number, len(tables) + 1)
        if held and asyncio.get_running_loop().time() >= until:
            return False
        left = held
        await asyncio.sleep(_PAUSE_S if left else 0)
    return True


async def _written_anew(driver: Any, table: str) -> int:
    """Write a table anew; returns how many dead rows had to be kept, because somebody can still see them."""
    notices: list[Any] = []

    def heard(_: object, notice: Any) -> None:
        notices.append(notice)

    driver.add_log_listener(heard)
    try:
        await driver.execute(f'VACUUM (FULL, VERBOSE) "{table}"')
    finally:
        driver.remove_log_listener(heard)
    return _left(notices)


def _left(notices: list[Any]) -> int:
    """Dead rows that had to be kept; PostgreSQL counts them in a notice, in whatever language it speaks."""
    details = [n.detail for n in notices if n.severity_en == "INFO" and n.detail]
    found = _NUMBER.search(details[-1]) if details else None
    if found is None:  # it only warns a user who may not
        raise StoreFault(f"this user may not compact the tables - Tact's user has to own them ({PAGE})")
    return int(found.group())


async def _checkpoint(driver: Any) -> Compacted:
    """Have everything written, so that the server can let go of old files and old log at once."""
    from asyncpg import PostgresError  # noqa: PLC0415 - loaded only for PostgreSQL

    try:
        await driver.execute("CHECKPOINT")
    except PostgresError as error:
        if error.sqlstate == _NOT_ALLOWED:
            return Compacted.NO_CHECKPOINT
        raise
    return Compacted.DONE

"""All rows of all tables from one database into another, whichever of the two kinds each is.

The tables are read off the databases themselves, so that a memory of an older Tact is copied as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Integer, MetaData, Table, func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from engine.errors import BadInput, StoreFault

_ROWS = 500
"""So many rows in one statement."""

_REVISION = "alembic_version"
_OTHERS = text(
    "SELECT application_name FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    " AND application_name LIKE 'tact %'"
)
Told = Callable[[int, int], None]
"""Told how many rows of how many are copied."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a database, parents before children; the revision's own is not among them."""

    every: tuple[Table, ...]

    def named(self) -> dict[str, Table]:
        """By name."""
        return {table.name: table for table in self.every}


async def tables_in(connection: AsyncConnection) -> Tables:
    """Read the tables off a database."""

    def read(plain: Connection) -> Tables:
        found = MetaData()
        found.reflect(plain)
        return Tables(tuple(t for t in found.sorted_tables if t.name != _REVISION))

    return await connection.run_sync(read)


async def count_rows(connection: AsyncConnection) -> dict[str, int]:
    """How many rows each table has."""
    counts = {}
    for table in (await tables_in(connection)).every:
        counts[table.name] = int(
            (await connection.execute(select(func.count()).select_from(table))).scalar_one()
        )
    return counts


async def copy_rows(source: AsyncConnection, target: AsyncConnection, told: Told) -> None:
    """Copy everything into tables that are empty, in the target's transaction.

    Raises:
        StoreFault: if the two have not the same tables and columns.
    """
    theirs, ours = (await tables_in(source)).every, (await tables_in(target)).named()
    if {t.name: _columns(t) for t in theirs} != {name: _columns(t) for name, t in ours.items()}:
        raise StoreFault("these two memories have not the same tables")
    counts = await count_rows(source)
    done, total = 0, sum(counts.values())
    for table in theirs:
        async with source.stream(select(table).order_by(*table.primary_key.columns)) as rows:
            async for part in rows.mappings().partitions(_ROWS):
                await target.execute(insert(ours[table.name]), [dict(row) for row in part])
                done += len(part)
                told(done, total)


def _columns(table: Table) -> set[str]:
    return {column.name for column in table.columns}


async def see_nobody_else(connection: AsyncConnection) -> None:
    """See that no other Tact is connected to a PostgreSQL memory: what it holds in memory would be another memory's.

    Raises:
        BadInput: if one is.
    """
    found = (await connection.execute(_OTHERS)).scalars().first()
    if found is not None:
        raise BadInput(
            f"another Tact has this memory open ({found})", where="database_url", fix="end it first"
        )


async def empty(connection: AsyncConnection) -> None:
    """Take every row out of a PostgreSQL database; their pages go with the commit."""
    names = ", ".join(f'"{table.name}"' for table in (await tables_in(connection)).every)
    await connection.execute(text(f"TRUNCATE {names} RESTART IDENTITY"))


async def continue_numbers(connection: AsyncConnection) -> None:
    """Let PostgreSQL's own numbers go on after the highest that was copied."""
    for table in (await tables_in(connection)).every:
        for column in table.primary_key.columns:
            if isinstance(column.type, Integer) and column.server_default is not None:
                await connection.execute(_next_number(table, column))


def _next_number(table: Table, column: Any) -> Any:
    sequence = func.pg_get_serial_sequence(table.name, column.name)
    highest = select(func.max(column)).scalar_subquery()
    return select(func.setval(sequence, func.coalesce(highest, 0) + 1, False))

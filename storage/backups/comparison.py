"""Whether a memory is still as it was when a backup was compared with it.

Between the two lie seconds, or an owner's thinking it over; a Tact that came and went meanwhile has forgotten something,
or sent something, of which the restored memory knows nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Sequence
from typing import Any

from sqlalchemy import Table, literal, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from engine.errors import BadInput
from storage.backups.table_copy import tables_in

_ROWS = 500


async def digest_of_rows(connection: AsyncConnection) -> str:
    """A digest of every row of every table: another one if anything was written."""
    found = hashlib.sha256()
    for table in (await tables_in(connection)).every:
        found.update(table.name.encode())
        async for rows in _pages(connection, table):
            found.update("".join(repr(tuple(row)) for row in rows).encode())
    return found.hexdigest()


async def _pages(connection: AsyncConnection, table: Table) -> AsyncIterator[Sequence[Any]]:
    """A table by its keys. Not as a stream: PostgreSQL empties no table on which one was open in the transaction."""
    keys = table.primary_key.columns
    asked = select(table).order_by(*keys).limit(_ROWS)
    page = asked
    while rows := (await connection.execute(page)).all():
        yield rows
        last = [literal(rows[-1]._mapping[key], key.type) for key in keys]  # noqa: SLF001 - SQLAlchemy's public name
        page = asked.where(tuple_(*keys) > tuple_(*last))


async def see_unchanged(connection: AsyncConnection, seen: str) -> None:
    """See that a memory has the rows that it had; an empty digest is of a memory that nothing was compared with.

    Raises:
        BadInput: if something was written.
    """
    if seen and await digest_of_rows(connection) != seen:
        raise BadInput(
            "something has happened in this memory since it was compared with the backup, so nothing was restored",
            fix="say tact restore again",
        )

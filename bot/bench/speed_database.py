"""A database that a measured memory may be put into for a while: empty before, and empty again afterwards."""

from __future__ import annotations

import os

from sqlalchemy import Connection, MetaData, inspect

from bot.bench.speed import VARIABLE
from engine.errors import BadInput
from storage.engines import opened


def url() -> str:
    """The database's URL; empty for a file in the stage's own folder."""
    return os.environ.get(VARIABLE, "")


async def refuse_filled() -> None:
    """See that nothing is in it.

    Raises:
        BadInput: if it has any table: it may be somebody's memory.
    """
    if url():
        async with opened(url()) as engine, engine.connect() as connection:
            if await connection.run_sync(lambda sync: inspect(sync).get_table_names()):
                raise BadInput("there is something in this database", fix="name an empty one for --storage")


async def clear() -> None:
    """Take the tables away that the measurement made."""
    if url():
        async with opened(url()) as engine, engine.begin() as connection:
            await connection.run_sync(_drop)


def _drop(connection: Connection) -> None:
    there = MetaData()
    there.reflect(connection)
    there.drop_all(connection)

"""An engine for work on a whole database, without a store around it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from engine.errors import StoreFault
from storage import postgres, sqlite
from storage.postgres_faults import failed


def plain_engine(url: str, *, alone: bool = False) -> AsyncEngine:
    """The engine of a database by its URL, or by the path of an SQLite file; `alone` claims a server's memory.

    Raises:
        BadInput: if it is no URL of a database that Tact knows.
    """
    if postgres.is_address(url):
        return postgres.engine_of(postgres.address_of(url), alone=alone)
    file = sqlite.file_of(url)
    return create_async_engine(sqlite.url_of(file) if file else url, hide_parameters=True)


@asynccontextmanager
async def opened(url: str, *, alone: bool = False) -> AsyncIterator[AsyncEngine]:
    """The same, disposed of at the end; the driver's errors come out in one line, without values.

    Raises:
        StoreFault: if the database cannot be used.
    """
    engine = plain_engine(url, alone=alone)
    try:
        yield engine
    except DBAPIError as error:
        if postgres.is_address(url):
            raise failed(error, postgres.address_of(url).where) from error
        raise StoreFault(f"the memory cannot be used: {error.orig}") from error
    finally:
        await engine.dispose()

"""A database of the test's own: a file in its folder, or one on the server that it was given, gone afterwards."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit, urlunsplit

from sqlalchemy.ext.asyncio import AsyncConnection

from engine.errors import BadInput
from storage.engines import plain_engine
from storage.migrate import configured, references


@asynccontextmanager
async def own_database(server: str) -> AsyncIterator[str]:
    """The URL of a new database beside the one of this URL; an empty URL stays one, for SQLite.

    Raises:
        BadInput: if the server makes none.
    """
    if not server:
        yield ""
        return
    name = f"tact_crash_{secrets.token_hex(4)}"
    await _do(server, f"CREATE DATABASE {name}")
    try:
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    finally:
        await _do(server, f"DROP DATABASE {name} WITH (FORCE)")


async def _do(server: str, statement: str) -> None:
    """A statement outside a transaction."""
    import asyncpg  # noqa: PLC0415 - loaded only for PostgreSQL

    plain = f"postgresql://{server.partition('://')[2]}"
    try:
        connection = await asyncpg.connect(plain)
    except (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise BadInput(
            "this server does not answer", where="--database", fix="check URL and server"
        ) from error
    try:
        await connection.execute(statement)
    except asyncpg.PostgresError as error:
        raise BadInput(
            "a database of its own cannot be made there",
            where="--database",
            fix="a user who may create databases",
        ) from error
    finally:
        await connection.close()


async def set_back(url: str, revision: str) -> None:
    """Make the tables those of an earlier revision; the rows that fit into them stay."""
    from alembic import command  # noqa: PLC0415 - slow to import

    engine = plain_engine(url)

    async def back(connection: AsyncConnection) -> None:
        await connection.run_sync(lambda plain: command.downgrade(configured(plain), revision))

    try:
        async with engine.connect() as connection:
            await references(connection, on=False)
            await back(connection)
            await connection.commit()
    finally:
        await engine.dispose()

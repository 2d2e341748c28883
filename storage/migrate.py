"""Bringing a database to this version's tables. Alembic is imported only if there is something to do."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from engine.errors import StoreFault
from engine.failpoints import reach

HEAD: Final = "0002"
KNOWN: Final = frozenset({"0001", "0002"})
"""Every revision in `migrations/versions`; a test compares."""

FOLDER: Final = Path(__file__).parent / "migrations"


async def upgrade(url: str) -> None:
    """Create the tables of the database at this URL, or bring them up to date.

    Raises:
        StoreFault: if a newer version of Tact made them.
    """
    engine = create_async_engine(url, hide_parameters=True)
    try:
        async with engine.connect() as connection:
            await upgrade_connection(connection)
            await connection.commit()
    finally:
        await engine.dispose()


async def upgrade_connection(connection: AsyncConnection) -> None:
    """The same on a connection in a transaction, which the caller commits."""
    revision = await connection.run_sync(_revision)
    if revision == HEAD:
        return
    if revision is not None and revision not in KNOWN:
        raise StoreFault(
            f"a newer Tact made this memory (its tables are {revision}): install that one, or a later"
        )
    await connection.run_sync(_run)
    reach("migrated")


def _revision(connection: Connection) -> str | None:
    """The revision in the database; None in an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def _run(connection: Connection) -> None:
    from alembic import command  # noqa: PLC0415 - slow to import, and rarely needed
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")

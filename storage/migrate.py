"""Bringing a database to this version's tables. Alembic is imported only if there is something to do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection

from engine.errors import BadInput, StoreFault
from engine.failpoints import reach
from storage.backups.copies import copy_before
from storage.engines import plain_engine
from storage.postgres_faults import PAGE
from storage.sqlite import check_references, set_foreign_keys
from storage.tables import metadata
from storage.vault import Vault

if TYPE_CHECKING:
    from alembic.config import Config

HEAD: Final = "0004"
KNOWN: Final = frozenset({"0001", "0002", "0003", "0004"})
"""Every revision in `migrations/versions`; a test compares."""

_VERSIONS: Final = """CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
)"""
"""As Alembic makes it."""

FOLDER: Final = Path(__file__).parent / "migrations"


async def upgrade(url: str, to: str = "head", vault: Vault | None = None) -> None:
    """Create the tables of the database at this URL, or bring them up to date; no copy is made.

    `vault` opens what has to be put elsewhere; without it that stays where it was.

    Raises:
        StoreFault: if a newer version of Tact made them.
    """
    engine = plain_engine(url)
    try:
        async with engine.connect() as connection:
            await references(connection, on=False)
            await upgrade_connection(connection, to=to, vault=vault)
            await connection.commit()
    finally:
        await engine.dispose()


async def upgrade_connection(
    connection: AsyncConnection,
    file: Path | None = None,
    *,
    first: Callable[[], Awaitable[None]] | None = None,
    to: str = "head",
    vault: Vault | None = None,
) -> None:
    """The same on a connection in a transaction, which the caller commits: all of it or nothing.

    On SQLite `references(…, on=False)` comes before the transaction.

    Args:
        connection: in a transaction that no other can write beside.
        file: the database's own file, of which a copy is made before its tables are changed.
        first: called before anything is changed in a memory that is there.
        to: the revision wanted.
        vault: as in `upgrade`.

    Raises:
        BadInput: if a new memory cannot be made in a database of this encoding.
        StoreFault: if a newer version of Tact made the tables, or there is no room for the copy. Nothing is changed then.
    """
    revision = await revision_of(connection)
    if revision in {HEAD, to}:
        return
    copy = None
    if revision is not None:
        await (first() if first else _nothing())
        copy = copy_before(file, HEAD) if file else None
    elif connection.dialect.name == "postgresql":
        await _check_encoding(connection)
    try:
        if revision is None and to == "head":
            await connection.run_sync(_make)
        else:
            await connection.run_sync(_run, to, vault)
        if connection.dialect.name == "sqlite":
            await check_references(connection)
        reach("migrated")
    except BaseException:
        if copy:
            copy.unlink(missing_ok=True)
        raise


async def references(connection: AsyncConnection, *, on: bool) -> None:
    """On SQLite, switch references on or off, outside a transaction."""
    if connection.dialect.name == "sqlite":
        await set_foreign_keys(connection, on=on)


async def revision_of(connection: AsyncConnection) -> str | None:
    """The revision of the tables there are; None if there are none.

    Raises:
        StoreFault: if a newer version of Tact made them.
    """
    revision = await connection.run_sync(_revision)
    if revision is not None and revision not in KNOWN:
        raise StoreFault(
            f"a newer Tact made this memory (its tables are {revision}): install that one, or a later"
        )
    return revision


async def _check_encoding(connection: AsyncConnection) -> None:
    """See that a database can hold ids in every script, before tables are made in it.

    Raises:
        BadInput: if it was made for the letters of a few languages.
    """
    encoding = (await connection.execute(text("SELECT current_setting('server_encoding')"))).scalar()
    if encoding != "UTF8":
        raise BadInput(
            f"the database's encoding is {encoding}, and ids may be in any script",
            where="database_url",
            fix=f"createdb --encoding UTF8 --template template0 makes one that fits ({PAGE})",
        )


async def _nothing() -> None:
    """Nobody wants to be asked first."""


def _revision(connection: Connection) -> str | None:
    """The revision in the database; None in an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def _make(connection: Connection) -> None:
    """The newest tables in an empty database, at once; a test compares them with what all the revisions make."""
    metadata.create_all(connection, checkfirst=False)
    connection.execute(text(_VERSIONS))
    connection.execute(text("INSERT INTO alembic_version VALUES (:revision)"), {"revision": HEAD})


def _run(connection: Connection, to: str, vault: Vault | None) -> None:
    from alembic import command  # noqa: PLC0415 - slow to import, and rarely needed

    command.upgrade(configured(connection, vault), to)


def configured(connection: Connection, vault: Vault | None = None) -> Config:
    """Alembic's configuration for work on this connection."""
    from alembic.config import Config  # noqa: PLC0415 - slow to import, and rarely needed

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes.update(connection=connection, vault=vault)
    return config

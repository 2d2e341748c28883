"""Everything that only PostgreSQL understands: its addresses, connecting, the writer's lock, its errors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from engine.errors import BadInput, StoreFault

SCHEMES: Final = ("postgresql", "postgres", "postgresql+asyncpg")
_LOCK_WAIT_S: Final = 30
"""So long a transaction waits for another process's."""

_CONNECT_S: Final = 10
_STATEMENTS: Final = 500
"""Prepared statements kept for a connection."""

_TAKE_TURN = text("SELECT pg_advisory_xact_lock(hashtext('tact memory'), hashtext(current_schema()))")
_PAGE: Final = "docs/deploy/postgresql.md"


class Unreachable(StoreFault):
    """The server does not answer, or not yet: it may later."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a memory is.

    Args:
        dsn: the URL as libpq writes it; it may hold a password, so it is never shown.
        where: the same without user, password and options, to be shown.
    """

    dsn: str = field(repr=False)
    where: str


def is_address(url: str) -> bool:
    """Whether this is the URL of a PostgreSQL database."""
    return url.partition("://")[0].lower() in SCHEMES


def address_of(url: str) -> Address:
    """Read a URL.

    Raises:
        BadInput: if it cannot be one. Nothing of the URL is quoted, for any part may turn out to be the password.
    """
    dsn = f"postgresql://{url.partition('://')[2]}"
    try:
        parts = urlsplit(dsn)
    except ValueError:
        parts = None
    if parts is None or not _is_whole(parts):
        raise BadInput(
            "the database's URL cannot be read",
            where="database_url",
            fix="postgresql://user:password@host:5432/database; in a password write %40 for @, %2F for /, %23 for #",
        )
    return Address(dsn, f"postgresql://{_hosts(parts)}{parts.path}")


def _is_whole(parts: SplitResult) -> bool:
    """Whether no sign in it was meant for a password: one that is not escaped would make host or path of its rest."""
    ports = [host.rpartition("]")[2].partition(":")[2] for host in _hosts(parts).split(",")]
    strays = parts.netloc.count("@") > 1 or "@" in parts.path + parts.query or bool(parts.fragment)
    return not strays and all(not port or port.isdecimal() for port in ports)


def _hosts(parts: SplitResult) -> str:
    return parts.netloc.rpartition("@")[2]


def engine_of(address: Address) -> AsyncEngine:
    """One connection, made when it is first needed, and again when it was lost."""

    async def connect() -> Any:
        return await _connected(address)

    def make() -> Any:
        dbapi: Any = made.sync_engine.dialect.dbapi
        return dbapi.connect(async_creator_fn=connect, prepared_statement_cache_size=_STATEMENTS)

    made = create_async_engine(
        "postgresql+asyncpg://",
        creator=make,
        isolation_level="READ COMMITTED",  # each statement sees what was committed before the lock was given
        hide_parameters=True,
        pool_size=1,
        max_overflow=0,
    )
    return made


async def _connected(address: Address) -> Any:
    """A connection of the driver's.

    Raises:
        Unreachable: nobody answers, or not yet.
        StoreFault: this user or database is refused.
    """
    import asyncpg  # noqa: PLC0415 - loaded only for PostgreSQL

    settings = {"application_name": "tact", "lock_timeout": f"{_LOCK_WAIT_S}s"}
    try:
        return await asyncpg.connect(
            address.dsn, timeout=_CONNECT_S, server_settings=settings, statement_cache_size=_STATEMENTS
        )
    except asyncpg.PostgresError as error:
        raise _refused(error.sqlstate or "", type(error).__name__, address) from None
    except OSError as error:
        what = error.strerror or type(error).__name__
        raise Unreachable(
            f"PostgreSQL does not answer at {address.where} ({what}) - start it, or mend database_url"
        ) from None
    except (asyncpg.InterfaceError, ValueError) as error:
        raise StoreFault(
            f"PostgreSQL at {address.where} cannot be used ({type(error).__name__}) - mend database_url"
        ) from None


def _refused(state: str, kind: str, address: Address) -> StoreFault:
    """Why a connection was not given."""
    if state in {"57P01", "57P02", "57P03"}:
        return Unreachable(f"PostgreSQL at {address.where} is starting or stopping - try again in a moment")
    what = _CONNECTING.get(state)
    if what is None:
        return StoreFault(f"PostgreSQL at {address.where} refused the connection ({kind} {state})")
    return StoreFault(f"PostgreSQL at {address.where}: {what}")


_CONNECTING: Final = {
    "28P01": "wrong user or password - see the user and password in TACT_DATABASE_URL or database_url, PGPASSWORD, ~/.pgpass",
    "28000": "this user may not connect - create the role, or mend pg_hba.conf",
    "3D000": f"there is no such database - create it first ({_PAGE})",
    "42501": "this user may not connect to the database - GRANT CONNECT, or take its owner",
    "53300": "it has no connection left - end another program, or raise max_connections",
}


async def take_turn(connection: AsyncConnection) -> None:
    """Wait until no other transaction of a Tact runs on this database; the lock goes with the transaction.

    It is an advisory lock, and not a row's: a row's writes to the disk, also for a transaction that only reads. It
    comes before every other statement, so that numbers out of sequences are drawn in the order of commits.
    """
    await connection.execute(_TAKE_TURN)


def fault_of(error: DBAPIError, address: Address) -> StoreFault:
    """A statement's error in one line, without the statement and without values (PostgreSQL's own lines quote them)."""
    state = str(getattr(error.orig, "sqlstate", "") or "")
    kind = type(error.orig.__cause__ or error.orig).__name__ if error.orig is not None else "error"
    if error.connection_invalidated or state.startswith(("08", "57P")):
        return Unreachable(f"the connection to {address.where} was lost - see that PostgreSQL runs there")
    what = _WORKING.get(state, f"the memory cannot be used: {kind} {state}".rstrip())
    return StoreFault(f"PostgreSQL at {address.where}: {what}")


_WORKING: Final = {
    "42501": f"this user lacks a right - Tact's user has to own its tables ({_PAGE})",
    "25006": "it takes no writing here (a replica?) - name the primary in database_url",
    "57014": "a statement ran into statement_timeout - raise it for Tact's user",
    "55P03": f"another Tact has been busy with this memory for {_LOCK_WAIT_S} s - wait until it is done, or end it",
    "53100": "its disk is full - make room",
}

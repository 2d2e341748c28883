"""Everything that only PostgreSQL understands: its addresses, connecting, whose turn it is, who runs on a memory."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl, urlsplit

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from engine.errors import BadInput, StoreFault
from storage.postgres_faults import (
    LOCK_WAIT_S,
    Unreachable,
    lost,
    no_answer,
    no_connection,
    no_such_options,
    no_such_server,
    refused,
)

SCHEMES: Final = ("postgresql", "postgres", "postgresql+asyncpg")
PATIENCE_S: Final = 10.0
"""So long an open memory waits for a server that is being restarted."""

_CONNECT_S: Final = 10
_PAUSE_S: Final = 0.25
_STATEMENTS: Final = 500
"""Prepared statements kept for a connection."""

_LAST_PORT: Final = 65535
_SILENT_S, _PROBES, _PROBE_S = 30, 6, 10
"""After so long without a word the other end is asked whether it is there; so often, and so many seconds apart."""

_MEMORY, _RUN = 1415668596, 1415668597  # "Tact" in ASCII, and the next: first halves of advisory locks
_HERE = "hashtext(current_schema()) & 2147483647"  # the second half: memories in two schemas are two memories
_TAKE_TURN = text(f"SELECT pg_advisory_xact_lock({_MEMORY}, {_HERE}), to_regclass('changes')::oid AS tables")
_CLAIM = f"SELECT pg_try_advisory_lock({_RUN}, {_HERE})"
_HOLDER = """
    SELECT pid, application_name, backend_start FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND classid = $1 AND objid = hashtext(current_schema()) & 2147483647
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a memory is.

    Args:
        dsn: the URL as libpq writes it; it may hold a password, so it is never shown.
        where: the same without user, password and options, to be shown.
    """

    dsn: str = field(repr=False)
    where: str

    def option_in(self, said: str) -> str:
        """The name of the URL's option that PostgreSQL quotes; empty if it quotes none."""
        options = parse_qsl(urlsplit(self.dsn).query, keep_blank_values=True)
        return next((name for name, _ in options if f'"{name}"' in said), "")


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
    return not strays and all(not port or (port.isdecimal() and int(port) <= _LAST_PORT) for port in ports)


def _hosts(parts: SplitResult) -> str:
    return parts.netloc.rpartition("@")[2]


def engine_of(address: Address, *, alone: bool = False) -> AsyncEngine:
    """One connection, made when it is first needed, and again when it was lost.

    Args:
        alone: whether nobody else may run on this memory; every connection claims it before anything else.
    """
    name = f"tact {'run ' if alone else ''}{os.getpid()} {socket.gethostname()[:30]} {secrets.token_hex(4)}"

    async def connect() -> Any:
        connection = await _connected(address, name)
        try:
            await _ready(connection, name if alone else "", address.where)
        except BaseException:
            connection.terminate()
            raise
        return connection

    def make() -> Any:
        dbapi: Any = made.sync_engine.dialect.dbapi
        return dbapi.connect(async_creator_fn=connect, prepared_statement_cache_size=_STATEMENTS)

    made = create_async_engine(
        "postgresql+asyncpg://",
        creator=make,
        isolation_level="READ COMMITTED",  # a statement sees what was committed before the turn was given
        hide_parameters=True,
        pool_size=1,
        max_overflow=0,
    )
    return made


async def _connected(address: Address, name: str) -> Any:
    """A connection of the driver's, which shows under this name in PostgreSQL's views.

    Raises:
        BadInput: the options in the URL cannot be used.
        Unreachable: nobody answers, or not yet.
        StoreFault: this user or database is refused.
    """
    import asyncpg  # noqa: PLC0415 - loaded only for PostgreSQL

    try:
        return await asyncpg.connect(
            address.dsn,
            timeout=_CONNECT_S,
            server_settings={"application_name": name},
            statement_cache_size=_STATEMENTS,
        )
    except asyncpg.PostgresError as error:
        raise no_connection(str(error.sqlstate), address.where, address.option_in(str(error))) from None
    except OSError as error:
        raise no_answer(error, address.where) from None
    except asyncpg.TargetServerAttributeNotMatched:
        raise no_such_server(address.where) from None
    except (asyncpg.InterfaceError, ValueError, OverflowError) as error:
        raise no_such_options(error, address.where) from None


async def _ready(connection: Any, claimant: str, where: str) -> None:
    """Prepare a new connection, and claim the memory under this name, if there is one; the driver's errors in one line.

    Raises:
        BadInput: another process holds the memory.
        StoreFault: it was lost at once, or a statement failed.
    """
    from asyncpg import InterfaceError, PostgresError  # noqa: PLC0415 - as above

    try:
        await _limit_waits(connection)
        if claimant:
            await _claim(connection, claimant, where)
    except PostgresError as error:
        raise refused(str(error.sqlstate or ""), type(error).__name__, where) from None
    except (InterfaceError, OSError):
        raise lost(where) from None


async def _limit_waits(connection: Any) -> None:
    """Let neither end wait without limit: for a lock, or for another end that is gone without having said so.

    It is said in statements: a pooler would refuse most of it as part of the greeting, or drop it.
    """
    await connection.execute(
        f"SET lock_timeout = '{LOCK_WAIT_S}s'; SET tcp_keepalives_idle = {_SILENT_S};"
        f" SET tcp_keepalives_interval = {_PROBE_S}; SET tcp_keepalives_count = {_PROBES}"
    )
    wire = connection._transport.get_extra_info("socket")  # noqa: SLF001 - the driver has no other way to its socket
    if wire is None or wire.family == getattr(socket, "AF_UNIX", None):
        return
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    all_of_it = (_SILENT_S + _PROBES * _PROBE_S) * 1000
    wanted = {"TCP_KEEPIDLE": _SILENT_S, "TCP_KEEPINTVL": _PROBE_S, "TCP_KEEPCNT": _PROBES}
    for option, value in {**wanted, "TCP_USER_TIMEOUT": all_of_it}.items():
        if hasattr(socket, option):  # not every system has all of them
            wire.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


async def _claim(connection: Any, name: str, where: str) -> None:
    """Hold the memory as long as this connection lives.

    Raises:
        BadInput: if another process holds it; it says which.
    """
    if await connection.fetchval(_CLAIM):
        return
    held = await connection.fetchrow(_HOLDER, _RUN)
    if held is not None and held["application_name"] == name:
        # Our own connection from before the network broke: the server has not noticed yet.
        await connection.fetchval("SELECT pg_terminate_backend($1, 5000)", held["pid"])
        held = None
    if held is None and await connection.fetchval(_CLAIM):
        return
    raise BadInput(
        f"Tact is running on this memory already ({_named(held)})",
        where=where,
        fix="use that one, or stop it first",
    )


def _named(held: Any) -> str:
    """Who holds a memory, as its connection calls itself."""
    words = str(held["application_name"]).split() if held is not None else []
    if len(words) != 5 or words[0] != "tact":  # noqa: PLR2004 - as `engine_of` writes it
        return "another process"
    return f"process {words[2]} on {words[3]}, since {held['backend_start']:%Y-%m-%d %H:%M} UTC"


@asynccontextmanager
async def turn(engine: AsyncEngine, patience: float) -> AsyncIterator[AsyncConnection]:
    """A connection in a transaction while no other transaction of a Tact runs on this memory; the caller commits.

    The lock is an advisory one and not a row's: that would write to the disk even for a transaction that only reads.
    It comes before every other statement, so that numbers out of sequences are drawn in the order of commits, and it
    goes with the transaction. A connection that broke while it was idle is made anew: nothing was done in it yet.

    Args:
        engine: made here.
        patience: seconds to wait for a server that does not answer; 0 when a memory is opened.

    Raises:
        BadInput: when a memory is opened on which another process runs.
        StoreFault: if there is no connection.
    """
    async with AsyncExitStack() as stack:
        yield await _begun(engine, stack, patience)


async def _begun(engine: AsyncEngine, stack: AsyncExitStack, patience: float) -> AsyncConnection:
    """What broke may have said so late, after the patience was over: there is always a last attempt."""
    until, over = asyncio.get_running_loop().time() + patience, not patience
    while True:
        try:
            async with AsyncExitStack() as own:
                connection = await own.enter_async_context(engine.connect())
                connection.info["tables"] = (await connection.execute(_TAKE_TURN)).one().tables
                stack.push_async_exit(own.pop_all())
                return connection
        except (Unreachable, DBAPIError, ConnectionError) as error:
            gone = error.connection_invalidated if isinstance(error, DBAPIError) else True
            if not gone or over:
                raise
            over = asyncio.get_running_loop().time() >= until
        except BadInput as error:
            if not patience:
                raise
            raise StoreFault(str(error)) from None  # somebody took the memory while the server was away
        await asyncio.sleep(_PAUSE_S)


def is_new(connection: AsyncConnection) -> bool:
    """Whether nothing that was read before counts on this connection, which is in a turn.

    It was never used before: it may lead to another server than the last one did. Or the tables are not those of its
    last turn: somebody has put a dump in their place, `pg_restore --clean` for one.
    """
    info = connection.info
    known, info["known"] = info.get("known", ""), info["tables"]
    return bool(known != info["tables"])

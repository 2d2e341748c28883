"""PostgreSQL's errors in one line: what is wrong, where, and what to do about it.

Its own lines are not used: they quote values, and come in the server's language.
"""

from __future__ import annotations

import os
from ssl import SSLCertVerificationError, SSLError
from typing import Final

from sqlalchemy.exc import DBAPIError

from engine.errors import StoreFault

LOCK_WAIT_S: Final = 30
"""So long a transaction waits for another process's."""

PAGE: Final = "docs/deploy/postgresql.md"

_CONNECTING: Final = {
    "28P01": "wrong user or password - see TACT_DATABASE_URL or database_url, PGPASSWORD and ~/.pgpass",
    "28000": "this user may not connect - create the role, or mend pg_hba.conf",
    "3D000": f"there is no such database - create it first ({PAGE})",
    "42501": "this user may not connect to the database - GRANT CONNECT, or make it the database's owner",
    "53300": "it has no connection left - end another program, or raise max_connections",
}
_WORKING: Final = {
    "22001": "an id is longer than 255 letters - choose a shorter name",
    "42501": f"this user lacks a right - Tact's user has to own its tables ({PAGE})",
    "25006": "it takes no writing here (a replica?) - name the primary in database_url",
    "57014": "a statement ran into statement_timeout - raise it for Tact's user",
    "55P03": f"another Tact has been busy with this memory for {LOCK_WAIT_S} s - wait until it is done, or end it",
    "25P03": "a transaction ran into idle_in_transaction_session_timeout - raise it for Tact's user",
    "53100": "its disk is full - make room",
}


class Unreachable(StoreFault):
    """The server does not answer, or not yet: it may later."""


def no_answer(error: OSError, where: str) -> Unreachable:
    """Nobody answers at the address, or not in the way that was asked for."""
    if isinstance(error, SSLCertVerificationError):
        what = "its TLS certificate is not one to be trusted: sslrootcert in the URL"
    elif isinstance(error, SSLError) or "SSL" in str(error):
        what = "no TLS there"
    elif error.errno is not None and error.errno > 0:
        what = os.strerror(error.errno)
    else:
        what = error.strerror or "no answer in time"
    return Unreachable(f"PostgreSQL does not answer at {where} ({what}) - start it, or mend database_url")


def no_connection(state: str, where: str) -> StoreFault:
    """The server answered, and gave no connection. `state`: the SQLSTATE."""
    if state in {"57P01", "57P02", "57P03"}:
        return Unreachable(f"PostgreSQL at {where} is starting or stopping - try again in a moment")
    what = _CONNECTING.get(state, f"it refused the connection ({state}) - see its log")
    return StoreFault(f"PostgreSQL at {where}: {what}")


def no_such_options(error: Exception, where: str) -> StoreFault:
    """The driver does not understand what the URL asks for."""
    return StoreFault(
        f"PostgreSQL at {where}: the options in the URL cannot be used ({type(error).__name__}) - mend database_url"
    )


def lost(where: str) -> Unreachable:
    """There was a connection."""
    return Unreachable(f"the connection to {where} was lost - see that PostgreSQL runs there")


def failed(error: DBAPIError, where: str) -> StoreFault:
    """A statement failed."""
    cause = getattr(error.orig, "__cause__", None) or error.orig or error
    state = str(getattr(error.orig, "sqlstate", None) or "")
    return lost(where) if error.connection_invalidated else refused(state, type(cause).__name__, where)


def refused(state: str, kind: str, where: str) -> StoreFault:
    """What the server did not do. `state`: the SQLSTATE, empty if there is none; `kind`: the driver's name for it."""
    if state.startswith(("08", "57P")):
        return lost(where)
    what = _WORKING.get(state, f"a statement failed ({kind} {state}".rstrip() + ")")
    return StoreFault(f"PostgreSQL at {where}: {what}")

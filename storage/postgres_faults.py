"""PostgreSQL's errors in one line: what is wrong, where, and what to do about it.

Its own lines are not used: they quote values, and come in the server's language.
"""

from __future__ import annotations

import os
from ssl import SSLCertVerificationError, SSLError
from typing import Final

from sqlalchemy.exc import DBAPIError

from engine.errors import BadInput, StoreFault, TactError

LOCK_WAIT_S: Final = 30
"""So long a transaction waits for another process's."""

PAGE: Final = "docs/deploy/postgresql.md"
_MEND: Final = "mend database_url"

_CONNECTING: Final = {
    "28P01": "wrong user or password - see TACT_DATABASE_URL or database_url, PGPASSWORD and ~/.pgpass (mode 600)",
    "28000": "this user may not connect - create the role, or mend pg_hba.conf",
    "3D000": f"there is no such database - create it first ({PAGE})",
    "42501": "this user may not connect to the database - GRANT CONNECT, or make it the database's owner",
    "08P01": f"it refused the connection - see its log, or that of the pooler in front of it ({PAGE})",
    "53300": "it has no connection left - end another program, or raise max_connections",
}
_HUNG_UP: Final = frozenset({"08000", "08001", "08003", "08006"})
"""In the middle of the greeting, as a server or a proxy does that is being restarted."""

_OPTIONS: Final = {
    "42704": "PostgreSQL knows no such setting",
    "22023": "a setting of PostgreSQL's has a value that it cannot have",
    "55P02": "a setting of PostgreSQL's cannot be changed for one connection",
}
"""What an option of the URL leads to while connecting."""

_IDS: Final = {
    "22001": ("an id is longer than 255 letters", "choose a shorter name"),
    "22021": ("an id holds a sign that PostgreSQL cannot keep", "write it without"),
    "22P05": (
        "an id holds a letter that this database has no place for",
        f"its encoding has to be UTF8 ({PAGE})",
    ),
}
"""What somebody wrote is not fit to be an id; the memory is as sound as before."""

_WORKING: Final = {
    "3F000": "search_path names no schema that is there - create it, or mend database_url",
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
    if isinstance(error, FileNotFoundError | PermissionError):
        what = f"{error.strerror}: its socket, or a file that an option of the URL names"
    elif isinstance(error, SSLCertVerificationError):
        what = "its TLS certificate is not one to be trusted: sslrootcert in the URL"
    elif isinstance(error, SSLError) or "SSL" in str(error):
        what = "no TLS there"
    elif error.errno is not None and error.errno > 0:
        what = os.strerror(error.errno)
    else:
        what = error.strerror or "no answer in time"
    return Unreachable(f"PostgreSQL does not answer at {where} ({what}) - start it, or mend database_url")


def no_connection(state: str, where: str, option: str = "") -> TactError:
    """The server answered, and gave no connection. `state`: the SQLSTATE; `option`: of the URL, if it is about one."""
    if state in _HUNG_UP:
        return Unreachable(
            f"PostgreSQL at {where} hung up - see that it runs there, and try again in a moment"
        )
    if state.startswith("57P"):
        return Unreachable(f"PostgreSQL at {where} is starting or stopping - try again in a moment")
    if state in _OPTIONS:
        return BadInput(f"{option or 'an option'} in the URL: {_OPTIONS[state]}", where=where, fix=_MEND)
    what = _CONNECTING.get(state, f"it refused the connection ({state}) - see its log")
    return StoreFault(f"PostgreSQL at {where}: {what}")


def no_such_options(error: Exception, where: str) -> BadInput:
    """The driver does not understand what the URL asks for, or lacks a file for it."""
    what = f"the options in the URL cannot be used ({type(error).__name__})"
    if "root certificate" in str(error):
        what = "sslmode asks for a certificate to be looked at, and there is none to compare with"
        return BadInput(what, where=where, fix="add sslrootcert=FILE to database_url")
    return BadInput(what, where=where, fix=_MEND)


def no_such_server(where: str) -> Unreachable:
    """Somebody answers, but nobody of the kind that `target_session_attrs` asks for: after a failover, soon."""
    return Unreachable(
        f"PostgreSQL at {where}: no server there is what target_session_attrs asks for - {_MEND}"
    )


def lost(where: str) -> Unreachable:
    """There was a connection."""
    return Unreachable(f"the connection to {where} was lost - see that PostgreSQL runs there")


def failed(error: DBAPIError, where: str) -> TactError:
    """A statement failed; a `StoreFault`, or a `BadInput` if what somebody gave as an id cannot be one."""
    cause = getattr(error.orig, "__cause__", None) or error.orig or error
    state = str(getattr(error.orig, "sqlstate", None) or "")
    return lost(where) if error.connection_invalidated else refused(state, type(cause).__name__, where)


def refused(state: str, kind: str, where: str) -> TactError:
    """What the server did not do. `state`: the SQLSTATE, empty if there is none; `kind`: the driver's name for it."""
    if state in _IDS:
        what, fix = _IDS[state]
        return BadInput(what, where=where, fix=fix)
    if state.startswith(("08", "57P")):
        return lost(where)
    what = _WORKING.get(state, f"a statement failed ({kind} {state}".rstrip() + ")")
    return StoreFault(f"PostgreSQL at {where}: {what}")

"""Faults as the command line shows them: one line, never a traceback, and never the words of anybody's messages."""

from __future__ import annotations

import os
from errno import EDQUOT, EIO, ENOSPC
from pathlib import Path
from traceback import extract_tb

from typer import echo

from engine.errors import NotReleased, TactError

INTERRUPTED = 130
_UNWRITABLE = frozenset({ENOSPC, EDQUOT, EIO})


def show(error: BaseException) -> int:
    """Say what went wrong, on standard error.

    Errors raised on purpose say it themselves. Of any other only the class is shown, for its text may quote the
    memory (a database error lists the values it was given); `TACT_DEBUG=1` adds where it happened.

    Returns:
        The exit code.
    """
    debugging = os.environ.get("TACT_DEBUG", "") not in {"", "0"}
    if isinstance(error, TactError) and not isinstance(error, NotReleased):
        echo(f"tact: {' '.join(str(error).split())}", err=True)
        code = error.exit_code
    elif isinstance(error, OSError) and error.errno in _UNWRITABLE:
        echo(f"tact: it cannot be written ({error.strerror}) - make room, or write it elsewhere", err=True)
        code = 1
    else:
        hint = "" if debugging else "; TACT_DEBUG=1 says where"
        echo(f"tact: a fault inside Tact ({type(error).__name__}){hint}", err=True)
        code = 1
    if debugging:
        echo("\n".join(_places(error)), err=True)
    return code


def _places(error: BaseException) -> list[str]:
    """Classes and places, the cause first; no words and no values."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    lines = [] if before is None else _places(before)
    frames = [f"  {Path(f.filename).name}:{f.lineno} {f.name}" for f in extract_tb(error.__traceback__)]
    return [*lines, type(error).__name__, *frames]

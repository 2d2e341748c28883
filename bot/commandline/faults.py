"""Faults as the command line shows them: one line, never a traceback, and never the words of anybody's messages."""

from __future__ import annotations

import os

from typer import echo

from engine.errors import NotReleased, TactError

INTERRUPTED = 130


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
    else:
        hint = "" if debugging else "; TACT_DEBUG=1 says where"
        echo(f"tact: a fault inside Tact ({type(error).__name__}){hint}", err=True)
        code = 1
    if debugging:
        from config.logs import described  # noqa: PLC0415 - logging is not needed for anything quick

        echo(described(error), err=True)
    return code

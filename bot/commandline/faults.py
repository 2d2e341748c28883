"""Faults as the command line shows them: one line, never a traceback, and never the words of anybody's messages."""

from __future__ import annotations

import os
import traceback
from pathlib import Path

from typer import echo

from engine.errors import NotReleased, TactError

INTERRUPTED = 130
_PRIVATE = (NotReleased,)


def show(error: BaseException) -> int:
    """Say what went wrong, on standard error.

    Errors raised on purpose say it themselves. Of any other only the class is shown, for its text may quote the
    memory (a database error lists the values it was given); `TACT_DEBUG=1` adds where it happened.

    Returns:
        The exit code.
    """
    if isinstance(error, TactError) and not isinstance(error, _PRIVATE):
        echo(f"tact: {' '.join(str(error).split())}", err=True)
        code = error.exit_code
    else:
        hint = "" if _debugging() else "; TACT_DEBUG=1 says where"
        echo(f"tact: a fault inside Tact ({type(error).__name__}){hint}", err=True)
        code = 1
    if _debugging():
        echo("\n".join(_frames(error)), err=True)
    return code


def _debugging() -> bool:
    return os.environ.get("TACT_DEBUG", "") not in {"", "0"}


def _frames(error: BaseException) -> list[str]:
    """Class and place, the cause first; no message and no values."""
    before = error.__cause__ or error.__context__
    lines = _frames(before) if before is not None else []
    frames = traceback.extract_tb(error.__traceback__)
    return [*lines, type(error).__name__, *(f"  {_place(f.filename)}:{f.lineno} {f.name}" for f in frames)]


def _place(file: str) -> str:
    """A path from the project's folder, or from the package's."""
    root = Path(__file__).parents[2]
    path = Path(file)
    return str(path.relative_to(root)) if path.is_relative_to(root) else "/".join(path.parts[-3:])

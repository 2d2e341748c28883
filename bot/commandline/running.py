"""Running asynchronous work from a command, with nothing said behind its back."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

from engine.errors import BadInput

T = TypeVar("T")


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end.

    Log lines and unfetched exceptions of libraries go nowhere: they may quote the memory.
    """
    logging.lastResort = None
    with asyncio.Runner() as runner:
        runner.get_loop().set_exception_handler(lambda _loop, _context: None)
        return runner.run(work)


def interactive() -> bool:
    """Whether somebody is there to answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def agreed(question: str, *, yes: bool, otherwise: str) -> bool:
    """Ask for a yes.

    Args:
        question: in one line.
        yes: it was said already, on the command line.
        otherwise: what did not happen, if nobody can be asked.

    Raises:
        BadInput: if nobody can be asked.
    """
    if yes:
        return True
    if not interactive():
        raise BadInput(otherwise, fix="say --yes")
    return input(f"{question} [y/N] ").strip().casefold() in {"y", "yes", "是", "好"}

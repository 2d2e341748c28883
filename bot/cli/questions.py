"""Asking somebody, if somebody is there."""

from __future__ import annotations

import sys

from engine.errors import BadInput


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

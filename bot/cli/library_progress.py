"""`watched` for work that begins and ends inside a library: the bar comes and goes with what it is told."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from bot.cli.progress import watched
from engine.store import Progress

_STEPS = 1000


class _Bar:
    def __init__(self, what: str) -> None:
        self._what = what
        self._stack = ExitStack()
        self._told: Callable[[int, int], None] | None = None

    def __call__(self, done: float) -> None:
        if self._told is None:
            self._told = self._stack.enter_context(watched(self._what))
        self._told(int(_STEPS * done), _STEPS)
        if done >= 1:
            self._stack.close()
            self._told = None


def bar(what: str) -> Progress:
    """Something to be told how much is done (0..1); after it was told that all is, it begins again."""
    return _Bar(what)

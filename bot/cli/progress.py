"""A progress bar for work that takes longer than two seconds, on standard error, if somebody is looking."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_PATIENCE_S = 2.0


@contextmanager
def watched(what: str) -> Iterator[Callable[[int, int], None]]:
    """What it gives is told how much of how much is done."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    began = time.monotonic()
    shown: list[Any] = []

    def told(done: int, total: int) -> None:
        if not shown and time.monotonic() - began > _PATIENCE_S:
            shown.extend(_bar(what))
        if shown:
            shown[0].update(shown[1], completed=done, total=total)

    try:
        yield told
    finally:
        if shown:
            shown[0].stop()


def _bar(what: str) -> tuple[Any, Any]:
    from rich.console import Console  # noqa: PLC0415 - only for a terminal
    from rich.progress import Progress  # noqa: PLC0415

    bar = Progress(console=Console(stderr=True), transient=True)
    bar.start()
    return bar, bar.add_task(what, total=None)

"""Dying at a named place, to order. Only a process that the nursery made is ever told to."""

from __future__ import annotations

import os
import signal

from engine.failpoints import arm


def die_at(order: str) -> None:
    """Have this process die at a place: `NAME` the first time that it is reached, `NAME:3` the third time.

    Without a name nothing is armed.
    """
    name, _, number = order.partition(":")
    if not name:
        return
    left = int(number or 1)

    def die(reached: str) -> None:
        nonlocal left
        left -= reached == name
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)

    arm(die)

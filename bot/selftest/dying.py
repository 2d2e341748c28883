"""Dying at a named place, to order: only where a self-test made the memory."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from pathlib import Path

from engine.failpoints import arm

VARIABLE = "TACT_FAILPOINT"
"""`NAME` dies the first time that place is reached, `NAME:3` the third time."""
MARK = "made-by-selftest"
"""A file with this name in the data folder: without it the variable is nothing."""


def arm_for(folder: Path, environ: Mapping[str, str] = os.environ) -> None:
    """Arm the place that the environment names, if this folder's memory is there to be killed."""
    name, _, number = environ.get(VARIABLE, "").partition(":")
    if not name or not (folder / MARK).exists():
        return
    left = int(number or 1)

    def die(reached: str) -> None:
        nonlocal left
        left -= reached == name
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)

    arm(die)

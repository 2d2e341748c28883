"""One Tact a folder: a lock that ends with the process that holds it, however it ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from types import ModuleType

from engine.errors import BadInput

fcntl: ModuleType | None
try:
    fcntl = import_module("fcntl")
except ImportError:  # not on this system; SQLite's own locks still keep two writers apart
    fcntl = None

FILE = "tact.lock"


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold the folder.

    Raises:
        BadInput: if another process does; it says which one.
    """
    descriptor = os.open(folder / FILE, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _take(descriptor, folder)
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()} {datetime.now(UTC):%Y-%m-%d %H:%M} UTC".encode(), 0)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int, folder: Path) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise BadInput(
            f"Tact is running on this folder already ({holder(descriptor)})",
            where=str(folder),
            fix="use that one, or stop it first",
        ) from None


def holder(descriptor: int) -> str:
    """Who wrote into the lock."""
    number, _, since = os.pread(descriptor, 200, 0).decode("ascii", "replace").partition(" ")
    return f"process {number}, since {since}" if number.isdecimal() else "another process"


def is_held(folder: Path) -> bool:
    """Whether a Tact runs on this folder now."""
    try:
        with only_one(folder):
            return False
    except BadInput:
        return True

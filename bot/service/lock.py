"""One running Tact a folder: a lock that ends with the process that holds it, however it ends.

A memory on a server is claimed there (`open_store(…, alone=True)`), so that two folders cannot run on it either.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from bot.bootstrap import place_of
from config.settings import Settings
from engine.errors import BadInput
from storage.file_lock import locked

FILE = "tact.lock"


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Hold the folder.

    Raises:
        BadInput: if another process does; it says which one.
    """
    descriptor = locked(folder / FILE)
    if descriptor is None:
        raise BadInput(
            f"Tact is running on this folder already ({holder(folder)})",
            where=str(folder),
            fix="use that one, or stop it first",
        )
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()} {datetime.now(UTC):%Y-%m-%d %H:%M} UTC".encode(), 0)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def only_run(settings: Settings) -> Iterator[None]:
    """Hold the data folder, and the folder of the database's file where that is another.

    Raises:
        BadInput: if another process holds one of them.
    """
    place = place_of(settings)
    folders = [settings.data, *([place.parent] if isinstance(place, Path) and place.parent.is_dir() else [])]
    with ExitStack() as held:
        for folder in dict.fromkeys(folder.resolve() for folder in folders):
            held.enter_context(only_one(folder))
        yield


def holder(folder: Path) -> str:
    """Who wrote into the lock."""
    number, _, since = (folder / FILE).read_bytes()[:200].decode("ascii", "replace").partition(" ")
    return f"process {number}, since {since}" if number.isdecimal() else "another process"


def is_held(folder: Path) -> bool:
    """Whether a Tact runs on this folder now."""
    try:
        with only_one(folder):
            return False
    except BadInput:
        return True

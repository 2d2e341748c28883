"""Folders for work that is not finished: gone at the end, and cleared away later if their process was killed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

from filelock import lock_descriptor

from engine.errors import BadInput
from storage.file_lock import locked

PREFIX = ".tact-unfinished-"
_LOCK = "lock"


@contextmanager
def staging(beside: Path) -> Iterator[Path]:
    """A folder (0700) in `beside`, on the same disk as what is to be put in place there.

    Raises:
        BadInput: if none can be made.
    """
    clear_stale(beside)
    try:
        folder = Path(mkdtemp(prefix=PREFIX, dir=beside))
    except OSError as error:
        raise BadInput(
            f"nothing can be written here ({error.strerror})", where=str(beside), fix="choose another place"
        ) from None
    descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        lock_descriptor(descriptor)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)


def clear_stale(folder: Path) -> None:
    """Remove what killed processes left here; what is being worked in stays."""
    for left in folder.glob(f"{PREFIX}*"):
        if not _is_used(left):
            shutil.rmtree(left, ignore_errors=True)


def _is_used(folder: Path) -> bool:
    with suppress(OSError):  # not ours to look into
        descriptor = locked(folder / _LOCK)
        if descriptor is None:
            return True
        os.close(descriptor)
    return False


def sync_folder(folder: Path) -> None:
    """Make what was renamed in a folder last."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

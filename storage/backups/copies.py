"""Copies of a SQLite memory that Tact makes itself: one before its tables are changed, one while it is restored.

A copy holds what is forgotten later. So it goes as soon as something is forgotten, and after a month in any case.
"""

from __future__ import annotations

import shutil
import time
from pathlib import Path

from engine.errors import BadInput, StoreFault
from storage import sqlite
from storage.backups.work_folder import clear_stale, sync_folder

_MIDDLE = ".before-"
_TOMBSTONES = "tombstones"
_MONTH_S = 30 * 24 * 3600
_SPARE = 16 * 2**20
"""Bytes left over for everything else."""


def copy_path(database: Path, before: str) -> Path:
    """Where the copy made before something lies."""
    return database.with_name(f"{database.name}{_MIDDLE}{before}")


def copy_before(database: Path, before: str) -> Path:
    """Copy a memory beside itself (0600), whole or not at all.

    Args:
        database: the file.
        before: what is about to be done, for the name.

    Raises:
        StoreFault: if the disk has no room for the copy and the work after it. Nothing is changed then.
    """
    needed = 2 * database.stat().st_size + _SPARE
    free = shutil.disk_usage(database.parent).free
    if free < needed:
        raise StoreFault(
            f"{database.parent}: no room for a copy before the tables are changed ({free // 2**20} MB left, "
            f"{-(-needed // 2**20)} MB needed) - make room; nothing was changed"
        )
    path = copy_path(database, before)
    unfinished = path.with_name(f"{path.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    try:
        sqlite.snapshot(database, unfinished)
    except (BadInput, OSError) as error:
        unfinished.unlink(missing_ok=True)
        raise StoreFault(f"no copy could be made, so nothing was changed: {error}") from None
    unfinished.replace(path)
    sync_folder(path.parent)
    return path


def copies_of(database: Path) -> list[Path]:
    """Every copy that lies beside a memory, finished or not."""
    return sorted(database.parent.glob(f"{database.name}{_MIDDLE}*"))


def remove_copies(database: Path) -> None:
    """Remove all copies, and what killed processes left."""
    for copy in copies_of(database):
        copy.unlink(missing_ok=True)
    clear_stale(database.parent)


def remove_outlived(database: Path) -> None:
    """Remove the copies that hold what has been forgotten since, those older than a month, and what killed processes left.

    Tombstones only ever become more, so that a copy with as many as the memory has holds nothing forgotten.
    """
    clear_stale(database.parent)
    copies = copies_of(database)
    buried = sqlite.rows_in(database, _TOMBSTONES) if copies else 0
    for copy in copies:
        old = time.time() - copy.stat().st_mtime > _MONTH_S
        if old or buried is None or sqlite.rows_in(copy, _TOMBSTONES) != buried:
            copy.unlink(missing_ok=True)

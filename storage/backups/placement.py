"""Putting a restored memory in the place of the one that is there.

INVARIANT: it is one step: whoever looks, at whatever moment and after whatever crash, finds the old memory or the new one.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

from storage import postgres, sqlite
from storage.backups.archive import Told
from storage.backups.comparison import see_unchanged
from storage.backups.copies import copy_path, remove_copies
from storage.backups.table_copy import continue_numbers, copy_rows, empty, see_nobody_else
from storage.backups.work_folder import sync_folder
from storage.engines import opened
from storage.migrate import upgrade_connection
from storage.sql import SqlStore
from storage.vault import Vault


async def put_in_place(database: Path, vault: Vault, url: str, told: Told, seen: str = "") -> None:
    """Let a restored memory take the place of the one that is there, in one step.

    Args:
        database: the restored memory's file, on the same disk as the one it replaces.
        vault: with its key.
        url: where it goes: a file's URL or path, or a PostgreSQL database that exists.
        told: hears how far it is.
        seen: the digest of the present memory's rows when it was compared with the restored one; empty: it was not.

    Raises:
        BadInput: if somebody has the present memory open, or something was written to it since it was compared.
        StoreFault: if it cannot be put there, or does not open there; then the old one is back.
    """
    final = database.with_name("final.db")
    await asyncio.to_thread(
        sqlite.snapshot, database, final
    )  # without free pages: no byte of what was erased
    file = sqlite.file_of(url)
    if file is None:
        await _into_server(final, url, told, seen)
        return
    if seen:
        async with opened(url) as engine, engine.connect() as present:
            await see_unchanged(present, seen)
    aside = await asyncio.to_thread(_exchange, final, file)
    try:
        await (await SqlStore.open(file, vault)).close()
    except BaseException:
        if aside is not None:
            aside.replace(file)
        raise
    await asyncio.to_thread(remove_copies, file)


def _exchange(final: Path, file: Path) -> Path | None:
    """Put a file in the place of another, which is kept aside; returns where."""
    aside = copy_path(file, "restore")
    there = file.exists()
    if there:
        sqlite.let_go(file)
        aside.unlink(missing_ok=True)
        try:
            os.link(file, aside)
        except OSError:  # a file system without links
            shutil.copy2(file, aside)
    for beside in ("-wal", "-shm", "-journal"):
        file.with_name(file.name + beside).unlink(missing_ok=True)
    final.replace(file)
    sync_folder(file.parent)
    return aside if there else None


async def _into_server(final: Path, url: str, told: Told, seen: str) -> None:
    """Whoever is connected is seen, and whoever comes now waits for this turn: nobody reads both memories."""
    async with opened(url, alone=True) as server, postgres.turn(server, patience=0) as target:
        await see_nobody_else(target)
        await see_unchanged(target, seen)
        await upgrade_connection(target)
        await empty(target)
        async with opened(str(final)) as file, file.connect() as source:
            await copy_rows(source, target, told)
        await continue_numbers(target)
        await target.commit()

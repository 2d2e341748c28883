"""Backups: a memory as it is at one moment, in one file, whoever writes meanwhile.

From PostgreSQL, too, it is an SQLite file that goes into the backup, with the same tables: one format for both, so that a
backup of either can be restored to either.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from engine.errors import BadInput, StoreFault
from storage import sqlite
from storage.backups.archive import DATABASE, Manifest, Told, pack, unwatched
from storage.backups.table_copy import copy_rows, count_rows
from storage.backups.work_folder import staging, sync_folder
from storage.engines import opened
from storage.migrate import revision_of, upgrade
from storage.vault import Sealed, Vault

SETTINGS: Final = "tact.toml.sealed"
_POLL_S = 0.2
_CHECK = "key check"
_BEGINNING = b"PK\x03\x04"
"""Of every ZIP that holds something."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be backed up.

    Args:
        url: of the database, or the path of an SQLite file.
        settings: the settings file's bytes, without any secret; empty: there is none.
        tact: this version.
        at: now.
    """

    url: str
    settings: bytes
    tact: str
    at: datetime


async def back_up(
    wanted: Wanted, vault: Vault, target: Path, *, force: bool = False, told: Told = unwatched
) -> Manifest:
    """Write a backup (0600): the whole file or none, and an old one stays until the new one is there.

    Args:
        wanted: what.
        vault: with the memory's key.
        target: the file to write.
        force: overwrite a backup that is there, and no other file.
        told: hears how far it is.

    Raises:
        BadInput: if the file cannot be written, or is there already.
        StoreFault: if the memory cannot be read, is damaged, or has another key.
    """
    check_target(target, force=force)
    with staging(target.parent) as work:
        database = work / DATABASE
        await _snapshot(wanted.url, database, told)
        await asyncio.to_thread(sqlite.check_whole, database)
        manifest = await _described(wanted, database, vault)
        files, ready = {DATABASE: database}, work / "ready"
        try:
            if wanted.settings:
                files[SETTINGS] = work / SETTINGS
                sealed = vault.seal("backup", "settings", "tact.toml", wanted.settings).data
                files[SETTINGS].write_bytes(sealed)
            manifest = await asyncio.to_thread(pack, ready, manifest, files, vault, told)
            _put(ready, target, force=force)
        except OSError as error:
            raise BadInput(
                f"it cannot be written ({error.strerror})", where=str(target), fix="check rights and space"
            ) from None
    return manifest


def check_target(target: Path, *, force: bool) -> None:
    """See that a file can be written here.

    Raises:
        BadInput: if not.
    """
    if target.is_dir():
        raise BadInput("this is a folder", where=str(target), fix="name a file in it")
    if not target.parent.is_dir():
        raise BadInput("there is no such folder", where=str(target.parent), fix="make it first")
    if target.exists() and not force:
        raise _there(target)
    if target.exists() and not _may_go(target):
        raise BadInput(
            "this file is no backup, so it is not overwritten", where=str(target), fix="choose another name"
        )


def _may_go(target: Path) -> bool:
    """Whether a file is a backup, or the beginning of one, and not the memory, its key or something else."""
    if not target.is_file():
        return False
    with suppress(OSError), target.open("rb") as file:
        return file.read(len(_BEGINNING)) in {_BEGINNING, b""}
    return False


def _there(target: Path) -> BadInput:
    return BadInput(
        "this file is there already", where=str(target), fix="choose another name, or say --force"
    )


def _put(ready: Path, target: Path, *, force: bool) -> None:
    """Give a finished file its name. Without `force` it never takes the place of another, however late that came."""
    if force:
        ready.replace(target)
    else:
        try:
            os.link(ready, target)
        except FileExistsError:
            raise _there(target) from None
        except OSError:  # a file system without links
            if target.exists():
                raise _there(target) from None
            ready.replace(target)
    sync_folder(target.parent)


async def _snapshot(url: str, into: Path, told: Told) -> None:
    file = sqlite.file_of(url)
    if file is None:
        await _from_server(url, into, told)
        return
    copying = asyncio.ensure_future(asyncio.to_thread(sqlite.snapshot, file, into))
    total = file.stat().st_size
    while not copying.done():
        await asyncio.wait([copying], timeout=_POLL_S)
        told(min(_size(into), total), total)
    await copying


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


async def _from_server(url: str, into: Path, told: Told) -> None:
    """All tables of a PostgreSQL database as they are at one moment, as an SQLite file of the same revision."""
    async with opened(url) as server, server.connect() as source:
        await source.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        revision = await revision_of(source)
        if revision is None:
            raise StoreFault("there is no memory in this database - tact init makes one")
        sqlite.make_file(into)
        await upgrade(str(into), to=revision)
        async with opened(str(into)) as file, file.begin() as target:
            await copy_rows(source, target, told)


async def _described(wanted: Wanted, database: Path, vault: Vault) -> Manifest:
    async with opened(str(database)) as engine, engine.connect() as connection:
        revision = await revision_of(connection)
        if revision is None:
            raise StoreFault("there is no memory in this database - tact init makes one")
        await check_key(connection, vault)
        counts = await count_rows(connection)
    source = "postgresql" if sqlite.file_of(wanted.url) is None else "sqlite"
    return Manifest(wanted.tact, revision, wanted.at.isoformat(timespec="seconds"), source, counts)


async def check_key(connection: AsyncConnection, vault: Vault) -> None:
    """See that a memory was made with this key.

    Raises:
        StoreFault: if with another.
    """
    asked = text("SELECT value FROM meta WHERE name = :name")
    kept = (await connection.execute(asked, {"name": _CHECK})).scalar()
    try:
        vault.open(Sealed("meta", "value", bytes(kept or b"")), _CHECK)
    except StoreFault:
        raise StoreFault("this is not the key that the memory was made with: restore that one") from None

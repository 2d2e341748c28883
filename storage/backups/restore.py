"""Restoring a backup: unpacked and checked apart, and told what has happened since; `placement.py` puts it in place.

INVARIANT: nothing here writes to the memory that is there, save to bring its tables up to date.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from sqlalchemy import delete, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from engine.errors import BadInput, StoreFault
from engine.ids import AccountId, FactId, MessageId
from engine.people import People
from engine.policy import Policy
from storage import sqlite
from storage.backups.archive import DATABASE, Archive, Told, unwatched
from storage.backups.carried_mail import Mail, carry_over, doubt, rows_of, tombstones_of
from storage.backups.carry_over import let_stand, take_policies
from storage.backups.comparison import digest_of_rows
from storage.backups.snapshot import SETTINGS, check_key
from storage.engines import opened
from storage.migrate import revision_of, upgrade
from storage.sql import SqlStore
from storage.tables import changes, policy_versions, tombstones
from storage.vault import Sealed, Vault

_KINDS: Final = ("fact", "message")
_PRESENT: Final = -1
_WHOLE: Final = 1000


@dataclass(frozen=True, slots=True)
class Choice:
    """How to restore.

    Args:
        present: URL or path of the memory that is there; empty: there is none.
        owners: the owner's accounts as configured: exactly these are the owner's afterwards.
        at: now.
        theirs: policy, people, marks and lists as in the backup, and not as they are now.
        moved: nothing has run since the backup was made: what was under way then is still to be done.
        dead_notes: beginnings of names of documents that are good for one moment only.
    """

    present: str
    owners: Collection[AccountId]
    at: datetime
    theirs: bool = False
    moved: bool = False
    dead_notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a restored memory will be, for the owner to see before it counts.

    Args:
        facts, messages: how many were forgotten again.
        mail: what was under way.
        marks: facts whose marks are not the backup's.
        policy, people: what will count; `before` the present policy; `kept` whether it is that one.
        newer: nothing has been decided since the backup was made.
        seen: the digest of the present memory's rows that this was made with; empty: there is none.
    """

    facts: int = 0
    messages: int = 0
    mail: Mail = field(default_factory=Mail)
    marks: int = 0
    policy: Policy = field(default_factory=Policy)
    people: People = field(default_factory=People)
    before: Policy | None = None
    kept: bool = False
    newer: bool = True
    seen: str = ""


async def unpack(archive: Archive, vault: Vault, work: Path, told: Told = unwatched) -> Path:
    """The backup's database in a folder of its own, looked over and brought to this version's tables.

    Raises:
        BadInput: if the backup is damaged, or a newer Tact made it.
    """
    database = work / DATABASE
    await asyncio.to_thread(archive.unpack, DATABASE, database, told)
    try:
        await asyncio.to_thread(sqlite.check_whole, database)
        async with opened(str(database)) as engine, engine.connect() as connection:
            await revision_of(connection)
            await check_key(connection, vault)
        await upgrade(str(database), vault=vault)
    except StoreFault as error:
        raise BadInput(str(error), where=str(archive.path)) from None
    return database


def settings_in(archive: Archive, vault: Vault, work: Path) -> bytes:
    """The settings file that is in the backup; empty if none is."""
    if SETTINGS not in archive.manifest.files:
        return b""
    target = work / SETTINGS
    archive.unpack(SETTINGS, target)
    return vault.open(Sealed("backup", "settings", target.read_bytes()), "tact.toml")


async def reconcile(database: Path, vault: Vault, choice: Choice, told: Told = unwatched) -> Outcome:
    """Tell a restored memory what has happened since its backup was made.

    What the present memory has forgotten is forgotten here with all its copies; what it has handled or sent is not
    handled or sent again; what it has closed stays closed, unless the choice is the backup's own decisions.

    Raises:
        BadInput: if the memory that is there is another one.
        StoreFault: if it cannot be used.
    """
    if not choice.present:
        async with opened(str(database)) as engine, engine.begin() as restored:
            mail = Mail() if choice.moved else await doubt(restored, choice.dead_notes)
        return await _forgotten(database, vault, choice, _Merged(Outcome(mail=mail)), told)
    await _bring_up_to_date(choice.present, vault)
    async with (
        opened(str(database)) as ours,
        opened(choice.present) as theirs,
        ours.begin() as restored,
        theirs.connect() as present,
    ):
        seen = await digest_of_rows(present)  # before anything of it is taken over
        before = await _policy_of(choice.present, vault)
        merged = await _merged(restored, present, vault, choice)
    merged = replace(merged, outcome=replace(merged.outcome, before=before, seen=seen))
    return await _forgotten(database, vault, choice, merged, told)


@dataclass(frozen=True, slots=True)
class _Merged:
    """What came of merging: what is still to be forgotten, and the version of which the policy is to be saved again.

    `again` is -1 for the present memory's policy and 0 for none.
    """

    outcome: Outcome
    gone: Mapping[tuple[str, str], datetime] = field(default_factory=dict)
    again: int = 0


async def is_there(url: str) -> bool:
    """Whether there is a memory in this place.

    Raises:
        BadInput: if there is a file that cannot be read.
        StoreFault: if a newer Tact made it, or the server cannot be used.
    """
    file = sqlite.file_of(url)
    if file is not None and not file.exists():
        return False
    if file is not None:
        try:
            await asyncio.to_thread(sqlite.check_whole, file)
        except StoreFault as error:
            raise BadInput(
                f"{error}, so what it has forgotten cannot be seen",
                where=str(file),
                fix="move it out of the folder to restore without it",
            ) from None
    async with opened(url) as engine, engine.connect() as connection:
        return await revision_of(connection) is not None


async def _bring_up_to_date(url: str, vault: Vault) -> None:
    """Open the present memory, which brings its tables up to date.

    Raises:
        BadInput: if it has another key.
    """
    async with opened(url) as engine, engine.connect() as connection:
        await revision_of(connection)
        try:
            await check_key(connection, vault)
        except StoreFault:
            raise BadInput(
                "the memory here was made with another key", fix="restore into another folder with --data"
            ) from None
    await (await SqlStore.open(url, vault)).close()


async def _policy_of(url: str, vault: Vault) -> Policy:
    store = await SqlStore.open(url, vault)
    try:
        async with store.transaction() as tx:
            return await tx.policy()
    finally:
        await store.close()


async def _merged(
    restored: AsyncConnection, present: AsyncConnection, vault: Vault, choice: Choice
) -> _Merged:
    mine = {row.version: row.at for row in await rows_of(restored, policy_versions)}
    theirs = {row.version: row.at for row in await rows_of(present, policy_versions)}
    if 1 in mine and 1 in theirs and mine[1] != theirs[1]:
        raise BadInput(
            "the memory here is not the one that this backup was made of", fix="restore into another folder"
        )
    newer = theirs.items() <= mine.items() and await _begins_alike(restored, present)
    kept = not newer and not choice.theirs
    mail = await carry_over(restored, present, choice.dead_notes, newer_notes=not newer)
    marks = await let_stand(restored, present, vault) if kept else 0
    known = await tombstones_of(restored)
    gone = {key: at for key, at in (await tombstones_of(present)).items() if key not in known}
    again = 0
    if not newer and mine.items() <= theirs.items():
        await take_policies(restored, present)
        again = max(mine, default=0) if choice.theirs else 0
    elif kept:
        again = _PRESENT
    return _Merged(Outcome(mail=mail, marks=marks, newer=newer, kept=kept), gone, again)


async def _begins_alike(restored: AsyncConnection, present: AsyncConnection) -> bool:
    """Whether every change that the present memory has seen is in the backup, too."""
    theirs = [tuple(row) for row in await rows_of(present, changes)]
    return [tuple(row) for row in await rows_of(restored, changes)][: len(theirs)] == theirs


async def _forgotten(database: Path, vault: Vault, choice: Choice, merged: _Merged, told: Told) -> Outcome:
    """Set owners and policy, forget what is to be forgotten, and leave one file without a trace of it."""
    store = await SqlStore.open(database, vault, owners=choice.owners)
    try:
        async with store.transaction() as tx:
            present = merged.outcome.before
            policy = present if merged.again == _PRESENT else await tx.policy_at(merged.again)
            if policy is not None:
                await tx.save_policy(policy, choice.at)
            by_kind = {kind: [i for k, i in merged.gone if k == kind] for kind in _KINDS}
            done = await tx.forget(
                facts=map(FactId, by_kind["fact"]),
                messages=map(MessageId, by_kind["message"]),
                at=choice.at,
                progress=lambda share: told(round(share * _WHOLE), _WHOLE),
            )
            counting, people = await tx.policy(), await tx.people()
        await store.finish_forgetting()
    finally:
        await store.close()
    await _bury(database, merged.gone)
    return replace(merged.outcome, facts=done.facts, messages=done.messages, policy=counting, people=people)


async def _bury(database: Path, gone: Mapping[tuple[str, str], datetime]) -> None:
    """Tombstones keep the time at which it was forgotten first, and are there of whatever kind they are."""
    async with opened(str(database)) as engine, engine.begin() as connection:
        rows = [{"kind": kind, "id": name, "at": at} for (kind, name), at in gone.items()]
        for row in rows:
            mine = (tombstones.c.kind == row["kind"]) & (tombstones.c.id == row["id"])
            await connection.execute(delete(tombstones).where(mine))
        if rows:
            await connection.execute(insert(tombstones), rows)

"""`tact doctor`: what is wrong with this installation, each fault with what to do about it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import stat
from dataclasses import asdict
from functools import partial
from pathlib import Path

from typer import echo

from bot.bootstrap import open_store
from bot.cli.doctor_remote import connection, model
from bot.cli.findings import FAULT, MIND, OK, Finding, Says
from bot.open_memory import command, exists
from bot.platforms import PLATFORMS
from bot.service.lock import is_held
from bot.texts import say
from config.keys import token_file
from config.settings import FILE_NAME, KeySource, Settings, load_settings
from engine.errors import BadInput, TactError
from engine.mailroom import State
from engine.store import Store
from storage.audit import audit

_ROOM_FOR = 200 * 1024 * 1024


def doctor(chosen: Path | None, *, as_json: bool, offline: bool) -> int:
    """Look at everything; 0 if nothing is wrong, 1 otherwise."""
    found = asyncio.run(examined(chosen, offline=offline))
    if as_json:
        echo(json.dumps([asdict(f) for f in found], ensure_ascii=False, indent=1))
    else:
        try:
            language = load_settings(chosen).language
        except TactError:
            language = "en"
        _show(found, partial(say, language))
    return int(any(f.state == FAULT for f in found))


def _show(found: list[Finding], says: Says) -> None:
    for finding in found:
        echo(f"{says(f'doctor.{finding.state}').ljust(5)}  {says(f'doctor.{finding.about}')}: {finding.what}")
        if finding.fix:
            echo(f"       -> {finding.fix}")


async def examined(chosen: Path | None, *, offline: bool) -> list[Finding]:
    """Everything there is to say."""
    try:
        settings = load_settings(chosen)
    except TactError as error:
        return [Finding("settings", FAULT, str(error))]
    says = partial(say, settings.language)
    found = [
        Finding("settings", OK, str(settings.data / FILE_NAME)),
        *_files(settings, says),
        _disk(settings, says),
    ]
    if not exists(settings):
        return [*found, Finding("database", FAULT, says("doctor.no_memory"), command(settings, "init"))]
    if settings.key_source is KeySource.FILE and not settings.key_file.exists():
        what = says("doctor.no_key", path=settings.key_file)
        return [*found, Finding("key", FAULT, what, says("doctor.no_key_fix"))]
    try:
        store = await open_store(settings)
    except BadInput as error:  # what to do about it is in its own line
        return [*found, Finding("database", FAULT, str(error))]
    except TactError as error:
        fix = "doctor.wrong_key_fix" if "the key" in str(error) else "doctor.database_fix"
        return [*found, Finding("database", FAULT, str(error), says(fix))]
    try:
        found += [*await _memory(store, says), await _tables(settings, store, says)]
        found.append(await _vectors(settings, store, says))
        for kind in PLATFORMS.values():
            found += await connection(kind, settings, store, says, offline=offline)
        return [*found, *await model(settings, says, offline=offline)]
    except BadInput as error:
        return [*found, Finding("model", FAULT, str(error))]
    finally:
        await store.close()


def _files(settings: Settings, says: Says) -> list[Finding]:
    """The folder and what is secret in it are for the owner's eyes only."""
    if os.name != "posix":
        return []
    found = []
    secret = [settings.data / name for name in (FILE_NAME, "tact.db", "tact.db-wal", "tact.db-shm")]
    secret += [token_file(settings, name) for name in PLATFORMS]
    if settings.key_source is KeySource.FILE:
        secret.append(settings.key_file)
    for path, wanted in ((settings.data, 0o700), *((path, 0o600) for path in secret)):
        if path.exists() and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            what = says("doctor.others_read", path=path)
            found.append(Finding("files", FAULT, what, f"chmod {wanted:o} {path}"))
    return found or [Finding("files", OK, says("doctor.private"))]


def _disk(settings: Settings, says: Says) -> Finding:
    folder = next(p for p in (settings.data, *settings.data.parents) if p.exists())
    free = shutil.disk_usage(folder).free
    if free < _ROOM_FOR:
        what = says("doctor.little_room", free=free // 2**20, folder=folder)
        return Finding("disk", FAULT, what, says("doctor.make_room"))
    return Finding("disk", OK, says("doctor.room", free=free // 2**20))


async def _memory(store: Store, says: Says) -> list[Finding]:
    async with store.transaction() as tx:
        counts = await tx.counts()
        waiting = len(await tx.arrivals())
        kept = [s for state in (State.UNCERTAIN, State.HELD) for s in await tx.sendings(state)]
    opens = says("doctor.opens", messages=counts["messages"], facts=counts["facts"])
    found = [Finding("database", OK, opens)]
    if waiting:
        found.append(
            Finding("inbox", MIND, says("doctor.inbox_waits", count=waiting), says("doctor.inbox_fix"))
        )
    uncertain = sum(1 for sending in kept if sending.text)
    if uncertain:
        what = says("doctor.outbox_waits", count=uncertain)
        found.append(Finding("outbox", MIND, what, says("doctor.outbox_fix")))
    return found


async def _vectors(settings: Settings, store: Store, says: Says) -> Finding:
    """Where vectors are compared, and whether every fact has one of the model in use."""
    from connectors.language.offline import load_embedder  # noqa: PLC0415 - numpy, and only here

    name = "doctor.vectors_memory" if settings.vectors == "exact" else "doctor.vectors_chroma"
    where, model = says(name, where=settings.chroma_url or settings.chroma_folder), load_embedder()
    if not model.dimension:
        return Finding("vectors", OK, where)
    async with store.transaction() as tx:
        missing = await tx.without_vector(model.name)
    if not missing:
        return Finding("vectors", OK, where)
    what = f"{where}; {says('doctor.vectors_missing', count=missing, model=model.name)}"
    return Finding("vectors", MIND, what, command(settings, "reindex"))


async def _tables(settings: Settings, store: Store, says: Says) -> Finding:
    """Whether the memory holds together; a Tact that is running would have to wait for that."""
    if is_held(settings.data):
        return Finding("tables", OK, says("doctor.held"))
    async with store.transaction() as tx:
        faults = await audit(tx)
    if not faults:
        return Finding("tables", OK, says("doctor.agree"))
    what = says("doctor.disagree", count=len(faults), first=faults[0])
    return Finding("tables", FAULT, what, says("doctor.disagree_fix"))

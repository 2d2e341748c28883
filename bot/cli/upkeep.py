"""`tact status`, `tact forget --finish` and `--compact`: looking after a memory from outside the conversation."""

from __future__ import annotations

import asyncio
import json
from importlib.metadata import version
from pathlib import Path

from typer import echo

from bot.bootstrap import open_store, place_of
from bot.cli.progress import watched
from bot.memory.erasure import DISK
from bot.open_memory import open_memory, settings_of_memory
from bot.texts import say

_UNFINISHED = {"held", "vectors"}


def status(chosen: Path | None, *, as_json: bool) -> int:
    """Print how much there is of everything: numbers only, no words of anybody's."""
    found, counts = asyncio.run(_status(chosen))
    if as_json:
        echo(json.dumps({**found, "counts": counts}, ensure_ascii=False, indent=1))
        return 0
    width = max(len(name) for name in (*found, *counts))
    for name, value in {**found, **counts}.items():
        echo(f"{name.replace('_', ' ').ljust(width)}  {value}")
    return 0


async def _status(chosen: Path | None) -> tuple[dict[str, object], dict[str, int]]:
    async with open_memory(chosen) as (settings, store), store.transaction() as tx:
        policy = await tx.policy()
        found: dict[str, object] = {
            "tact": version("tact"),
            "data": str(settings.data),
            "memory": str(place_of(settings)),
            "owner": policy.owner_name,
            "language": settings.language,
            "timezone": policy.timezone,
            "policy_version": policy.version,
            "categories": len(policy.categories),
            "contacts": len(policy.contacts),
        }
        return found, await tx.counts()


def finish_forgetting(chosen: Path | None) -> int:
    """Drive what was erased off the disk."""
    return asyncio.run(_finish(chosen))


async def _finish(chosen: Path | None) -> int:
    async with open_memory(chosen) as (settings, store):
        if store.compacted_by_hand:
            return _told(settings.language, "compact.by_hand", 1)
        finished = await store.finish_forgetting()
        if finished and store.left_at:
            echo(say(settings.language, "vectors.on_server", where=store.left_at))
        return _told(settings.language, "compact.done" if finished else "compact.read", int(not finished))


def compact(chosen: Path | None) -> int:
    """Write a server's tables anew, so that nothing erased is left in them; 1 if something is in the way."""
    return asyncio.run(_compact(chosen))


async def _compact(chosen: Path | None) -> int:
    settings = settings_of_memory(chosen)
    store = await open_store(settings)
    try:
        async with store.transaction() as tx:
            noted = await tx.note(DISK)
        with watched(say(settings.language, "compact.under_way")) as progress:
            ended = await store.compact(progress)
        async with store.transaction() as tx:
            if ended not in _UNFINISHED and await tx.note(DISK) == noted:  # nothing was erased meanwhile
                await tx.put_note(DISK, "")
    finally:
        await store.close()
    held = "compact.held" if store.compacted_by_hand else "compact.read"
    names = {"done": "compact.done", "no checkpoint": "compact.no_checkpoint", "held": held}
    return _told(settings.language, names.get(ended, "compact.vectors"), int(ended in _UNFINISHED))


def _told(language: str, name: str, code: int) -> int:
    """Say it, on standard error if something is left to be done."""
    echo(("tact: " if code else "") + say(language, name), err=bool(code))
    return code

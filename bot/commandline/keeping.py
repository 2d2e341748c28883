"""`tact status` and `tact forget --finish`: looking after a memory from outside the conversation."""

from __future__ import annotations

import asyncio
import json
from importlib.metadata import version
from pathlib import Path

from typer import echo

from bot.bootstrap import place_of
from bot.commandline.memory import open_memory


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
    if asyncio.run(_finish(chosen)):
        echo("What was forgotten is off the disk.")
        return 0
    echo("tact: another Tact is reading this memory - end it, then say this again", err=True)
    return 1


async def _finish(chosen: Path | None) -> bool:
    async with open_memory(chosen) as (_, store):
        return await store.finish_forgetting()

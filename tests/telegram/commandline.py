"""The command line as a test uses it: each command in a thread of its own, as it runs a loop of its own."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from bot.cli.app import run


async def tact(*arguments: object) -> int:
    """Run a command; returns its exit code."""
    return await asyncio.to_thread(run, [str(a) for a in arguments])


async def connect(folder: Path, *more: str) -> int:
    """`tact connect telegram` with the token that lies beside the folder."""
    return await tact("connect", "telegram", "--data", folder, "--token-file", folder.parent / "t", *more)


async def open_link(stage, capsys, user: int) -> str:
    """Wait for the link to be printed, and open it."""
    out = ""
    for _ in range(400):
        out += capsys.readouterr().out
        found = re.search(r"start=([\w-]{22})\n", out)
        if found:
            stage.world.say(user, user, f"/start {found[1]}")
            return out
        await asyncio.sleep(0.05)
    raise AssertionError(out)

"""`tact connect PLATFORM`: the token is tried and kept, and a one-time link makes whoever opens it first the owner."""

from __future__ import annotations

import asyncio
import getpass
import sys
from contextlib import suppress
from pathlib import Path

from typer import echo

from bot.bootstrap import open_tact
from bot.cli.questions import interactive
from bot.context import SystemClock
from bot.open_memory import command, settings_of_memory
from bot.platforms import Kind
from bot.service.lock import is_held, only_one
from bot.service.ownership import LIFE, new_code
from bot.service.rooms import NoRooms
from bot.service.service import Service
from bot.texts import say
from config.keys import load_token, save_token
from config.settings import Settings
from engine.errors import BadInput
from engine.platform import PlatformFault, Profile


def connect(kind: Kind, chosen: Path | None, *, token_file: Path | None, link: bool, wait: bool) -> int:
    """Connect a bot to the memory of a folder.

    Args:
        kind: the platform.
        chosen: the folder of `--data`.
        token_file: a file with the token, instead of asking for it.
        link: make a link though there is an owner on the platform already.
        wait: stay until the link was opened.

    Raises:
        BadInput: there is no memory, or the token is not good. Nothing is kept then.
    """
    settings = settings_of_memory(chosen)
    token = _token(kind, settings, token_file)
    profile = asyncio.run(_try(kind, token))
    language = settings.language
    where = save_token(settings, kind.name, token)
    echo(say(language, "connect.good", name=profile.name, where=where))
    for key in profile.advice:
        echo(f"   {say(language, key)}")
    owner = next((a for a in settings.owner_accounts if kind.owns(a)), None)
    if owner and not link:
        another = command(settings, f"connect {kind.name} --link")
        echo(say(language, "connect.is_owner", owner=owner, command=another))
        echo(say(language, "connect.start", command=command(settings, "run")))
        return 0
    return asyncio.run(_claim(kind, settings, token, profile, wait=wait))


def _token(kind: Kind, settings: Settings, file: Path | None) -> str:
    if file is not None:
        try:
            return file.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            raise BadInput("no token can be read there", where=str(file), fix=kind.token_fix) from None
    kept = load_token(settings, kind.name)
    if kept and not interactive():
        return kept
    echo(say(settings.language, f"{kind.name}.make"))
    if not interactive():
        return sys.stdin.readline().strip()
    question = say(settings.language, "connect.paste_or_keep" if kept else "connect.paste")
    return getpass.getpass(f"{question}: ").strip() or kept


async def _try(kind: Kind, token: str) -> Profile:
    """Ask the platform who the bot is.

    Raises:
        BadInput: the token is not good, or the platform cannot be reached.
    """
    platform = kind.connected(token, NoRooms(), SystemClock().now)
    try:
        return await platform.start()
    except PlatformFault as fault:
        raise BadInput(str(fault), fix="nothing was kept; try again") from None
    finally:
        with suppress(PlatformFault):
            await platform.stop()


async def _claim(kind: Kind, settings: Settings, token: str, profile: Profile, *, wait: bool) -> int:
    language, run = settings.language, command(settings, "run")
    async with open_tact(settings) as tact:
        code = await new_code(tact.context.store, kind.name, tact.context.clock.now())
        echo(say(language, f"{kind.name}.link"))
        echo(f"\n   {profile.claim}{code}\n")
        if is_held(settings.data):
            echo(say(language, "connect.running"))
            return 0
        if not wait:
            echo(say(language, "connect.start", command=run))
            return 0
        echo(say(language, "connect.waiting", command=run))
        sys.stdout.flush()
        with only_one(settings.data):
            claimed = await _waited(Service(tact, settings, {kind.name: token}))
    if not claimed:
        echo(say(language, "connect.nobody", command=command(settings, f"connect {kind.name} --link")))
        return 1
    echo(say(language, "connect.owner_now"))
    echo(say(language, "connect.start", command=run))
    echo(say(language, f"{kind.name}.group"))
    return 0


async def _waited(service: Service) -> bool:
    """Run until somebody opened the link, or the hour is over."""
    stop = asyncio.Event()
    running = asyncio.create_task(service.run(stop))
    claimed = asyncio.create_task(service.claimed.wait())
    try:
        await asyncio.wait(
            [running, claimed], timeout=LIFE.total_seconds(), return_when=asyncio.FIRST_COMPLETED
        )
        await asyncio.sleep(0.5 if claimed.done() else 0)  # the greeting goes out
    finally:
        claimed.cancel()
        stop.set()
        await running
    return service.claimed.is_set()

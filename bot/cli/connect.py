"""`tact connect telegram`: the token is tried and kept, and a one-time link makes whoever opens it first the owner."""

from __future__ import annotations

import asyncio
import getpass
import os
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

from typer import echo

from bot.bootstrap import open_tact
from bot.cli.findings import Says
from bot.cli.open_memory import command, exists
from bot.cli.questions import interactive
from bot.service.lock import is_held, only_one
from bot.service.ownership import LIFE, new_code
from bot.service.service import API_VARIABLE, Service
from bot.texts import say
from config.settings import Settings, load_settings
from config.tokens import load_token, save_token
from connectors.telegram.client import HOME, Api
from connectors.telegram.errors import TelegramFault
from connectors.telegram.inbound import user_of
from engine.errors import BadInput


def connect_telegram(chosen: Path | None, *, token_file: Path | None, link: bool, wait: bool) -> int:
    """Connect a bot to the memory of a folder.

    Args:
        chosen: the folder of `--data`.
        token_file: a file with the token, instead of asking for it.
        link: make a link though there is an owner on Telegram already.
        wait: stay until the link was opened.

    Raises:
        BadInput: there is no memory, or the token is not good. Nothing is kept then.
    """
    settings = load_settings(chosen)
    if not exists(settings):
        raise BadInput("there is no memory here", where=str(settings.data), fix="tact init makes one")
    token = _token(settings, token_file)
    name, notes = asyncio.run(_try(token, settings.language))
    language = settings.language
    where = save_token(settings, "telegram", token)
    echo(say(language, "connect.good", name=name, where=where))
    for note in notes:
        echo(f"   {note}")
    owner = next((a for a in settings.owner_accounts if user_of(a)), None)
    if owner and not link:
        another = command(settings, "connect telegram --link")
        echo(say(language, "connect.is_owner", owner=owner, command=another))
        echo(say(language, "connect.start", command=command(settings, "run")))
        return 0
    return asyncio.run(_claim(settings, token, name, wait=wait))


def _token(settings: Settings, file: Path | None) -> str:
    if file is not None:
        try:
            return file.read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            raise BadInput(
                "no token can be read there", where=str(file), fix="one line, from BotFather"
            ) from None
    kept = load_token(settings, "telegram")
    if kept and not interactive():
        return kept
    echo(say(settings.language, "connect.make"))
    if not interactive():
        return sys.stdin.readline().strip()
    question = say(settings.language, "connect.paste_or_keep" if kept else "connect.paste")
    return getpass.getpass(f"{question}: ").strip() or kept


async def _try(token: str, language: str) -> tuple[str, list[str]]:
    """Ask Telegram who the bot is; what is to be changed about it, in words.

    Raises:
        BadInput: the token is not good, or Telegram cannot be reached.
    """
    try:
        api = Api(token, os.environ.get(API_VARIABLE, "") or HOME)
        try:
            me = await api.start()
        finally:
            with suppress(TelegramFault):
                await api.stop()
    except TelegramFault as fault:
        raise BadInput(str(fault), fix="nothing was kept; try again") from None
    except Exception:  # noqa: BLE001 - the library's words may hold the token
        raise BadInput(
            "this is no token", fix="copy the line that BotFather sent, like 123456:ABC..."
        ) from None
    return me.username or "", advice(
        partial(say, language),
        reads=bool(me.can_read_all_group_messages),
        joins=bool(me.can_join_groups),
        inline=bool(me.supports_inline_queries),
    )


def advice(says: Says, *, reads: bool, joins: bool, inline: bool) -> list[str]:
    """What BotFather should still be told, one line each."""
    wanted = {"advice.joins": not joins, "advice.reads": not reads, "advice.inline": inline}
    return [says(key) for key, odd in wanted.items() if odd]


async def _claim(settings: Settings, token: str, name: str, *, wait: bool) -> int:
    language, run = settings.language, command(settings, "run")
    async with open_tact(settings) as tact:
        code = await new_code(tact.context.store, "telegram", tact.context.clock.now())
        echo(say(language, "connect.link"))
        echo(f"\n   https://t.me/{name}?start={code}\n")
        if is_held(settings.data):
            echo(say(language, "connect.running"))
            return 0
        if not wait:
            echo(say(language, "connect.start", command=run))
            return 0
        echo(say(language, "connect.waiting", command=run))
        sys.stdout.flush()
        with only_one(settings.data):
            claimed = await _waited(Service(tact, settings, token))
    if not claimed:
        echo(say(language, "connect.nobody", command=command(settings, "connect telegram --link")))
        return 1
    echo(say(language, "connect.owner_now"))
    echo(say(language, "connect.start", command=run))
    echo(say(language, "connect.group"))
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

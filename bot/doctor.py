"""`tact doctor`: what is wrong with this installation, each fault with what to do about it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import stat
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

import httpx
from telegram import ChatMember
from typer import echo

from bot.bootstrap import open_store
from bot.commandline.memory import exists
from bot.connecting import advice
from bot.locking import is_held
from bot.running import API_VARIABLE
from config.settings import FILE_NAME, KeySource, Settings, load_settings
from config.tokens import load_token, token_file
from connectors.telegram.client import HOME, Api
from connectors.telegram.errors import Refused, TelegramFault
from connectors.telegram.inbound import user_of
from connectors.telegram.rooms import Rooms
from engine.errors import TactError
from engine.mailroom import State
from engine.store import Store
from engine.viewers import CLOCKS
from storage.audit import audit

_ROOM_FOR = 200 * 1024 * 1024
OK, MIND, FAULT = "ok", "mind", "fault"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at."""

    about: str
    state: str
    what: str
    fix: str = ""


def doctor(chosen: Path | None, *, as_json: bool, offline: bool) -> int:
    """Look at everything; 0 if nothing is wrong, 1 otherwise."""
    found = asyncio.run(examined(chosen, offline=offline))
    if as_json:
        echo(json.dumps([asdict(f) for f in found], ensure_ascii=False, indent=1))
    else:
        for finding in found:
            echo(f"{finding.state.ljust(5)}  {finding.about}: {finding.what}")
            if finding.fix:
                echo(f"       -> {finding.fix}")
    return int(any(f.state == FAULT for f in found))


async def examined(chosen: Path | None, *, offline: bool) -> list[Finding]:
    """Everything there is to say."""
    try:
        settings = load_settings(chosen)
    except TactError as error:
        return [Finding("settings", FAULT, str(error))]
    found = [Finding("settings", OK, str(settings.data / FILE_NAME)), *_files(settings), _disk(settings)]
    if not exists(settings):
        return [*found, Finding("database", FAULT, "there is no memory here", "tact init")]
    try:
        store = await open_store(settings)
    except TactError as error:
        return [*found, Finding("database", FAULT, str(error))]
    try:
        found += [*await _memory(store), await _tables(settings, store)]
        return found + await _telegram(settings, store, offline=offline)
    finally:
        await store.close()


def _files(settings: Settings) -> list[Finding]:
    """The folder and what is secret in it are for the owner's eyes only."""
    if os.name != "posix":
        return []
    found = []
    secret = [settings.data / name for name in (FILE_NAME, "tact.db", "tact.db-wal", "tact.db-shm")]
    secret.append(token_file(settings, "telegram"))
    if settings.key_source is KeySource.FILE:
        secret.append(settings.key_file)
    for path, wanted in ((settings.data, 0o700), *((path, 0o600) for path in secret)):
        if path.exists() and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            found.append(Finding("files", FAULT, f"others can read {path}", f"chmod {wanted:o} {path}"))
    return found or [Finding("files", OK, "for your eyes only")]


def _disk(settings: Settings) -> Finding:
    folder = next(p for p in (settings.data, *settings.data.parents) if p.exists())
    free = shutil.disk_usage(folder).free
    if free < _ROOM_FOR:
        return Finding("disk", FAULT, f"{free // 2**20} MB left at {folder}", "make room: 200 MB at least")
    return Finding("disk", OK, f"{free // 2**20} MB left")


async def _memory(store: Store) -> list[Finding]:
    async with store.transaction() as tx:
        counts = await tx.counts()
        waiting = len(await tx.arrivals())
        uncertain = sum(1 for sending in await tx.sendings(State.UNCERTAIN) if sending.text)
    found = [Finding("database", OK, f"opens; {counts['messages']} messages, {counts['facts']} facts")]
    if waiting:
        found.append(
            Finding("inbox", MIND, f"{waiting} event(s) wait to be handled", "tact run handles them")
        )
    if uncertain:
        found.append(
            Finding("outbox", MIND, f"{uncertain} message(s) may not have arrived", "/resend lists them")
        )
    return found


async def _tables(settings: Settings, store: Store) -> Finding:
    """Whether the memory holds together; a Tact that is running would have to wait for that."""
    if is_held(settings.data):
        return Finding("tables", OK, "not looked at while Tact is running")
    async with store.transaction() as tx:
        faults = await audit(tx)
    if not faults:
        return Finding("tables", OK, "tables and index agree")
    what = f"{len(faults)} thing(s) do not fit together, the first: {faults[0]}"
    return Finding("tables", FAULT, what, "keep a copy of the folder, and go back to a backup: tact restore")


async def _telegram(settings: Settings, store: Store, *, offline: bool) -> list[Finding]:
    try:
        token = load_token(settings, "telegram")
    except TactError as error:
        return [Finding("telegram", FAULT, str(error))]
    if not token:
        return [Finding("telegram", MIND, "not connected", "tact connect telegram")]
    found = [] if any(user_of(a) for a in settings.owner_accounts) else [_NO_OWNER]
    if offline:
        return [*found, Finding("telegram", OK, "there is a token; it was not tried")]
    base = os.environ.get(API_VARIABLE, "") or HOME
    try:
        api = Api(token, base)
    except Exception:  # noqa: BLE001 - the library's words may hold the token
        return [*found, Finding("telegram", FAULT, "this is no token", "tact connect telegram")]
    try:
        return found + await _asked(api, store, base)
    finally:
        with suppress(TelegramFault):
            await api.stop()


_NO_OWNER = Finding(
    "owner", FAULT, "no account on Telegram is yours", "tact connect telegram, and open the link"
)


async def _asked(api: Api, store: Store, base: str) -> list[Finding]:
    """What Telegram itself says."""
    try:
        me = await api.start()
    except TelegramFault as fault:
        fix = "tact connect telegram" if isinstance(fault, Refused) else "check the network, then try again"
        return [Finding("telegram", FAULT, str(fault), fix)]
    found = [Finding("telegram", OK, f"@{me.username}")]
    found += [
        Finding("telegram", MIND, line)
        for line in advice(
            reads=bool(me.can_read_all_group_messages),
            joins=bool(me.can_join_groups),
            inline=bool(me.supports_inline_queries),
        )
    ]
    found.append(await _clock(base))
    for chat in await Rooms(store).all():
        found.append(await _rights(api, chat))
    return found


async def _clock(base: str) -> Finding:
    """The machine's clock against Telegram's, which dates the messages."""
    try:
        async with httpx.AsyncClient(timeout=10) as client:
            told = (await client.head(base.rpartition("/")[0] + "/")).headers.get("date", "")
        apart = abs((datetime.now(UTC) - parsedate_to_datetime(told)).total_seconds())
    except (httpx.HTTPError, ValueError):
        return Finding("clock", MIND, "it could not be compared with Telegram's")
    if apart > CLOCKS.total_seconds() + 1:
        what = f"{apart:.0f} s apart from Telegram's: who heard a message cannot be proved"
        return Finding("clock", FAULT, what, "set the clock by the network (NTP)")
    return Finding("clock", OK, "agrees with Telegram's")


async def _rights(api: Api, chat: int) -> Finding:
    """Whether who reads a group can be known at all."""
    try:
        mine = await api.member(chat, api.me.id)
        title = (await api.chat(chat)).title or str(chat)
    except Refused:
        return Finding("group", OK, f"{chat}: Tact is not in it any more")
    except TelegramFault:
        return Finding("group", MIND, f"{chat}: Telegram did not answer")
    if mine.status != ChatMember.ADMINISTRATOR:
        what = f"{title}: Tact is no administrator, so who reads there is unknown and only what is public is said"
        return Finding("group", MIND, what, "make it administrator; it needs no further right")
    return Finding("group", OK, f"{title}: administrator")

"""The part of `tact doctor` that asks others: Telegram, and the server of a model."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx
from telegram import ChatMember

from bot.cli.connect import advice
from bot.cli.findings import FAULT, MIND, OK, Finding, Says
from bot.cli.open_memory import command
from bot.service.service import API_VARIABLE
from config.models import read_model_key
from config.settings import Settings
from config.tokens import load_token
from connectors.telegram.client import HOME, Api
from connectors.telegram.errors import Refused, TelegramFault
from connectors.telegram.inbound import user_of
from connectors.telegram.rooms import Rooms
from engine.errors import TactError
from engine.store import Store
from engine.viewers import CLOCKS

_PATIENCE_S = 10.0


async def telegram(settings: Settings, store: Store, says: Says, *, offline: bool) -> list[Finding]:
    """Token, owner, BotFather's settings, clock, and Tact's rights in each group."""
    connect = command(settings, "connect telegram")
    try:
        token = load_token(settings, "telegram")
    except TactError as error:
        return [Finding("telegram", FAULT, str(error))]
    if not token:
        return [Finding("telegram", MIND, says("doctor.not_connected"), connect)]
    found = []
    if not any(user_of(account) for account in settings.owner_accounts):
        fix = says("doctor.no_owner_fix", command=f"{connect} --link")
        found.append(Finding("owner", FAULT, says("doctor.no_owner"), fix))
    if offline:
        return [*found, Finding("telegram", OK, says("doctor.untried"))]
    base = os.environ.get(API_VARIABLE, "") or HOME
    try:
        api = Api(token, base)
    except Exception:  # noqa: BLE001 - the library's words may hold the token
        return [*found, Finding("telegram", FAULT, says("doctor.no_token"), connect)]
    try:
        return [*found, *await _asked(api, store, says, base, connect)]
    finally:
        with suppress(TelegramFault):
            await api.stop()


async def _asked(api: Api, store: Store, says: Says, base: str, connect: str) -> list[Finding]:
    """What Telegram itself says."""
    try:
        me = await api.start()
    except TelegramFault as fault:
        fix = connect if isinstance(fault, Refused) else says("doctor.network")
        return [Finding("telegram", FAULT, str(fault), fix)]
    lines = advice(
        says,
        reads=bool(me.can_read_all_group_messages),
        joins=bool(me.can_join_groups),
        inline=bool(me.supports_inline_queries),
    )
    found = [Finding("telegram", OK, f"@{me.username}"), *(Finding("telegram", MIND, line) for line in lines)]
    found.append(await _clock(base, says))
    rights = [await _rights(api, chat, says) for chat in await Rooms(store).all()]
    return [*found, *rights]


async def _clock(base: str, says: Says) -> Finding:
    """The machine's clock against Telegram's, which dates the messages."""
    try:
        async with httpx.AsyncClient(timeout=_PATIENCE_S) as client:
            told = (await client.head(base.rpartition("/")[0] + "/")).headers.get("date", "")
        apart = abs((datetime.now(UTC) - parsedate_to_datetime(told)).total_seconds())
    except (httpx.HTTPError, ValueError):
        return Finding("clock", MIND, says("doctor.no_clock"))
    if apart > CLOCKS.total_seconds() + 1:
        what = says("doctor.clock_apart", seconds=f"{apart:.0f}")
        return Finding("clock", FAULT, what, says("doctor.clock_fix"))
    return Finding("clock", OK, says("doctor.clock_ok"))


async def _rights(api: Api, chat: int, says: Says) -> Finding:
    """Whether who reads a group can be known at all."""
    try:
        mine = await api.member(chat, api.me.id)
        title = (await api.chat(chat)).title or str(chat)
    except Refused:
        return Finding("group", OK, says("doctor.left", chat=chat))
    except TelegramFault:
        return Finding("group", MIND, says("doctor.group_silent", chat=chat))
    if mine.status != ChatMember.ADMINISTRATOR:
        what = says("doctor.not_admin", chat=title)
        return Finding("group", MIND, what, says("doctor.not_admin_fix"))
    return Finding("group", OK, says("doctor.admin", chat=title))


async def model(settings: Settings, says: Says, *, offline: bool) -> list[Finding]:
    """Whether the server of the model that words replies answers at all; nothing that anybody said is sent.

    Raises:
        BadInput: its key is not where the settings say.
    """
    chosen = settings.models.word
    if chosen is None:
        return []
    key = read_model_key(chosen, settings.data)
    if offline:
        return []
    headers = {"authorization": f"Bearer {key}"} if key else {}
    about = {"name": chosen.model, "url": chosen.base_url}
    try:
        async with httpx.AsyncClient(timeout=_PATIENCE_S, trust_env=False) as client:
            answer = await client.get(chosen.base_url.rstrip("/") + "/models", headers=headers)
    except (httpx.HTTPError, httpx.InvalidURL):
        return [Finding("model", MIND, says("doctor.model_down", **about), says("doctor.model_fix"))]
    if answer.status_code in {httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN}:
        return [Finding("model", FAULT, says("doctor.model_key", **about), says("doctor.model_key_fix"))]
    return [Finding("model", OK, says("doctor.model_ok", **about))]

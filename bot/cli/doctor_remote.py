"""The part of `tact doctor` that asks others: the platforms, and the server of a model."""

from __future__ import annotations

from contextlib import suppress

import httpx

from bot.cli.findings import FAULT, MIND, OK, Finding, Says
from bot.context import SystemClock
from bot.open_memory import command
from bot.platforms import Kind
from bot.service.rooms import KnownRooms
from config.keys import load_token, read_model_key
from config.settings import Settings
from engine.errors import BadInput, TactError
from engine.platform import Check, Platform, PlatformFault, Refused
from engine.store import Store

_PATIENCE_S = 10.0


async def connection(
    kind: Kind, settings: Settings, store: Store, says: Says, *, offline: bool
) -> list[Finding]:
    """Token, owner, what should still be set up there, clock, and Tact's rights in each group."""
    connect = command(settings, f"connect {kind.name}")
    try:
        token = load_token(settings, kind.name)
    except TactError as error:
        return [Finding(kind.name, FAULT, str(error))]
    if not token:
        return [Finding(kind.name, MIND, says("doctor.not_connected"), connect)]
    found = []
    if not any(kind.owns(account) for account in settings.owner_accounts):
        fix = says("doctor.no_owner_fix", command=f"{connect} --link")
        found.append(Finding("owner", FAULT, says("doctor.no_owner", platform=kind.title), fix))
    if offline:
        return [*found, Finding(kind.name, OK, says("doctor.untried"))]
    rooms = KnownRooms(store, kind.name)
    try:
        platform = kind.connected(token, rooms, SystemClock().now)
    except BadInput:
        return [*found, Finding(kind.name, FAULT, says("doctor.no_token"), connect)]
    try:
        return [*found, *await _asked(kind, platform, rooms, says, connect)]
    finally:
        with suppress(PlatformFault):
            await platform.stop()


async def _asked(
    kind: Kind, platform: Platform, rooms: KnownRooms, says: Says, connect: str
) -> list[Finding]:
    """What the platform itself says."""
    try:
        profile = await platform.start()
    except PlatformFault as fault:
        fix = connect if isinstance(fault, Refused) else says("doctor.network")
        return [Finding(kind.name, FAULT, str(fault), fix)]
    return [
        Finding(kind.name, OK, f"@{profile.name}"),
        *(Finding(kind.name, MIND, says(key)) for key in profile.advice),
        *(_finding(check, kind, says) for check in await platform.checks(await rooms.all())),
    ]


def _finding(check: Check, kind: Kind, says: Says) -> Finding:
    values = {**check.values, "platform": kind.title}
    fix = says(check.fix, **values) if check.fix else ""
    return Finding(check.about, check.state, says(check.text, **values), fix)


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

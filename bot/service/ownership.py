"""Becoming the owner on a platform: a one-time link, good for one hour and for the first account that opens it.

INVARIANT: making the account the owner's and using up the code are one transaction; whoever comes second gets what any
stranger gets.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from datetime import datetime, timedelta
from hmac import compare_digest

from bot.context import Context
from bot.owner.commands.registry import split_command
from config.settings import Settings
from config.settings_edit import add_owner_account
from engine.ids import AccountId
from engine.store import Store

LIFE = timedelta(hours=1)
_SHAPE = re.compile(r"[A-Za-z0-9_-]{22}")


def _note(platform: str) -> str:
    return f"claim:{platform}"


async def new_code(store: Store, platform: str, now: datetime) -> str:
    """A fresh code of 128 bits; an earlier one is dead. Only its digest is kept."""
    code = secrets.token_urlsafe(16)
    body = json.dumps({"digest": _digest(code), "until": (now + LIFE).isoformat()})
    async with store.transaction() as tx:
        await tx.put_note(_note(platform), body)
    return code


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()


def code_in(text: str) -> str:
    """The code that a `/start CODE` brings; empty if it brings none."""
    name, args = split_command(text) or ("", "")
    return args if name == "start" and _SHAPE.fullmatch(args) else ""


async def claim(context: Context, settings: Settings, platform: str, account: AccountId, text: str) -> bool:
    """Whether this message made its sender the owner (or did so before a crash)."""
    code = code_in(text)
    if not code:
        return False
    async with context.store.transaction() as tx:
        kept = await tx.note(_note(platform))
        done = await tx.note(f"claimed:{platform}")
        if done == f"{account} {_digest(code)}":
            return True
        if not kept:
            return False
        wanted = json.loads(kept)
        if datetime.fromisoformat(wanted["until"]) < context.clock.now():
            await tx.put_note(_note(platform), "")
            return False
        if not compare_digest(wanted["digest"], _digest(code)):
            return False
        await tx.own(account)
        await tx.put_note(_note(platform), "")
        await tx.put_note(f"claimed:{platform}", f"{account} {_digest(code)}")
        await tx.put_note(f"claim to write:{platform}", account)
    await write_claims(context.store, settings)
    return True


async def write_claims(store: Store, settings: Settings) -> None:
    """Write into `tact.toml` what was claimed; a crash in between is made good at the next start."""
    async with store.transaction() as tx:
        waiting = await tx.notes("claim to write:")
    for name, account in waiting.items():
        add_owner_account(settings.data, AccountId(account))
        async with store.transaction() as tx:
            await tx.put_note(name, "")

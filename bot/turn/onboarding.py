"""Somebody who writes to Tact for the first time: what they are told, and the code by which the owner finds them.

A stranger gets a code that says nothing by itself. Whoever knows the stranger passes it on, and the owner names them
with `/meet CODE as NAME`: no name that they chose themselves has any part in it.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b32encode

from bot.context import Context
from bot.turn.record import Turn, greeted_note
from engine.annotation import Act, Reading
from engine.ids import OWNER, AccountId
from engine.release import ReleasedLine, release_line
from engine.store import Transaction
from engine.viewers import ChatKind

_ASKS_WHO = frozenset({Act.GREETING, Act.ABOUT, Act.PRIVACY})
_CODE = re.compile(r"[A-Z2-7]{4}-[A-Z2-7]{4}")


async def introduction(context: Context, turn: Turn, reading: Reading) -> ReleasedLine | None:
    """What somebody new is told; None if they need not be told (again)."""
    if (
        not turn.inbound.introduces
        or turn.inbound.evidence.kind is not ChatKind.DIRECT
        or turn.sender == OWNER
    ):
        return None
    first = turn.greeted in {"", turn.id}  # now, and when it is taken up again
    named = bool(turn.people.called(turn.sender)) or turn.sender in turn.policy.contacts
    if not first and (named or reading.act not in _ASKS_WHO):
        return None
    async with context.store.transaction() as tx:
        await tx.put_note(greeted_note(turn.inbound.container), turn.greeted or turn.id)
        code = "" if named else await code_for(tx, turn.inbound.sender, context)
    if named:
        return release_line(_line(context, turn, "about", reading))
    return release_line(f"{_line(context, turn, 'stranger', reading)} {code}")


def _line(context: Context, turn: Turn, name: str, reading: Reading) -> str:
    return context.lines.line(name, reading.language, turn.policy.lines, turn.policy.owner_name)


async def code_for(tx: Transaction, account: AccountId, context: Context) -> str:
    """The account's code, always the same one."""
    code = await tx.note(f"coded:{account}")
    while not code or (await tx.note(f"code:{code}") or account) != account:
        random = hashlib.sha256(context.new_id("code").encode()).digest()
        text = b32encode(random).decode()[:8]
        code = f"{text[:4]}-{text[4:]}"
    await tx.put_note(f"coded:{account}", code)
    await tx.put_note(f"code:{code}", account)
    return code


async def account_of_code(tx: Transaction, text: str) -> AccountId | None:
    """The account whose code this is."""
    code = text.strip().upper()
    found = await tx.note(f"code:{code}") if _CODE.fullmatch(code) else ""
    return AccountId(found) if found else None

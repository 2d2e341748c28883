"""What Telegram still shows of what was erased: where it is, and deleting it there where a bot may.

A bot may delete what it sent, and what it was sent in a private chat, for 48 hours. What others wrote in a group is never
touched: it is theirs, and taking it away would tell everybody there that something was forgotten.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta

from connectors.telegram.client import Api
from connectors.telegram.errors import NotWritten, Refused, Uncertain, Why
from connectors.telegram.inbound import place_of
from engine.ids import OWNER, FactId
from engine.records import Posted
from engine.shown import Fate, Shown
from engine.store import Transaction

DELETABLE = timedelta(hours=48)
_SUPERGROUP = -1_000_000_000_000
_AT_NOTE = "telegram:at:"
_FACT = re.compile(r"\bf_[0-9a-f]{16}\b")
_UNKNOWN = "telegram:?:"


def at_note(key: str) -> str:
    """Where number and time of a part that was sent are kept."""
    return _AT_NOTE + key


def place_kept(number: int, at: datetime) -> str:
    """What is kept there."""
    return f"{number} {int(at.timestamp())}"


def facts_named(text: str) -> tuple[FactId, ...]:
    """The facts whose ids stand in words for the owner: their words stand beside them."""
    return tuple(FactId(name) for name in dict.fromkeys(_FACT.findall(text)))


def link_to(chat: int, thread: int, number: int) -> str:
    """What opens a message for a member of its group; private chats and small groups have no such links."""
    if chat >= _SUPERGROUP:
        return ""
    return "/".join(
        ["https://t.me/c", str(_SUPERGROUP - chat), *([str(thread)] if thread else []), str(number)]
    )


class TelegramPosts:
    """Finds and deletes."""

    def __init__(self, api: Api, now: Callable[[], datetime]) -> None:
        """`now` says the time, for what Telegram refuses because it is too old."""
        self._api, self._now = api, now

    async def shown(self, tx: Transaction, posted: Iterable[Posted]) -> list[Shown]:
        """Where each of these is, each message once."""
        found: dict[str, Shown] = {}
        for one in posted:
            if one.container.startswith("telegram:"):
                shown = await _sent(tx, one) if one.key else _received(one)
                if shown is not None:
                    found.setdefault(shown.name, shown)
        return list(found.values())

    async def take_back(self, shown: Shown) -> Fate:
        """Delete one message."""
        if shown.name.startswith(_UNKNOWN):
            return Fate.UNKNOWN
        _, chat, number = shown.name.split(":")
        try:
            await self._api.delete(int(chat), int(number))
        except (NotWritten, Uncertain):
            return Fate.LATER
        except Refused as fault:
            if fault.why in {Why.TOKEN, Why.TWO}:
                return Fate.LATER
            if fault.why is Why.SHUT_OUT:
                return Fate.NO_RIGHT
            old = shown.at is not None and self._now() - shown.at > DELETABLE
            return Fate.TOO_OLD if old else Fate.REFUSED
        return Fate.GONE


async def _sent(tx: Transaction, posted: Posted) -> Shown | None:
    """One part of Tact's words; None for what was sent in parts, each of which is asked for by itself."""
    if "#" not in posted.key:
        return None
    kept = await tx.note(at_note(posted.key))
    if not kept:
        return Shown(_UNKNOWN + posted.key, posted.container, mine=True)
    number, seconds = map(int, kept.split(" "))
    chat, thread = place_of(posted.container)
    at = datetime.fromtimestamp(seconds, UTC)
    return Shown(
        f"telegram:{chat}:{number}", posted.container, at, mine=True, link=link_to(chat, thread, number)
    )


def _received(posted: Posted) -> Shown | None:
    """A message that somebody wrote, by the update it came in."""
    try:
        update = json.loads(posted.raw)
        message = update.get("message") or update["edited_message"]
        chat, number = int(message["chat"]["id"]), int(message["message_id"])
        at = datetime.fromtimestamp(int(message["date"]), UTC)
        private = message["chat"]["type"] == "private"
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    thread = place_of(posted.container)[1]
    mine = private and posted.sender == OWNER
    return Shown(
        f"telegram:{chat}:{number}", posted.container, at, mine=mine, link=link_to(chat, thread, number)
    )

"""What platforms still show of what was erased: where it is, and deleting it there where Tact may.

What others wrote in a group is never touched: it is theirs, and taking it away would tell everybody there that something
was forgotten.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from engine.ids import OWNER, FactId
from engine.platform import NotWritten, Platform, Refused, Uncertain, Why
from engine.records import Posted
from engine.shown import Fate, Shown
from engine.store import Transaction

_FACT = re.compile(r"\bf_[0-9a-f]{16}\b")
_UNKNOWN = "?"


def platform_of(name: str) -> str:
    """The platform that an id belongs to."""
    return name.partition(":")[0]


def facts_named(text: str) -> tuple[FactId, ...]:
    """The facts whose ids stand in words for the owner: their words stand beside them."""
    return tuple(FactId(name) for name in dict.fromkeys(_FACT.findall(text)))


class Posts:
    """Finds and deletes, on all platforms."""

    def __init__(self, platforms: Iterable[Platform], now: Callable[[], datetime]) -> None:
        """`now` says the time, for what a platform refuses because it is too old."""
        self._platforms: Mapping[str, Platform] = {platform.name: platform for platform in platforms}
        self._now = now
        self.turn = asyncio.Lock()

    async def shown(self, tx: Transaction, posted: Iterable[Posted]) -> list[Shown]:
        """Where each of these is, each message once."""
        found: dict[str, Shown] = {}
        for one in posted:
            platform = self._platforms.get(platform_of(one.container))
            if platform is not None:
                shown = await _sent(tx, platform, one) if one.key else _received(platform, one)
                if shown is not None:
                    found.setdefault(shown.name, shown)
        return list(found.values())

    async def take_back(self, shown: Shown) -> Fate:
        """Delete one message."""
        platform = self._platforms.get(platform_of(shown.name))
        if shown.name.split(":")[1:2] == [_UNKNOWN]:
            return Fate.UNKNOWN
        if platform is None:
            return Fate.LATER
        try:
            await platform.delete(shown.name)
        except (NotWritten, Uncertain):
            return Fate.LATER
        except Refused as fault:
            if fault.why in {Why.TOKEN, Why.TWO}:
                return Fate.LATER
            if fault.why is Why.SHUT_OUT:
                return Fate.NO_RIGHT
            age = 0.0 if shown.at is None else (self._now() - shown.at).total_seconds()
            return Fate.TOO_OLD if platform.too_old(age) else Fate.REFUSED
        return Fate.GONE


async def _sent(tx: Transaction, platform: Platform, posted: Posted) -> Shown | None:
    """One part of Tact's words; None for what was sent in parts, each of which is asked for by itself."""
    if "#" not in posted.key:
        return None
    part = await tx.sending(posted.key)
    if part is None or not part.message:
        return Shown(f"{platform.name}:{_UNKNOWN}:{posted.key}", posted.container, mine=True)
    link = platform.link(posted.container, part.message)
    return Shown(part.message, posted.container, part.sent_at, mine=True, link=link)


def _received(platform: Platform, posted: Posted) -> Shown | None:
    """A message that somebody wrote, by the event it came in."""
    seen = platform.sighting(posted.raw)
    if seen is None:
        return None
    link = platform.link(posted.container, seen.message)
    mine = seen.direct and posted.sender == OWNER
    return Shown(seen.message, posted.container, seen.at, mine=mine, link=link)

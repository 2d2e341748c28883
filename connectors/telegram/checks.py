"""What an owner should know about his bot on Telegram: the clock that dates messages, and its rights in each group."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx
from telegram import ChatMember

from connectors.telegram.client import Api
from connectors.telegram.inbound import place_of
from engine.ids import ContainerId
from engine.platform import Check, PlatformFault, Refused, State
from engine.viewers import CLOCKS

_PATIENCE_S = 10.0


async def checks(api: Api, chats: Sequence[ContainerId]) -> list[Check]:
    """The clock, and these groups one after the other."""
    rights = [await _rights(api, place_of(chat)[0]) for chat in chats]
    return [await _clock(api.base), *rights]


async def _clock(base: str) -> Check:
    """The machine's clock against Telegram's."""
    try:
        async with httpx.AsyncClient(timeout=_PATIENCE_S) as client:
            told = (await client.head(base.rpartition("/")[0] + "/")).headers.get("date", "")
        apart = abs((datetime.now(UTC) - parsedate_to_datetime(told)).total_seconds())
    except (httpx.HTTPError, ValueError):
        return Check("clock", State.MIND, "doctor.no_clock")
    if apart > CLOCKS.total_seconds() + 1:
        return Check(
            "clock", State.FAULT, "doctor.clock_apart", "doctor.clock_fix", values={"seconds": f"{apart:.0f}"}
        )
    return Check("clock", State.OK, "doctor.clock_ok")


async def _rights(api: Api, chat: int) -> Check:
    """Whether who reads a group can be known at all."""
    try:
        mine = await api.member(chat, api.me.id)
        title = (await api.chat(chat)).title or str(chat)
    except Refused:
        return Check("group", State.OK, "doctor.left", values={"chat": str(chat)})
    except PlatformFault:
        return Check("group", State.MIND, "doctor.group_silent", values={"chat": str(chat)})
    if mine.status != ChatMember.ADMINISTRATOR:
        return Check("group", State.MIND, "doctor.not_admin", "doctor.not_admin_fix", values={"chat": title})
    return Check("group", State.OK, "doctor.admin", values={"chat": title})

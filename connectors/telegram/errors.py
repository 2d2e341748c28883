"""Every way in which Telegram can fail a call, and the one place that reads the library's errors.

INVARIANT: no text of the library's or of Telegram's is passed on; addresses in it hold the bot's token.
"""

from __future__ import annotations

import os
from datetime import timedelta

import httpx
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    Forbidden,
    InvalidToken,
    NetworkError,
    RetryAfter,
    TelegramError,
)

from engine.platform import NotWritten, PlatformFault, Refused, Uncertain, Why

os.environ.setdefault("PTB_TIMEDELTA", "1")  # the library's coming way of giving seconds; else it warns
_UNWRITTEN = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)


_SAID = {
    Why.TOKEN: "the token is not valid: get it from @BotFather and run tact connect telegram",
    Why.SHUT_OUT: "the bot was removed or blocked there",
    Why.TWO: "another program polls with the same token: stop it",
    Why.MOVED: "the group has another id now",
    Why.REQUEST: "the request was refused",
}


def not_written(wait: float = 0.0) -> NotWritten:
    """Nothing of the request went out, or Telegram asks to wait so many seconds."""
    said = f"Telegram asks to wait {wait:.0f} s" if wait else "Telegram cannot be reached: check the network"
    return NotWritten(said, wait)


def uncertain() -> Uncertain:
    """The request went out and was not answered."""
    return Uncertain("Telegram did not answer: it may have carried out the request")


def refused(why: Why) -> Refused:
    """Telegram said no."""
    return Refused(_SAID[why], why)


def translated(error: TelegramError) -> PlatformFault:
    """The library's error as one of ours. What is not known for certain to have done nothing is `Uncertain`."""
    if isinstance(error, RetryAfter):
        return not_written(_seconds(error))
    if isinstance(error, ChatMigrated):
        return refused(Why.MOVED)
    for kind, why in (
        (InvalidToken, Why.TOKEN),
        (Forbidden, Why.SHUT_OUT),
        (Conflict, Why.TWO),
        (BadRequest, Why.REQUEST),
    ):
        if isinstance(error, kind):
            return refused(why)
    if isinstance(error, NetworkError) and isinstance(error.__cause__, _UNWRITTEN):
        return not_written()
    return uncertain()


def _seconds(error: RetryAfter) -> float:
    told = error.retry_after
    return told.total_seconds() if isinstance(told, timedelta) else float(told)

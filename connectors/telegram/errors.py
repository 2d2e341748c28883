"""Every way in which Telegram can fail a call, and the one place that reads the library's errors.

INVARIANT: no text of the library's or of Telegram's is passed on; addresses in it hold the bot's token.
"""

from __future__ import annotations

import os
from datetime import timedelta
from enum import StrEnum

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

from engine.errors import TactError

os.environ.setdefault("PTB_TIMEDELTA", "1")  # the library's coming way of giving seconds; else it warns
_UNWRITTEN = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)


class TelegramFault(TactError):
    """A call to Telegram that did not work out."""


class NotWritten(TelegramFault):
    """Nothing of the request went out, or Telegram asked to wait: it may be tried again after `wait` seconds."""

    def __init__(self, wait: float = 0.0) -> None:
        """Say so in one line."""
        super().__init__(
            f"Telegram asks to wait {wait:.0f} s" if wait else "Telegram cannot be reached: check the network"
        )
        self.wait = wait


class Uncertain(TelegramFault):
    """The request went out and was not answered: it may have been carried out."""

    def __init__(self) -> None:
        """Say so in one line."""
        super().__init__("Telegram did not answer: it may have carried out the request")


class Why(StrEnum):
    """Why Telegram refuses."""

    TOKEN = "the token is not valid: get it from @BotFather and run tact connect telegram"  # noqa: S105 - a sentence
    SHUT_OUT = "the bot was removed or blocked there"
    TWO = "another program polls with the same token: stop it"
    MOVED = "the group has another id now"
    REQUEST = "the request was refused"


class Refused(TelegramFault):
    """Telegram said no, and would say so again."""

    def __init__(self, why: Why, moved_to: int = 0) -> None:
        """Say why in one line; `moved_to` is a group's new id."""
        super().__init__(str(why))
        self.why = why
        self.moved_to = moved_to


def translated(error: TelegramError) -> TelegramFault:
    """The library's error as one of ours. What is not known for certain to have done nothing is `Uncertain`."""
    if isinstance(error, RetryAfter):
        return NotWritten(_seconds(error))
    if isinstance(error, ChatMigrated):
        return Refused(Why.MOVED, error.new_chat_id)
    for kind, why in (
        (InvalidToken, Why.TOKEN),
        (Forbidden, Why.SHUT_OUT),
        (Conflict, Why.TWO),
        (BadRequest, Why.REQUEST),
    ):
        if isinstance(error, kind):
            return Refused(why)
    if isinstance(error, NetworkError) and isinstance(error.__cause__, _UNWRITTEN):
        return NotWritten()
    return Uncertain()


def _seconds(error: RetryAfter) -> float:
    told = error.retry_after
    return told.total_seconds() if isinstance(told, timedelta) else float(told)

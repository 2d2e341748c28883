"""What the memory keeps of its own doings: traces of turns, chats, what was posted, what was erased."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from engine.audience import Audience
from engine.ids import ContainerId, FactId, MessageId, PersonId, TurnId


class Outcome(StrEnum):
    """How a turn ended."""

    ANSWERED = "answered"
    DEFLECTED = "deflected"
    PUBLIC_LINE = "public line"
    COMMAND = "command"
    NOTED = "noted"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class TurnTrace:
    """What a turn did, for the owner's view: ids and verdicts for good, words until they are forgotten.

    `decisions` are (item id, allowed, reason, deciding viewer); `withheld` the same for what was relevant and stayed
    out of scope, looked up after the reply was sent. `payload` are the sealed context's exact bytes.
    """

    id: TurnId
    message: MessageId
    container: ContainerId
    asker: PersonId
    at: datetime
    viewers: str
    upper: Audience
    policy_version: int
    outcome: Outcome
    decisions: tuple[tuple[str, bool, str, str], ...] = ()
    withheld: tuple[tuple[str, bool, str, str], ...] = ()
    digest: str = ""
    used: tuple[FactId, ...] = ()
    question: str = field(default="", repr=False)
    payload: bytes = field(default=b"", repr=False)
    reply: str = field(default="", repr=False)
    forgotten: bool = False


@dataclass(frozen=True, slots=True)
class Chat:
    """A container as the store keeps it."""

    id: ContainerId
    kind: str
    title: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Posted:
    """What was erased here and may still be shown by a platform.

    Either a delivery of Tact's, by its key, or what somebody wrote, by the platform's own payload.
    """

    container: ContainerId
    key: str = ""
    sender: PersonId | None = None
    raw: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What `/forget` erased, by count, and what of it platforms may still show."""

    facts: int
    messages: int
    turns: int
    posted: tuple[Posted, ...] = ()

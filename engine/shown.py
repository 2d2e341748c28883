"""What platforms still show of what was erased here: ids and times, no words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engine.ids import ContainerId


@dataclass(frozen=True, slots=True)
class Shown:
    """A message on a platform.

    Args:
        name: the same for the same message, whoever asks.
        container: where it is.
        at: when it was sent, if that is known.
        mine: to be deleted there: Tact wrote it, or the owner did in his direct chat. Others' words are theirs.
        link: where a person can open it; empty where a platform has no such thing.
        quiet: nobody is told what became of it.
    """

    name: str
    container: ContainerId
    at: datetime | None = None
    mine: bool = False
    link: str = ""
    quiet: bool = False


class Fate(StrEnum):
    """What became of a message that was to be deleted on a platform."""

    GONE = "gone"
    LATER = "later"  # the platform cannot be reached now
    NOT_MINE = "not_mine"
    TOO_OLD = "too_old"
    NO_RIGHT = "no_right"
    REFUSED = "refused"
    UNKNOWN = "unknown"

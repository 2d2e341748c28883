"""What `tact doctor` finds: one thing looked at, how it stands, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

OK, MIND, FAULT = "ok", "mind", "fault"
Says = Callable[..., str]
"""A text by its key, in the owner's language."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at."""

    about: str
    state: str
    what: str
    fix: str = ""

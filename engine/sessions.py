"""Cutting a container's messages into sessions (privacy-model §2, Recording).

A session ends where the audience changes, after a pause, or when it has grown long.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from engine.audience import Audience
from engine.items import RawSession

PAUSE = timedelta(minutes=30)
LONGEST = 60
"""Messages a session."""


def continues(session: RawSession, audience: Audience, at: datetime) -> bool:
    """Whether a message of this audience and time still belongs to the open session."""
    same = session.audience == audience
    soon = session.last_at - PAUSE <= at <= session.last_at + PAUSE
    return same and soon and not session.closed and session.messages < LONGEST


def is_over(session: RawSession, now: datetime) -> bool:
    """Whether nothing can be added to the session any more."""
    return session.closed or now > session.last_at + PAUSE or session.messages >= LONGEST


def is_to_do(session: RawSession, now: datetime) -> bool:
    """Whether it waits for annotation: something was said since the last, or it is over and was not closed."""
    return not session.annotated or (not session.closed and is_over(session, now))

"""The sessions that wait for annotation, one after the other."""

from __future__ import annotations

import asyncio
from datetime import datetime

from bot.context import Context
from bot.memory.annotate import take, understand, write
from engine.errors import StoreFault
from engine.failpoints import reach
from engine.ids import SessionId

_TRIES = 3
_PATIENCE_S = 300.0
"""A reader that takes longer has failed; the session stays in the queue, and the others have their turn."""


async def annotate_due(context: Context, now: datetime) -> int:
    """Annotate every session that waits for it; returns how many.

    Nothing waits while one is understood, so a message may come into it, or be forgotten: it is read again before anything
    is written, and understood anew if it is another by then. One that cannot be annotated stays in the queue, and keeps no
    other from its turn.

    Raises:
        Exception: the first of those that a session raised, after all the others had their turn.
        StoreFault: at once, if the database cannot be used.
    """
    seen: set[SessionId] = set()
    count, failed = 0, list[Exception]()
    while True:
        async with context.store.transaction() as tx:
            waiting = [session.id for session in await tx.sessions_to_do(now) if session.id not in seen]
        if not waiting:
            break
        for name in waiting:
            try:
                count += await _annotate(context, name, now)
            except StoreFault:
                raise
            except Exception as fault:  # noqa: BLE001 - whatever it is, it is not the others'
                failed.append(fault)
        seen.update(waiting)
    if failed:
        raise failed[0]
    return count


async def _annotate(context: Context, name: SessionId, now: datetime) -> bool:
    """Whether it was annotated; it is not if it does not wait any more, or changes each time it is understood."""
    done = False
    for _ in range(_TRIES):
        async with context.store.transaction() as tx:
            taken = await take(tx, name)
        async with asyncio.timeout(_PATIENCE_S):
            found = await understand(context, taken)
        async with context.store.transaction() as tx:
            session = await tx.session_to_do(name, now)
            done = session is not None and await write(tx, context, found, session, now) is not None
        if done:
            reach("annotated")
        if done or session is None:
            break
    return done

"""The sessions that wait for annotation, one after the other."""

from __future__ import annotations

from datetime import datetime

from bot.context import Context
from bot.memory.annotate import annotate_session
from engine.errors import StoreFault
from engine.failpoints import reach
from engine.ids import SessionId


async def annotate_due(context: Context, now: datetime) -> int:
    """Annotate every session that waits for it; returns how many. One transaction a session.

    Each is read again in the transaction that annotates it: a message may have come into it meanwhile. One that cannot be
    annotated stays in the queue, and keeps no other from its turn.

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
    """Whether it was still waiting."""
    async with context.store.transaction() as tx:
        session = await tx.session_to_do(name, now)
        if session is not None:
            await annotate_session(tx, context, session, now)
    reach("annotated")
    return session is not None

"""Whether a memory that was killed holds together, seen from another process that has it open all the time."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime

from bot.context import ZONE, Context
from bot.memory.annotate import annotate_session
from bot.selftest.crowd import Said
from bot.selftest.telegram_world import BOT
from connectors.telegram.inbound import arrival_key
from engine.errors import StoreFault
from engine.ids import SessionId
from engine.items import RawFact, RawSession
from engine.store import Transaction
from storage.audit import Fault, Harm, annotated_sessions, audit

_Rows = tuple[list[RawFact], set[object], set[object]]


class _Back(Exception):
    """Rolls a transaction back."""


@dataclass(slots=True)
class Checker:
    """Looks at one memory again and again; `found` are the faults so far, each once.

    Its index follows the change counter, over all that the killed processes committed: if one of them had committed
    rows and not told of them, it would differ from a new one.
    """

    context: Context
    found: set[Fault] = field(default_factory=set)
    _seen: set[tuple[SessionId, datetime, int]] = field(default_factory=set)

    async def look(self) -> None:
        """Look at tables and index, and annotate again what is new."""
        async with self.context.store.transaction() as tx:
            self.found |= set(await audit(tx))
            sessions = await annotated_sessions(tx)
        for session in sessions:
            key = (session.id, session.last_at, session.messages)
            if key not in self._seen:
                self._seen.add(key)
                try:
                    await self._again(session)
                except StoreFault as fault:
                    what = f"{session.id} cannot be annotated again: {fault}"
                    self.found.add(Fault(Harm.DAMAGED, "sessions", what))

    async def _again(self, session: RawSession) -> None:
        """A session that counts as annotated gives the same when it is annotated again; nothing of it is kept."""
        same = True
        with suppress(_Back):
            async with self.context.store.transaction() as tx:
                before = await _rows(tx, session)
                await annotate_session(tx, self.context, session, self.context.clock.now())
                same = before == await _rows(tx, session)
                raise _Back
        if not same:
            self.found.add(
                Fault(Harm.HALF, "sessions", f"{session.id} gives other facts when annotated again")
            )

    async def unrecorded(self, said: Iterable[Said], waiting: Iterable[int]) -> list[Said]:
        """Messages that neither the platform nor the inbox nor the memory has any more."""
        held = {arrival_key(BOT, update) for update in waiting}
        async with self.context.store.transaction() as tx:
            held |= {arrival.key for arrival in await tx.arrivals()}
            gone = [s for s in said if arrival_key(BOT, s.update) not in held]
            return [s for s in gone if await tx.recorded(s.event) is None]


async def _rows(tx: Transaction, session: RawSession) -> _Rows:
    """What a session gave; whether it can still grow makes no difference."""
    facts = [replace(fact, settled=False) for fact in await tx.session_facts(session.id, ZONE)]
    ids = [fact.id for fact in facts]
    return facts, set(await tx.edges(ZONE, facts=ids)), set(await tx.links(ids, ZONE))

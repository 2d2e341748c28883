"""An in-memory twin of the SQL store: the port a second time, naive on purpose. It passes the same contract suite."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from engine.store import Transaction
from storage.transaction_lock import OneAtATime
from storage.twin.deletion import ForgettingPart
from storage.twin.facts import FactsPart
from storage.twin.mailroom import MailroomPart
from storage.twin.state import State
from storage.twin.talk import TalkPart


class MemoryTransaction(FactsPart, TalkPart, ForgettingPart, MailroomPart):
    """One unit of work on a snapshot of the state."""


class MemoryStore:
    """A memory that lasts as long as the process. Implements `engine.store.Store`."""

    def __init__(self) -> None:
        self._state = State()
        self._turn = OneAtATime()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """Work on a copy; it takes the state's place only if nothing was raised."""
        async with self._turn:
            draft = self._state.snapshot()
            yield MemoryTransaction(draft)
            self._state = draft

    @property
    def compacted_by_hand(self) -> bool:
        """Nothing is on a disk."""
        return False

    @property
    def left_at(self) -> str:
        """Nothing is anywhere else."""
        return ""

    async def finish_forgetting(self) -> bool:
        """Nothing is on a disk."""
        return True

    async def close(self) -> None:
        """Nothing to let go of."""

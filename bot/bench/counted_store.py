"""A store that counts the transactions of a turn, and none of what runs beside it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from contextvars import ContextVar

from engine.store import Store, Transaction

_turn: ContextVar[list[None] | None] = ContextVar("turn", default=None)


class CountedStore:
    """A store that counts the transactions of a turn, and nothing of what runs beside it."""

    def __init__(self, store: Store) -> None:
        """Everything is the store's own."""
        self._store = store

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """The store's, counted if a turn begins it."""
        return self._counted()

    @asynccontextmanager
    async def _counted(self) -> AsyncIterator[Transaction]:
        count = _turn.get()
        if count is not None:
            count.append(None)
        async with self._store.transaction() as tx:
            yield tx

    @property
    def compacted_by_hand(self) -> bool:
        """The store's."""
        return self._store.compacted_by_hand

    @property
    def left_at(self) -> str:
        """The store's."""
        return self._store.left_at

    async def finish_forgetting(self) -> bool:
        """The store's."""
        return await self._store.finish_forgetting()

    async def close(self) -> None:
        """The store's."""
        await self._store.close()


@contextmanager
def counting() -> Iterator[list[None]]:
    """Count the transactions that are begun in here, in this task and in those it makes."""
    count: list[None] = []
    token = _turn.set(count)
    try:
        yield count
    finally:
        _turn.reset(token)

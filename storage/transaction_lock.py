"""One transaction at a time."""

from __future__ import annotations

import asyncio
from types import TracebackType


class OneAtATime:
    """A lock that tells a task waiting for itself.

    Raises:
        RuntimeError: if the task that enters is inside already: it would wait for ever.
    """

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._holder: asyncio.Task[object] | None = None

    async def __aenter__(self) -> None:
        task = asyncio.current_task()
        if task is not None and task is self._holder:
            raise RuntimeError("a transaction inside a transaction")
        await self._lock.acquire()
        self._holder = task

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._holder = None
        self._lock.release()

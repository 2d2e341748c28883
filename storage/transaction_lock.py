"""One transaction at a time, begun and ended whole."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, TypeVar

_T = TypeVar("_T")


async def whole(step: Coroutine[Any, Any, _T]) -> _T:
    """Await a step to its end, whoever is cancelled meanwhile; only then is the cancellation raised.

    A database that is told to begin, and not heard out, has begun: what comes next would find it locked.
    """
    task = asyncio.ensure_future(step)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
        except BaseException:  # noqa: BLE001 - the task has it
            break
    if cancelled is not None:
        if not task.cancelled():
            task.exception()
        raise cancelled
    return task.result()


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

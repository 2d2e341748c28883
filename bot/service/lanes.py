"""Work in lanes: what belongs to one chat is done in order, and chats do not hold up one another."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable

_log = logging.getLogger(__name__)
Job = Callable[[], Awaitable[float | None]]
"""Does its work and returns None; or the seconds after which it is to be tried again."""


class Lanes:
    """Queues by name, each with a worker while there is something in it."""

    def __init__(self) -> None:
        """Begin without lanes."""
        self._queues: dict[str, deque[Job]] = {}
        self._workers: dict[str, asyncio.Task[None]] = {}
        self._closing = asyncio.Event()

    def put(self, lane: str, job: Job) -> None:
        """Queue a job."""
        if self._closing.is_set():
            return  # it is kept, and comes again at the next start
        self._queues.setdefault(lane, deque()).append(job)
        if lane not in self._workers:
            self._workers[lane] = asyncio.create_task(self._work(lane))

    async def _work(self, lane: str) -> None:
        queue = self._queues[lane]
        try:
            while queue and not self._closing.is_set():
                again = await queue[0]()
                if again is None:
                    queue.popleft()
                    continue
                try:
                    await asyncio.wait_for(self._closing.wait(), again)
                except TimeoutError:
                    continue
        finally:
            self._workers.pop(lane, None)
            if not queue:
                self._queues.pop(lane, None)

    @property
    def idle(self) -> bool:
        """Whether there is nothing to do."""
        return not self._workers

    async def drain(self, seconds: float) -> bool:
        """Let what has begun come to its end; False if something had to be cut short."""
        self._closing.set()
        workers = list(self._workers.values())
        if not workers:
            return True
        _, late = await asyncio.wait(workers, timeout=seconds)
        for worker in late:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
        return not late

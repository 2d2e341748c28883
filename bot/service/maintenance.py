"""Beside the turns: erasures are driven off the disk, platforms' copies deleted, and what is too old forgotten.

A loop of its own, and no scheduler: what there is to do is kept in the memory itself (notes, the policy), so a wake-up that
was missed is made good by the next.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from bot.context import Context, zone_of
from bot.memory.erasure import alone, in_words, off_the_disk, settle, take_back, waits
from bot.memory.retention import apply_periods
from bot.owner.names import time_in_words
from bot.texts import say
from engine.release import OwnerOnly, release_to_owner

PAUSE_S = 20.0
_RETENTION = timedelta(hours=1)
_AT_A_TIME = 50
_MORE_S = 1.0
_log = logging.getLogger(__name__)
Tell = Callable[[OwnerOnly, str], Awaitable[None]]
"""Words for the owner's direct chat, and the key under which they are sent once."""


class Tidying:
    """What is done now and then for one memory; `tell` reaches the owner, and raises if it cannot."""

    def __init__(self, context: Context, tell: Tell) -> None:
        """Nothing runs yet."""
        self._context, self._tell = context, tell
        self._earlier = True  # something that an earlier run erased may wait for the disk
        self._too_old = False  # something that was too old does
        self._retention_at: datetime | None = None

    async def keep(self, pause: float = PAUSE_S) -> None:
        """Do it now and again after each pause (in seconds), until cancelled."""
        while True:
            more = False
            try:
                more = await self.once()
            except Exception:  # noqa: BLE001 - it is all still to be done, and the next round tries again
                _log.exception("tidying.failed")
            await asyncio.sleep(min(_MORE_S, pause) if more else pause)

    async def once(self) -> bool:
        """One round; whether there is more to do at once."""
        await self._disk()
        now = self._context.clock.now()
        if self._retention_at is None or now >= self._retention_at:
            if await apply_periods(self._context) and not await off_the_disk(self._context):
                self._too_old = True
            self._retention_at = now + _RETENTION
        return await self._platforms()

    async def _disk(self) -> None:
        """Finish what is pending. What the turn that erased it is still seeing to is left to that turn.

        What an earlier run left is told, for its turn may not have been; what was too old is not.
        """
        async with self._context.store.transaction() as tx:
            since = await waits(tx, untold=self._earlier or self._too_old)
            told = self._earlier or await waits(tx, untold=False) is not None
            zone = zone_of(await tx.policy())
        if since is not None and not await off_the_disk(self._context):
            return
        self._earlier, self._too_old = False, False
        if since is not None and told:
            time = time_in_words(since, zone, day_only=False)
            words = say(self._context.language, "erase.finished", time=time)
            await self._tell(release_to_owner(words), f"erased/{since.isoformat()}/owner")

    async def _platforms(self) -> bool:
        async with alone(self._context):
            async with self._context.store.transaction() as tx:
                waiting = await tx.still_shown()
            report = await take_back(self._context, _AT_A_TIME, waiting)
            if report:
                lines = await in_words(self._context, report)
                await self._tell(release_to_owner("\n".join(lines)), "")
            await settle(self._context, report)
        return report.later > 0 and not report.unreachable

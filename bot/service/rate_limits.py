"""How often a stranger is heard: counted by account, before anything that costs."""

from __future__ import annotations

from collections import OrderedDict, deque
from datetime import datetime, timedelta
from enum import StrEnum

from engine.ids import AccountId

A_MINUTE, AN_HOUR = 6, 40
_KEPT = 5000


class Heard(StrEnum):
    """What becomes of a message."""

    YES = "yes"
    SLOW = "slow"  # the first one too many: they are told
    NO = "no"  # and those after it: nothing at all


class Limits:
    """A sliding window for each of the last few thousand strangers."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self._times: OrderedDict[AccountId, deque[datetime]] = OrderedDict()
        self._told: dict[AccountId, datetime] = {}

    def take(self, account: AccountId, now: datetime) -> Heard:
        """Count one message of a stranger's."""
        times = self._times.setdefault(account, deque())
        self._times.move_to_end(account)
        while len(self._times) > _KEPT:
            self._told.pop(self._times.popitem(last=False)[0], None)
        while times and times[0] <= now - timedelta(hours=1):
            times.popleft()
        last_minute = sum(1 for at in times if at > now - timedelta(minutes=1))
        if last_minute < A_MINUTE and len(times) < AN_HOUR:
            times.append(now)
            return Heard.YES
        told = self._told.get(account)
        if told is not None and told > now - timedelta(minutes=10):
            return Heard.NO
        self._told[account] = now
        return Heard.SLOW

"""A pause for a model that does not answer: else everybody would wait the whole deadline, turn after turn, for nothing."""

from __future__ import annotations

from typing import Final

AFTER: Final = 3
"""So many calls in a row that came too late, or reached nobody."""
PAUSE_S: Final = 60.0
"""So long no call is made then. One is tried after it; if that fails too, the pause begins anew."""


class Rest:
    """Counts failures in a row. Times are of the event loop's clock, in seconds."""

    def __init__(self) -> None:
        """Begin awake."""
        self._failures = 0
        self._until = 0.0

    def allows(self, now: float) -> bool:
        """Whether a call may be made. Of those that wait for the end of a pause one alone is let through."""
        if self.resting(now):
            return False
        if self._failures >= AFTER:
            self._until = now + PAUSE_S
        return True

    def resting(self, now: float) -> bool:
        """Whether the pause is on."""
        return now < self._until

    def failed(self, now: float) -> None:
        """A call came too late, or reached nobody."""
        self._failures += 1
        if self._failures >= AFTER:
            self._until = now + PAUSE_S

    def answered(self) -> None:
        """Something came back in time, whatever it was."""
        self._failures, self._until = 0, 0.0

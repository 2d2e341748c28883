"""Which audiences cover whom: audiences as small numbers, and the answer for each set of viewers as an array."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.audience import Audience

_KEPT = 256


class Scopes:
    """Interned audiences. `Audience.covers` decides; each answer is computed once for each pair."""

    NOBODY: ClassVar[int] = 0
    """The number of a row without a fact: it covers no viewers."""

    def __init__(self) -> None:
        self._numbers: dict[Audience, int] = {}
        self._audiences: list[Audience] = []
        self._answers: dict[Audience, NDArray[np.bool_]] = {}

    def number(self, audience: Audience) -> int:
        """This audience's number."""
        known = self._numbers.get(audience)
        if known is not None:
            return known
        self._audiences.append(audience)
        self._numbers[audience] = len(self._audiences)
        return len(self._audiences)

    def covering(self, viewers: Audience) -> NDArray[np.bool_]:
        """By audience number: whether it covers these viewers."""
        known = self._answers.get(viewers)
        start = 1 if known is None else len(known)
        if known is not None and start > len(self._audiences):
            return known
        old = np.zeros(1, dtype=np.bool_) if known is None else known
        new = [audience.covers(viewers) for audience in self._audiences[start - 1 :]]
        if len(self._answers) >= _KEPT:
            self._answers.clear()
        self._answers[viewers] = np.concatenate([old, np.array(new, dtype=np.bool_)])
        return self._answers[viewers]

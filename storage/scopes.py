"""Which audiences cover whom: audiences as small numbers, and the answers for a person as an array."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.audience import Audience

_KEPT = 512
"""So many answers are kept: a byte for each audience."""
_MANY = 64
"""So many viewers are answered for together: their own answers would push out everybody else's."""


class Scopes:
    """Interned audiences. `Audience.covers` decides; each answer is computed once."""

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
        """By audience number: whether it covers these viewers, that is each of them."""
        if viewers.everyone or len(viewers.members) > _MANY:
            return self._answer(viewers)
        some, *others = (self._answer(Audience.of((person,))) for person in viewers.members)
        if not others:
            return some
        every: NDArray[np.bool_] = np.logical_and.reduce([some, *others])
        return every

    def _answer(self, viewers: Audience) -> NDArray[np.bool_]:
        """The answers for one person, or for these together."""
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

"""Which audiences cover whom: audiences as small numbers, and by person the numbers of those that hold him."""

from __future__ import annotations

from array import array
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.audience import Audience
from engine.ids import OWNER, PersonId


class Scopes:
    """Interned audiences."""

    NOBODY: ClassVar[int] = 0
    """The number of a row without a fact: it covers no viewers."""

    def __init__(self) -> None:
        self._numbers: dict[Audience, int] = {}
        self._holding: dict[PersonId, array[int]] = {}
        self._open = array("q")

    def number(self, audience: Audience) -> int:
        """This audience's number."""
        known = self._numbers.get(audience)
        if known is not None:
            return known
        number = self._numbers[audience] = len(self._numbers) + 1
        if audience.everyone:
            self._open.append(number)
        else:
            for person in audience.members:
                self._holding.setdefault(person, array("q")).append(number)
        return number

    def covering(self, viewers: Audience) -> NDArray[np.bool_]:
        """By audience number, whether it covers these viewers: `Audience.covers` for all audiences at once."""
        found = np.zeros(len(self._numbers) + 1, dtype=np.bool_)
        if not viewers.everyone:
            self._mark(found, viewers)
        found[self._open] = True
        return found

    def _mark(self, found: NDArray[np.bool_], viewers: Audience) -> None:
        """Mark those that hold each of these persons."""
        persons = viewers.members - {OWNER} or viewers.members  # the owner is in every one
        holding = [self._holding[person] for person in persons if person in self._holding]
        if len(holding) == len(persons):
            every = np.concatenate([np.asarray(numbers, dtype=np.int64) for numbers in holding])
            found[:] = np.bincount(every, minlength=len(found)) == len(persons)

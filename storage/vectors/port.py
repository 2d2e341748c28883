"""What the fact index asks of the place where vectors lie. It knows rows, fact ids and vectors, and no words.

SQL stays the authority: it holds every vector too, sealed, and whatever lies elsewhere can be made again from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engine.ids import FactId
from storage.ranking import Floats, Rows


@dataclass(frozen=True, slots=True)
class Vector:
    """Little-endian float32 numbers, and the model that made them. Empty bytes: none.

    INVARIANT: vectors of two models, or of two lengths, are never compared.
    """

    data: bytes
    model: str = ""

    @property
    def kind(self) -> tuple[str, int]:
        """What it can be compared with: model and number of numbers."""
        return self.model, len(self.data) // 4


@dataclass(frozen=True, slots=True)
class Within:
    """The rows of the index that a search may look at: all that its scope covers, in ascending order, and no others."""

    rows: Rows


@dataclass(frozen=True, slots=True)
class Near:
    """Positions in `Within.rows` that have a vector to compare with, ascending, and their cosines."""

    places: Rows
    values: Floats

    def cosine(self, place: int) -> float | None:
        """The cosine at a position; None if there is nothing to compare."""
        if place < len(self.places) and int(self.places[place]) == place:  # so have all before it
            return float(self.values[place])
        found = int(np.searchsorted(self.places, place))
        known = found < len(self.places) and int(self.places[found]) == place
        return float(self.values[found]) if known else None


NOTHING_NEAR = Near(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.float64))


class Vectors(Protocol):
    """The vectors of one index.

    INVARIANT: `cosines` gives the same numbers, to the last bit, in every implementation, and they are a function of the
    query and of the vectors within alone: what else is there has no part in them.
    """

    def put(self, row: int, fact: FactId, vector: Vector) -> None:
        """Take in a row's vector; the row has none so far."""
        ...

    def drop(self, row: int) -> None:
        """Let go of a row's vector; a row without one is fine."""
        ...

    async def cosines(self, query: Vector, within: Within) -> Near:
        """The cosine of each row within that has a vector of the query's kind. Of no rows: nothing, unasked."""
        ...

    async def begin(self) -> None:
        """A whole index follows: there are no rows so far."""
        ...

    async def pause(self) -> None:
        """In the middle of a whole index: a moment to write down what has piled up."""
        ...

    def complete(self) -> None:
        """The whole index was put."""
        ...

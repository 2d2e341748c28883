"""What a measured memory is asked: who listens, and for what. Seeded, so the same in every run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from bot.bench.speed_memory import (
    DIMENSION,
    HALF,
    SEED,
    SHARES,
    TWENTIETH,
    Memory,
    Numbers,
    Vectors,
    terms_of,
    unit,
)
from engine.audience import OWNER_ONLY, Audience
from engine.ids import OWNER, PersonId
from engine.store import Search

K: Final = 10
"""Facts asked for."""

_GROUPS: Final[Mapping[str, int]] = {"one": 1, "three": 3, "ten": 10, "fifty": 50}
KINDS: Final = ("half", "twentieth", *_GROUPS, "owner")
_NEAR = 0.7


@dataclass(frozen=True, slots=True)
class Question:
    """One search.

    Args:
        id: kind and number.
        viewers: who listens.
        vector: what is asked for, of length 1: near to some fact's, as a question's is.
        terms: three of that fact's words, for the hybrid search.
    """

    id: str
    viewers: Audience
    vector: Vectors
    terms: tuple[str, ...]

    @property
    def kind(self) -> str:
        """Whose question it is."""
        return self.id.partition("/")[0]

    def search(self, *, hybrid: bool = False) -> Search:
        """As the memory is asked: by the vector alone, or by words as well."""
        data = self.vector.astype("<f4").tobytes()
        return Search(self.terms, data, 0.5) if hybrid else Search((), data, 1.0)


def questions(memory: Memory, each: int) -> list[Question]:
    """So many of each kind, the kinds in turn, so that whatever else the machine does meets all of them alike."""
    rng = np.random.default_rng((SEED, len(memory), each))
    asked = []
    for number, (kind, viewers) in enumerate(_listeners(memory, rng, each)):
        row = int(rng.integers(len(memory)))
        stray = unit(rng.standard_normal(DIMENSION, dtype=np.float32))
        vector = unit(_NEAR * memory.vectors[row] + (1 - _NEAR) * stray)
        name = f"{kind}/{number // len(KINDS):04}"
        asked.append(Question(name, viewers, vector, terms_of(memory, row)[:3]))
    return asked


def _listeners(memory: Memory, rng: np.random.Generator, each: int) -> Iterator[tuple[str, Audience]]:
    fixed = {"half": Audience.of([HALF]), "twentieth": Audience.of([TWENTIETH]), "owner": OWNER_ONLY}
    rooms = [sorted(audience.members - {OWNER, *SHARES}) for audience in memory.audiences]
    sizes = np.array([len(room) for room in rooms])
    large = {kind: memory.heard_by[sizes[memory.heard_by] >= count] for kind, count in _GROUPS.items()}
    for _ in range(each):
        for kind in KINDS:
            yield kind, fixed[kind] if kind in fixed else _some(rng, rooms, large[kind], _GROUPS[kind])


def _some(rng: np.random.Generator, rooms: list[list[PersonId]], large: Numbers, count: int) -> Audience:
    """So many of those who heard some fact together; the largest room's where nothing was told in one that large."""
    room = rooms[int(rng.choice(large))] if len(large) else max(rooms, key=len)
    return Audience.of(room[int(n)] for n in rng.permutation(len(room))[:count])

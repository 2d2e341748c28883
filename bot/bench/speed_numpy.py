"""What the memory is measured against: numpy alone, without scopes, and the true answer, found the slow way."""

from __future__ import annotations

from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.bench.speed_asking import K, Question
from bot.bench.speed_memory import Memory, Numbers, fact_of, policy_of
from engine.audience import Audience
from engine.ids import FactId
from engine.release import release_of

_STEPS: Final = 4000
"""The memory's definition: vectors are whole multiples of 1/4000."""


class Plain:
    """Nothing but a matrix of all vectors, in the order of facts."""

    def __init__(self, memory: Memory) -> None:
        """Copy nothing, and work out who heard what."""
        self._memory = memory
        self._vectors = np.ascontiguousarray(memory.vectors)
        self._steps = np.rint(memory.vectors * np.float64(_STEPS)).astype(np.int32)
        policy = policy_of(memory)
        self._granted = {
            row: fact.audience | release_of(fact, policy)
            for row in memory.granted
            for fact in (fact_of(memory, row),)
        }
        self._rows: dict[Audience, Numbers] = {}

    def rows(self, viewers: Audience) -> Numbers:
        """The facts that all of these heard, or were given: fact by fact, by the engine's own rule."""
        if viewers not in self._rows:
            covers = np.array([audience.covers(viewers) for audience in self._memory.audiences])
            heard = covers[self._memory.heard_by]
            for row, audience in self._granted.items():
                heard[row] = audience.covers(viewers)
            self._rows[viewers] = np.flatnonzero(heard)
        return self._rows[viewers]

    def answer(self, question: Question) -> list[FactId]:
        """The true answer: exact cosines of everything in scope, the newest first where they are equal."""
        rows = self.rows(question.viewers)
        wanted = np.rint(question.vector.astype(np.float64) * _STEPS).astype(np.int64)
        near = np.array([int(self._steps[row] @ wanted) for row in rows], dtype=np.int64)
        order = np.lexsort((rows, near))[::-1]
        return [FactId(f"f{row}") for row in rows[order[:K]]]

    def scan(self, question: Question) -> float:
        """Seconds for every vector times the question, and the best of them all."""
        start = perf_counter()
        _top(self._vectors @ question.vector)
        return perf_counter() - start

    def gather(self, question: Question) -> float:
        """Seconds for the vectors in scope times the question, their rows being known, and the best of them."""
        rows = self.rows(question.viewers)
        start = perf_counter()
        _top(self._vectors[rows] @ question.vector)
        return perf_counter() - start


def _top(near: NDArray[np.float32]) -> Numbers:
    if len(near) <= K:
        return np.argsort(-near)
    best = np.argpartition(near, -K)[-K:]
    found: Numbers = best[np.argsort(-near[best])]
    return found

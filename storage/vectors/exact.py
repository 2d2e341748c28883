"""Vectors in the memory of this process: a matrix for each kind, one row a fact."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.ids import FactId
from storage.ranking import cosines, whole_steps_of
from storage.vectors.port import NOTHING_NEAR, Near, Vector, Within

_FIRST = 1024
_PILE = 1024
"""So many vectors are brought to whole steps together, at most."""


class ExactVectors:
    """Implements `storage.vectors.port.Vectors`."""

    def __init__(self) -> None:
        self._used = 0
        self._shelves: dict[tuple[str, int], _Shelf] = {}

    def put(self, row: int, fact: FactId, vector: Vector) -> None:
        """Take in a row's vector."""
        self._used = max(self._used, row + 1)
        if vector.data:
            kind = vector.kind
            if kind not in self._shelves:
                self._shelves[kind] = _Shelf(kind[1])
            self._shelves[kind].put(row, vector.data)

    def drop(self, row: int) -> None:
        """Let go of a row's vector; nothing of it stays."""
        for shelf in self._shelves.values():
            shelf.drop(row)

    async def cosines(self, query: Vector, within: Within) -> Near:
        """The cosine of each row within that has one."""
        shelf = self._shelves.get(query.kind)
        if shelf is None or not query.data or not len(within.rows):
            return NOTHING_NEAR
        return shelf.cosines(query.data, within, self._used)

    async def begin(self) -> None:
        """No rows."""
        self._used = 0
        self._shelves.clear()

    async def pause(self) -> None:
        """Nothing is written anywhere."""

    def complete(self) -> None:
        """Nothing is kept anywhere else."""


class _Shelf:
    """The vectors of one kind."""

    def __init__(self, dimension: int) -> None:
        self._matrix: NDArray[np.float32] = np.zeros((_FIRST, dimension), np.float32)
        self._has: NDArray[np.bool_] = np.zeros(_FIRST, np.bool_)
        self._waiting: dict[int, bytes] = {}

    def put(self, row: int, data: bytes) -> None:
        self._waiting[row] = data
        if len(self._waiting) == _PILE:
            self._settle()

    def _settle(self) -> None:
        if self._waiting:
            rows = list(self._waiting)
            self._reach(max(rows) + 1)
            self._matrix[rows], self._has[rows] = whole_steps_of(list(self._waiting.values())), True
            self._waiting.clear()

    def drop(self, row: int) -> None:
        self._waiting.pop(row, None)
        if row < len(self._has):
            self._matrix[row], self._has[row] = 0, False

    def cosines(self, query: bytes, within: Within, used: int) -> Near:
        self._settle()
        self._reach(used)
        having = self._has[within.rows]
        if having.all():
            places, rows = np.arange(len(having), dtype=np.int64), within.rows
        else:
            places = np.flatnonzero(having)
            rows = within.rows[places]
        return Near(places, cosines(self._matrix, used, rows, query)) if len(rows) else NOTHING_NEAR

    def _reach(self, rows: int) -> None:
        if rows > len(self._has):
            size = max(rows, 2 * len(self._has))
            matrix = np.zeros((size, self._matrix.shape[1]), np.float32)
            matrix[: len(self._matrix)] = self._matrix
            self._matrix, self._has = matrix, np.pad(self._has, (0, size - len(self._has)))

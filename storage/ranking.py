"""Scores over the facts in scope, on arrays: BM25, cosine, min-max fusion, and the best of them.

INVARIANT: every number is a function of the query and of the facts in scope alone, to the last bit. Counts are over
those facts, the average length is a constant, and vectors are rounded to whole multiples of 1/4000: then all sums are
of whole numbers below 2²⁴, which float32 holds exactly, so that it makes no difference in what order, in which block or
beside which other rows the machine adds them up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

K1, B, AVERAGE = 1.5, 0.75, 12
STEPS = 4000
GATHER_BELOW, GATHER_BELOW_IN_CACHE = 0.6, 0.3
"""The part of all rows up to which they are gathered; less, where all of them may be in the processor's cache."""

_CACHE = 16 << 20
_BLOCK = 512
"""Rows gathered at once: their copy stays in the processor's cache, and need not be made elsewhere."""
_OFF = 0.02


def norm_of(length: int) -> float:
    """BM25's length term of a fact with so many index terms."""
    return K1 * (1 - B + B * length / AVERAGE)


def rarity_of(having: int, count: int) -> float:
    """BM25's inverse document frequency, among `count` facts in scope."""
    return math.log(1 + (count - having + 0.5) / (having + 0.5))


def whole_steps(vector: bytes) -> NDArray[np.float32]:
    """A vector in whole steps; one that is not of length 1 is brought to it first, so that sums stay exact."""
    steps: NDArray[np.float32] = whole_steps_of([vector])[0]
    return steps


def whole_steps_of(vectors: Sequence[bytes]) -> NDArray[np.float32]:
    """The same for many vectors of one length; what becomes of each hangs on no other."""
    values = np.frombuffer(b"".join(vectors), dtype="<f4").reshape(len(vectors), -1).astype(np.float64)
    squares = np.einsum("ij,ij->i", values, values)
    for row in np.flatnonzero((squares > 0) & (np.abs(squares - 1) > _OFF)):
        values[row] /= math.sqrt(squares[row])
    return np.rint(values * STEPS).astype(np.float32)


def cosines(matrix: NDArray[np.float32], used: int, rows: Rows, query: bytes) -> Floats:
    """The cosine of each of these rows: gathered when they are few, else by a scan of everything."""
    wanted = whole_steps(query)
    large = used * len(wanted) * matrix.itemsize > _CACHE
    few = len(rows) < (GATHER_BELOW if large else GATHER_BELOW_IN_CACHE) * used
    products = _gathered(matrix, rows, wanted) if few else (matrix[:used] @ wanted)[rows]
    exact: Floats = products.astype(np.float64) / (STEPS * STEPS)
    return exact


def _gathered(matrix: NDArray[np.float32], rows: Rows, wanted: NDArray[np.float32]) -> NDArray[np.float32]:
    products = np.empty(len(rows), np.float32)
    copied = np.empty((min(_BLOCK, len(rows)), len(wanted)), np.float32)
    for start in range(0, len(rows), _BLOCK):
        block = rows[start : start + _BLOCK]
        some = copied[: len(block)]
        np.take(matrix, block, axis=0, out=some, mode="clip")  # every row is there; clip writes in place
        np.dot(some, wanted, out=products[start : start + len(block)])
    return products


def spread(values: Floats) -> Floats:
    """Min-max to 0..1; if all are equal, 1 where there is anything at all."""
    if not len(values):
        return values
    low, high = values.min(), values.max()
    if low == high:
        return (values > 0).astype(np.float64)
    result: Floats = (values - low) / (high - low)
    return result


def best(scores: Floats, said: Rows, ids: Sequence[str], rows: Rows, need: int) -> list[int]:
    """Positions of the `need` best: by score, then the newest, then by id."""
    if need <= 0:
        return []
    places = _reaching(scores, need)
    if len(places) > need:  # several have the last score that counts: the newest of them
        reached = scores[places]
        sure, edge = places[reached > reached.min()], places[reached == reached.min()]
        times = said[rows[edge]]
        places = np.concatenate([sure, edge[_reaching(times, need - len(sure))]])
    order = sorted(places.tolist(), key=lambda p: ids[int(rows[p])])
    order.sort(key=lambda p: (scores[p], said[rows[p]]), reverse=True)
    return order[:need]


def _reaching(keys: Floats | Rows, need: int) -> Rows:
    """Positions whose key is among the `need` greatest, or as great as the least of those."""
    if len(keys) <= need:
        return np.arange(len(keys), dtype=np.int64)
    return np.flatnonzero(keys >= np.partition(keys, -need)[-need])

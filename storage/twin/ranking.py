"""How facts rank for a query: the definition, written simply.

BM25 (k1 1.5, b .75, average length 12 for everybody) with counts over the facts in scope only; cosine over vectors
of one model rounded to 1/4000, so that sums are exact whatever their order; each is spread to 0..1 over the facts in scope, and
`share` weighs them. Nothing out of scope changes any number.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence

from engine.items import RawFact
from engine.sealed_context import Ranked
from engine.store import NewFact, Search


def ranked(found: Sequence[tuple[RawFact, NewFact]], query: Search) -> list[tuple[RawFact, Ranked]]:
    """Every fact in scope with its rank, best first; of equal ones the newest, then by id."""
    if query.wide:
        scored = [(fact, Ranked(0.0)) for fact, _ in found]
    else:
        words = _spread([_bm25(new, query, found) for _, new in found])
        cosines = [
            _cosine(query.vector, new.vector) if query.model == new.model else None for _, new in found
        ]
        known = _spread([c for c in cosines if c is not None])
        nearness = iter(known)
        share = query.share if known else 0.0
        scored = [
            (
                fact,
                Ranked(share * (next(nearness) if cosine is not None else 0.0) + (1 - share) * word, cosine),
            )
            for (fact, _), word, cosine in zip(found, words, cosines, strict=True)
        ]
    scored.sort(key=lambda pair: pair[0].id)
    scored.sort(key=lambda pair: (pair[1].score, pair[0].said_at), reverse=True)
    return scored


def _bm25(new: NewFact, query: Search, found: Sequence[tuple[RawFact, NewFact]]) -> float:
    total = 0.0
    for term in dict.fromkeys(query.terms):
        having = sum(1 for _, other in found if term in other.terms)
        often = new.terms.count(term)
        if often:
            rarity = math.log(1 + (len(found) - having + 0.5) / (having + 0.5))
            length = 1.5 * (0.25 + 0.75 * len(new.terms) / 12)
            total += rarity * (often * 2.5) / (often + length)
    return total


def _cosine(left: bytes, right: bytes) -> float | None:
    """The cosine; None if there is no vector of the same length on both sides."""
    if not left or len(left) != len(right):
        return None
    a, b = (struct.unpack(f"<{len(v) // 4}f", v) for v in (left, right))
    exact: int = sum(round(x * 4000) * round(y * 4000) for x, y in zip(a, b, strict=True))
    return exact / 16_000_000


def _spread(values: list[float]) -> list[float]:
    """Min-max; if all are equal, 1 where there is anything at all."""
    if not values:
        return []
    low, high = min(values), max(values)
    if low == high:
        return [1.0 if value > 0 else 0.0 for value in values]
    return [(value - low) / (high - low) for value in values]

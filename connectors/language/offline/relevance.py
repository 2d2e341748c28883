"""How far one fact speaks to a question: shared words, weighed, and the cosine where there is an embedder."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from connectors.language.offline.words import tokens
from engine.annotation import Query

ANSWERS: Final = 0.5
"""From here on a fact is taken to speak to the question."""

_LOW: Final = 0.80
_HIGH: Final = 0.90


def relevance(
    query: Query, text_tokens: Iterable[str], similarity: float | None, *, same_day: bool = False
) -> float:
    """How far a fact answers a question, in [0, 1]; from `ANSWERS` on it does.

    Args:
        query: the question.
        text_tokens: `words.tokens` of the fact (and of its teller's name, if that is to count).
        similarity: cosine of the question (query vector) and the fact (passage vector); None without an embedder.
        same_day: the question names a day, and the fact speaks of that day.
    """
    lexical = _overlap(query, set(text_tokens))
    if same_day:
        lexical = min(1.0, lexical + 0.3)
    if similarity is None:
        return lexical
    semantic = min(1.0, max(0.0, (similarity - _LOW) / (_HIGH - _LOW)))
    return min(1.0, 0.5 * lexical + 0.6 * semantic)


def _overlap(query: Query, found: Collection[str]) -> float:
    weights = {term: _weight(term) for term in query.terms}
    for name in query.names:
        for term in tokens(name):
            if term in weights:
                weights[term] *= 2
    total = sum(weights.values())
    return sum(w for term, w in weights.items() if term in found) / total if total else 0.0


def _weight(term: str) -> float:
    return 0.3 if len(term) == 1 else 1.0

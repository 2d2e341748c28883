"""How far one fact speaks to a question: shared words, weighed, and the cosine where there is an embedder."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import exp
from typing import Final

from connectors.language.offline.index_terms import DEFAULT, PLACE_TERM, SCRIPTS, tokens
from engine.annotation import Language, Query

ANSWERS: Final = 0.5
"""From here on a fact is taken to speak to the question."""

_SINGLE_CHARACTER: Final = 0.3
_NAME: Final = 2.0
_NAME_ACROSS: Final = 0.5
_SPELT: Final = 0.5
"""Characters that spell a name or a rare word (阿特拉斯) are not found in English, so they prove little there."""

# Where cosines of a question and an unrelated fact lie (middle, and how far up the top hundredth is), by the two
# languages; those of English where two were not measured. They belong to `embedder.NAME` and to no other model.
_UNRELATED: Final = {
    ("en", "en"): (0.737, 0.073),
    ("zh", "zh"): (0.820, 0.035),
    ("en", "zh"): (0.739, 0.051),
    ("zh", "en"): (0.726, 0.051),
}
_OVERLAP: Final = 7.0
_NEARNESS: Final = 4.8
_OFFSET: Final = -6.6
_NAMES_ONLY: Final = 0.2
"""A fact that shares nothing but names with a question about something is not yet an answer."""
_KIN_ONLY: Final = 0.45
"""A fact about the same relative more nearly is: there is one mother, and many facts that mention Bob."""
_CHARACTERS_ONLY: Final = 0.5
"""A shared Chinese character alone may be part of quite another word."""
_KIN: Final = frozenset(
    "mother father parents sister brother wife husband son daughter child grandmother grandfather".split()
)


def relevance(
    query: Query,
    text_tokens: Iterable[str],
    similarity: float | None,
    *,
    language: Language | None = None,
    same_day: bool = False,
) -> float:
    """How far a fact answers a question, in [0, 1]; from `ANSWERS` on it does.

    Args:
        query: the question.
        text_tokens: `words.tokens` of the fact (and of its teller's name, if that is to count).
        similarity: cosine of the question (query vector) and the fact (passage vector); None without an embedder.
        language: the fact's; without it, what its tokens look like.
        same_day: the question names a day, and the fact speaks of that day.
    """
    found = set(text_tokens)
    spoken = language or _looks(found)
    lexical = overlap(query, found, across=spoken != query.language)
    if same_day:
        lexical = min(1.0, lexical + 0.3)
    if similarity is None:
        return lexical
    middle, reach = _UNRELATED.get((query.language, spoken), _UNRELATED[DEFAULT, DEFAULT])
    near = (similarity - middle) / reach
    return 1 / (1 + exp(-(_OVERLAP * lexical + _NEARNESS * near + _OFFSET)))


def overlap(query: Query, found: Collection[str], *, across: bool = False) -> float:
    """The weight of the question's terms that occur in the fact, as a share of all.

    Args:
        across: the two are in different languages, so a name written one way is rarely found the other way.
    """
    named = {term for name in query.names for term in tokens(name)}
    stress = _NAME_ACROSS if across else _NAME
    weights = {term: _weight(term, across=across) * (stress if term in named else 1) for term in query.terms}
    total = sum(weights.values())
    if not total:
        return 0.0
    shared = {term for term in weights if term in found}
    return min(sum(weights[term] for term in shared) / total, _most(shared, named, set(weights)))


def _most(shared: set[str], named: set[str], asked: set[str]) -> float:
    """The most that these shared terms can prove."""
    topical = any(term not in named and term != PLACE_TERM for term in asked)
    if topical and shared <= named:
        return _KIN_ONLY if shared & _KIN else _NAMES_ONLY
    return _CHARACTERS_ONLY if all(_is_character(term) for term in shared) else 1.0


def _weight(term: str, *, across: bool) -> float:
    spelt = _SPELT if across and not term.isascii() else 1.0
    return spelt * (_SINGLE_CHARACTER if _is_character(term) else 1.0)


def _is_character(term: str) -> bool:
    return len(term) == 1 and not term.isascii()


def _looks(found: Collection[str]) -> Language:
    return next((lang for lang, script in SCRIPTS.items() if any(map(script.match, found))), DEFAULT)

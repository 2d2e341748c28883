"""The lexical annotator: which categories a statement's words speak of. Abstains when they speak of none."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Final

from connectors.language.offline import lexicon
from connectors.language.offline.index_terms import PLACE_TERM, stem, tokens
from engine.ids import CategoryName
from engine.items import Confidence, Suggestion
from engine.policy import Category

LONGEST: Final = 1_000
"""Characters of a statement that are looked at."""
SURE: Final = 0.8
SHARED: Final = 0.6
"""Each of two topics that a statement names."""
GUESSED: Final = 0.45
"""On the owner's own description and examples alone."""
_ENOUGH: Final = 0.6
_DESCRIPTION: Final = 0.45
_EXAMPLE: Final = 0.3
_STRONGEST: Final = 2


def suggest(text: str, categories: Sequence[Category]) -> tuple[Suggestion, ...]:
    """The lexical opinion on one text, the most confident first."""
    text = text[:LONGEST]
    names = {category.name for category in categories}
    topics = _known(text, lexicon.TOPICS, names)
    if "contact-details" in topics and not lexicon.REACHABLE.search(text) and len(topics) > 1:
        topics.pop("contact-details")  # the word "phone" without a number is not what the statement is about
    if not topics and "contact-details" in names and lexicon.REACHABLE.search(text):
        topics["contact-details"] = 1
    for winner, outranked in lexicon.OUTRANKS.items():
        if winner in topics:
            topics = {name: hits for name, hits in topics.items() if name not in outranked}
    owned = _owned(text, categories)
    custom = {n: s for n, s in owned.items() if n not in lexicon.TOPICS and n not in lexicon.TIME_AND_PLACE}
    if topics or custom:
        return _opinions([*sorted(topics, key=lambda n: (-topics[n], n)), *custom])
    placed = _known(text, lexicon.TIME_AND_PLACE, names)
    if placed:
        return _opinions([max(placed, key=lambda n: (placed[n], n == "appointments"))])
    best = max(owned, key=lambda n: (owned[n], n), default=None)
    return () if best is None else (Suggestion(CategoryName(best), GUESSED, Confidence.LEXICAL),)


def _opinions(names: Sequence[str]) -> tuple[Suggestion, ...]:
    confidence = SURE if len(names) == 1 else SHARED
    return tuple(
        Suggestion(CategoryName(name), confidence, Confidence.LEXICAL) for name in names[:_STRONGEST]
    )


def _known(text: str, patterns: Mapping[str, re.Pattern[str]], names: set[CategoryName]) -> dict[str, int]:
    """How many words of each built-in list occur."""
    counts = {name: len(pattern.findall(text)) for name, pattern in patterns.items() if name in names}
    return {name: count for name, count in counts.items() if count}


def _owned(text: str, categories: Sequence[Category]) -> dict[str, float]:
    """Categories whose own description or examples share enough words with the text."""
    said = {term for term in tokens(text) if len(term) > 1 and term != PLACE_TERM}
    weights = _vocabulary(tuple((c.name, _said(c.description), _said(c.examples)) for c in categories))
    scores = {name: sum(w for term, w in terms.items() if term in said) for name, terms in weights.items()}
    return {name: score for name, score in scores.items() if score >= _ENOUGH}


def _said(by_language: Mapping[str, str] | Mapping[str, tuple[str, ...]]) -> str:
    return "\n".join(v if isinstance(v, str) else "\n".join(v) for v in by_language.values())


@lru_cache(maxsize=32)
def _vocabulary(described: tuple[tuple[CategoryName, str, str], ...]) -> dict[str, dict[str, float]]:
    """Weighted terms of each category; a term that several categories use tells nothing between them."""
    own: dict[str, dict[str, float]] = {}
    for name, description, examples in described:
        own[name] = dict.fromkeys(_telling(examples), _EXAMPLE)
        own[name].update(dict.fromkeys((*_telling(description), *_telling(name)), _DESCRIPTION))
    uses = Counter(term for terms in own.values() for term in terms)
    return {name: {t: w for t, w in terms.items() if uses[t] == 1} for name, terms in own.items()}


def _telling(text: str) -> set[str]:
    idle = _idle()
    return {
        t for t in tokens(text) if len(t) > 1 and t not in idle and not t[0].isdigit() and t != PLACE_TERM
    }


@cache
def _idle() -> frozenset[str]:
    """Not made when the module loads: that would load the stemmer."""
    return frozenset(stem(word) for word in lexicon.NO_TOPIC)

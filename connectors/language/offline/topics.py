"""Questions that name a topic and nothing in it: "any news from work?", "tell me about the family".

They are answered by facts whose own words are about that topic, by the same word lists that categories are told by.
"""

from __future__ import annotations

import re
from typing import Final

from connectors.language.offline.index_terms import content
from connectors.language.offline.lexicon import TIME_AND_PLACE, TOPICS
from connectors.language.offline.stopwords import ASK_EN, ASK_ZH
from connectors.patterns import PatternFile
from engine.annotation import Query

SPEAKS: Final = 0.6
"""How relevant a fact of the topic asked for is."""

_FILE: Final = PatternFile(__file__, "topics")
_ASKED: Final = tuple((pattern, row["categories"]) for pattern, row in _FILE.rows("topic", re.IGNORECASE))
_FILLER: Final = _FILE.pattern("filler", re.IGNORECASE)
_EVERY: Final = {**TOPICS, **TIME_AND_PLACE}


def topics_asked(query: Query) -> frozenset[str]:
    """The topics a question names, if it names nothing else.

    Args:
        query: the question; its terms are what is left without asking words.

    Returns:
        Names of the built-in lists; empty when there is a more particular word, which then decides alone.
    """
    if query.wide or not query.terms:
        return frozenset()
    found: set[str] = set()
    rest = query.text
    for pattern, names in _ASKED:
        if pattern.search(rest):
            found.update(names)
            rest = pattern.sub(" ", rest)
    return frozenset() if not found or _particular(query, rest) else frozenset(found)


def _particular(query: Query, rest: str) -> bool:
    """Whether something is left that is neither a topic nor filler."""
    left = set(content(_FILLER.sub(" ", rest), ASK_EN, ASK_ZH))
    return bool(left & query.terms)


def speaks_of(text: str, topics: frozenset[str]) -> bool:
    """Whether a fact's words are about one of these topics."""
    return any(name in topics and pattern.search(text) for name, pattern in _EVERY.items())

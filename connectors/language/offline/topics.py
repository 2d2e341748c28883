"""Questions that name a topic and nothing in it: "any news from work?", "tell me about the family".

They are answered by facts whose own words are about that topic, by the same word lists that categories are told by.
"""

from __future__ import annotations

import re
from typing import Final

from connectors.language.offline.index_terms import content
from connectors.language.offline.lexicon import TIME_AND_PLACE, TOPICS
from connectors.language.offline.stopwords import ASK_EN, ASK_ZH
from engine.annotation import Query

SPEAKS: Final = 0.6
"""How relevant a fact of the topic asked for is."""

_ASKED: Final = {
    re.compile(
        r"\b(?:work|works|working|job|office|projects?|business|career)\b|工作|公司|项目|上班|单位",
        re.IGNORECASE,
    ): (
        "work-projects",
        "work-confidential",
    ),
    re.compile(
        r"\b(?:family|families|relatives|kids|children|home)\b|家里|家人|家庭|家中|孩子", re.IGNORECASE
    ): ("family",),
    re.compile(r"\b(?:health|healthy|well-?being|feeling)\b|身体|健康", re.IGNORECASE): ("health",),
    re.compile(r"\b(?:money|financ\w*|payments?|bills?)\b|财务|经济状况|钱的事", re.IGNORECASE): ("money",),
    re.compile(r"\b(?:appointments?|bookings?|reservations?)\b|预约|约会", re.IGNORECASE): ("appointments",),
    re.compile(r"\b(?:travel\w*|trips?|whereabouts)\b|行踪|出差|旅行", re.IGNORECASE): ("whereabouts",),
}
_FILLER: Final = re.compile(
    r"\b(?:the|with|in|of|at|for|about|from|any|some|this|that|next|last|coming|week|weekend|month|year|morning|evening|life|side|front|wise"
    r"|related|matters?|affairs?|situation)\b|这周|本周|下周|周末|最近|这个月|方面|上",
    re.IGNORECASE,
)
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
    for pattern, names in _ASKED.items():
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

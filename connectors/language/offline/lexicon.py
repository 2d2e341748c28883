"""Words that tell what a statement is about, for the eight categories Tact starts with: `patterns/categories/*.toml`.

`TOPICS` are looked at first. `TIME_AND_PLACE` count only when no topic is named: a birthday dinner on Sunday is family,
and a launch that moved to 12 May is work, whatever day they name.
"""

from __future__ import annotations

import re
from typing import Final

from connectors.patterns import PatternFile

_FILE: Final = PatternFile(__file__, "lexicon")


def _words(category: str) -> re.Pattern[str]:
    """One pattern of whole English words and Chinese words."""
    words = PatternFile(__file__, f"categories/{category}")
    return words.compiled(r"(?<![\w’'-]){en}(?![\w-])|{zh}", re.IGNORECASE)


_BY_WEIGHT: Final = ("contact-details", "health", "money", "work-confidential", "work-projects", "family")
TOPICS: Final = {category: _words(category) for category in _BY_WEIGHT}
TIME_AND_PLACE: Final = {category: _words(category) for category in ("appointments", "whereabouts")}
REACHABLE: Final = _FILE.pattern("reachable", re.IGNORECASE)
"""A number, an address or a name one can be reached under, by its shape."""

OUTRANKS: Final = {
    # A number, a salary or a resignation is what it is, whoever's it is.
    "contact-details": frozenset({"family", "work-projects", "health", "money", "work-confidential"}),
    "work-confidential": frozenset({"work-projects"}),
}
"""A category here, when named, is meant alone among those it outranks."""

NO_TOPIC: Final = frozenset(_FILE.word_list("no_topic"))
"""Words of descriptions and examples that tell nothing about a category."""

"""Cutting a sentence at "because" and "but", where both sides could stand alone. Nothing else is cut."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from connectors.language.offline.sentences import trimmed
from connectors.patterns import PatternFile

Kind = Literal["because", "but"]

_FILE: Final = PatternFile(__file__, "clauses")
_SUBJECT: Final = _FILE.pattern("subject", re.IGNORECASE)
_VERB: Final = _FILE.pattern("verb", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W_]+(?:['’]\w+)*")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_SHORTEST_ZH: Final = 2


@dataclass(frozen=True, slots=True)
class Cut:
    """Two stretches in the order of the text; `first` is None where the sentence joins on to the one before.

    `first kind second`; the other way round when `turned` ("Ana is ill, so I stay": the reason comes first).
    """

    kind: Kind
    first: str | None
    second: str
    turned: bool = False


_FORMS: Final = tuple(
    (row["kind"], pattern) for pattern, row in _FILE.rows("form", re.IGNORECASE | re.DOTALL, frame="^{}$")
)
_JOINS_ON: Final = _FILE.pattern("joins_on", re.IGNORECASE)


def cut(sentence: str) -> Cut | None:
    """The cut at the first joining word with a full clause on either side; None where there is none."""
    for kind, pattern in _FORMS:
        match = pattern.match(sentence)
        if match is None:
            continue
        left, right = trimmed(match["left"]), trimmed(match["right"])
        if is_clause(left) and is_clause(right):
            turned = match.start("right") < match.start("left")
            return Cut(kind, right, left, turned=True) if turned else Cut(kind, left, right)
    joined = _JOINS_ON.match(sentence)
    if joined and is_clause(trimmed(sentence[joined.end() :])):
        return Cut("but", None, trimmed(sentence[joined.end() :]))
    return None


def is_clause(piece: str) -> bool:
    """Whether a piece could be a sentence: English, a subject and a verb; Chinese, long enough."""
    han = len(_HAN.findall(piece))
    if han:
        return han >= _SHORTEST_ZH
    words = _WORD.findall(piece)
    if len(words) < 2:  # noqa: PLR2004 - a subject and a verb
        return False
    if _SUBJECT.match(piece):
        return True
    verb = _VERB.search(piece)
    return verb is not None and verb.start() > 0

"""A local detector of privacy spans by rule: PL4 (opens something) and PL3 (harms if exposed).

It marks and never decides. Full-width characters are read as plain ones and invisible ones are skipped; positions
are always those of the text as given.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from connectors.spans import credentials, harmful_data

PL3: Final = 3
PL4: Final = 4
LONGEST: Final = 2_000
"""Characters looked at in one piece; longer texts are looked at piece by piece, with an overlap."""
_OVERLAP: Final = 400

_INVISIBLE: Final = frozenset("\u200b\u200c\u200d\u2060\ufeff\u00ad")
# Spans in these are no secrets: a detector's own placeholders, as in <Phone_1>.
_PLACEHOLDER: Final = re.compile(r"<[A-Z][A-Za-z]*(?:_[A-Za-z]+)*_\d{1,6}>")
_TRIM: Final = " \t,.;:，。；：、\"'”’「」“‘`"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """`text[start:end]` is of this kind and privacy level (3 or 4)."""

    start: int
    end: int
    kind: str
    level: int


def detect(text: str) -> tuple[Span, ...]:
    """PL4 and PL3 spans in order of place, without overlaps: the higher level wins, then the longer span."""
    plain, places = _readable(text)
    found: list[Span] = []
    for at in range(0, max(1, len(plain)), LONGEST - _OVERLAP):
        found += _found(plain[at : at + LONGEST], at)
    kept: list[Span] = []
    for span in sorted(found, key=lambda s: (-s.level, s.start - s.end, s.start)):
        if all(span.end <= k.start or span.start >= k.end for k in kept):
            kept.append(span)
    return tuple(sorted(Span(places[s.start], places[s.end - 1] + 1, s.kind, s.level) for s in kept))


def _readable(text: str) -> tuple[str, list[int]]:
    """The text with width forms made plain and invisible characters left out, and where each character stood."""
    chars: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if char in _INVISIBLE:
            continue
        folded = unicodedata.normalize("NFKC", char) if "\uff01" <= char <= "\uff5e" else char
        chars.append(folded)
        places.append(place)
    return "".join(chars), places


def _found(text: str, offset: int) -> Iterator[Span]:
    blocked = [m.span() for m in _PLACEHOLDER.finditer(text)]
    for level, rules in ((PL4, credentials.RULES), (PL3, harmful_data.RULES)):
        for kind, pattern, check in rules:
            for match in pattern.finditer(text):
                start, end = _trimmed(text, *match.span("v" if "v" in pattern.groupindex else 0))
                if start >= end or (check is not None and not check(text[start:end])):
                    continue
                if all(end <= b or start >= e for b, e in blocked):
                    yield Span(start + offset, end + offset, kind, level)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while end > start and text[end - 1] in _TRIM:
        end -= 1
    while start < end and text[start] in _TRIM:
        start += 1
    return start, end

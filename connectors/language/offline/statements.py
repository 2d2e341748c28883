"""From a stretch of text that states something to `Statement`s with their time, names, edges and marks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Final, Protocol

from connectors.language.offline import clauses, dates
from connectors.language.offline.index_terms import language_of
from connectors.language.offline.name_mentions import names_in
from connectors.language.offline.relations import relations_in
from connectors.patterns import PatternFile
from engine.annotation import Join, Statement

_FILE: Final = PatternFile(__file__, "statements")
_CORRECTS: Final = _FILE.pattern("corrects", re.IGNORECASE)
_MOVES: Final = _FILE.pattern("moves", re.IGNORECASE)
SECRET: Final = 4
SENSITIVE: Final = 3
_TELLING: Final = 3


class Marked(Protocol):
    """A privacy span, as a detector finds it."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """Where it ends."""
        ...

    @property
    def level(self) -> int:
        """Privacy level: 3 harms if exposed, 4 opens something."""
        ...


Detector = Callable[[str], Iterable[Marked]]
"""Finds privacy spans in a text."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What every statement of a message is read with."""

    said_at: datetime
    zone: tzinfo
    owner_names: Sequence[str]
    hint: str | None
    values: tuple[tuple[int, str], ...]
    """Level and text of every privacy span of the message: a label may stand one sentence before its value."""


def split(piece: str, first: int, before: int | None) -> tuple[list[str], list[Join]]:
    """Cut a stretch at "because" and "but".

    Args:
        first: the index that its first statement gets.
        before: the index of the statement before it, which a leading "but" joins on to.
    """
    cut = clauses.cut(piece)
    if cut is None:
        return [piece], []
    if cut.first is None:
        right, joins = split(cut.second, first, None)
        return right, [*([Join(cut.kind, before, first)] if before is not None else []), *joins]
    left, joins = split(cut.first, first, before)
    right, more = split(cut.second, first + len(left), None)
    ends = (first + len(left) - 1, first + len(left))
    here = Join(cut.kind, *(reversed(ends) if cut.turned else ends))
    return [*left, *right], [*joins, here, *more]


def build(text: str, sentence: str, setting: Setting) -> Statement:
    """One statement.

    Args:
        text: its own words.
        sentence: the sentence it was taken from, whose opening may say that it corrects.
    """
    when = dates.resolve(text, setting.said_at, setting.zone)
    levels = {level for level, value in setting.values if _shares(text, value)}
    return Statement(
        text=text,
        when=when,
        names=names_in(text, setting.owner_names),
        relations=relations_in(text, language_of(text)),
        hint=setting.hint,
        secret=SECRET in levels,
        sensitive=SENSITIVE in levels,
        correction=bool(_CORRECTS.search(sentence)) or (when is not None and bool(_MOVES.search(text))),
    )


def _shares(text: str, value: str) -> bool:
    """Whether a stretch holds a span or some of it: a key of many lines is cut at their ends."""
    return value in text or any(word in text for word in value.split() if len(word) > _TELLING)

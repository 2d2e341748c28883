"""From what a reader found in messages to F2 facts with lists, confidence and provenance (privacy-model §2, §3).

A reader (rules, or later a model) returns a `Reading`: spans, names and marks, never decisions. This module turns
readings into `RawFact`s; nothing it does feeds `Rel`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

Language = Literal["en", "zh"]


class Act(StrEnum):
    """What a message does. Everything but `STATEMENT` and `QUESTION` gets a fixed public line or silence."""

    STATEMENT = "statement"
    QUESTION = "question"
    GREETING = "greeting"
    THANKS = "thanks"
    ABOUT = "about"  # who are you?
    PRIVACY = "privacy"  # what do you remember, who reads this?, /privacy
    SMALLTALK = "smalltalk"


@dataclass(frozen=True, slots=True)
class When:
    """A time that a text speaks of: aware, in UTC; `is_day` when only the day is meant. `phrase` as it stands."""

    at: datetime
    is_day: bool
    phrase: str


@dataclass(frozen=True, slots=True)
class Relation:
    """`subject -predicate-> object` as stated; names as they stand in the text."""

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class Statement:
    """One assertive statement in its teller's own words, confidentiality and cover clauses removed.

    `names` are the persons it mentions as they stand in the text (kin terms included); `hint` is a category the
    writer named (`#family …`, `work: …`); `secret` and `sensitive` mark PL4 and PL3 spans.
    """

    text: str = field(repr=False)
    when: When | None = None
    names: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    hint: str | None = None
    secret: bool = False
    sensitive: bool = False
    correction: bool = False


@dataclass(frozen=True, slots=True)
class Request:
    """A confidentiality request ("don't tell Carol", "别告诉妈妈", "between us").

    `names` as they stand in the text; empty means that the target is unclear. `back` says that it speaks of what was
    said before, because the message states nothing itself.
    """

    names: tuple[str, ...]
    back: bool = False


@dataclass(frozen=True, slots=True)
class Join:
    """A `because` or `but` between two statements of the same message, by index."""

    kind: Literal["because", "but"]
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything a reader found in one message."""

    act: Act
    language: Language
    statements: tuple[Statement, ...] = ()
    requests: tuple[Request, ...] = ()
    covers: tuple[Statement, ...] = ()
    joins: tuple[Join, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A question cut into units.

    `terms` are its content words (stems, or CJK n-grams), without question words; `wide` says that it names no topic
    ("what's new?"), so the latest may be told; `names` are persons as they stand in the text.
    """

    text: str = field(repr=False)
    language: Language
    units: tuple[str, ...]
    terms: frozenset[str]
    names: tuple[str, ...] = ()
    wide: bool = False
    when: When | None = None

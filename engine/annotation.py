"""From what a reader found in messages to F2 facts with lists, confidence and provenance (privacy-model §2, §3).

A reader (rules, or later a model) returns a `Reading`: spans, names and marks, never decisions. This module turns
readings into `RawFact`s; nothing it does feeds `Rel`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Literal

from engine.audience import OWNER_ONLY
from engine.ids import OWNER, STRANGER, CategoryName, EventId, FactId, PersonId
from engine.items import (
    Basis,
    Colour,
    Confidence,
    EventState,
    ListEntry,
    Origin,
    RawFact,
    RawMessage,
    Suggestion,
)
from engine.people import People

Language = str  # a tag, as `en`; which are known is said where their words are, and nothing is decided by it


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


def is_first_hand(message: RawMessage) -> bool:
    """Whether facts of this message are the owner's own, first-hand (privacy-model §2, rule 2).

    Typed by the owner, in a chat whose viewers were `Known({o})`, heard by nobody else, and quoting nothing.
    """
    alone = message.alone and message.audience == OWNER_ONLY and not message.unresolved
    return alone and _typed_by_owner(message)


def _typed_by_owner(message: RawMessage) -> bool:
    quotes = any(line.lstrip().startswith((">", "＞")) for line in message.text.splitlines())
    return message.sender == OWNER and message.origin is Origin.TYPED and not quotes


def fact_id(message: RawMessage, ordinal: int) -> FactId:
    """The id of a message's n-th statement: the same each time the message is annotated, and without words."""
    return FactId("f_" + sha256(f"{message.id}/{ordinal}".encode()).hexdigest()[:16])


def make_facts(message: RawMessage, reading: Reading, people: People) -> tuple[RawFact, ...]:
    """The facts that one message states, not yet categorised, each an event of its own until joined to one.

    Cover stories are facts of their own, marked; the statements beside one in the same message are confidential,
    for they may hold the truth that it covers. Forwarded words are nobody's: their teller is a stranger.
    """
    told = [(statement, False) for statement in reading.statements]
    told += [(statement, True) for statement in reading.covers]
    beside = bool(reading.covers)
    return tuple(
        _fact(message, ordinal, statement, people, cover=cover, confidential=beside and not cover)
        for ordinal, (statement, cover) in enumerate(told)
    )


def _fact(
    message: RawMessage,
    ordinal: int,
    statement: Statement,
    people: People,
    *,
    cover: bool,
    confidential: bool,
) -> RawFact:
    new = fact_id(message, ordinal)
    teller = STRANGER if message.origin is Origin.FORWARD else message.sender
    return RawFact(
        id=new,
        event=EventState(EventId("e_" + new[2:]), frozenset({teller})),
        session=message.session,
        container=message.container,
        sources=(message.id,),
        text=statement.text,
        teller=teller,
        said_at=message.sent_at,
        audience=message.audience,
        when=statement.when.at if statement.when else None,
        when_is_day=statement.when.is_day if statement.when else True,
        first_hand=is_first_hand(message),
        owner_typed=_typed_by_owner(message),
        unresolved=message.unresolved,
        confidential=confidential,
        cover=cover,
        secret=statement.secret,
        sensitive=statement.sensitive,
        mentions=mentioned(statement, people),
    )


def told_again(fact: RawFact, again: RawFact) -> RawFact:
    """A fact that its teller repeats before the same people: one fact, with both sources, and what narrows of both.

    So it goes with every message that tells it, and a request in any of them binds it.
    """
    return replace(
        fact,
        sources=tuple(dict.fromkeys((*fact.sources, *again.sources))),
        first_hand=fact.first_hand and again.first_hand,
        owner_typed=fact.owner_typed and again.owner_typed,
        unresolved=fact.unresolved or again.unresolved,
        confidential=fact.confidential or again.confidential,
        cover=fact.cover or again.cover,
        secret=fact.secret or again.secret,
        sensitive=fact.sensitive or again.sensitive,
    )


def mentioned(statement: Statement, people: People) -> tuple[PersonId, ...]:
    """The persons a statement names, through names the owner gave; a name of nobody or of several counts for none."""
    found = (people.resolve(name) for name in statement.names)
    return tuple(dict.fromkeys(persons[0] for persons in found if len(persons) == 1))


def categorise(
    fact: RawFact,
    suggestions: Iterable[Suggestion],
    hint: CategoryName | None,
    known: frozenset[CategoryName],
) -> RawFact:
    """Give a fact its category: the owner's own hint, else the most confident suggestion, else none (`L0`).

    Args:
        suggestions: every annotator's opinions, kept with the fact.
        hint: a category the teller named; it counts only from the owner.
        known: names of the categories that exist.
    """
    opinions = tuple(suggestions)
    if hint is not None and hint in known and fact.teller == OWNER:
        own = Suggestion(hint, 1.0, Confidence.OWNER)
        return replace(fact, category=hint, suggestions=(own, *opinions))
    best = max(opinions, key=lambda s: (s.confidence, s.annotator, s.category), default=None)
    return replace(fact, category=best.category if best else None, suggestions=opinions)


def keep_owner_marks(new: RawFact, old: RawFact | None) -> RawFact:
    """Carry the owner's acts over when a session is annotated again: re-annotation only narrows.

    A confirmed fact keeps the category it was confirmed under. Once its session was settled a fact keeps its category,
    and new opinions only count against it. What was a secret, confidential or a cover stays so. If the words are
    others now, the owner has not said yes to them: what bars people stays, and nothing that opens.
    """
    if old is None:
        return new
    same = old.text == new.text
    kept = replace(
        _categorised_again(new, old) if same else new,
        event=old.event,
        confirmed=old.confirmed if same else None,
        kept_private=old.kept_private,
        secret=new.secret or old.secret,
        sensitive=new.sensitive or old.sensitive,
        cover=new.cover or old.cover,
        confidential=new.confidential or old.confidential,
        superseded_by=old.superseded_by,
    )
    return replace(kept, lists=tuple(e for e in old.lists if same or e.colour is Colour.BLACK))


def _categorised_again(new: RawFact, old: RawFact) -> RawFact:
    """What the owner chose stays; what was settled stays, save for new opinions against it."""
    chosen = old.confirmed is not None or any(s.annotator is Confidence.OWNER for s in old.suggestions)
    if not (chosen or old.settled):
        return new
    against = () if chosen else tuple(s for s in new.suggestions if s.category != old.category)
    opinions = tuple(dict.fromkeys((*old.suggestions, *against)))
    return replace(new, category=old.category, suggestions=opinions)


def requested(
    request: Request, teller: PersonId, at: datetime, people: People
) -> tuple[tuple[ListEntry, ...], bool]:
    """What a confidentiality request does: blacklist entries, and whether the session's facts become confidential.

    Everybody a name may mean is blacklisted; unless each name means exactly one person, and there is one, the target
    is unclear and the facts are confidential as well.
    """
    meant = [people.resolve(name) for name in request.names]
    clear = bool(meant) and all(len(persons) == 1 for persons in meant)
    persons = dict.fromkeys(p for found in meant for p in found if p != OWNER)
    entries = tuple(ListEntry(Colour.BLACK, p, Basis.REQUEST, teller, at) for p in persons)
    return entries, not clear


def same_event(terms: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two statements speak of one event: at least two index terms shared, and half of the shorter one's.

    Joining only ever narrows, so a wrong join costs an answer and never a secret.
    """
    shared = set(terms) & set(other)
    return len(shared) > 1 and 2 * len(shared) >= min(len(set(terms)), len(set(other)))

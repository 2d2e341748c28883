"""`OfflineReader`: finds statements, requests, cover stories and times in a message, in English and Chinese, by rule."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Final

from connectors.language.offline import cover_stories, index_terms, question_units, requests, statements
from connectors.language.offline.sentence_acts import asks, chat_act, states, without_tag
from connectors.language.offline.sentences import sentences, tag, trimmed, without_opening
from connectors.language.offline.statements import Detector, Setting
from connectors.patterns import PatternFile
from engine.annotation import Act, Join, Query, Reading, Request, Statement

LONGEST: Final = 8_000
"""Characters of a message that are read; what a chat lets one type is shorter."""

_FILE: Final = PatternFile(__file__, "reader")
_POLITE: Final = _FILE.pattern("polite", re.IGNORECASE)
# Words that stand on something said before.
_LEANS: Final = _FILE.pattern("leans", re.IGNORECASE)
# The first of these that a message holds is what it does: a question is answered whatever else is said with it.
_PRECEDENCE: Final = (
    Act.QUESTION,
    Act.PRIVACY,
    Act.ABOUT,
    Act.STATEMENT,
    Act.THANKS,
    Act.GREETING,
    Act.SMALLTALK,
)


@dataclass(slots=True)
class _Draft:
    """What was found so far."""

    acts: set[Act] = field(default_factory=set)
    statements: list[Statement] = field(default_factory=list)
    targets: list[tuple[str, ...]] = field(default_factory=list)
    covers: list[Statement] = field(default_factory=list)
    joins: list[Join] = field(default_factory=list)


class OfflineReader:
    """`engine.ports.Reader` by rule: no model, no network, no state.

    Args:
        detect: finds privacy spans (`connectors.spans.rules.detect`); handed in, as connectors don't know one another.
    """

    def __init__(self, detect: Detector) -> None:
        self._detect = detect

    def read(self, text: str, said_at: datetime, zone: tzinfo, owner_names: Sequence[str] = ()) -> Reading:
        """Read one message.

        Returns:
            Its act, and everything it states, asks to keep, or wants others to be told. A statement's text is the
            teller's own words, a stretch of the message.
        """
        text = text[:LONGEST]
        hint, body = tag(text)
        values = tuple((span.level, text[span.start : span.end]) for span in self._detect(text))
        setting = Setting(said_at, zone, owner_names, hint, values)
        draft = _Draft()
        for sentence in sentences(body):
            _read_sentence(sentence, setting, draft)
        return Reading(
            act=next((act for act in _PRECEDENCE if act in draft.acts), Act.SMALLTALK),
            language=index_terms.language_of(text),
            statements=tuple(draft.statements),
            requests=_requests(draft),
            covers=tuple(draft.covers),
            joins=tuple(draft.joins),
        )

    def ask(self, text: str, said_at: datetime, zone: tzinfo, owner_names: Sequence[str] = ()) -> Query:
        """Cut a question into units; the owner's names are no topic."""
        return question_units.ask(text[: question_units.LONGEST], said_at, zone, owner_names)

    def tokens(self, text: str) -> tuple[str, ...]:
        """Index terms of a text: stems, CJK n-grams, numbers; stop words left out."""
        return index_terms.tokens(text)


def _requests(draft: _Draft) -> tuple[Request, ...]:
    """What is asked to be kept: of this message, of what was said before, or of both.

    "Don't tell Carol, she would worry" states something, but what Carol is not to know was said before.
    """
    own = bool(draft.statements)
    leaning = all(_LEANS.match(statement.text) for statement in draft.statements)
    ways = (*((False,) if own else ()), *((True,) if leaning else ()))
    return tuple(Request(names, back) for names in dict.fromkeys(draft.targets) for back in ways)


def _read_sentence(sentence: str, setting: Setting, draft: _Draft) -> None:
    core = without_tag(without_opening(sentence))
    fixed = chat_act(core) if core else None
    if not core or fixed is not None:
        draft.acts.add(fixed or chat_act(sentence) or Act.SMALLTALK)
        return
    instruction = _POLITE.sub("", core)
    polite = instruction != core and _instructs(instruction)
    if not polite and asks(core, index_terms.language_of(core)):
        draft.acts.add(Act.QUESTION)
        draft.targets += requests.take(core).targets
        return
    told = cover_stories.take(instruction.rstrip("?？ ") if polite else core)
    for cover in told.covers:
        draft.covers.append(statements.build(cover, sentence, setting))
        draft.acts.add(Act.STATEMENT)
    for truth in told.truths:
        _read_truth(truth, sentence, setting, draft)


def _instructs(core: str) -> bool:
    """Whether a polite question is in truth a request or a cover story ("can you tell them that …?")."""
    return bool(cover_stories.take(core).covers or requests.take(core).targets)


def _read_truth(truth: str, sentence: str, setting: Setting, draft: _Draft) -> None:
    found = requests.take(truth)
    draft.targets += found.targets
    if found.targets:
        draft.acts.add(Act.STATEMENT)
    for piece in found.pieces:
        _state(piece, sentence, setting, draft)


def _state(piece: str, sentence: str, setting: Setting, draft: _Draft) -> None:
    """Add what a stretch states; a question or chatter inside it only adds to the acts."""
    piece = trimmed(without_opening(piece))
    language = index_terms.language_of(piece)
    fixed = chat_act(piece) if piece else Act.SMALLTALK
    if fixed is not None or not states(piece, language):
        draft.acts.add(fixed or Act.SMALLTALK)
        return
    if asks(piece, language):
        draft.acts.add(Act.QUESTION)
        return
    first = len(draft.statements)
    parts, joins = statements.split(piece, first, first - 1 if first else None)
    draft.statements += [statements.build(part, sentence, setting) for part in parts]
    draft.joins += joins
    draft.acts.add(Act.STATEMENT)

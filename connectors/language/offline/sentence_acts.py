"""What a sentence does: ask, state, greet, thank, or ask about Tact itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from connectors.language.offline.index_terms import tokens
from connectors.patterns import PatternFile
from engine.annotation import Act, Language

_FILE: Final = PatternFile(__file__, "sentence_acts")
_GREETING: Final = _FILE.pattern("greeting", re.IGNORECASE)
_THANKS: Final = _FILE.pattern("thanks", re.IGNORECASE)
_ABOUT: Final = _FILE.pattern("about", re.IGNORECASE)
_PRIVACY: Final = _FILE.pattern("privacy", re.IGNORECASE)
_CHATTER: Final = _FILE.pattern("chatter", re.IGNORECASE)
_TAG_ONLY: Final = _FILE.pattern("tag_only", re.IGNORECASE)
_ENDS_ASKING: Final = re.compile(r"[?？][\s\"'”’)）!！\U0001F300-\U0001FAFF]*$")
_LETTERS: Final = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class _Signs:
    """How a language asks, and how many of its units it takes to tell something."""

    asking: re.Pattern[str]
    unit: re.Pattern[str]
    least: int
    not_asking: re.Pattern[str] | None = None
    own_script: bool = False
    """Its units are signs of no other language."""


_ENGLISH: Final = _Signs(
    _FILE.pattern("asking_en", re.IGNORECASE), unit=re.compile(r"[^\W_]+(?:['’]\w+)*"), least=2
)
_SIGNS: Final[Mapping[Language, _Signs]] = {
    "en": _ENGLISH,
    "zh": _Signs(
        _FILE.pattern("asking_zh"),
        unit=re.compile(r"[\u4e00-\u9fff]"),
        least=3,
        not_asking=_FILE.pattern("not_asking_zh"),
        own_script=True,
    ),
}


def chat_act(sentence: str) -> Act | None:
    """Greeting, thanks, a question about Tact itself, or small talk, if the whole sentence is one; else None."""
    bare = sentence.strip()
    if not _LETTERS.search(bare):
        return Act.SMALLTALK
    for pattern, act in _FIXED:
        if pattern.match(bare):
            return act
    return None


_FIXED: Final = (
    (_GREETING, Act.GREETING),
    (_THANKS, Act.THANKS),
    (_ABOUT, Act.ABOUT),
    (_PRIVACY, Act.PRIVACY),
    (_CHATTER, Act.SMALLTALK),
)


def asks(sentence: str, language: Language) -> bool:
    """Whether a sentence asks for something to be told: by its mark, its first words, or its particles."""
    if _ENDS_ASKING.search(sentence):
        return True
    by_script = (signs for signs in _SIGNS.values() if signs.own_script and signs.unit.search(sentence))
    signs = next(by_script, _SIGNS.get(language, _ENGLISH))
    denied = signs.not_asking is not None and signs.not_asking.search(sentence)
    return bool(signs.asking.search(sentence)) and not denied


def without_tag(sentence: str) -> str:
    """The sentence without "ok?" and its like at the end, which asks for consent and not for an answer."""
    return _TAG_ONLY.sub("", sentence).rstrip(" ,，")


_COMMAND: Final = _FILE.pattern("command", re.IGNORECASE)


def states(sentence: str, language: Language) -> bool:
    """Whether a sentence that asks nothing has enough in it to be kept: content, and more than one word."""
    if chat_act(sentence) is not None or _COMMAND.match(sentence) or not tokens(sentence):
        return False
    signs = _SIGNS.get(language, _ENGLISH)
    return len(signs.unit.findall(sentence)) >= signs.least

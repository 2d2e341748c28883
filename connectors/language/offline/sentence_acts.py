"""What a sentence does: ask, state, greet, thank, or ask about Tact itself."""

from __future__ import annotations

import re
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

_ASKING_EN: Final = _FILE.pattern("asking_en", re.IGNORECASE)
_NOT_ASKING_ZH: Final = _FILE.pattern("not_asking_zh")
_ASKING_ZH: Final = _FILE.pattern("asking_zh")
_TAG_ONLY: Final = _FILE.pattern("tag_only", re.IGNORECASE)
_ENDS_ASKING: Final = re.compile(r"[?？][\s\"'”’)）!！\U0001F300-\U0001FAFF]*$")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_LETTERS: Final = re.compile(r"[^\W_]")


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
    if language == "zh" or _HAN.search(sentence):
        return bool(_ASKING_ZH.search(sentence)) and not _NOT_ASKING_ZH.search(sentence)
    return bool(_ASKING_EN.match(sentence))


def without_tag(sentence: str) -> str:
    """The sentence without "ok?" and its like at the end, which asks for consent and not for an answer."""
    return _TAG_ONLY.sub("", sentence).rstrip(" ,，")


_SHORTEST_ZH: Final = 3
_COMMAND: Final = _FILE.pattern("command", re.IGNORECASE)


def states(sentence: str, language: Language) -> bool:
    """Whether a sentence that asks nothing has enough in it to be kept: content, and more than one word."""
    if chat_act(sentence) is not None or _COMMAND.match(sentence) or not tokens(sentence):
        return False
    if language == "zh":
        return len(_HAN.findall(sentence)) >= _SHORTEST_ZH
    return len(re.findall(r"[^\W_]+(?:['’]\w+)*", sentence)) > 1

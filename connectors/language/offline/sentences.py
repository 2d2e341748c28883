"""Cutting a message into sentences, and taking openings off them. Every piece is a stretch of the message itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from connectors.patterns import PatternFile

_FILE: Final = PatternFile(__file__, "sentences")
_END: Final = _FILE.pattern("end")
_ABBREVIATION: Final = _FILE.pattern("abbreviation", re.IGNORECASE)
_TAG: Final = _FILE.pattern("tag")
_LABEL: Final = _FILE.pattern("label")
_NO_HINT: Final = frozenset(_FILE.word_list("no_hint"))

_OPENING_EN: Final = _FILE.pattern("opening_en", re.IGNORECASE)
_OPENING_ZH: Final = _FILE.pattern("opening_zh")
LONGEST: Final = 500
"""Characters of a sentence."""
_EDGES: Final = " \t\r\n,，;；:：–—-"


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, trimmed, each with its end mark; dots in numbers and abbreviations end nothing.

    One that goes on and on is cut: the rules take time with the square of its length.
    """
    for piece in _ended(text):
        while len(piece) > LONGEST:
            blank = piece.rfind(" ", 1, LONGEST)
            head = piece[: blank if blank > 0 else LONGEST]
            yield head
            piece = piece[len(head) :].strip()  # noqa: PLW2901 - what is left of it
        if piece:
            yield piece


def _ended(text: str) -> Iterator[str]:
    start = 0
    for match in _END.finditer(text):
        piece = text[start : match.end()]
        if match[0].startswith(".") and _ABBREVIATION.search(piece.rstrip()):
            continue
        if piece.strip():
            yield piece.strip()
        start = match.end()
    if text[start:].strip():
        yield text[start:].strip()


def tag(text: str) -> tuple[str | None, str]:
    """A leading category hint and the text without it.

    `#family …` is taken off; `family: …` stays in the text, since only the caller knows whether it names a category.
    """
    tagged = _TAG.match(text)
    if tagged:
        return tagged["hint"], text[tagged.end() :]
    labelled = _LABEL.match(text)
    if labelled and labelled["hint"].lower() not in _NO_HINT:
        return labelled["hint"], text
    return None, text


def without_opening(sentence: str) -> str:
    """The sentence without greeting, vocative, "by the way", "remember that" and the like."""
    while True:
        match = _OPENING_EN.match(sentence) or _OPENING_ZH.match(sentence)
        if match is None or not match[0]:
            return sentence.strip()
        sentence = sentence[match.end() :]


def trimmed(piece: str) -> str:
    """A piece without blanks and joining marks at its edges, and without a bracket that has lost its partner."""
    piece = piece.strip(_EDGES)
    for opening, closing in ("()", "（）", "“”", "「」"):
        if piece.count(opening) > piece.count(closing) and piece.startswith(opening):
            piece = piece[1:].strip(_EDGES)
        elif piece.count(closing) > piece.count(opening) and piece.rstrip("。.!！").endswith(closing):
            piece = piece.rstrip("。.!！")[:-1].strip(_EDGES)
    return piece

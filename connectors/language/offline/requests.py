"""Confidentiality requests: "don't tell Carol", "between us", "别告诉妈妈", "保密" (privacy-model §3, lists)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from connectors.language.offline.sentences import trimmed
from connectors.patterns import PatternFile

_FILE: Final = PatternFile(__file__, "requests")


@dataclass(frozen=True, slots=True)
class _Form:
    """`cut`: the words say nothing else and are taken off; otherwise they stay part of the statement.

    `alone`: when it is found, the piece is left as it is.
    """

    pattern: re.Pattern[str]
    cut: bool
    alone: bool


def _forms(name: str, flags: int = 0, frame: str = "{}") -> tuple[_Form, ...]:
    rows = _FILE.rows(name, flags, frame)
    return tuple(_Form(pattern, row.get("cut", True), row.get("alone", False)) for pattern, row in rows)


_FORMS: Final = (*_forms("zh"), *_forms("en", re.IGNORECASE, frame=r"(?<![\w’'-])(?:{})"))


_NOBODY: Final = _FILE.pattern("nobody", re.IGNORECASE)
_SPLIT: Final = _FILE.pattern("split", re.IGNORECASE)
_LEFT_JOIN: Final = _FILE.pattern("left_join", re.IGNORECASE)
_RIGHT_JOIN: Final = _FILE.pattern("right_join", re.IGNORECASE)
_WORDS: Final = _FILE.pattern("words")
_VERB: Final = _FILE.pattern("verb", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """What is left of a sentence, and the requests in it: names as they stand, none when the target is unclear."""

    pieces: tuple[str, ...]
    targets: tuple[tuple[str, ...], ...]


def take(sentence: str) -> Found:
    """Take the requests out of a sentence.

    Returns:
        The stretches around them in order, joining words at the seams dropped. A request in brackets leaves one piece.
    """
    targets: list[tuple[str, ...]] = []
    pieces = [sentence]
    for form in _FORMS:
        before = len(targets)
        pieces = [rest for piece in pieces for rest in _apply(form, piece, targets)]
        if form.alone and len(targets) > before:
            break
    return Found(tuple(p for p in map(trimmed, pieces) if _WORDS.search(p)), tuple(dict.fromkeys(targets)))


def _apply(form: _Form, piece: str, targets: list[tuple[str, ...]]) -> list[str]:
    match = form.pattern.search(piece)
    if match is None or not match[0].strip():
        return [piece]
    who, end = _target(piece, match)
    targets.append(who)
    if not form.cut:
        return [piece]
    left, right = piece[: match.start()], piece[end:]
    bracketed = left.rstrip().endswith(("(", "（")) and right.lstrip().startswith((")", "）"))
    if bracketed:
        left, right = left.rstrip()[:-1].rstrip(), right.lstrip()[1:]
        return [left + right if right.strip(" .。!！") else left]
    return [_LEFT_JOIN.sub("", left), _RIGHT_JOIN.sub("", right)]


def _target(piece: str, match: re.Match[str]) -> tuple[tuple[str, ...], int]:
    """The names asked to be kept out, and where the request ends."""
    groups = match.groupdict()
    key = next((k for k in ("who", "who2", "who3") if groups.get(k)), None)
    if key is None:
        return (), match.end()
    items = [item for item in _SPLIT.split(match[key]) if item]
    end = match.end()
    if len(items) > 1 and _VERB.match(piece[end:]):
        # "Don't tell Carol, Bob is ill": the last one begins what is told.
        last = items.pop()
        end = match.start(key) + match[key].rindex(last)
    return tuple(item.strip() for item in items if not _NOBODY.match(item)), end

"""Long texts in parts that a platform takes, measured in UTF-16 units and cut where it hurts least.

A cut is never inside a grapheme (an emoji of several signs, a letter with its accents), a link or a fenced block of code
that fits into one part; a longer block is closed and opened again around the cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from unicodedata import category, combining

_LINK = re.compile(r"https?://\S+|\[[^\]\n]*\]\([^)\s]*\)")
_FENCE = re.compile(r"^```[^\n`]{0,40}$", re.MULTILINE)
_CLOSED = "\n```"
_JOINERS = {"\u200d", "\ufe0e", "\ufe0f", "\u20e3"}
Span = tuple[int, int]


def units(text: str) -> int:
    """Length in UTF-16 code units."""
    return len(text) + sum(1 for sign in text if ord(sign) > 0xFFFF)  # noqa: PLR2004 - beyond the first plane


def split(text: str, limit: int) -> list[str]:
    """The text in parts; joined again they hold every sign of it but the blanks at the cuts."""
    parts: list[str] = []
    rest = text.strip()
    while units(rest) > limit:
        part, rest = _cut(rest, limit)
        parts.append(part)
    return [*parts, rest] if rest else parts


def _cut(text: str, limit: int) -> tuple[str, str]:
    """A part that fits, and what is left; what is left is always less than there was."""
    end = _reach(text, limit)
    blocks = _blocks(text)
    block = next(((a, b) for a, b in blocks if a < end < b), None)
    if block is not None and block[0] == 0:
        opening = text.partition("\n")[0]
        inner = _reach(text, limit - len(_CLOSED))
        if inner > len(opening) + 1:
            return _cut_block(text, opening, inner)
        blocks = []  # no room for a fence and a sign
    solid = [*blocks, *(link for link in _links(text) if not _inside(link[0], blocks))]
    whole = next((a for a, b in solid if a < end < b), 0)
    end = _best(text, whole or end, [] if block is not None and not blocks else solid)
    return text[:end].rstrip(), text[end:].lstrip()


def _cut_block(text: str, opening: str, end: int) -> tuple[str, str]:
    """Cut a block of code that is too long for one part: it is closed, and opened again in the next."""
    line = text.rfind("\n", len(opening) + 1, end) + 1
    end = line or _whole(text, end)
    part, rest = text[:end].rstrip("\n") + _CLOSED, text[end:]
    return part, rest[len("```") :].lstrip() if rest.startswith("```") else f"{opening}\n{rest}"


def _blocks(text: str) -> list[Span]:
    """Where fenced blocks of code are; one that nothing closes goes to the end."""
    fences = list(_FENCE.finditer(text))
    ends = [fence.end() for fence in fences[1::2]]
    if len(fences) % 2:
        ends.append(len(text))
    return [(opening.start(), end) for opening, end in zip(fences[::2], ends, strict=True)]


def _links(text: str) -> Iterator[Span]:
    """Where links are."""
    return (match.span() for match in _LINK.finditer(text))


def _inside(place: int, spans: Sequence[Span]) -> bool:
    return any(a < place < b for a, b in spans)


def _reach(text: str, limit: int) -> int:
    """How many signs fit."""
    used = 0
    for place, sign in enumerate(text):
        used += 2 if ord(sign) > 0xFFFF else 1  # noqa: PLR2004
        if used > limit:
            return place
    return len(text)


def _best(text: str, end: int, solid: Sequence[Span]) -> int:
    """The best place to cut at or before `end`: a paragraph, a line, a sentence, a blank, else a whole grapheme."""
    if end >= len(text):
        return end
    for mark in ("\n\n", "\n", ". ", "。", "! ", "？", " "):
        at = text.rfind(mark, end // 2, end)
        while at > 0 and (_inside(at + len(mark), solid) or _joined(text, at + len(mark))):
            at = text.rfind(mark, end // 2, at)
        if at > 0:
            return at + len(mark)
    return _whole(text, end)


def _whole(text: str, end: int) -> int:
    """The nearest place before `end` that is between two graphemes."""
    at = end
    while at > 0 and _joined(text, at):
        at -= 1
    return at or end


def _joined(text: str, at: int) -> bool:
    """Whether the sign at this place belongs to the one before it."""
    if at >= len(text):
        return False
    sign, before = text[at], text[at - 1]
    if combining(sign) or category(sign) in {"Mn", "Me", "Mc"} or sign in _JOINERS or before == "\u200d":
        return True
    if "\U0001f3fb" <= sign <= "\U0001f3ff" or "\U000e0020" <= sign <= "\U000e007f":  # skin tones, tags
        return True
    return _flag(sign) and _flags_before(text, at) % 2 == 1


def _flag(sign: str) -> bool:
    return "\U0001f1e6" <= sign <= "\U0001f1ff"


def _flags_before(text: str, at: int) -> int:
    count = 0
    while count < at and _flag(text[at - 1 - count]):
        count += 1
    return count

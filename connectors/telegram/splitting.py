"""Long texts in parts that Telegram takes: at most 4096 UTF-16 units, cut where it hurts least.

A cut is never inside a grapheme (an emoji of several signs, a letter with its accents), a link or a fenced block of code
that fits into one part; a longer block is closed and opened again around the cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import category, combining

LIMIT = 4096
_LINK = re.compile(r"https?://\S+|\[[^\]\n]*\]\([^)\s]*\)")
_FENCE = re.compile(r"^```[^\n]*$", re.MULTILINE)
_JOINERS = {"\u200d", "\ufe0e", "\ufe0f", "\u20e3"}


def units(text: str) -> int:
    """Length in UTF-16 code units."""
    return len(text) + sum(1 for sign in text if ord(sign) > 0xFFFF)  # noqa: PLR2004 - beyond the first plane


def split(text: str, limit: int = LIMIT) -> list[str]:
    """The text in parts; joined again they hold every sign of it but the blanks at the cuts."""
    parts: list[str] = []
    rest = text.strip()
    while units(rest) > limit:
        part, rest = _cut(rest, limit)
        parts.append(part)
    return [*parts, rest] if rest else parts


def _cut(text: str, limit: int) -> tuple[str, str]:
    end = _reach(text, limit)
    solid = [(a, b) for a, b in _solid(text) if a < end < b]
    fence = _open_fence(text, end)
    if fence and fence[0] > 0:  # the whole block goes into the next part
        end = fence[0]
    elif fence:
        end = _reach(text, limit - 4)
        end = text.rfind("\n", 1, end) + 1 or _whole(text, end)
        return text[:end].rstrip("\n") + "\n```", f"{fence[1]}\n{text[end:]}"
    elif solid and solid[0][0] > 0:
        end = solid[0][0]
    end = _best(text, end)
    return text[:end].rstrip(), text[end:].lstrip()


def _reach(text: str, limit: int) -> int:
    """How many signs fit."""
    used = 0
    for place, sign in enumerate(text):
        used += 2 if ord(sign) > 0xFFFF else 1  # noqa: PLR2004
        if used > limit:
            return place
    return len(text)


def _best(text: str, end: int) -> int:
    """The best place to cut at or before `end`: a paragraph, a line, a sentence, a blank, else a whole grapheme."""
    if end >= len(text):
        return end
    links = list(_solid(text))
    for mark in ("\n\n", "\n", ". ", "。", "! ", "？", " "):
        at = text.rfind(mark, end // 2, end)
        if at > 0 and not any(a < at + len(mark) < b for a, b in links):
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


def _solid(text: str) -> Iterator[tuple[int, int]]:
    """Where links are."""
    return (match.span() for match in _LINK.finditer(text))


def _open_fence(text: str, end: int) -> tuple[int, str] | None:
    """The fence that a cut here would be inside of: its place, and its opening line."""
    fences = [match for match in _FENCE.finditer(text) if match.start() < end]
    return (fences[-1].start(), fences[-1].group()) if len(fences) % 2 else None

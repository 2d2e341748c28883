"""Cover stories: "if anyone asks, I'm at the dentist", "就说我在看牙" (privacy-model §3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from connectors.language.offline.sentences import trimmed
from connectors.patterns import PatternFile

_FILE: Final = PatternFile(__file__, "cover_stories")


_EN: Final = _FILE.patterns("en", re.IGNORECASE, frame=r"(?<![\w’'])(?:{})")
_TRUTH: Final = _FILE.pattern("truth", re.IGNORECASE)
_ZH: Final = _FILE.patterns("zh")
_TRUTH_ZH: Final = _FILE.pattern("truth_zh")
_LEFT: Final = _FILE.pattern("left", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence taken apart: what is true (stretches), and what others are to be told."""

    truths: tuple[str, ...]
    covers: tuple[str, ...]


def take(sentence: str) -> Told:
    """Take a cover story out of a sentence; a sentence without one comes back as a truth."""
    for pattern in (*_ZH, *_EN):
        match = pattern.search(sentence)
        if match is None:
            continue
        cover, truth = _apart(match["cover"])
        before = _LEFT.sub("", sentence[: match.start()])
        behind = sentence[match.end() :]
        truths = tuple(
            piece for piece in map(trimmed, (before, truth, behind)) if re.search(r"[^\W_]", piece)
        )
        return Told(truths, (trimmed(cover),)) if trimmed(cover) else Told((sentence,), ())
    return Told((sentence,), ())


def _apart(cover: str) -> tuple[str, str]:
    """The cover story, and the truth that follows it in the same sentence ("…, really I'm at an interview")."""
    for pattern in (_TRUTH, _TRUTH_ZH):
        turn = pattern.search(cover)
        if turn is not None and turn.start() > 1:
            return cover[: turn.start()].rstrip("\"”'」 "), cover[turn.end() :]
    return cover.rstrip("\"”'」 "), ""

"""What a model sent back: its words if they can be a reply, and what it says it counted. Nothing of it is trusted."""

from __future__ import annotations

import json
import re
import unicodedata
import zlib
from dataclasses import dataclass, field
from typing import Final

from connectors.patterns import PatternFile

LONGEST: Final = 3000
"""Characters of a reply; more is no reply."""
_MOST_TOKENS: Final = 10_000_000
_THOUGHTS: Final = re.compile(r"^\s*<think>.*?</think>", re.DOTALL | re.IGNORECASE)
_FRAME: Final = re.compile(r"</?\s*(?:data|think)\b|<\|", re.IGNORECASE)
_REFUSAL: Final = PatternFile(__file__, "answers").pattern("refusal", re.IGNORECASE)
_LOOP_FROM: Final = 300
_LOOP: Final = 12
_READABLE: Final = 0.6


@dataclass(frozen=True, slots=True)
class Answer:
    """`text` is empty when the model gave nothing that can be a reply; counts are None when it gave none."""

    text: str = field(default="", repr=False)
    tokens_in: int | None = None
    tokens_out: int | None = None


def read_answer(body: bytes) -> Answer:
    """Read a body of `chat/completions`; whatever is odd about it makes an empty answer."""
    try:
        parsed: object = json.loads(body)
    except (ValueError, RecursionError):
        return Answer()
    usage = _at(parsed, "usage")
    counted = _count(_at(usage, "prompt_tokens")), _count(_at(usage, "completion_tokens"))
    choices = _at(parsed, "choices")
    if not isinstance(choices, list) or not choices:
        return Answer("", *counted)
    return Answer(_words(choices[0]), *counted)


def _words(choice: object) -> str:
    """The reply in a choice: finished by itself, not refused, no tool called, and readable."""
    message = _at(choice, "message")
    text = _at(message, "content")
    finished = _at(choice, "finish_reason") in {"stop", "eos", None}
    if not finished or _at(message, "tool_calls") or _at(message, "refusal") or not isinstance(text, str):
        return ""
    return usable(text)


def usable(text: str) -> str:
    """The text as a reply, or an empty string if it can be none: nothing said, noise, a loop, a refusal, the frame."""
    text = _THOUGHTS.sub("", text[: LONGEST * 20]).strip()
    if not text or len(text) > LONGEST or _FRAME.search(text) or _REFUSAL.match(text):
        return ""
    return text if _readable(text) and not _looping(text) else ""


def _readable(text: str) -> bool:
    """Mostly letters, marks, digits and blanks, no control characters, nothing that stands for lost bytes."""
    kinds = [unicodedata.category(char) for char in text]
    bad = sum(
        1
        for char, kind in zip(text, kinds, strict=True)
        if char == "\ufffd" or (kind in {"Cc", "Cn", "Co", "Cs"} and char not in "\n\t")
    )
    words = sum(1 for kind in kinds if kind[0] in "LMNZ")
    return bad == 0 and any(kind[0] in "LN" for kind in kinds) and words / len(kinds) >= _READABLE


def _looping(text: str) -> bool:
    """The same few words again and again."""
    plain = text.encode(errors="replace")
    return len(plain) > _LOOP_FROM and len(zlib.compress(plain)) * _LOOP < len(plain)


def _at(value: object, key: str) -> object:
    return value.get(key) if isinstance(value, dict) else None


def _count(value: object) -> int | None:
    """A count of tokens, if it can be one."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_TOKENS:
        return None
    return value

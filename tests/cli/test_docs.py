"""docs/console.md is true: its conversation is what the chat says, and it names every word."""

from __future__ import annotations

import re
from pathlib import Path

from bot.commandline.words import FORMS

TEXT = (Path(__file__).parents[2] / "docs" / "console.md").read_text(encoding="utf-8")
_SAID = re.compile(r"^\d+ \S+ (?:→|@) \S+ > (.*)$", re.MULTILINE)
_PASSING = re.compile(
    r"\b[tfm]_[0-9a-f]+\b|\b\d{4}-\d\d-\d\d(?: \d\d:\d\d)?\b|\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?\d{1,2} [A-Z][a-z]{2}\b"
)


def lasting(transcript: str) -> str:
    """A transcript without ids, dates and line breaks, which depend on the day."""
    return " ".join(_PASSING.sub("…", transcript).replace("│", " ").split())


def test_the_conversation_is_what_the_chat_says(tact) -> None:
    shown = TEXT.partition("```text\n")[2].partition("```")[0]
    typed = "\n".join(_SAID.findall(shown))

    assert len(typed.splitlines()) > 10
    assert lasting(tact("chat", typed=typed).out) == lasting(shown)


def test_every_word_of_the_console_is_explained() -> None:
    assert [form for form in FORMS.values() if f"`{form}`" not in TEXT] == []

"""docs/console.md is true: its conversation is what the chat says, and it names every word.

`python tests/cli/test_docs.py` writes the conversation afresh, after a change of wording elsewhere.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from bot.cli.console_commands import FORMS

DOC = Path(__file__).parents[2] / "docs" / "console.md"
BLOCK = re.compile(r"(?<=```text\n).*?(?=```)", re.DOTALL)
SAID = re.compile(r"^\d+ \S+ (?:→|@) \S+ > (.*)$", re.MULTILINE)
PASSING = re.compile(
    r"\b[tfm]_[0-9a-f]+\b|\b\d{4}-\d\d-\d\d(?: \d\d:\d\d)?\b|\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?\d{1,2} [A-Z][a-z]{2}\b"
)


def shown() -> str:
    """The conversation in the page."""
    found = BLOCK.search(DOC.read_text(encoding="utf-8"))
    assert found is not None
    return found[0]


def lasting(transcript: str) -> str:
    """A transcript without ids, dates and line breaks, which depend on the day."""
    return " ".join(PASSING.sub("…", transcript).replace("│", " ").split())


def test_the_conversation_is_what_the_chat_says(tact) -> None:
    typed = SAID.findall(shown())

    assert len(typed) > 10
    said = tact("chat", typed="\n".join(typed)).out
    assert lasting(said) == lasting(shown()), f"write it afresh: {sys.executable} {__file__}"


def test_every_word_of_the_console_is_explained() -> None:
    text = DOC.read_text(encoding="utf-8")

    assert [form for form in FORMS.values() if f"`{form}`" not in text] == []


def write_afresh() -> None:
    """Run the page's conversation and put in what is said now."""
    chat = subprocess.run(
        [sys.executable, "-m", "bot", "chat"],
        input="\n".join(SAID.findall(shown())),
        capture_output=True,
        text=True,
        check=True,
    )
    text = DOC.read_text(encoding="utf-8")
    DOC.write_text(BLOCK.sub(lambda _old: chat.stdout, text), encoding="utf-8")


if __name__ == "__main__":
    write_afresh()

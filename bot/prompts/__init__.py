"""The prompts that replies are worded with, in each language, and the frame that people's words are put into.

A prompt is a function of a sealed context's bytes. Its rules are the same for every context of a language; names and
everything that anybody wrote stand in the data alone, each as a JSON string in which no character is left that could
close the string, the line, the frame, or a model's own marks between messages.
"""

from __future__ import annotations

import json
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

OPENS: Final = "<data>"
CLOSES: Final = "</data>"
_MARKS: Final = "<>[]"
"""What models' own marks between messages are made of, in all the templates there are."""
_UNSEEN: Final = frozenset({"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"})


@dataclass(frozen=True, slots=True)
class Words:
    """One language's prompt."""

    rules: str
    before: str
    after: str
    somebody: str
    weekdays: tuple[str, ...]


@cache
def words_of(language: str) -> Words:
    """The prompt of this language; English for one that there is none of."""
    there = {file.name: file for file in files("bot.prompts").iterdir() if file.name.endswith(".toml")}
    read = tomllib.loads(there.get(f"{language}.toml", there["en.toml"]).read_text(encoding="utf-8"))
    return Words(
        rules=read["rules"].strip(),
        before=read["before"],
        after=read["after"],
        somebody=read["somebody"],
        weekdays=tuple(read["weekdays"]),
    )


def rules_and_data(payload: bytes) -> tuple[str, str]:
    """The two messages of a prompt, of a sealed context's exact bytes: the rules, and the data in its frame."""
    sealed: dict[str, Any] = json.loads(payload)
    words = words_of(sealed["language"])
    lines = [words.before, OPENS, *(_line(row) for row in _rows(sealed, words)), CLOSES, words.after]
    return words.rules, "\n".join(lines)


def _rows(sealed: Mapping[str, Any], words: Words) -> Iterator[dict[str, object]]:
    """One flat object a line, the question last."""
    zone = _zone(sealed["zone"])
    yield {"owner": sealed["owner"], "now": _time(sealed["now"], zone, words)}
    for fact in sealed["story"]:
        row = {"fact": fact["node"], "told_by": fact["teller"] or words.somebody}
        row |= {"said": _time(fact["said"], zone, words), "text": fact["text"]}
        if fact["when"] is not None:
            row["when"] = _time(fact["when"], zone, words, day_only=fact["whole_day"])
        yield row
    for left, kind, right in sealed["because_but"]:
        yield {"link": kind, "of": left, "to": right}
    for subject, predicate, other in sealed["graph"]:
        yield {"relation": predicate, "of": subject, "to": other}
    for name, at, text in sealed["recent"]:
        yield {"recent": name or words.somebody, "at": _time(at, zone, words), "text": text}
    yield {"asker": sealed["asker"] or words.somebody, "question": sealed["question"]}


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def _time(iso: str, zone: ZoneInfo, words: Words, *, day_only: bool = False) -> str:
    """A moment, or a whole day, as the owner's clock has it, with the day of the week."""
    local = datetime.fromisoformat(iso).astimezone(zone)
    day = f"{local:%Y-%m-%d} {words.weekdays[local.weekday()]}"
    return day if day_only else f"{day} {local:%H:%M}"


def _line(row: Mapping[str, object]) -> str:
    """An object as one line of JSON (objects only, so that no bracket of its own is in it), escaped."""
    return "".join(_escaped(char) for char in json.dumps(row, ensure_ascii=False))


def _escaped(char: str) -> str:
    """The character, or its number as JSON writes it: the same string to whoever reads the JSON."""
    if char not in _MARKS and unicodedata.category(char) not in _UNSEEN:
        return char
    return json.dumps(char, ensure_ascii=True)[1:-1] if char not in _MARKS else f"\\u{ord(char):04x}"


def plain(reply: str) -> str:
    """A reply in which a model kept the escapes of the four marks, with the marks themselves."""
    for mark in _MARKS:
        reply = reply.replace(f"\\u{ord(mark):04x}", mark).replace(f"\\u{ord(mark):04X}", mark)
    return reply

"""Every language says the same things, with the same placeholders; and the code says what there is, and all of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from bot.texts import languages, texts

ROOT = Path(__file__).parents[2]
BOT = ROOT / "bot"
APART = {BOT / "bench", BOT / "selftest"}
"""They say nothing to an owner; their own names of files and columns look like ids of texts."""
ENGLISH = texts("en")
OTHERS = [language for language in languages() if language != "en"]
AN_ID = re.compile(r"[a-z]\w*\.\w+(\.\w+)*", re.ASCII)
SAYING = {"say", "fault"}


def places(text: str) -> set[tuple[str, str | None]]:
    """What is filled in, and how (`!r`)."""
    return {(name, how) for _, name, _, how in Formatter().parse(text) if name is not None}


def gaps(english: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """What another language lacks, has beside English, or fills in otherwise."""
    lacks = [f"{key} is missing" for key in english if key not in other]
    beside = [f"{key} is not in English" for key in other if key not in english]
    unlike = [f"{key} fills in otherwise" for key in english.keys() & other if places(english[key]) != places(other[key])]  # fmt: skip
    return sorted([*lacks, *beside, *unlike])


@cache
def syntax(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


SOURCES = [p for p in sorted(BOT.rglob("*.py")) if not APART & set(p.parents)]
PLATFORMS = sorted((ROOT / "connectors").rglob("*.py"))
"""A platform's advice is the id of a text; its events in the log look the same."""


def words_of(module: ast.Module) -> Iterator[str]:
    """Every string of the code that looks like an id."""
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and AN_ID.fullmatch(node.value):
            yield node.value


def said(module: ast.Module) -> Iterator[str]:
    """What is given to a function that says it."""
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in SAYING:
            ids = (a for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str))
            yield from (a.value for a in ids if AN_ID.fullmatch(a.value))


def composed(module: ast.Module) -> Iterator[re.Pattern[str]]:
    """The ids that are put together when the code runs: `f"mode.{name}"`, `f"{platform}.link"`."""
    for node in ast.walk(module):
        if isinstance(node, ast.JoinedStr):
            parts = [p.value if isinstance(p, ast.Constant) else None for p in node.values]
            if re.fullmatch(r"\w+\.\w*|\.\w+", "".join(p for p in parts if p is not None), re.ASCII):
                yield re.compile("".join(r"\w+" if p is None else re.escape(p) for p in parts), re.ASCII)


def test_the_languages_are_the_folders():
    assert languages() == ("en", "zh")


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_says_what_english_says_and_fills_in_the_same(language):
    assert gaps(ENGLISH, texts(language)) == []


def test_what_a_language_lacks_is_found():
    english = {"a.one": "{x!r}", "a.two": "two", "a.three": "{x}"}
    other = {"a.one": "{x}", "a.three": "{x}, {x}", "a.four": ""}
    assert gaps(english, other) == [
        "a.four is not in English",
        "a.one fills in otherwise",
        "a.two is missing",
    ]


@pytest.mark.parametrize("key", ENGLISH)
def test_every_place_has_a_name_and_no_text_is_blank(key):
    for language in languages():
        text = texts(language)[key]
        assert text.strip(), language
        assert not {"", *map(str, range(10))} & {name for name, _ in places(text)}, language


def test_chinese_texts_are_chinese():
    chinese = texts("zh")
    plain = {key for key, text in chinese.items() if not re.search("[\u4e00-\u9fff]", text)}
    assert {key for key in plain if re.search("[a-z]", re.sub(r"\{[^}]*\}", "", chinese[key]))} == set()


def test_every_text_that_the_code_names_is_there():
    beginnings = {key.partition(".")[0] for key in ENGLISH}
    named = {
        word for path in SOURCES for word in words_of(syntax(path)) if word.partition(".")[0] in beginnings
    }
    assert (named | {key for path in SOURCES for key in said(syntax(path))}) - ENGLISH.keys() == set()
    assert len(named) > 400


def test_every_text_is_named_in_the_code():
    named = {word for path in (*SOURCES, *PLATFORMS) for word in words_of(syntax(path))}
    put_together = [pattern for path in (*SOURCES, *PLATFORMS) for pattern in composed(syntax(path))]
    unused = {key for key in ENGLISH if key not in named and not any(p.fullmatch(key) for p in put_together)}
    assert unused == set()


def test_an_id_is_found_however_it_is_written():
    module = ast.parse('say(language, "a.b"); call.fault("c.d", "e.f"); say(x, f"g.{h}", y=f"{i}.j: {k}")')
    assert sorted(said(module)) == ["a.b", "c.d", "e.f"]
    assert [pattern.pattern for pattern in composed(module)] == [r"g\.\w+"]

"""The languages that Tact speaks: a file each in this folder. What a language lacks is there in English."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

ENGLISH: Final = "en"
_FOLDER: Final = Path(__file__).parent


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, English first."""
    return (ENGLISH, *sorted({path.stem for path in _FOLDER.glob("*.toml")} - {ENGLISH}))


def language_called(text: str) -> str | None:
    """The language that the owner means by a word, folded; None if no language is called so."""
    return next((language for language in languages() if text in _file(language)["called"]), None)


def written_in(text: str) -> str:
    """The language that has one of the text's signs to itself; English if none has."""
    for language in languages():
        script = _file(language).get("script")
        if script and re.search(script, text):
            return language
    return ENGLISH


@cache
def category_names(language: str) -> Mapping[str, str]:
    """What the default categories are called in a language, by their names: those that are called something else."""
    if language not in languages():
        return {}
    file = _file(language)
    named = {name: words["name"] for name, words in file["categories"].items() if "name" in words}
    return named | ({"unauthorised": file["unauthorised"]} if "unauthorised" in file else {})


def description(category: str) -> dict[str, str]:
    """How a default category is described, by language."""
    return {language: words["description"] for language, words in _words(category)}


def examples(category: str) -> dict[str, tuple[str, ...]]:
    """Sentences of a default category, by language."""
    return {language: tuple(words["examples"]) for language, words in _words(category)}


def _words(category: str) -> list[tuple[str, Mapping[str, Any]]]:
    files = ((language, _file(language)["categories"]) for language in languages())
    return [(language, categories[category]) for language, categories in files if category in categories]


@cache
def _file(language: str) -> Mapping[str, Any]:
    return tomllib.loads((_FOLDER / f"{language}.toml").read_text("utf-8"))

"""A language is a file in each of a few folders, and no code asks whether it is a certain one."""

from __future__ import annotations

import ast
from datetime import date
from pathlib import Path

import pytest

import bot.prompts
import bot.texts
import config.languages
from bot.owner.commands.all import registry
from bot.service.dispatcher import owner_menu
from config.defaults import display_name
from connectors.language.offline import OfflineLines, wording
from connectors.language.offline.reply_words import day
from connectors.language.offline.sentence_acts import asks, states
from engine.annotation import Query
from engine.ids import CategoryName
from engine.retrieval import search_for

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "config", "connectors", "engine", "storage")
TAGS = set(config.languages.languages())
REASONS = {
    "bot/owner/commands/persons.py": "an error of a platform's accounts is in English only",
    "bot/cli/line_editor.py": "categories are named in English in the policy",
}


def compared(source: str) -> list[int]:
    """The lines that compare something with a language, look for it among some, or make a type of some."""
    found = []
    for node in ast.walk(ast.parse(source)):
        among = node.comparators if isinstance(node, ast.Compare) else []
        among += (
            [node.slice] if isinstance(node, ast.Subscript) and "Literal" in ast.unparse(node.value) else []
        )
        constants = {c.value for part in among for c in ast.walk(part) if isinstance(c, ast.Constant)}
        if constants & TAGS:
            found.append(node.lineno)
    return found


def test_no_code_asks_for_a_certain_language() -> None:
    found = {
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if compared(path.read_text("utf-8"))
    }

    assert found == set(REASONS), (
        "what differs by language is in a table by language, with English as fallback"
    )


def test_a_comparison_is_seen_and_a_table_is_not() -> None:
    source = 'a = b == "zh"\nc = d in ("en", "fr")\nE = Literal["en"]\nT = {"en": 1}[b]\nd = "en"\n'
    assert compared(source) == [1, 2, 3]


def test_no_folder_has_a_language_that_cannot_be_chosen() -> None:
    prompts = {path.stem for path in Path(bot.prompts.__file__).parent.glob("*.toml")}

    assert {*bot.texts.languages(), *wording.languages(), *prompts} == TAGS


@pytest.mark.parametrize("language", sorted(TAGS))
def test_every_language_words_the_same_things(language: str) -> None:
    there, english = wording.wording(language), wording.wording("en")

    assert {name: set(table) for name, table in there.items()} == {n: set(t) for n, t in english.items()}
    assert len(there["date"]["weekdays"]) == 7
    assert len(there["date"]["months"]) == 12


def test_a_language_without_words_of_its_own_gets_english_ones() -> None:
    assert day(date(2026, 3, 1), date(2025, 1, 1), "fr", weekday=True) == "Sun 1 Mar 2026"
    assert OfflineLines().line("thanks", "fr", {}, "Mia") == "You're welcome."
    assert display_name(CategoryName("health"), "fr") == "health"
    assert (asks("when is it", "fr"), asks("it is late", "fr")) == (True, False)
    assert states("It is late today", "fr")
    assert owner_menu(registry(), "fr") == owner_menu(registry(), "en")
    query = Query(
        text="q", language="fr", units=("q",), terms=frozenset("q"), names=(), wide=False, when=None
    )
    assert search_for(query, ("q",), b"v", "m").share == 0.5


def test_a_language_is_known_by_what_it_is_called_and_by_its_signs() -> None:
    called = [config.languages.language_called(word) for word in ("en", "英语", "中文", "zh", "fr")]
    assert called == ["en", "en", "zh", "zh", None]
    assert [config.languages.written_in(text) for text in ("my cat", "我的cat")] == ["en", "zh"]

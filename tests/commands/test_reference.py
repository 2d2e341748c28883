"""The page about commands is what the registry says."""

from __future__ import annotations

from pathlib import Path

from bot.owner.commands.all import registry
from bot.owner.commands.reference import reference
from bot.texts import languages

PAGE = Path(__file__).parents[2] / "docs" / "commands.md"


def test_the_page_is_up_to_date():
    assert PAGE.read_text("utf-8") == reference(registry()), (
        "python -m bot.owner.commands.reference > docs/commands.md"
    )


def test_every_command_has_its_grammar_and_examples_in_it():
    page = PAGE.read_text("utf-8")
    for command in registry():
        for line in (
            x for part in (command.grammar, command.examples) for lang in languages() for x in part(lang)
        ):
            assert line in page

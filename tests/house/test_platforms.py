"""Only the registry names a platform; what is said of one alone is in a catalogue of its own."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

from bot.owner.commands.audience import fault_in_words
from bot.platforms import PLATFORMS
from bot.texts import languages, texts
from bot.texts.catalogues import entries
from config.accounts import account
from connectors.telegram.roster import NO_ANSWER

ROOT = Path(__file__).parents[2]
BOT = ROOT / "bot"
REGISTRY = BOT / "platforms.py"
APART = {BOT / "bench", BOT / "selftest"}
"""Commands of their own, which play a platform's wire."""
CATALOGUES = {BOT / "texts" / language / f"{name}.po" for language in languages() for name in PLATFORMS}


def naming(names: Collection[str], files: Collection[Path]) -> list[str]:
    """The lines that name one of these platforms, in whatever case, and the files that are named after one."""
    found = []
    for path in files:
        lines = [path.name, *path.read_text(encoding="utf-8").splitlines()]
        found += [f"{path}:{n}" for n, line in enumerate(lines) if any(w in line.casefold() for w in names)]
    return sorted(found)


def test_only_the_registry_and_a_platforms_own_catalogue_name_it():
    files = [p for p in BOT.rglob("*") if p.is_file() and p.suffix not in {".pyc", ".npz"}]
    looked_at = [p for p in files if not APART & set(p.parents) and p not in {REGISTRY, *CATALOGUES}]
    names = {word.casefold() for kind in PLATFORMS.values() for word in (kind.name, kind.title)}
    assert len(looked_at) > 100
    assert naming(names, looked_at) == []
    assert naming(names, [REGISTRY]) != []


def test_a_name_is_found_in_whatever_case(tmp_path):
    file = tmp_path / "one.py"
    file.write_text('x = 1\naccount = "Pigeon:1"\n')
    assert naming({"pigeon"}, [file]) == [f"{file}:2"]
    assert naming({"one"}, [file]) == [f"{file}:0"]


@pytest.mark.parametrize("path", sorted(CATALOGUES), ids=lambda p: f"{p.parent.name}/{p.name}")
def test_a_platforms_catalogue_says_nothing_of_anything_else(path: Path):
    ids = [entry.id for entry in entries(path.read_text(encoding="utf-8"), path.name) if entry.id]
    assert ids
    assert [key for key in ids if path.stem not in key.split(".")] == []


@pytest.mark.parametrize("kind", PLATFORMS.values(), ids=PLATFORMS)
def test_a_platforms_example_is_one_of_its_accounts_and_its_steps_are_written_down(kind):
    assert account(kind.example) == kind.example
    assert kind.owns(kind.example)
    assert (ROOT / "docs" / "channels" / f"{kind.name}.md").is_file()


def test_a_platform_that_did_not_answer_is_said_in_the_owners_language():
    class Call:
        def say(self, key: str) -> str:
            return texts("zh")[key]

    assert fault_in_words(Call(), NO_ANSWER) == texts("zh")["fault.no_answer"]

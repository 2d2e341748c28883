"""A module's name says what is in it: no name stands for two things, and none says that something is being done."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "config", "connectors", "engine", "storage")

PORT = "a part of the memory's port, and the two stores that implement it"
COMMAND = "a command, and what the command is about"
REASONS = {
    "facts": f"{PORT}; {COMMAND}",
    "mailroom": PORT,
    "people": PORT,
    "deeds": PORT,
    "talk": PORT,
    "deletion": PORT,
    "embedding": PORT,
    "ranking": "how facts rank: fast for the store, and as plainly as can be for its twin",
    "cards": "what the owner is asked, and how he is shown it and answers",
    "retention": COMMAND,
    "audience": COMMAND,
    "disclosure": COMMAND,
    "platform": "what a platform provides, and a platform that provides it",
    "errors": "the engine's errors, and what Telegram's own become",
}
NOUNS = {"embedding", "mapping", "ranking"}
"""They end like a verb that goes on, and name a thing."""


def names() -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if path.stem != "__init__":
                found[path.stem].append(str(path.relative_to(ROOT)))
    return found


def test_no_two_modules_share_a_name_without_a_reason() -> None:
    shared = {name: paths for name, paths in names().items() if len(paths) > 1}

    assert {name: paths for name, paths in shared.items() if name not in REASONS} == {}
    assert set(REASONS) - set(shared) == set(), "no longer shared: take it off the list"


def test_below_bot_a_module_is_named_by_a_noun() -> None:
    doing = {
        name: paths
        for name, paths in names().items()
        if name.endswith("ing")
        and name not in NOUNS
        and any(path.startswith(("config/", "connectors/", "storage/")) for path in paths)
    }

    assert doing == {}

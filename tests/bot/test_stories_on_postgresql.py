"""A story told over PostgreSQL is word for word the story told over SQLite, the owner's view at its end included."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from pathlib import Path

import pytest

from bot.cli.play import Player, _settings
from bot.cli.play_output import as_plain
from bot.cli.story_file import read_story

ROOT = Path(__file__).parents[2]
STORIES = sorted([*(ROOT / "bot/stories").glob("*.yaml"), *(ROOT / "tests/scenarios").glob("*.yaml")])
pytestmark = pytest.mark.slow


def told(path: Path, data: Path, database_url: str) -> object:
    """All that was heard, and the owner's view."""
    story = read_story(path)
    data.mkdir()
    (data / "key").write_text(
        b64encode(bytes(range(32))).decode()
    )  # what the tests' empty memories are made with
    (data / "key").chmod(0o600)
    settings = _settings(data, story).model_copy(update={"database_url": database_url})
    player = Player(story, settings, lasting=False)
    played = asyncio.run(player.play(lambda _: None))
    assert [fault for step in played for fault in step.faults] == []
    return as_plain(story, played, player.view, player.words)


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_a_story_is_the_same_on_both(path: Path, tmp_path: Path, postgres_memory: str) -> None:
    over_postgresql = told(path, tmp_path / "postgresql", postgres_memory)
    if path.stem != "forgetting":  # what is left to do after /forget differs, and is said
        assert over_postgresql == told(path, tmp_path / "sqlite", "")

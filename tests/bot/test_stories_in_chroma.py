"""A story whose vectors are in Chroma is word for word the story told with vectors in memory."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.cli.play import Player, _settings
from bot.cli.play_output import as_plain
from bot.cli.story_file import read_story

ROOT = Path(__file__).parents[2]
QUICK = [ROOT / "tests/scenarios/forgetting.yaml"]
OTHERS = sorted(
    {*(ROOT / "bot/stories").glob("*.yaml"), *(ROOT / "tests/scenarios").glob("*.yaml")} - set(QUICK)
)


def told(path: Path, data: Path, vectors: str, url: str = "") -> object:
    """All that was heard, and the owner's view."""
    story = read_story(path)
    settings = _settings(data, story).model_copy(update={"vectors": vectors, "chroma_url": url})
    player = Player(story, settings, lasting=False)
    played = asyncio.run(player.play(lambda _: None))
    assert [fault for step in played for fault in step.faults] == []
    return as_plain(story, played, player.view, player.words)


@pytest.mark.parametrize(
    "path",
    [*QUICK, *(pytest.param(path, marks=pytest.mark.slow) for path in OTHERS)],
    ids=lambda path: path.stem,
)
def test_a_story_is_the_same_in_chroma(path: Path, tmp_path: Path) -> None:
    in_chroma = told(path, tmp_path / "chroma", "chroma")
    assert (tmp_path / "chroma" / "vectors" / "current.json").exists()
    assert in_chroma == told(path, tmp_path / "exact", "exact")


@pytest.mark.slow
def test_a_story_is_the_same_on_a_chroma_server(tmp_path: Path, chroma_server: str) -> None:
    """Save for one line after /forget, which says what only the server's operator can delete."""
    path = ROOT / "bot/stories/demo.en.yaml"
    assert told(path, tmp_path / "chroma", "chroma", chroma_server) == told(path, tmp_path / "exact", "exact")

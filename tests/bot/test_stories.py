"""Every story under tests/scenarios is played on a real memory, and everything it expects happens."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.cli.play import Player, _settings
from bot.cli.play_output import tapped
from bot.cli.story_file import read_story
from bot.owner.taps import read_tap
from engine.errors import BadInput

STORIES = sorted((Path(__file__).parents[1] / "scenarios").glob("*.yaml"))
DEMOS = sorted((Path(__file__).parents[2] / "bot" / "stories").glob("*.yaml"))


@pytest.mark.parametrize("path", [*STORIES, *DEMOS], ids=lambda path: path.stem)
def test_story(path: Path, tmp_path: Path) -> None:
    """The story plays through and nothing it expected is missing."""
    story = read_story(path)
    player = Player(story, _settings(tmp_path / "data", story), lasting=False)
    played = asyncio.run(player.play(lambda _: None))
    assert [fault for step in played for fault in step.faults] == []
    assert any(step.step.expect or step.step.same_as for step in played), (
        "a story without a check proves nothing"
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("steps: []", "no steps"),
        ("- a", "mapping"),
        ("steps: [{bob: hi, ana: ho}]", "2 actors"),
        ("stepz: []", "unknown key 'stepz'"),
        ("steps: [{wait: soon}]", "cannot wait"),
        ("timezone: Mars/Base\nsteps: [{bob: hi}]", "unknown timezone"),
        ("start: yesterday\nsteps: [{bob: hi}]", "no date"),
        ("people: {bob: {age: 3}}\nsteps: [{bob: hi}]", "wrong entry for bob"),
        ("language: fr\nsteps: [{bob: hi}]", "unknown language"),
        ("steps: [", "x.yaml:1"),
        ("steps: ['']", "empty"),
        ("steps: [bob]", "'bob' says nothing"),
    ],
)
def test_a_wrong_story_is_one_line(text: str, fault: str, tmp_path: Path) -> None:
    """The file, the line and the fix, in one line."""
    path = tmp_path / "x.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        read_story(path)
    assert fault in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("step", "english", "chinese"),
    [
        ("confirm", "confirm", "确认"),
        ("confirm: earlier", "confirm earlier", "确认 更早"),
        ("confirm: all", "confirm all", "全部确认"),
        ("keep", "keep private", "保密"),
        ("change: family", "change family", "改为 family"),
        ("undo", "undo", "撤销"),
    ],
)
def test_answers_to_cards_are_words_of_the_storys_language(
    step: str, english: str, chinese: str, tmp_path: Path
) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(f"steps:\n- {step}\n", encoding="utf-8")
    (read,) = read_story(path).steps

    assert tapped(read, "en") == english
    assert tapped(read, "zh") == chinese
    assert read_tap(chinese) == read_tap(english)

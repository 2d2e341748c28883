"""What platforms still show of what was erased."""

from __future__ import annotations

from dataclasses import fields

from engine.ids import ContainerId
from engine.shown import Fate, Shown
from engine.store import unwatched


def test_of_a_message_of_which_nothing_more_is_known_nothing_is_deleted():
    shown = Shown("telegram:7:5", ContainerId("telegram:7"))
    assert not shown.mine
    assert shown.at is None
    assert shown.link == ""


def test_it_has_no_place_for_words():
    assert {field.name for field in fields(Shown)} == {"name", "container", "at", "mine", "link", "quiet"}


def test_each_fate_is_another_and_is_written_as_one_word():
    names = [str(fate) for fate in Fate]
    assert sorted(set(names)) == sorted(names)
    assert all(name.isidentifier() for name in names)


def test_a_long_erasure_needs_nobody_to_watch():
    assert unwatched(0.5) is None

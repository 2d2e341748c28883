"""Named places of a run: nothing, until somebody arms them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from engine.failpoints import POINTS, arm, disarm, reach

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _unarmed():
    yield
    disarm()


def test_a_place_is_nothing_unless_it_is_armed():
    reach("kept")
    seen: list[str] = []
    arm(seen.append)
    reach("kept")
    disarm()
    reach("sent")
    assert seen == ["kept"]


def test_arming_again_takes_the_place_of_what_was_armed():
    first: list[str] = []
    second: list[str] = []
    arm(first.append)
    arm(second.append)
    reach("kept")
    assert (first, second) == ([], ["kept"])


def _reached() -> list[str]:
    """The names that the program calls `reach` with."""
    files = [f for package in ("bot", "connectors", "storage") for f in (ROOT / package).rglob("*.py")]
    calls = (n for f in files for n in ast.walk(ast.parse(f.read_text())) if isinstance(n, ast.Call))
    return [
        call.args[0].value
        for call in calls
        if getattr(call.func, "id", "") == "reach" and isinstance(call.args[0], ast.Constant)
    ]


def test_every_place_is_in_the_program_once_and_in_the_list():
    assert sorted(_reached()) == sorted(POINTS)

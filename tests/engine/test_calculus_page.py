"""Every example of docs/calculus.md runs as it stands."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "calculus.md"


def test_the_examples_of_the_page_are_what_happens():
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8", verbose=False)
    assert found.attempted > 50
    assert found.failed == 0

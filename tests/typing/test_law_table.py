"""The table of laws in docs/privacy-model.md names tests and code that are there."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in (ROOT / "docs" / "privacy-model.md").read_text("utf-8").splitlines()
    if line.startswith("| ") and re.search(r"`[a-z_]+/test_\w+\.py`|\| … ", line)
]


def test_the_table_is_found():
    assert len(ROWS) > 30


def test_its_files_are_there():
    named = {file for row in ROWS for file in re.findall(r"`([a-z_]+/test_\w+\.py)`", row[1])}
    assert len(named) > 10
    assert [file for file in sorted(named) if not (ROOT / "tests" / file).exists()] == []


def test_the_tests_that_it_names_by_the_beginning_are_there():
    file = ""
    for row in ROWS:
        for token in re.findall(r"`[a-z_]+/test_\w+\.py`|\b[a-z0-9]+(?:_[a-z0-9]+)+\b", row[1]):
            if token.startswith("`"):
                file = token.strip("`")
            else:
                text = (ROOT / "tests" / file).read_text("utf-8")
                assert f"def test_{token}" in text or f"_{token}" in text, (file, token)


def test_the_code_that_it_names_is_there():
    for row in ROWS:
        for name in re.findall(r"`([a-z_]+)\.([A-Za-z_.]+)`", row[2]):
            thing = importlib.import_module(f"engine.{name[0]}")
            for part in name[1].split("."):
                thing = getattr(thing, part)

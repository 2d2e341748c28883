"""Scenarios to play with: a few of each generated family, and ways to change and to play them."""

from __future__ import annotations

import asyncio
import copy
import json
from collections import Counter

import pytest

from bot.bench.audience import play
from bot.bench.generate import generate
from bot.bench.reading import read_line
from bot.bench.scoring import judge


def _lines_of(suite, *families, each=1):
    """The first lines of each family, as plain objects of their own."""
    counted, taken = Counter(), []
    for line in generate(suite):
        counted[line["family"]] += 1
        if counted[line["family"]] <= each and line["family"] in (families or counted):
            taken.append(copy.deepcopy(line))
    return taken


def _scenarios_of(lines):
    return [read_line(json.dumps(line), f"suite.jsonl:{n}") for n, line in enumerate(lines, 1)]


def _judged(lines):
    scenarios = _scenarios_of(lines)
    return judge(scenarios, asyncio.run(play(scenarios)))


@pytest.fixture
def lines_of():
    return _lines_of


@pytest.fixture
def scenarios_of():
    return _scenarios_of


@pytest.fixture
def judged():
    """Play lines and judge them."""
    return _judged


@pytest.fixture
def suite_file(tmp_path):
    """Write lines as a suite."""

    def write(lines, name="suite.jsonl"):
        file = tmp_path / name
        file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
        return file

    return write

"""Words and regular expressions are data: files that compile, and no long expression in the code."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

from connectors.patterns import PatternFile

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "config", "connectors", "engine", "storage")
WIDEST = 120
FILES = sorted((ROOT / "connectors").rglob("patterns/**/*.toml"))
SIGNS = re.compile(r"\(\?[:P=!<>i-]|\\[bdswWSDB]|\[\^|\)[?*+]|\|.*\|.*\|")
"""What text for people does not hold, and a regular expression does."""


def expressions(source: str) -> set[int]:
    """The lines that a regular expression is on: a string whose words hold its signs."""
    held: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SIGNS.search(node.value):
            held.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return held


def too_long(source: str) -> list[int]:
    lines = source.splitlines()
    return sorted(at for at in expressions(source) if len(lines[at - 1]) > WIDEST)


def test_no_line_of_a_regular_expression_is_too_long() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{at}"
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        for at in too_long(path.read_text("utf-8"))
    }

    assert found == set(), "move it to a file in a folder `patterns` (docs/extending.md)"


def test_a_long_expression_is_seen_and_a_long_sentence_is_not() -> None:
    assert too_long(f'A = re.compile(r"(?:{"ab|" * 50}c)")') == [1]
    assert too_long(f'A = (\n    "short"\n    rf"{"x" * 120}[{{b}}](?:c)+"\n)') == [3]
    assert too_long(f'A = "{"Nobody is told. " * 20}"') == []


def named(path: Path) -> PatternFile:
    folder = next(parent for parent in path.parents if parent.name == "patterns")
    return PatternFile(str(folder.with_name("module.py")), str(path.relative_to(folder).with_suffix("")))


def test_there_are_pattern_files() -> None:
    assert len(FILES) > 20


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_pattern_file_says_what_it_is_and_compiles(path: Path) -> None:
    text = path.read_text("utf-8")
    read, file = tomllib.loads(text), named(path)

    assert text.startswith("# ")
    assert max(map(len, text.splitlines())) <= WIDEST
    for name in (*read.get("words", ()), *read.get("parts", ())):
        file.compiled(f"{{{name}}}")
    for name, pattern in read.get("patterns", {}).items():
        assert file.patterns(name) if isinstance(pattern, list) else file.pattern(name)
    for table, rows in read.items():
        assert not isinstance(rows, list) or table == "uses" or len(list(file.rows(table))) == len(rows)
    for name in read.get("lists", ()):
        assert file.word_list(name)


@pytest.fixture
def written(tmp_path: Path) -> PatternFile:
    (tmp_path / "patterns").mkdir()
    (tmp_path / "patterns" / "near.toml").write_text("[words]\nkin = '''\nmum\ndad\n'''\n", "utf-8")
    (tmp_path / "patterns" / "far.toml").write_text(
        "uses = ['near']\nblank = '\\s+'\n"
        "[words]\nill = '''\n# how\nhay fever\nflu|cold\n'''\n"
        "[parts]\nwho = '(?P<who>my {kin})'\n"
        "[patterns]\nsays = '''\n  {who}\n  \\ has {ill}\n| \\#{1,3}\n'''\nmany = ['a', 'b|c']\n"
        "[[rule]]\nkind = 'x'\npattern = 'x+'\n",
        "utf-8",
    )
    return PatternFile(str(tmp_path / "module.py"), "far")


def test_words_and_parts_are_put_in_and_layout_is_not(written: PatternFile) -> None:
    assert written.pattern("says").pattern == r"(?P<who>my (?:mum|dad))\ has (?:hay\s+fever|flu|cold)|\#{1,3}"
    assert written.part("ill") == r"(?:hay\s+fever|flu|cold)"


def test_a_list_is_put_in_a_frame_and_a_row_keeps_what_it_says(written: PatternFile) -> None:
    assert [p.pattern for p in written.patterns("many", re.IGNORECASE, frame="^(?:{})$")] == [
        "^(?:a)$",
        "^(?:b|c)$",
    ]
    assert [(p.pattern, row["kind"]) for p, row in written.rows("rule")] == [("x+", "x")]


def test_a_name_that_is_not_there_is_an_error(written: PatternFile) -> None:
    with pytest.raises(KeyError):
        written.compiled("{nobody}")

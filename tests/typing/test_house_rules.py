"""The rules of the house that a reader of the code can rely on, checked on its syntax tree.

Each rule is a function from a file to what offends against it. It is asked about every file, and about code that
offends on purpose.
"""

from __future__ import annotations

import ast
import dataclasses
import tomllib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest

import engine.items
from engine import items, store
from tests.strategies import MESSAGE, a_fact

ROOT = Path(__file__).parents[2]
ENGINE = sorted((ROOT / "engine").glob("*.py"))
CODE = [
    *ENGINE,
    *(p for d in ("bot", "connectors", "storage", "config") for p in sorted((ROOT / d).rglob("*.py"))),
]
GATE = ROOT / "engine" / "release.py"

PURE = {
    "__future__", "collections", "contextlib", "dataclasses", "datetime", "enum", "hashlib", "itertools", "functools", "json", "math",
    "operator", "re", "typing", "unicodedata", "engine",
}  # fmt: skip
"""All that the engine may import: values, types and pure functions."""

FORBIDDEN_CALLS = {"now", "today", "utcnow", "open", "print", "input", "eval", "exec", "__import__"}

Rule = Callable[[ast.Module], Iterable[str]]


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def called(node: ast.Call) -> str:
    match node.func:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
    return ""


def calls(module: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(module) if isinstance(node, ast.Call))


def offenders(rule: Rule, paths: Iterable[Path]) -> list[str]:
    """What offends in these files, with its place."""
    return [f"{path.relative_to(ROOT)}: {what}" for path in paths for what in rule(tree(path))]


# the rules


def releasing(module: ast.Module) -> Iterator[str]:
    """Released values that are made."""
    names = (called(c) for c in calls(module))
    return (name for name in names if name.startswith("Released") or name == "OwnerOnly")


def imports_that_act(module: ast.Module) -> Iterator[str]:
    """Imports of anything but values, types and pure functions."""
    for node in ast.walk(module):
        match node:
            case ast.Import(names):
                yield from (alias.name for alias in names if alias.name.split(".")[0] not in PURE)
            case ast.ImportFrom(name, level=level):
                if level or (name or "").split(".")[0] not in PURE:
                    yield "." * level + (name or "")


def acting(module: ast.Module) -> Iterator[str]:
    """Calls that ask a clock or touch the outside."""
    return (called(c) for c in calls(module) if called(c) in FORBIDDEN_CALLS)


def long_functions(module: ast.Module) -> Iterator[str]:
    """Functions of more than 25 lines, their docstrings apart."""
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            lines = body[-1].end_lineno - body[0].lineno + 1 if body else 0
            if lines > 25:
                yield f"{node.name}: {lines} lines"


def unexplained(module: ast.Module) -> Iterator[str]:
    """What is public and states no contract."""
    if not ast.get_docstring(module):
        yield "the module"
    for node in module.body:
        public = isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")
        if public and not ast.get_docstring(node):
            yield node.name


def thawed(module: ast.Module) -> Iterator[str]:
    """Decorated classes that are not frozen."""
    for node in ast.walk(module):
        decorated = isinstance(node, ast.ClassDef) and node.decorator_list
        if decorated and "frozen=True" not in ast.unparse(node.decorator_list[0]):
            yield node.name


@cache
def ours() -> frozenset[str]:
    """The names of all classes of this project: a match on one of them is on a closed set."""
    return frozenset(n.name for p in CODE for n in ast.walk(tree(p)) if isinstance(n, ast.ClassDef))


def names_in(pattern: ast.pattern) -> set[str]:
    found = {n.id for n in ast.walk(pattern) if isinstance(n, ast.Name)}
    return found | {
        n.value.id
        for n in ast.walk(pattern)
        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)
    }


def open_ends(module: ast.Module) -> Iterator[str]:
    """Matches on what is ours with a last case for everything else that is not `assert_never`.

    One without such a case is mypy's to find (`exhaustive-match`).
    """
    for node in ast.walk(module):
        if isinstance(node, ast.Match) and any(names_in(case.pattern) & ours() for case in node.cases):
            last = node.cases[-1]
            rest = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None
            if rest and "assert_never" not in {called(c) for c in calls(last)}:
                yield f"line {node.lineno}"


# each of them on all files, and on an offender

_LONG = '"""M."""\ndef f():\n    """D."""\n' + "    x = 1\n" * 26
RULES: dict[str, tuple[Rule, list[Path], str, list[str]]] = {
    "only the gate makes released values": (
        releasing, [p for p in CODE if p != GATE], "release.OwnerOnly('x')\nReleasedFact(fact)", ["OwnerOnly", "ReleasedFact"],
    ),
    "the engine imports nothing that acts": (
        imports_that_act, ENGINE, "import os.path, re\nfrom . import ids\nfrom time import time", ["os.path", ".", "time"],
    ),
    "the engine asks no clock and touches nothing": (acting, ENGINE, "datetime.now(UTC)\nopen('x')", ["now", "open"]),
    "engine functions fit on a screen": (long_functions, ENGINE, _LONG, ["f: 26 lines"]),
    "everything public in the engine states its contract": (
        unexplained, ENGINE, "class A: ...\ndef _b(): ...\ndef c(): ...", ["the module", "A", "c"],
    ),
    "every value of the engine is frozen": (
        thawed, ENGINE, "@dataclass(frozen=True)\nclass A: ...\n@dataclass(slots=True)\nclass B: ...", ["B"],
    ),
    "a match on a closed set ends in assert_never": (
        open_ends, CODE, "match x:\n    case Known(): ...\n    case _: ...\nmatch y:\n    case 1: ...\n    case _: ...", ["line 1"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
def test_the_code_keeps_the_rule(rule):
    check, paths, _, _ = RULES[rule]
    assert len(paths) >= len(ENGINE) > 20
    assert offenders(check, paths) == []


@pytest.mark.parametrize("rule", RULES)
def test_an_offender_is_found(rule):
    check, _, wrong, found = RULES[rule]
    assert sorted(check(ast.parse(wrong))) == sorted(found)


def test_the_gate_makes_released_values():
    assert {"ReleasedFact", "ReleasedMessage", "ReleasedEdge", "ReleasedReply", "OwnerOnly"} <= set(
        releasing(tree(GATE))
    )


def test_mypy_finds_a_case_that_is_missing():
    assert (
        "exhaustive-match"
        in tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["mypy"]["enable_error_code"]
    )


def test_engine_modules_are_read_in_a_sitting():
    limits = {"store.py": 400}  # one Protocol, which is a list
    long = {p.name: len(p.read_text("utf-8").splitlines()) for p in ENGINE}
    assert {name: n for name, n in long.items() if n > limits.get(name, 300)} == {}


WORDS = "the words nobody may see"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def raw_values() -> list[object]:
    fact = a_fact(text=WORDS)
    message = dataclasses.replace(MESSAGE, text=WORDS)
    edge = items.RawEdge(fact.id, WORDS, "likes", WORDS)
    return [fact, message, edge]


@pytest.mark.parametrize("value", raw_values(), ids=lambda v: type(v).__name__)
def test_raw_values_show_ids_and_never_words(value):
    assert WORDS not in repr(value)
    assert WORDS not in str(value)
    assert value.__dataclass_params__.frozen


def test_fields_that_hold_words_are_hidden_from_repr():
    hidden = {"text", "raw", "title", "question", "reply", "payload", "body"}
    for module in (engine.items, store):
        for kind in vars(module).values():
            if dataclasses.is_dataclass(kind) and isinstance(kind, type):
                shown = {f.name for f in dataclasses.fields(kind) if f.repr and f.name in hidden}
                assert not shown, f"{kind.__name__}: {shown}"

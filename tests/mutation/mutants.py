"""`make mutants`: whether some test notices when the gate is wrong.

Each module that decides is changed in one place at a time (a comparison turned round, a condition dropped, `any` for
`all`), and the engine's tests are run on it in a process of their own: the examples first, then the laws and the second
reading. A mutant that no test notices is a survivor; each is listed in docs/mutants.md with the reason. Ends with 1 if
one is not listed, or if one is listed that is noticed now.

    python tests/mutation/mutants.py [MODULE ...]
"""

from __future__ import annotations

import ast
import contextlib
import copy
import importlib.abc
import importlib.util
import io
import multiprocessing
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parents[2]
LISTED = ROOT / "docs" / "mutants.md"
MODULES = ("audience", "labels", "disclosure", "bundles", "coreference", "standing", "release")
EXAMPLES = ["tests/engine"]
LAWS = [
    "tests/oracle/test_agreement.py",
    "tests/properties/test_gate_laws.py",
    "tests/properties/test_composition_laws.py",
    "tests/properties/test_label_laws.py",
    "tests/properties/test_audience_laws.py",
    "tests/properties/test_widening_laws.py",
]
PATIENCE = 300

Change = Callable[[ast.AST], Iterator[ast.AST]]


@dataclass(frozen=True)
class Mutant:
    """One module with one change."""

    module: str
    where: str
    before: str
    after: str
    source: str

    @property
    def name(self) -> str:
        return f"{self.module}.{self.where}: `{self.before}` → `{self.after}`"


COMPARISONS = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}
SILENT = {"repr", "strict", "slots", "frozen", "default"}
"""Keywords that change no decision."""


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Every way in which this one node is made wrong."""
    match node:
        case ast.Compare(ops=[op, *_]) if type(op) in COMPARISONS:
            yield _with(node, ops=[COMPARISONS[type(op)](), *node.ops[1:]])
        case ast.BoolOp(op=op, values=values):
            yield _with(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
            for n in range(len(values)):
                left = values[:n] + values[n + 1 :]
                yield left[0] if len(left) == 1 else _with(node, values=left)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.BinOp(op=ast.BitAnd()):
            yield _with(node, op=ast.BitOr())
        case ast.BinOp(op=ast.BitOr()):
            yield _with(node, op=ast.BitAnd())
        case ast.BinOp(op=ast.Sub(), left=left):
            yield left
        case _:
            yield from more_changes(node)


def more_changes(node: ast.AST) -> Iterator[ast.AST]:
    """Changes to conditions, constants and calls."""
    match node:
        case ast.IfExp(body=body, orelse=orelse):
            yield _with(node, body=orelse, orelse=body)
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=int() as value):
            yield ast.Constant(value + 1)
        case ast.Call(func=ast.Name(id=name)) if name in NAMES:
            yield _with(node, func=ast.Name(NAMES[name], ast.Load()))
        case ast.comprehension(ifs=[_, *_]):
            yield _with(node, ifs=[])
        case ast.If():
            yield _with(node, test=ast.Constant(value=False))


def _with(node: ast.AST, **fields: object) -> ast.AST:
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def mutants(module: str) -> Iterator[Mutant]:
    """Every mutant of a module, each once."""
    tree = ast.parse((ROOT / "engine" / f"{module}.py").read_text("utf-8"))
    seen: set[str] = set()
    for parent, field, number, node, where in _places(tree):
        for new in changes(node):
            whole = _replaced(tree, parent, field, number, new)
            mutant = Mutant(module, where, _short(node), _short(new), ast.unparse(whole))
            if mutant.source not in seen:
                seen.add(mutant.source)
                yield mutant


def _places(tree: ast.Module) -> Iterator[tuple[ast.AST, str, int | None, ast.AST, str]]:
    """Every node that may be changed, with its place and the function it is in."""

    def walk(node: ast.AST, where: str) -> Iterator[tuple[ast.AST, str, int | None, ast.AST, str]]:
        for field, value in ast.iter_fields(node):
            if field in {"decorator_list", "annotation", "returns"}:
                continue
            for number, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if not isinstance(child, ast.AST) or (isinstance(child, ast.keyword) and child.arg in SILENT):
                    continue
                inside = where
                if isinstance(child, ast.FunctionDef | ast.ClassDef):
                    inside = f"{where}.{child.name}".strip(".")
                if inside:
                    yield node, field, number, child, inside
                yield from walk(child, inside)

    return walk(tree, "")


def _replaced(tree: ast.Module, parent: ast.AST, field: str, number: int | None, new: ast.AST) -> ast.AST:
    old = getattr(parent, field)
    changed = new if number is None else [*old[:number], new, *old[number + 1 :]]
    setattr(parent, field, changed)
    whole = ast.fix_missing_locations(copy.deepcopy(tree))
    setattr(parent, field, old)
    return whole


def _short(node: ast.AST) -> str:
    match node:
        case ast.If(test=test):
            return f"if {ast.unparse(test)}"
        case ast.comprehension():
            return ast.unparse(node).strip()
    return ast.unparse(node)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Hands out one module with its change, and leaves the others as they are."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(self, name, path=None, target=None):
        if name != f"engine.{self._mutant.module}":
            return None
        return importlib.util.spec_from_loader(name, self)

    def exec_module(self, module) -> None:
        exec(compile(self._mutant.source, f"<{self._mutant.name}>", "exec"), module.__dict__)  # noqa: S102 - that is the point


def noticed(mutant: Mutant | None) -> bool:
    """Whether some test fails on it; None is the engine as it is. Runs in a fresh fork, engine not yet imported."""
    settings.register_profile(
        "mutants", max_examples=12, deadline=None, database=None, derandomize=True,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    os.environ["HYPOTHESIS_PROFILE"] = "mutants"
    if mutant is not None:
        sys.meta_path.insert(0, Finder(mutant))
    signal.alarm(PATIENCE)  # an endless loop is noticed
    quiet = [
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "--deselect",
        "tests/oracle/test_agreement.py::test_every_small_universe_agrees",
        "--no-header",
        "-W",
        "ignore",
    ]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return any(pytest.main([*quiet, *tests]) != 0 for tests in (EXAMPLES, LAWS))


def judged(mutant: Mutant | None) -> bool:
    """The same in a child of its own, so that nothing of one mutant is left for the next."""
    child = os.fork()
    if child == 0:
        os._exit(int(not noticed(mutant)))
    return os.waitpid(child, 0)[1] != 256  # 256: it ended by itself, with 1 for a survivor


def main(wanted: list[str]) -> int:
    """Run them all; returns the exit code."""
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    some = [m for module in wanted or MODULES for m in mutants(module)]
    say = sys.stdout.write
    if judged(None):
        say("the tests fail on the engine as it is: nothing can be learnt from mutants\n")
        return 1
    say(f"{len(some)} mutants of {', '.join(wanted or MODULES)}\n")
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(int(os.environ.get("WORKERS", "2")), mp_context=context) as pool:
        survivors = []
        for mutant, killed in zip(some, pool.map(judged, some), strict=True):
            if not killed:
                survivors.append(mutant.name)
                say(f"survived: {mutant.name}\n")
                sys.stdout.flush()
    listed = (
        set(re.findall(r"^- (.+)$", LISTED.read_text("utf-8"), re.MULTILINE)) if LISTED.exists() else set()
    )
    asked = {x for x in listed if x.split(".")[0] in (wanted or MODULES)}
    say(f"{len(some) - len(survivors)} noticed, {len(survivors)} survived\n")
    new = [name for name in survivors if name not in listed]
    gone = sorted(asked - set(survivors))
    for name in new:
        say(f"not listed in docs/mutants.md: {name}\n")
    for name in gone:
        say(f"listed, and noticed now: {name}\n")
    return int(bool(new or gone))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

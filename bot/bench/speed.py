"""`tact bench speed`: how long the memory takes to answer, against numpy without scopes, in the same run.

What each figure is made of: docs/results.md. The memory is made up, and gone afterwards.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from typer import echo

from bot.bench.speed_figures import figures, in_words, predicted
from config.threads import ONE_THREAD
from engine.errors import BadInput, StoreFault

_LEAST, _MOST = 100, 1_000_000
_EACH, _EACH_FULL = 20, 100
_PIECES: Final = 7
_ROUNDS: Final = 3
"""Kinds of questions, and rounds: `KINDS` and `ROUNDS` of modules that load numpy."""

SQLITE: Final = "sqlite"
_SCHEMES: Final = ("postgresql", "postgres", "postgresql+asyncpg")

VARIABLE: Final = "TACT_BENCH_DATABASE"
"""How a stage is told of a database: a URL can hold a password, and everybody on the machine can read arguments."""

Advance = Callable[[str, int, int], None]


def run(
    facts: int,
    *,
    vectors: str,
    storage: str = SQLITE,
    predictions: Path | None,
    as_json: bool,
    full: bool = False,
) -> int:
    """Make a memory of so many facts, measure it, and print the report.

    Args:
        facts: how many.
        vectors: `exact`, `chroma` or `both`; what stands at the top of the report is the first of them.
        storage: `sqlite`, or the URL of an empty database.
        predictions: a file for what was found, one JSON object a line.
        as_json: one JSON object on standard output instead of text.
        full: five times as many questions.

    Returns:
        0; 1 if anything that should have been found was not.

    Raises:
        BadInput: for a number of facts or a database that cannot be measured, or a file that cannot be written.
    """
    if not _LEAST <= facts <= _MOST:
        raise BadInput(f"a memory of {facts} facts is not measured", fix=f"--facts {_LEAST} to {_MOST}")
    if storage != SQLITE and storage.partition("://")[0] not in _SCHEMES:
        raise BadInput(
            "no memory is kept there", where="--storage", fix="sqlite, or postgresql://user@host/database"
        )
    if predictions is not None:
        write_lines(predictions, ())  # it would be a pity to find out at the end
    backends = ("exact", "chroma") if vectors == "both" else (vectors,)
    each = _EACH_FULL if full else _EACH
    where = {} if storage == SQLITE else {VARIABLE: storage}
    with tempfile.TemporaryDirectory(prefix="tact-speed-") as folder, _progress() as advance:
        found = {name: _measured(Path(folder) / name, name, facts, each, where, advance) for name in backends}
        rival = _rival(Path(folder) / "mem0", facts, each, advance)
    if predictions is not None:
        write_lines(predictions, predicted(found))
    report = figures(facts, found, rival)
    print(json.dumps(report, ensure_ascii=False, indent=1) if as_json else "\n".join(in_words(report)))
    return int(any(one["recall"] < 1 for one in report["backends"].values()))


def _measured(
    folder: Path, backend: str, facts: int, each: int, where: Mapping[str, str], advance: Advance
) -> dict[str, Any]:
    """One back end: written by one process, asked by another."""
    folder.mkdir(parents=True)
    about = (folder, backend, facts, each)
    written = _stage("speed_work", ("write", *about), facts, advance, where)
    try:
        asked = _stage("speed_work", ("ask", *about), each * _PIECES + _ROUNDS, advance, where)
    finally:
        if where:
            _stage("speed_work", ("clear", *about), 1, advance, where)
    return written | asked


def _rival(folder: Path, facts: int, each: int, advance: Advance) -> dict[str, Any] | None:
    """mem0 on the same vectors, if it is installed here."""
    if find_spec("mem0") is None:
        return None
    folder.mkdir(parents=True)
    store = "qdrant" if find_spec("chromadb") is None else "chroma"
    try:
        return _stage("speed_mem0", ("ask", folder, store, facts, each), facts + each, advance)
    except StoreFault as fault:
        echo(f"tact: mem0 is left out: {fault}", err=True)
        return None


def _stage(
    module: str,
    arguments: Sequence[object],
    pieces: int,
    advance: Advance,
    where: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """Run a stage in a process of its own, and hand on how far it is.

    Raises:
        BadInput: for what it could not use.
        StoreFault: if it ended early.
    """
    command = [sys.executable, "-m", f"bot.bench.{module}", *map(str, arguments)]
    title = f"{arguments[2]}: {arguments[0]}"
    found: dict[str, Any] | None = None
    surroundings = {**os.environ, **ONE_THREAD, **where}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=surroundings) as child:  # noqa: S603 - this very program
        for line in child.stdout or ():
            said = json.loads(line)
            if "fault" in said:
                raise BadInput(said["fault"]) if said["given"] else StoreFault(said["fault"])
            found = said.get("found", found)
            advance(title, said.get("done", 0), pieces)
    if child.returncode or found is None:
        raise StoreFault(f"the stage “{title}” ended with {child.returncode} before it was done")
    return found


def write_lines(file: Path, lines: Sequence[dict[str, Any]]) -> None:
    """One JSON object a line."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(json.dumps(line, sort_keys=True) + "\n" for line in lines), "utf-8")
    except OSError as error:
        raise BadInput(
            f"it cannot be written ({error.strerror})", where=str(file), fix="name another place"
        ) from None


@contextmanager
def _progress() -> Iterator[Advance]:
    """A progress bar on standard error, if somebody is looking."""
    if not sys.stderr.isatty():
        yield lambda title, done, pieces: None
        return
    from rich.console import Console  # noqa: PLC0415 - only for a terminal
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, Any] = {}

        def advance(title: str, done: int, pieces: int) -> None:
            if title not in tasks:
                tasks[title] = bar.add_task(title, total=pieces)
            bar.advance(tasks[title], done)

        yield advance

"""`tact bench audience`: an audience suite through the real memory, judged on the exact bytes of each context.

The format of a suite and what each figure means: docs/results.md. What was due is looked at only after everything
has run, so that a suite without it gives the same predictions.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from bot.bench.evidence import Run, write_evidence
from bot.bench.generate import generate
from bot.bench.observing import Observed, observe
from bot.bench.reading import read_line, read_suite
from bot.bench.report import in_words, make_report, write_contexts, write_predictions
from bot.bench.scenario import Scenario
from bot.bench.scoring import judge, score
from bot.bench.stage import Theatre

GENERATED = "generated:"
_AT_ONCE = 4


def run(
    suite: Path,
    *,
    contexts: Path | None,
    predictions: Path | None,
    as_json: bool,
    full: bool = False,
    evidence: Path | None = None,
) -> int:
    """Run a suite and print the report.

    Args:
        suite: a file of scenarios; `generated:core` and `generated:extension` are our own.
        contexts: a folder for the exact bytes that each wording step was given, with an index of digests.
        predictions: a file for what was decided, one JSON object a line.
        as_json: one JSON object on standard output instead of text.
        full: every scenario in the report.
        evidence: a folder for everything that went in and came out, by family, with digests.

    Returns:
        0; 1 if the suite says what is due and any of it falls short.

    Raises:
        BadInput: if the suite cannot be read as one; names file and line.
    """
    scenarios = load(suite)
    observed = asyncio.run(play(scenarios))
    if contexts is not None:
        write_contexts(contexts, observed)
    if predictions is not None:
        write_predictions(predictions, observed)
    judged = judge(scenarios, observed)
    if evidence is not None:
        write_evidence(evidence, Run(_name_of(suite), scenarios, observed, judged))
    total = score(judged)
    report = make_report(scenarios, judged, total, full=full)
    print(json.dumps(report, ensure_ascii=False, indent=1) if as_json else "\n".join(in_words(report)))
    return 1 if total.short else 0


def _name_of(suite: Path) -> str:
    """What a suite is called wherever it lies: its own name and, of a file, the digest."""
    if str(suite).startswith(GENERATED):
        return str(suite)
    return f"{suite.name} sha256:{sha256(suite.read_bytes()).hexdigest()}"


def load(suite: Path) -> list[Scenario]:
    """A suite from a file, or one of our own."""
    name = str(suite)
    if not name.startswith(GENERATED):
        return read_suite(suite)
    lines = generate(name.removeprefix(GENERATED))
    return [read_line(json.dumps(line), f"{name}:{number}") for number, line in enumerate(lines, 1)]


async def play(scenarios: Sequence[Scenario]) -> list[Observed]:
    """Each scenario in a fresh memory; a few at a time, for a memory mostly waits for its disk."""
    with tempfile.TemporaryDirectory(prefix="tact-bench-") as folder, _progress(len(scenarios)) as done:
        theatre = Theatre(Path(folder))
        await theatre.build()
        seats = asyncio.Semaphore(_AT_ONCE)

        async def one(number: int, scenario: Scenario) -> Observed:
            async with seats, theatre.stage(number) as stage:
                observed = await observe(scenario, stage)
            done()
            return observed

        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(n, scenario)) for n, scenario in enumerate(scenarios)]
        except BaseExceptionGroup as faults:
            raise faults.exceptions[0] from None  # the first one says what is wrong
        return [task.result() for task in tasks]


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """A progress bar on standard error, if somebody is looking; what it gives is called once for each scenario."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console  # noqa: PLC0415 - only for a terminal
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("scenarios", total=total)
        yield lambda: bar.advance(task)

"""The measurements. Only signatures; imports come when they are run."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from bot.commandline.options import AsJson, Register


class Annotations(StrEnum):
    """Whose annotations a measurement takes."""

    GOLD = "gold"
    OWN = "own"


class Layers(StrEnum):
    """Which gates a measurement asks."""

    SECOND = "2"
    BOTH = "both"


def add_benches(bench: typer.Typer, command: Register) -> None:
    """Register `bench` commands."""
    command(bench, "bench", "audience")(_bench_audience)
    command(bench, "bench", "disclosure")(_bench_disclosure)


def _bench_audience(
    suite: Annotated[
        Path, typer.Option("--suite", metavar="FILE", help="Scenarios, one JSON object a line.")
    ],
    contexts: Annotated[
        Path | None, typer.Option("--contexts", metavar="DIR", help="Keep each sealed context here.")
    ] = None,
    predictions: Annotated[
        Path | None, typer.Option("--predictions", metavar="FILE", help="Write what was decided here.")
    ] = None,
    evidence: Annotated[
        Path | None,
        typer.Option("--evidence", metavar="DIR", help="Keep what went in and came out here, with digests."),
    ] = None,
    *,
    as_json: AsJson = False,
    full: Annotated[bool, typer.Option("--full", help="Every scenario in the report.")] = False,
) -> int:
    from bot.bench.audience import run  # noqa: PLC0415

    return run(
        suite, contexts=contexts, predictions=predictions, as_json=as_json, full=full, evidence=evidence
    )


def _bench_disclosure(
    script: Annotated[Path, typer.Option("--script", metavar="FILE", help="A script with its tasks.")],
    annotations: Annotated[
        Annotations,
        typer.Option(
            "--annotations",
            metavar="gold|own",
            help="Levels and lists as given, or made by Tact from the sessions.",
        ),
    ] = Annotations.GOLD,
    layers: Annotated[
        Layers,
        typer.Option("--layers", metavar="2|both", help="The calculus alone, or who was there as well."),
    ] = Layers.SECOND,
    predictions: Annotated[
        Path | None, typer.Option("--predictions", metavar="FILE", help="Write what was predicted here.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> int:
    from bot.bench.disclosure import run  # noqa: PLC0415

    return run(script, annotations=annotations, layers=layers, predictions=predictions, as_json=as_json)

"""The measurements. Only signatures; imports come when they are run."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.options import AsJson, Register


class Annotations(StrEnum):
    """Whose annotations a measurement takes."""

    GOLD = "gold"
    OWN = "own"


class Layers(StrEnum):
    """Which gates a measurement asks."""

    SECOND = "2"
    BOTH = "both"


class Backends(StrEnum):
    """Where a measured memory keeps its vectors."""

    EXACT = "exact"
    CHROMA = "chroma"
    BOTH = "both"


def add_benches(bench: typer.Typer, command: Register) -> None:
    """Register `bench` commands."""
    command(bench, "bench", "audience")(_bench_audience)
    command(bench, "bench", "disclosure")(_bench_disclosure)
    command(bench, "bench", "speed")(_bench_speed)
    command(bench, "bench", "load")(_bench_load)


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


def _bench_speed(
    facts: Annotated[int, typer.Option("--facts", metavar="N", help="How many facts to remember.")] = 10_000,
    vectors: Annotated[
        Backends,
        typer.Option("--vectors", metavar="exact|chroma|both", help="Where the vectors are searched."),
    ] = Backends.EXACT,
    storage: Annotated[
        str, typer.Option("--storage", metavar="sqlite|URL", help="SQLite, or an empty PostgreSQL database.")
    ] = "sqlite",
    predictions: Annotated[
        Path | None, typer.Option("--predictions", metavar="FILE", help="Write what was found here.")
    ] = None,
    *,
    as_json: AsJson = False,
    full: Annotated[bool, typer.Option("--full", help="Five times as many questions.")] = False,
) -> int:
    from bot.bench.speed import run  # noqa: PLC0415

    return run(facts, vectors=vectors, storage=storage, predictions=predictions, as_json=as_json, full=full)


def _bench_load(
    chats: Annotated[int, typer.Option("--chats", metavar="N", help="How many chats at once.")] = 20,
    messages: Annotated[int, typer.Option("--messages", metavar="M", help="How many messages in each.")] = 30,
    storage: Annotated[
        str, typer.Option("--storage", metavar="sqlite|URL", help="SQLite, or an empty PostgreSQL database.")
    ] = "sqlite",
    predictions: Annotated[
        Path | None, typer.Option("--predictions", metavar="FILE", help="Write what came of each message.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> int:
    from bot.bench.load import run  # noqa: PLC0415

    return run(chats, messages, storage=storage, predictions=predictions, as_json=as_json)

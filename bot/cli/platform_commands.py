"""The commands that connect Tact to the world and keep it running. Only signatures; imports come when they are run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.options import AsJson, Data, Register
from bot.platforms import PLATFORMS, USUAL, Kind


def add_platforms(app: typer.Typer, connect: typer.Typer, selftest: typer.Typer, command: Register) -> None:
    """Register `connect`, `run`, `doctor` and `selftest`."""
    for kind in PLATFORMS.values():
        command(connect, "connect", kind.name)(_connect(kind))
    command(app, "", "run")(_run)
    command(app, "", "doctor")(_doctor)
    command(selftest, "selftest", "crash")(_crash)


def _connect(kind: Kind) -> Callable[..., int]:
    """The command that connects one platform."""

    def connect_it(
        data: Data = None,
        token_file: Annotated[
            Path | None,
            typer.Option("--token-file", metavar="FILE", help="The token; else you are asked for it."),
        ] = None,
        *,
        link: Annotated[
            bool, typer.Option("--link", help="A link though you are the owner there already.")
        ] = False,
        no_wait: Annotated[
            bool, typer.Option("--no-wait", help="Do not wait until the link is opened.")
        ] = False,
    ) -> int:
        from bot.cli.connect import connect  # noqa: PLC0415

        return connect(kind, data, token_file=token_file, link=link, wait=not no_wait)

    return connect_it


def _run(data: Data = None) -> int:
    from bot.service.service import run  # noqa: PLC0415

    return run(data)


def _doctor(
    data: Data = None,
    *,
    as_json: AsJson = False,
    offline: Annotated[bool, typer.Option("--offline", help="Ask nobody.")] = False,
) -> int:
    from bot.cli.doctor import doctor  # noqa: PLC0415

    return doctor(data, as_json=as_json, offline=offline)


def _crash(
    platform: Annotated[str, typer.Option("--platform", metavar="NAME", help=f"{USUAL.name}.")] = USUAL.name,
    points: Annotated[
        str, typer.Option("--points", metavar="all|NAMES", help="Where to kill; names with commas.")
    ] = "all",
    kills: Annotated[int, typer.Option("--kills", metavar="N", help="How often at each point.")] = 20,
    at_random: Annotated[
        int, typer.Option("--random", metavar="N", help="How often at any moment besides.")
    ] = 0,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the moments and of what is said.")] = 1,
    database: Annotated[
        str,
        typer.Option(
            "--database",
            metavar="URL",
            help="PostgreSQL, in a database of its own on that server; else SQLite.",
        ),
    ] = "",
    vectors: Annotated[
        str, typer.Option("--vectors", metavar="exact|chroma", help="Where vectors are.")
    ] = "exact",
    *,
    as_json: AsJson = False,
) -> int:
    from bot.selftest.crash import Order, crash, points_of  # noqa: PLC0415
    from engine.errors import BadInput  # noqa: PLC0415

    if platform != USUAL.name:
        raise BadInput(f"no such platform: {platform}", where="--platform", fix=USUAL.name)
    if vectors not in {"exact", "chroma"}:
        raise BadInput(f"vectors cannot be in {vectors}", where="--vectors", fix="exact or chroma")
    order = Order(points_of(points), kills, at_random, seed, database, vectors)
    return crash(order, as_json=as_json)

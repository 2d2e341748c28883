"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help="The data folder.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]


class BackEnd(StrEnum):
    """Where vectors are searched."""

    EXACT = "exact"
    CHROMA = "chroma"


VectorsIn = Annotated[
    BackEnd | None,
    typer.Option(
        "--vectors", metavar="exact|chroma", help="Where vectors are searched; the answers are the same."
    ),
]
Register = Callable[[typer.Typer, str, str], Callable[[Callable[..., int]], Any]]
"""Registers a command under a group, with its help from the guide: group, page, name."""

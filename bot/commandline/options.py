"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help="The data folder.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]
Register = Callable[[typer.Typer, str, str], Callable[[Callable[..., int]], Any]]
"""Registers a command under a group, with its help from the guide: group, page, name."""

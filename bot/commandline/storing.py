"""The commands that look after a memory. Only signatures; imports come when they are run."""

from __future__ import annotations

from typing import Annotated

import typer

from bot.commandline.options import AsJson, Data, Register
from engine.errors import BadInput


def add_keeping(app: typer.Typer, command: Register) -> None:
    """Register `status` and `forget`."""
    command(app, "", "status")(_status)
    command(app, "", "forget")(_forget)


def _status(data: Data = None, *, as_json: AsJson = False) -> int:
    from bot.commandline.keeping import status  # noqa: PLC0415

    return status(data, as_json=as_json)


def _forget(
    data: Data = None,
    *,
    finish: Annotated[bool, typer.Option("--finish", help="Drive what was erased off the disk.")] = False,
) -> int:
    from bot.commandline.keeping import finish_forgetting  # noqa: PLC0415

    if not finish:
        raise BadInput(
            "what to forget is said in the chat, with /forget",
            fix="tact forget --finish ends an interrupted erasure",
        )
    return finish_forgetting(data)

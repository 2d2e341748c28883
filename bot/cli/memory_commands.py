"""The commands that look after a memory. Only signatures; imports come when they are run."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.options import AsJson, BackEnd, Data, Register
from engine.errors import BadInput


class Decisions(StrEnum):
    """Whose policy, marks and lists count after a restore."""

    PRESENT = "present"
    BACKUP = "backup"


def add_keeping(app: typer.Typer, vectors: typer.Typer, command: Register) -> None:
    """Register `status`, `forget`, `backup`, `restore`, `reindex` and `vectors rebuild`."""
    command(app, "", "status")(_status)
    command(app, "", "forget")(_forget)
    command(app, "", "backup")(_backup)
    command(app, "", "restore")(_restore)
    command(app, "", "reindex")(_reindex)
    command(vectors, "vectors", "rebuild")(_rebuild)


def _status(data: Data = None, *, as_json: AsJson = False) -> int:
    from bot.cli.upkeep import status  # noqa: PLC0415

    return status(data, as_json=as_json)


def _forget(
    data: Data = None,
    *,
    finish: Annotated[bool, typer.Option("--finish", help="Drive what was erased off the disk.")] = False,
    compact: Annotated[
        bool, typer.Option("--compact", help="The same on PostgreSQL: write its tables anew.")
    ] = False,
) -> int:
    from bot.cli import upkeep  # noqa: PLC0415

    if compact:
        return upkeep.compact(data)
    if not finish:
        raise BadInput(
            "what to forget is said in the chat, with /forget",
            fix="tact forget --finish ends an interrupted erasure; on PostgreSQL: tact forget --compact",
        )
    return upkeep.finish_forgetting(data)


def _backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    data: Data = None,
    key_file: Annotated[
        Path | None,
        typer.Option("--key-file", metavar="OUT", help="Write the key to a file of its own, too."),
    ] = None,
    *,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a backup that is there.")] = False,
) -> int:
    from bot.cli.backup import backup  # noqa: PLC0415

    return backup(data, file, key_file=key_file, force=force)


def _restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What tact backup wrote.")],
    data: Data = None,
    key_file: Annotated[
        Path | None,
        typer.Option("--key-file", metavar="FILE", help="The backup's key; else this folder's own."),
    ] = None,
    policy: Annotated[
        Decisions,
        typer.Option(
            "--policy",
            metavar="present|backup",
            help="Whose policy, marks and lists count, if there is a memory.",
        ),
    ] = Decisions.PRESENT,
    *,
    moved: Annotated[
        bool, typer.Option("--moved", help="Nothing has run since the backup: go on where it was.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> int:
    from bot.cli.backup import restore  # noqa: PLC0415

    theirs = policy is Decisions.BACKUP
    return restore(data, file, key_file=key_file, theirs=theirs, moved=moved, yes=yes)


def _reindex(data: Data = None) -> int:
    from bot.cli.vector_command import embed_again  # noqa: PLC0415

    return embed_again(data)


def _rebuild(
    data: Data = None,
    to: Annotated[
        BackEnd | None, typer.Option("--to", metavar="exact|chroma", help="Where; else where they are now.")
    ] = None,
) -> int:
    from bot.cli.vector_command import rebuild  # noqa: PLC0415

    return rebuild(data, to and str(to))

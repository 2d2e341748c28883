"""`tact import`: old conversations, with a bar to watch on a terminal and every odd row counted."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from typer import echo

from bot.bootstrap import make_context
from bot.memory.import_plan import find_logs
from bot.memory.imports import ImportReport, draft_roster
from bot.memory.imports import import_irc as bring_in
from bot.open_memory import open_memory
from config.data_folder import write_private
from config.roster_file import Roster, load_roster
from config.settings import load_settings
from engine.errors import BadInput

_SHOWN = 5


def draft_irc_roster(chosen: Path | None, paths: Sequence[Path], out: Path) -> int:
    """Write a roster made from a log's joins and context, to be looked over; nothing is imported."""
    if out.exists():
        raise BadInput("this file is there already", where=str(out), fix="choose another name")
    logs = find_logs(paths)
    if len(logs) > 1:
        raise BadInput(f"a roster is of one log, and here are {len(logs)}", fix="name one file")
    write_private(out, draft_roster(logs[0], load_settings(chosen).timezone))
    again = " ".join(str(path) for path in paths) + (f" --data {chosen}" if chosen else "")
    echo(
        f"Written to {out}. It is a guess: look over who was there when. Then: tact import irc {again} --roster {out}"
    )
    return 0


def import_irc(
    chosen: Path | None, paths: Sequence[Path], roster: Path | None, owner_nicks: Sequence[str]
) -> int:
    """Import logs, and say what came of it.

    Args:
        chosen: the folder of `--data`.
        paths: logs, and folders of logs.
        roster: who was there, on the owner's word.
        owner_nicks: nicks that were the owner's.
    """
    vouched = None if roster is None else load_roster(roster)
    report = asyncio.run(_import(chosen, paths, vouched, owner_nicks))
    echo(_in_words(report, vouched=vouched is not None))
    return 0


async def _import(
    chosen: Path | None, paths: Sequence[Path], roster: Roster | None, owner_nicks: Sequence[str]
) -> ImportReport:
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    async with open_memory(chosen) as (settings, store):
        context = make_context(store, settings)
        with bar:
            task = bar.add_task("Importing", total=None)

            def progress(done: int, total: int) -> None:
                bar.update(task, completed=done, total=total)

            return await bring_in(context, paths, roster=roster, owner_nicks=owner_nicks, progress=progress)


def _in_words(report: ImportReport, *, vouched: bool) -> str:
    lines = [
        f"messages    {report.messages} new, {report.duplicates} known before, {report.refused} not kept",
        f"sessions    {report.sessions}",
        f"facts       {report.facts}",
        f"vouched     {report.attested} of the new messages have their audience from the roster"
        if vouched
        else "vouched     none: without --roster every message is kept for you and its sender",
        *_rows("malformed", "rows", report.malformed),
        *_rows("doubtful", "rows", report.contradicted),
    ]
    return "\n".join(lines)


def _rows(title: str, what: str, rows: Sequence[str]) -> list[str]:
    """How many, with the places of the first few."""
    more = [f"            … and {len(rows) - _SHOWN} more"] if len(rows) > _SHOWN else []
    return [f"{title.ljust(10)}  {len(rows)} {what}", *(f"            {row}" for row in rows[:_SHOWN]), *more]

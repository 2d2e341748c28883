"""`tact selftest crash`: a real Tact is killed again and again, and what became of everything is counted.

Messages are counted in the journal of the small Telegram that it talked to and in its own outbox: one is lost if
neither accounts for its answer, and doubled if the journal has it twice. Tables and index are looked at after each kill,
before another Tact touches them.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from typer import echo

from bot.selftest.databases import own_database
from bot.selftest.killing import Scene, new_round
from bot.selftest.nursery import Nursery
from bot.selftest.places import IMPORTING, MIGRATING, SHELVING
from bot.selftest.tally import Tally
from engine.errors import BadInput
from engine.failpoints import POINTS
from storage.postgres import is_address

_A_MEMORY = 30
"""Kills on one memory: looking at it takes longer the more there is in it."""
_SHOWN = 20
_WORDS = {
    "lost": "messages, answers or acts that were lost",
    "doubled": "answers or rows that are there twice",
    "half_annotated": "annotations of which a part is there",
    "orphaned": "rows that belong to nothing",
    "out_of_step": "entries in which index and tables differ",
    "returned": "things forgotten that came back",
    "damaged": "values, versions or states that are broken",
    "missed": "kills whose place was not reached",
}


@dataclass(frozen=True, slots=True)
class Order:
    """What to do.

    Args:
        points: the places to kill at; none: all that can be reached.
        kills: how often at each.
        at_random: how many kills at any moment besides.
        seed: of the moments, and of who says what.
        database: a database on the server to use; empty: SQLite.
        vectors: where vectors are: `exact` or `chroma`.
        log: where the standard error of what is killed goes.
    """

    points: Sequence[str] = ()
    kills: int = 20
    at_random: int = 0
    seed: int = 1
    database: str = ""
    vectors: str = "exact"
    log: Path | None = None

    @property
    def reached(self) -> tuple[str, ...]:
        """Every place that can be reached."""
        return tuple(p for p in POINTS if self.vectors == "chroma" or p not in SHELVING)

    @property
    def chosen(self) -> Sequence[str]:
        """The places to kill at."""
        return self.points or self.reached


def crash(order: Order, *, as_json: bool) -> int:
    """Kill, count and print; 0 if nothing is wrong.

    Raises:
        BadInput: for a point that there is not, a number below nought, or a database that is no PostgreSQL's.
    """
    wrong = [point for point in order.points if point not in order.reached]
    if wrong:
        what = f"there is no point {wrong[0]}" + (" without Chroma" if wrong[0] in POINTS else "")
        raise BadInput(what, where="--points", fix=f"all, or of {', '.join(order.reached)}")
    if order.kills < 0 or order.at_random < 0 or not (order.kills or order.at_random):
        raise BadInput("kill how often?", where="--kills", fix="a number above nought here, or for --random")
    if order.database and not is_address(order.database):
        raise BadInput(
            "this is no URL of PostgreSQL", where="--database", fix="postgresql://user@host/database"
        )
    tally = asyncio.run(_with_a_bar(order))
    if as_json:
        echo(
            json.dumps(
                {"database": _kind(order), "vectors": order.vectors, "seed": order.seed, **asdict(tally)},
                indent=1,
            )
        )
    else:
        echo(in_words(tally))
    return int(bool(tally.wrong))


def points_of(text: str) -> tuple[str, ...]:
    """`all` (an empty tuple), or names with commas."""
    return () if text == "all" else tuple(part.strip() for part in text.split(","))


def _kind(order: Order) -> str:
    return "postgresql" if order.database else "sqlite"


def in_words(tally: Tally) -> str:
    """For a person: each count with what it counts, and what is wrong."""
    lines = [
        f"killed {tally.kills} times, {tally.at_random} of them at random moments; {tally.messages} messages"
    ]
    counts = asdict(tally)
    lines += [f"{counts[name]:6}  {words}" for name, words in _WORDS.items()]
    lines.append(
        f"{tally.uncertain:6}  answers of which Tact cannot know whether they arrived ({tally.uncertain_arrived} had): "
        "the owner is told"
    )
    return "\n".join([*lines, *tally.faults[:_SHOWN]])


async def _with_a_bar(order: Order) -> Tally:
    bar = Progress(
        TextColumn("Killing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty(),
    )  # fmt: skip
    with bar:
        task = bar.add_task("", total=len(order.chosen) * order.kills + order.at_random)
        return await measured(order, lambda: bar.advance(task))


async def measured(order: Order, done: Callable[[], None] = lambda: None) -> Tally:
    """Kill, start again, look and count; `done` is called after each kill."""
    tally, chance = Tally(), Random(order.seed)  # noqa: S311 - moments, not secrets
    async with Nursery(order.log) as nursery:
        for batch in _batches(order):
            with tempfile.TemporaryDirectory(prefix="tact-crash-") as place:
                async with (
                    own_database(order.database) as url,
                    new_round(
                        Scene(Path(place) / "data", url, order.vectors), nursery, tally, chance
                    ) as memory,
                ):
                    for point in batch:
                        if point:
                            await memory.kill(point)
                        else:
                            await memory.kill_at_random(chance)
                        done()
                    await memory.finish()
    return tally


def _batches(order: Order) -> Iterator[list[str]]:
    """Kills a memory, each with its place; no place is any moment."""
    beside = [p for p in order.chosen if p in {*IMPORTING, *MIGRATING}]
    turns = [p for p in order.chosen if p not in beside]
    for kills in (turns * order.kills, beside * order.kills, [""] * order.at_random):
        for start in range(0, len(kills), _A_MEMORY):
            yield kills[start : start + _A_MEMORY]

"""`tact bench load`: how many messages a second the whole turn takes, on the console platform, many chats at once.

Every chat is one contact's direct chat with Tact. Its messages come one after the other, as a platform's lane hands them
over; the chats do not wait for one another, and annotation runs beside them. Every third message asks for something that
was said before it. The memory is made up, and gone afterwards.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final

from bot.bench.counted_store import CountedStore, counting
from bot.bench.speed import SQLITE, VARIABLE, write_lines
from bot.bench.speed_database import clear, refuse_filled
from bot.bench.stage import settings_of
from bot.bootstrap import Tact, meet, open_tact
from bot.cli.progress import watched
from connectors.console.world import World, account_of
from engine.errors import BadInput
from engine.records import Outcome

_MOST: Final = 100_000
_TOLD: Final = (
    ("The dentist appointment is on Thursday at {n}:15.", "When is the dentist appointment?"),
    ("My flight to Lisbon leaves at {n}:40.", "When does my flight to Lisbon leave?"),
    ("The rent for the flat is {n}50 euros.", "How much is the rent for the flat?"),
    ("Our team meets in room {n}.", "Which room does our team meet in?"),
)
_PERIOD: Final = 3


def run(
    chats: int,
    messages: int,
    *,
    storage: str = SQLITE,
    predictions: Path | None = None,
    as_json: bool = False,
) -> int:
    """Measure, and print the report.

    Args:
        chats: how many there are.
        messages: how many come in each.
        storage: `sqlite`, or the URL of an empty PostgreSQL database.
        predictions: a file for what came of each message, one JSON object a line.
        as_json: one JSON object on standard output instead of text.

    Returns:
        0. A question that is asked before what was said is understood finds no answer; `answered` is the share that did.

    Raises:
        BadInput: for a number that cannot be measured, a database with something in it, or a file that cannot be written.
    """
    if min(chats, messages) < 1 or chats * messages > _MOST:
        raise BadInput(
            f"{chats} chats of {messages} messages are not measured", fix=f"1 to {_MOST} messages in all"
        )
    if predictions is not None:
        write_lines(predictions, ())  # it would be a pity to find out at the end
    if storage != SQLITE:
        os.environ[VARIABLE] = storage  # where the memory of a measurement is read from
    with tempfile.TemporaryDirectory(prefix="tact-load-") as folder, watched("messages") as progress:
        load = Load(chats, messages, progress)
        seconds = asyncio.run(load.run(Path(folder)))
    if predictions is not None:
        write_lines(predictions, load.outcomes)
    report = load.report(seconds)
    print(json.dumps(report, indent=1) if as_json else "\n".join(f"{k:26}{v}" for k, v in report.items()))
    return 0


class Load:
    """One measurement: seconds from a question to its reply, transactions of each message, and what came of each."""

    def __init__(self, chats: int, messages: int, progress: Callable[[int, int], None]) -> None:
        """`progress` is told how many messages of how many are through."""
        self.chats, self.messages, self._progress = chats, messages, progress
        self.replies: list[float] = []
        self.transactions: list[int] = []
        self.outcomes: list[dict[str, Any]] = []

    async def run(self, folder: Path) -> float:
        """Make a memory here, and take all messages; returns the seconds from the first to the last."""
        await refuse_filled()
        settings = settings_of(folder, database_url=os.environ.get(VARIABLE, ""))
        try:
            async with open_tact(settings, make_key=True) as tact:
                counted = CountedStore(tact.context.store)
                tact.context = replace(tact.context, store=counted)
                for chat in range(self.chats):
                    await meet(tact.context, account_of(f"c{chat}"), f"Contact {chat}", datetime.now(UTC))
                return await self._timed(tact)
        finally:
            await clear()

    async def _timed(self, tact: Tact) -> float:
        wake = asyncio.Event()
        tact.context = replace(tact.context, wake_annotator=wake.set)
        beside = asyncio.create_task(tact.keep_annotating(wake))
        began = perf_counter()
        await asyncio.gather(*(self._chat(tact, chat) for chat in range(self.chats)))
        seconds = perf_counter() - began
        beside.cancel()
        with suppress(asyncio.CancelledError):
            await beside
        return seconds

    async def _chat(self, tact: Tact, chat: int) -> None:
        """One chat: its messages one after the other."""
        world = World()
        account = account_of(f"c{chat}")
        for number in range(self.messages):
            told, asked = _TOLD[number // _PERIOD % len(_TOLD)]
            asks = number % _PERIOD == _PERIOD - 1
            text = asked if asks else f"{told.format(n=10 + chat % 10)} That is note {chat}-{number}."
            message = world.message(account, None, text, datetime.now(UTC), event=f"load:{chat}:{number}")
            began = perf_counter()
            with counting() as begun:
                trace = await tact.take(world, message)
            if asks:
                self.replies.append(perf_counter() - began)
            self.transactions.append(len(begun))
            came = "duplicate" if trace is None else str(trace.outcome)
            self.outcomes.append({"id": f"{chat}:{number}", "asks": asks, "outcome": came})
            self._progress(len(self.outcomes), self.chats * self.messages)

    def report(self, seconds: float) -> dict[str, Any]:
        """The figures, by their names in docs/results.md."""
        asked = [one["outcome"] for one in self.outcomes if one["asks"]]
        slowest = sorted(self.replies)[int(0.95 * len(self.replies))] if self.replies else 0.0
        return {
            "chats": self.chats,
            "messages": len(self.outcomes),
            "messages_per_s": round(len(self.outcomes) / seconds, 1),
            "reply_p50_ms": round(1000 * median(self.replies or [0.0]), 1),
            "reply_p95_ms": round(1000 * slowest, 1),
            "answered": round(asked.count(Outcome.ANSWERED) / max(1, len(asked)), 3),
            "transactions_per_message": round(sum(self.transactions) / len(self.transactions), 2),
            "transactions_most": max(self.transactions),
            "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }

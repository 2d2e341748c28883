"""`tact bench load`: how many messages a second the whole turn takes, on the console platform, many chats at once.

Every chat is one contact's direct chat with Tact. Its messages come one after the other, as a platform's lane hands them
over; the chats do not wait for one another, and annotation runs beside them. Every third message asks for something that
the owner told before the measurement and opened to everybody who asks. The memory is made up, and gone afterwards.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final

from bot.bench.counted_store import CountedStore, counting
from bot.bench.speed import SQLITE, VARIABLE, write_lines
from bot.bench.speed_database import clear, refuse_filled
from bot.bench.stage import settings_of
from bot.bootstrap import meet, open_tact
from bot.cli.desk import Desk
from bot.cli.progress import watched
from connectors.console.world import OWNER_ACCOUNT, World, account_of
from engine.errors import BadInput
from engine.records import Outcome

_MOST: Final = 100_000
_NOTED: Final = (
    "The dentist appointment is on Thursday at {n}:15.",
    "My flight to Lisbon leaves at {n}:40.",
    "The rent for the flat is {n}50 euros.",
    "Our choir meets in room {n}.",
)
"""What contacts say between their questions."""
_TOLD: Final = (
    ("The launch of Borealis is on 12 June.", "When is the launch of Borealis?"),
    ("The budget of Kestrel is 40000 euros.", "How much is the budget of Kestrel?"),
    ("The design review of Osprey is in room 12.", "In which room is the design review of Osprey?"),
)
"""What the owner tells under a category that every contact's label opens, and how they ask for it."""
_SHARED: Final = ("The garden party is on 5 July.", "When is the garden party?")
"""What he shares with everyone."""
_QUESTIONS: Final = tuple(question for _, question in (*_TOLD, _SHARED))
_LABEL: Final = "L1-work"
_CATEGORY: Final = "work-projects"
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
        0. `answered` is how many of the `questions` were.

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
        settings = settings.model_copy(update={"owner_accounts": (OWNER_ACCOUNT,)})
        try:
            async with open_tact(settings, make_key=True, watched=CountedStore) as tact:
                world = World()
                desk = Desk(tact, settings, world)
                await self._open(desk, world)
                return await self._timed(desk, world)
        finally:
            await clear()

    async def _open(self, desk: Desk, world: World) -> None:
        """The owner's part: he labels everybody, tells what they will ask for, and opens it by category and by hand."""

        async def says(*lines: str) -> None:
            for line in lines:
                await desk.take(world.line(OWNER_ACCOUNT, None, line, datetime.now(UTC)))

        for chat in range(self.chats):
            await meet(desk.tact.context, account_of(f"c{chat}"), f"Contact{chat}", datetime.now(UTC))
            await says(f"/level add Contact{chat} {_LABEL}", "confirm")
        for told, _ in _TOLD:
            await says(told, f"change {_CATEGORY}", "confirm")
        await says(_SHARED[0], "keep private", f"/share {_SHARED[0]} with everyone", "confirm")

    async def _timed(self, desk: Desk, world: World) -> float:
        beside = asyncio.create_task(desk.tact.keep_annotating())
        began = perf_counter()
        await asyncio.gather(*(self._chat(desk, world, chat) for chat in range(self.chats)))
        seconds = perf_counter() - began
        beside.cancel()
        with suppress(asyncio.CancelledError):
            await beside
        return seconds

    async def _chat(self, desk: Desk, world: World, chat: int) -> None:
        """One chat: its messages one after the other."""
        account = account_of(f"c{chat}")
        for number in range(self.messages):
            asks = number % _PERIOD == _PERIOD - 1
            turn = chat + number // _PERIOD
            noted = _NOTED[turn % len(_NOTED)].format(n=10 + chat % 10)
            text = _QUESTIONS[turn % len(_QUESTIONS)] if asks else f"{noted} That is note {chat}-{number}."
            line = world.line(account, None, text, datetime.now(UTC))
            began = perf_counter()
            with counting() as begun:
                trace = await desk.take(line)
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
            "questions": len(asked),
            "answered": asked.count(Outcome.ANSWERED),
            "transactions_per_message": round(sum(self.transactions) / len(self.transactions), 2),
            "transactions_most": max(self.transactions),
            "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }

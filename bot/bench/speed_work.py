"""One stage of the measurement, in a process of its own: what it holds and how soon it answers is then its own doing.

    python -m bot.bench.speed_work write|ask|clear FOLDER BACKEND FACTS EACH

A line of JSON on standard output for each piece of progress, and a last one with what was found.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np

from bot.bench.speed_asking import KINDS, K, Question, questions
from bot.bench.speed_database import clear, refuse_filled, url
from bot.bench.speed_memory import DIMENSION, facts_of, make_memory, policy_of
from bot.bench.speed_numpy import Plain
from bot.bench.speed_tact import by_tact, empty_transaction
from bot.bench.stage import settings_of
from bot.bootstrap import open_store
from bot.cli.faults import INTERRUPTED
from engine.audience import OWNER_ONLY
from engine.errors import BadInput, TactError
from engine.ids import FactId
from engine.store import Scope, Search, Store

ROUNDS: Final = 3
"""Every question is asked so often in each way. One way asks all those of one kind before the next one does: then each
finds its own data in the processor's caches, and all of them the same machine, whatever else it does at the moment."""

_SOMETHING: Final = np.eye(1, DIMENSION, dtype="<f4").tobytes()
_AT: Final = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class Asked:
    """What came of one question: seconds of each asking, by way; what was answered, and what is true."""

    id: str
    share: float
    seconds: dict[str, list[float]] = field(default_factory=dict)
    got: list[FactId] = field(default_factory=list)
    due: list[FactId] = field(default_factory=list)


def say(**what: object) -> None:
    """One line for whoever started this."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


async def write(folder: Path, backend: str, facts: int, each: int) -> dict[str, Any]:
    """Make the memory: facts a session at a time, each session in a transaction of its own."""
    memory = make_memory(facts)
    await refuse_filled()
    store = await open_store(settings_of(folder, backend, url()), make_key=True)
    spent, done = 0.0, 0
    try:
        async with store.transaction() as tx:
            await tx.save_policy(policy_of(memory), _AT)
        for session, some in facts_of(memory):
            start = perf_counter()
            async with store.transaction() as tx:
                await tx.put_facts(session, some, (), ())
            spent += perf_counter() - start
            done += len(some)
            say(done=done)
        await store.finish_forgetting()
    finally:
        await store.close()
    return {"ingest_per_s": facts / spent}


async def ask(folder: Path, backend: str, facts: int, each: int) -> dict[str, Any]:
    """Open the memory, answer once, then ask everything in every way."""
    start = perf_counter()
    store = await open_store(settings_of(folder, backend, url()))
    try:
        async with store.transaction() as tx:
            await tx.search(Search((), _SOMETHING, 1.0), Scope(OWNER_ONLY), K)
        began, held = perf_counter() - start, _resident_mb()
        asked, empty = await _every_way(store, facts, each)
    finally:
        await store.close()
    return {
        "start_ms": 1000 * began,
        "rss_mb": held,
        "empty": empty,
        "asked": [[a.id, a.share, a.seconds, a.got, a.due] for a in asked],
    }


async def _every_way(store: Store, facts: int, each: int) -> tuple[list[Asked], list[float]]:
    memory = make_memory(facts)
    plain, asked = Plain(memory), questions(memory, each)
    found = {q.id: Asked(q.id, len(plain.rows(q.viewers)) / facts) for q in asked}
    empty: list[float] = []
    for _ in range(ROUNDS):
        for kind in KINDS:
            some = [q for q in asked if q.kind == kind]
            for q in some:
                await _by_tact(store, q, found[q.id], hybrid=False)
            for name, plainly in (("scan", plain.scan), ("gather", plain.gather)):
                for q in some:
                    found[q.id].seconds.setdefault(name, []).append(plainly(q))
            for q in some:
                await _by_tact(store, q, found[q.id], hybrid=True)
            empty += [await empty_transaction(store) for _ in some]
        say(done=1)
    for q in asked:
        found[q.id].due = plain.answer(q)
        say(done=1)
    return list(found.values()), empty


async def _by_tact(store: Store, question: Question, asked: Asked, *, hybrid: bool) -> None:
    async with store.transaction() as tx:
        seconds, ids = await by_tact(tx, question, hybrid=hybrid)
    asked.seconds.setdefault("hybrid" if hybrid else "tact", []).append(seconds)
    if not hybrid:
        asked.got = ids


def _resident_mb() -> float:
    """The most memory this process ever held, in megabytes (macOS counts in bytes, Linux in kilobytes)."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


async def empty(folder: Path, backend: str, facts: int, each: int) -> dict[str, Any]:
    """Leave nothing in a database that is not in the folder."""
    await clear()
    return {}


Stage = Callable[[Path, str, int, int], Awaitable[dict[str, Any]]]
_STAGES: Final[dict[str, Stage]] = {"write": write, "ask": ask, "clear": empty}


def main(arguments: list[str]) -> int:
    """Run a stage; what goes wrong is said in one line, without anybody's words.

    Returns:
        The exit code.
    """
    stage, folder, backend, facts, each = arguments

    async def run() -> dict[str, Any]:
        return await _STAGES[stage](Path(folder), backend, int(facts), int(each))

    try:
        say(found=asyncio.run(run()))
    except TactError as error:
        say(fault=str(error), given=isinstance(error, BadInput))
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

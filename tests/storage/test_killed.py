"""A process that is killed in the middle leaves whole transactions or none, and a memory that opens."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys

from engine.audience import OWNER_ONLY
from engine.store import Scope
from storage import SqlStore
from storage.audit import audit

PROGRAM = """
import asyncio, sys
from datetime import UTC, datetime
from engine.audience import OWNER_ONLY
from engine.items import EventState, RawFact, RawMessage, RawSession
from engine.store import Chat, NewFact
from storage import SqlStore, Vault

NOW = datetime(2026, 5, 1, tzinfo=UTC)

def fact(n):
    return RawFact(f"f{n}", EventState(f"e{n}"), "s1", "room", (f"m{n}",), f"words {n} " * 50, "o", NOW, OWNER_ONLY)

async def write(tx, n):
    await tx.chat(Chat("room", "group", "title"))
    await tx.put_session(RawSession("s1", "room", OWNER_ONLY, NOW, NOW, n + 1, annotated=True))
    await tx.record(RawMessage(f"m{n}", "room", "s1", "o", "a:o", "words", NOW, OWNER_ONLY), event=f"e{n}",
                    raw="more than the page cache holds " * 200_000)
    await tx.put_facts("s1", [NewFact(fact(i), ("word",)) for i in range(n + 1)], [], [])
    if n:
        await tx.chat(Chat(f"room{n}", "group", "title"))

async def main():
    store = await SqlStore.open(sys.argv[1], Vault(bytes(range(32))))
    async with store.transaction() as tx:
        await write(tx, 0)
    async with store.transaction() as tx:
        await write(tx, 1)
        await tx.forget(facts=["f0"], at=NOW)
        print("inside", flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


def _kill_inside(where) -> None:
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(where)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline() == "inside\n"
        os.kill(process.pid, signal.SIGKILL)
        process.wait()


async def test_a_kill_in_the_middle_of_a_transaction_leaves_nothing_half_written(empty_place, vault):
    await asyncio.to_thread(_kill_inside, empty_place)
    store = await SqlStore.open(empty_place, vault)
    async with store.transaction() as tx:
        counts = await tx.counts()
        assert {k: counts[k] for k in ("messages", "facts", "chats", "tombstones")} == {
            "messages": 1, "facts": 1, "chats": 1, "tombstones": 0,
        }  # fmt: skip
        assert [f.id for f in await tx.session_facts("s1", Scope(OWNER_ONLY))] == ["f0"]
        assert await audit(tx) == []
    await store.close()

"""How often a message takes the memory's only lock: from its arrival to the end of its turn."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from engine.mailroom import Arrival
from storage import SqlStore
from tests.telegram.conftest import BOB, BOT, OWNER

MOST, DUPLICATE = 8, 3


class Counter:
    """Transactions that were begun in turns: what runs beside them (annotation, tidying) is not a message's."""

    def __init__(self, monkeypatch) -> None:
        self.count, self.on = 0, False
        begin = SqlStore.transaction

        def counted(store):
            @asynccontextmanager
            async def unit() -> AsyncIterator[object]:
                self.count += self.on
                async with begin(store) as tx:
                    yield tx

            return unit()

        monkeypatch.setattr(SqlStore, "transaction", counted)

    async def of(self, stage, chat: int, text: str) -> int:
        """Transactions of one message."""
        service = stage.service
        service.tact.annotate = idle
        begun = len(stage.world.texts(chat))
        self.count, self.on = 0, True
        stage.world.say(chat, chat, text)
        for _ in range(500):
            await asyncio.sleep(0.01)
            if service.lanes.idle and not stage.world.queue and len(stage.world.texts(chat)) > begun:
                break
        self.on = False
        return self.count


async def idle() -> int:
    return 0


async def test_a_message_takes_eight_transactions_at_most(stage, monkeypatch):
    counter = Counter(monkeypatch)
    async with stage.running():
        await stage.meets_bob()
        await stage.tells("The launch of Borealis is on Friday.")
        found = {
            text: await counter.of(stage, chat, text)
            for chat, text in (
                (BOB, "When is the launch of Borealis?"),
                (BOB, "Who won the cup?"),
                (BOB, "Hello"),
                (BOB, "The printer is broken again."),
                (OWNER, "When is the launch of Borealis?"),
                (OWNER, "The dentist is on Monday."),
                (OWNER, "confirm"),
                (OWNER, "/level add Bob L1-life"),
                (OWNER, "confirm"),
                (OWNER, "/status"),
                (OWNER, "/why"),
            )
        }
        gone = await counter.of(stage, OWNER, "/forget last")  # which is deleted on the platform, too
    assert gone <= MOST + 1
    assert all(0 < count <= MOST for count in found.values()), found


async def test_a_duplicate_takes_three_at_most(stage, monkeypatch):
    counter = Counter(monkeypatch)
    async with stage.running():
        stage.world.say(BOB, BOB, "Hello")
        update = stage.world.queue[-1]
        await stage.settle()
        answered = stage.world.texts(BOB)
        arrival = Arrival(f"telegram:{BOT}:{update['update_id']}", json.dumps(update))
        counter.count, counter.on = 0, True
        await stage.receiver._keep([arrival])
        assert stage.service.lanes.idle
        counter.on = False
        assert stage.world.texts(BOB) == answered
    assert 0 < counter.count <= DUPLICATE

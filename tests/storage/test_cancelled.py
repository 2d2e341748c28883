"""Whoever is cancelled in the middle of a transaction leaves the database as it was, and free for the next one."""

from __future__ import annotations

import asyncio

import pytest

from engine.records import Chat
from storage import SqlStore
from storage.transaction_lock import whole

STEPS = 60


async def _work(store: SqlStore, number: int) -> None:
    async with store.transaction() as tx:
        await tx.chat(Chat(f"irc:#{number}", "group", "a room"))
        await tx.put_note(f"note {number}", "value")


@pytest.mark.parametrize("ticks", range(STEPS))
async def test_a_cancelled_transaction_leaves_the_next_one_free(path, vault, ticks):
    store = await SqlStore.open(path, vault)
    try:
        work = asyncio.create_task(_work(store, 1))
        for _ in range(ticks * 3):
            await asyncio.sleep(0)
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        async with asyncio.timeout(20):
            await _work(store, 2)
            async with store.transaction() as tx:
                found = {chat.id for chat in await tx.chats()}
                notes = set(await tx.notes("note"))
        assert (found, notes) in (({"irc:#2"}, {"note 2"}), ({"irc:#1", "irc:#2"}, {"note 1", "note 2"}))
    finally:
        await store.close()


async def test_a_step_is_heard_out_before_the_cancellation_goes_on():
    began, go_on, ended = asyncio.Event(), asyncio.Event(), False

    async def step() -> None:
        nonlocal ended
        began.set()
        await go_on.wait()
        ended = True

    task = asyncio.create_task(whole(step()))
    await began.wait()
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.sleep(0)
    assert not task.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended


async def test_what_a_step_returns_or_raises_comes_out():
    async def gives() -> int:
        await asyncio.sleep(0)
        return 5

    async def fails() -> None:
        await asyncio.sleep(0)
        raise ValueError("as it is")

    assert await whole(gives()) == 5
    with pytest.raises(ValueError, match="as it is"):
        await whole(fails())

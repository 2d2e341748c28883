"""What a platform hands over is kept until it is handled, and never taken twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.mailroom import Arrival, Sending, State


async def test_an_arrival_is_kept_once_and_handed_out_in_order_until_it_is_handled(store):
    async with store.transaction() as tx:
        assert await tx.keep_arrival(Arrival("p:2", "second"))
        assert await tx.keep_arrival(Arrival("p:1", "first"))
        assert not await tx.keep_arrival(Arrival("p:2", "again"))
    async with store.transaction() as tx:
        assert await tx.arrivals() == [Arrival("p:2", "second"), Arrival("p:1", "first")]
        await tx.finish_arrival("p:2")
        await tx.finish_arrival("p:unheard")
        assert await tx.arrivals() == [Arrival("p:1", "first")]
    async with store.transaction() as tx:
        assert not await tx.keep_arrival(Arrival("p:2", "once more"))


async def test_an_arrival_of_a_transaction_that_failed_may_come_again(store):
    with pytest.raises(ZeroDivisionError):  # noqa: PT012 - it has to fail in the middle
        async with store.transaction() as tx:
            await tx.keep_arrival(Arrival("p:1", "first"))
            _ = 1 / 0
    async with store.transaction() as tx:
        assert await tx.arrivals() == []
        assert await tx.keep_arrival(Arrival("p:1", "first"))


async def test_the_message_of_an_event_is_found(store, make):
    async with store.transaction() as tx:
        await tx.record(make.message("m1"), event="telegram:5:6")
        assert await tx.recorded("telegram:5:6") == "m1"
        assert await tx.recorded("telegram:5:7") is None


async def test_a_delivery_is_found_by_its_key_with_the_facts_it_tells(store, make, put):
    await put(store, make.fact("f1"))
    sending = Sending("t1/reply#0", make.room, "words", used=(make.fact("f1").id,))
    async with store.transaction() as tx:
        assert await tx.sending("t1/reply#0") is None
        await tx.put_sending(sending)
        assert await tx.sending("t1/reply#0") == sending
        await tx.put_sending(replace(sending, state=State.UNCERTAIN))
        assert (await tx.sending("t1/reply#0")).state == "uncertain"


async def test_notes_are_replaced_found_by_their_beginning_and_taken_away(store):
    async with store.transaction() as tx:
        assert await tx.note("a:1") == ""
        await tx.put_note("a:1", "one")
        await tx.put_note("a:2", "two")
        await tx.put_note("a_2", "another")
        await tx.put_note("A:3", "in capitals")
        await tx.put_note("a:1", "uno")
        assert await tx.notes("a:") == {"a:1": "uno", "a:2": "two"}
        await tx.put_note("a:1", "")
        assert await tx.notes("a:") == {"a:2": "two"}
    async with store.transaction() as tx:
        assert await tx.note("a:2") == "two"

"""What a platform hands over is kept until it is handled, and never taken twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.mailroom import Arrival, Pull, Room, Sending, SendingKind, State
from engine.shown import Shown


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
    sending = Sending(
        "t1/reply#0",
        make.room,
        "words",
        used=(make.fact("f1").id,),
        kind=SendingKind.REPLY,
        about="t0/reply#1",
    )
    async with store.transaction() as tx:
        assert await tx.sending("t1/reply#0") is None
        await tx.put_sending(sending)
        assert await tx.sending("t1/reply#0") == sending
        await tx.put_sending(replace(sending, state=State.UNCERTAIN))
        assert (await tx.sending("t1/reply#0")).state == "uncertain"


async def test_a_delivery_is_found_by_the_message_that_it_became(store, make):
    sending = Sending("t1/line#0", make.room, "words", kind=SendingKind.LINE)
    out = replace(sending, text="", state=State.SENT, message="telegram:7:5", sent_at=make.at(3))
    async with store.transaction() as tx:
        await tx.put_sending(sending)
        assert await tx.sending_of("telegram:7:5") is None
        assert await tx.sending_of("") is None
        await tx.put_sending(out)
        assert await tx.sending_of("telegram:7:5") == out


async def test_the_versions_of_a_message_are_one_row(store):
    async with store.transaction() as tx:
        assert await tx.versions(["m1", "m2"]) == []
        await tx.keep_version("m1", "m2")
        await tx.keep_version("m9", "m8")
        await tx.keep_version("m1", "m3")
        assert await tx.versions(["m2"]) == [("m1", "m2", "m3")]
        assert await tx.versions(["m1", "m3", "m8"]) == [("m1", "m2", "m3"), ("m9", "m8")]
        assert await tx.versions([]) == []


async def test_what_is_known_of_a_room_is_replaced(store, make):
    first = Room("irc:#a", frozenset({"irc:1", "irc:2"}), frozenset({"irc:2", "irc:3"}), 4, make.at(1))
    async with store.transaction() as tx:
        assert await tx.room("irc:#a") == Room("irc:#a")
        await tx.put_room(replace(first, pull=Pull(make.at(1), first.known, 4)))
        await tx.put_room(Room("irc:#b"))
        await tx.put_room(Room("ircx:#c"))
        found = await tx.room("irc:#a")
        assert found == first
        assert found.pull is None
        assert await tx.rooms("irc") == ["irc:#a", "irc:#b"]
        other = Room("irc:#a", frozenset({"irc:3", "irc:2"}), frozenset({"irc:2"}), introduced=True)
        await tx.put_room(other)
        assert await tx.room("irc:#a") == other


async def test_the_ids_that_a_chat_had_are_kept_once(store):
    async with store.transaction() as tx:
        await tx.keep_move("irc:#a", "irc:#c")
        await tx.keep_move("irc:#b", "irc:#c")
        await tx.keep_move("irc:#a", "irc:#c")
        assert await tx.moved_from("irc:#c") == ["irc:#a", "irc:#b"]
        assert await tx.moved_from("irc:#a") == []


async def test_what_platforms_still_show_waits_until_it_is_dropped(store, make):
    one = Shown("irc:#a:5", "irc:#a", make.at(2), mine=True, link="irc.example/5", quiet=True)
    other = Shown("irc:#a:4", "irc:#a")
    async with store.transaction() as tx:
        await tx.put_shown(one)
        await tx.put_shown(replace(other, mine=True))
        await tx.put_shown(other)
        assert await tx.still_shown() == [other, one]
        await tx.drop_shown(["irc:#a:5", "irc:#a:6"])
        assert await tx.still_shown() == [other]


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

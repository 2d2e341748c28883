"""Messages and sessions."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta, timezone

from engine.ids import ContainerId, FactId, MessageId, SessionId
from engine.items import Origin, RawSession
from engine.store import Scope


async def _record(store, *messages):
    async with store.transaction() as tx:
        return [await tx.record(m, event=f"event {m.id}", raw=f"raw {m.text}") for m in messages]


async def test_a_message_comes_back_as_it_was(store, make):
    message = make.message(
        "m1", "你好 — hello", to=["bob"], unresolved=True, alone=True, origin=Origin.FORWARD,
        reply_to=MessageId("m0"), used=(FactId("f2"), FactId("f1")),
    )  # fmt: skip
    reply = replace(message, id=MessageId("m2"), origin=Origin.TACT)
    assert await _record(store, replace(message, used=()), reply) == [True, True]
    async with store.transaction() as tx:
        assert await tx.message(MessageId("m1"), make.scope("bob")) == replace(message, used=())
        assert await tx.message(MessageId("m2"), make.zone) == reply
        assert await tx.message(MessageId("m3"), make.zone) is None


async def test_an_event_id_counts_once(store, make):
    first = make.message("m1", "one")
    async with store.transaction() as tx:
        assert await tx.record(first, event="e")
        assert not await tx.record(make.message("m2", "two"), event="e")
    async with store.transaction() as tx:
        assert not await tx.record(make.message("m3", "three"), event="e")
        assert not await tx.record(make.message("m1", "changed"), event="another")
        assert await tx.recent(make.room, make.zone, 9) == [first]


async def test_a_message_is_shown_only_where_all_viewers_heard_it(store, make):
    await _record(
        store,
        make.message("m1", "owner", minutes=1),
        make.message("m2", "bob", to=["bob"], minutes=2),
        make.message("m3", "both", to=["bob", "ana"], minutes=3),
        make.message("m4", "world", to=["*"], minutes=4),
    )
    cases = {
        (): ["m1", "m2", "m3", "m4"],
        ("bob",): ["m2", "m3", "m4"],
        ("ana",): ["m3", "m4"],
        ("bob", "ana"): ["m3", "m4"],
        ("eve",): ["m4"],
        ("*",): ["m4"],
    }
    async with store.transaction() as tx:
        for viewers, expected in cases.items():
            scope = make.scope(*viewers)
            assert [m.id for m in await tx.recent(make.room, scope, 9)] == expected
            assert [m.id for m in await tx.session_messages(make.session, scope)] == expected
            seen = [await tx.message(MessageId(f"m{i}"), scope) for i in range(1, 5)]
            assert [m.id for m in seen if m is not None] == expected


async def test_an_empty_scope_shows_nothing_at_all(store, make):
    await _record(store, make.message("m1", to=["*"]))
    nothing = Scope(make.audience(), nothing=True)
    async with store.transaction() as tx:
        assert await tx.message(MessageId("m1"), nothing) is None
        assert await tx.recent(make.room, nothing, 9) == []
        assert await tx.session_messages(make.session, nothing) == []


async def test_the_newest_in_order_of_time_and_arrival_of_one_room(store, make):
    await _record(
        store,
        make.message("m3", minutes=3),
        make.message("m1", minutes=1),
        make.message("z", minutes=2),
        make.message("a", minutes=2),
        make.message("m9", minutes=9, container=ContainerId("elsewhere")),
    )
    async with store.transaction() as tx:
        assert [m.id for m in await tx.recent(make.room, make.zone, 3)] == ["z", "a", "m3"]
        assert await tx.recent(make.room, make.zone, 0) == []


async def test_a_forbidden_message_takes_no_place_among_the_newest(store, make):
    told = make.message("m0", "for bob", to=["bob"], minutes=0)
    await _record(store, told, *(make.message(f"n{i}", minutes=i + 1) for i in range(20)))
    async with store.transaction() as tx:
        assert await tx.recent(make.room, make.scope("bob"), 1) == [told]


async def test_times_keep_their_moment_whatever_zone_they_came_in(store, make):
    late = make.message("m1", minutes=0)
    moment = (late.sent_at + timedelta(microseconds=7)).astimezone(timezone(timedelta(hours=8)))
    await _record(store, replace(late, sent_at=moment))
    async with store.transaction() as tx:
        found = await tx.message(MessageId("m1"), make.zone)
        assert found is not None
        assert found.sent_at == moment


def _session(make, name: str, **more) -> RawSession:
    plain = RawSession(SessionId(name), make.room, make.audience("bob"), make.at(0), make.at(0), 1)
    return replace(plain, **more)


async def test_the_open_session_is_the_newest_that_is_not_closed(store, make):
    async with store.transaction() as tx:
        assert await tx.open_session(make.room) is None
        await tx.put_session(_session(make, "s1"))
        await tx.put_session(_session(make, "s2", last_at=make.at(5)))
        await tx.put_session(_session(make, "s3", last_at=make.at(9), closed=True))
    async with store.transaction() as tx:
        assert await tx.open_session(make.room) == _session(make, "s2", last_at=make.at(5))
        assert await tx.open_session(ContainerId("elsewhere")) is None
        await tx.put_session(_session(make, "s2", closed=True))
        assert await tx.open_session(make.room) == _session(make, "s1")


async def test_sessions_to_do_are_the_unannotated_and_those_that_are_over(store, make):
    async with store.transaction() as tx:
        await tx.put_session(_session(make, "new", opened_at=make.at(1)))
        await tx.put_session(_session(make, "over", annotated=True))
        await tx.put_session(_session(make, "going on", annotated=True, last_at=make.at(60)))
        await tx.put_session(_session(make, "done", annotated=True, closed=True))
    async with store.transaction() as tx:
        assert [s.id for s in await tx.sessions_to_do(make.at(61))] == ["over", "new"]


async def test_a_session_to_do_comes_as_it_stands_and_one_that_does_not_wait_does_not(store, make):
    now = make.at(61)
    over, new = _session(make, "over", annotated=True), _session(make, "new", opened_at=make.at(1))
    async with store.transaction() as tx:
        await tx.put_session(over)
        await tx.put_session(new)
        await tx.put_session(_session(make, "going on", annotated=True, last_at=make.at(60)))
        await tx.put_session(_session(make, "done", annotated=True, closed=True))
    async with store.transaction() as tx:
        assert await tx.session_to_do(over.id, now) == over
        for name in ("going on", "done", "never was"):
            assert await tx.session_to_do(SessionId(name), now) is None
        await tx.put_session(replace(new, messages=new.messages + 1))
        assert await tx.session_to_do(new.id, now) == replace(new, messages=new.messages + 1)
        await tx.put_session(replace(over, closed=True))
        assert await tx.session_to_do(over.id, now) is None


async def test_all_messages_come_in_order_of_arrival_as_far_as_they_are_in_scope(store, make):
    async with store.transaction() as tx:
        for number in range(600):
            to = ("bob",) if number % 100 == 0 else ()
            await tx.record(make.message(f"m{number:03}", to=to, minutes=-number), event=f"e{number}")
        await tx.record(make.message("c", origin=Origin.COMMAND, to=("bob",)), event="c")
        every = [m.id async for page in tx.every_message(make.zone) for m in page]
        assert every == [*(f"m{n:03}" for n in range(600)), "c"]
        heard = [m.id async for page in tx.every_message(make.scope("bob")) for m in page]
        assert heard == [*(f"m{n:03}" for n in range(0, 600, 100)), "c"]
        commands = [m.id async for page in tx.every_message(make.zone, Origin.COMMAND) for m in page]
        assert commands == ["c"]

"""All or nothing, one at a time, and seen by everybody who opens the same memory."""

from __future__ import annotations

import asyncio

import pytest

from engine.errors import StoreFault
from engine.ids import AccountId, EventId, FactId, SessionId
from engine.records import Chat
from storage import SqlStore, Vault


class _StopError(Exception):
    pass


async def test_an_error_undoes_everything(store, make, put):
    await put(store, make.fact("a", "kept", event="e"))
    with pytest.raises(_StopError):  # noqa: PT012 - it has to fail at the end
        async with store.transaction() as tx:
            await tx.save_policy(make.policy("bob"), make.start)
            await tx.record(make.message("m1", to=["zoe"]), event="e1")
            await tx.put_facts(make.session, [make.new(make.fact("b", to=["yan"]))], [], [])
            await tx.list_person(make.black("bob"), event=EventId("e"))
            await tx.call(make.person("bob"), "Bob")
            await tx.chat(Chat(make.room, "group"))
            assert [h.fact.id for h in await tx.search(make.find(), make.zone, 9)] == ["b"]
            assert (await tx.people()).names
            assert (await tx.policy()).version == 1
            raise _StopError
    async with store.transaction() as tx:
        assert (await tx.policy()).version == 0
        assert await tx.policy_at(1) is None
        assert (await tx.people()).names == {}
        assert await tx.chats() == []
        (hit,) = await tx.search(make.find(), make.zone, 9)
        assert (hit.fact.id, hit.fact.lists) == ("a", ())
        assert await tx.record(make.message("m1", to=["zoe"]), event="e1")
        assert (await tx.message("m1", make.scope("zoe"))) is not None


async def test_transactions_of_many_tasks_queue(store, make):
    async def one(number: int) -> None:
        async with store.transaction() as tx:
            before = len(await tx.chats())
            await asyncio.sleep(0)
            await tx.chat(Chat(f"room {number}", "group"))
            assert len(await tx.chats()) == before + 1

    await asyncio.gather(*(one(n) for n in range(20)))
    async with store.transaction() as tx:
        assert len(await tx.chats()) == 20


async def test_a_cancelled_transaction_leaves_nothing_and_blocks_nobody(store, make):
    inside = asyncio.Event()

    async def work() -> None:
        async with store.transaction() as tx:
            await tx.chat(Chat(make.room, "group"))
            inside.set()
            await asyncio.sleep(60)

    task = asyncio.create_task(work())
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with store.transaction() as tx:
        assert await tx.chats() == []
        await tx.chat(Chat(make.room, "direct"))


async def test_a_transaction_inside_a_transaction_is_an_error_and_no_deadlock(store):
    async with store.transaction():
        with pytest.raises(RuntimeError, match="inside"):
            async with store.transaction():
                pass


# Databases alone: the twin lasts as long as its process and has no second view.


@pytest.fixture
async def two(opened):
    first, second = await opened(), await opened()
    yield first, second
    await first.close()
    await second.close()


async def test_two_stores_on_one_file_see_each_others_changes(two, make, put):
    one, other = two
    async with other.transaction() as tx:  # warm: caches are filled before anything changes
        assert await tx.search(make.find("fact"), make.scope("bob"), 9) == []
        await tx.people()
        await tx.chats()
    await put(one, make.fact("a", to=["bob"], event="e"), edges=[make.edge("a", "Ana", "Bob")])
    async with one.transaction() as tx:
        await tx.call(make.person("bob"), "Bob")
        await tx.chat(Chat(make.room, "group"))
        await tx.save_policy(make.policy("bob"), make.start)
    async with other.transaction() as tx:
        assert [h.fact.id for h in await tx.search(make.find("fact"), make.scope("bob"), 9)] == ["a"]
        assert await tx.edges(make.zone, naming=["ana"]) == [make.edge("a", "Ana", "Bob")]
        assert (await tx.people()).called(make.person("bob")) == "Bob"
        assert len(await tx.chats()) == 1
        assert (await tx.policy()).version == 1
        await tx.list_person(make.white("ana"), event=EventId("e"))
    async with one.transaction() as tx:
        assert len(await tx.search(make.find("fact"), make.scope("ana"), 9)) == 1
    async with other.transaction() as tx:
        await tx.list_person(make.black("ana", minutes=1), event=EventId("e"))
    async with one.transaction() as tx:
        assert await tx.search(make.find("fact"), make.scope("ana"), 9) == []
        await tx.forget(facts=[FactId("a")], at=make.start)
    async with other.transaction() as tx:
        assert await tx.search(make.find("fact"), make.zone, 9) == []
        assert await tx.edges(make.zone, naming=["ana"]) == []


async def test_a_narrowing_elsewhere_counts_in_the_very_next_transaction(two, make, put):
    one, other = two
    await put(one, make.fact("a"))
    async with one.transaction() as tx:
        await tx.list_person(make.white("bob", minutes=1), fact=FactId("a"))
    async with other.transaction() as tx:
        assert len(await tx.search(make.find("fact"), make.scope("bob"), 9)) == 1
    async with one.transaction() as tx:
        await tx.list_person(make.black("bob", minutes=2), fact=FactId("a"))
    async with other.transaction() as tx:
        assert await tx.search(make.find("fact"), make.scope("bob"), 9) == []


async def test_two_stores_write_in_turn(two, make):
    async def write(store, name: str) -> None:
        for number in range(10):
            async with store.transaction() as tx:
                new = make.new(make.fact(f"{name}{number}", session=SessionId(f"{name}{number}")))
                await tx.put_facts(SessionId(f"{name}{number}"), [new], [], [])
                await tx.search(make.find("fact"), make.zone, 3)

    await asyncio.gather(write(two[0], "a"), write(two[1], "b"))
    for store in two:
        async with store.transaction() as tx:
            assert len(await tx.search(make.find("fact"), make.zone, 99)) == 20


async def test_checkpoint_waits_for_nobody_and_says_so(database, make, put):
    one, other = [await SqlStore.open(database, Vault(bytes(range(32)))) for _ in range(2)]
    await put(one, make.fact("a"))
    async with other.transaction():
        assert not await one.finish_forgetting()
    assert await one.finish_forgetting()
    await one.close()
    await other.close()


async def test_the_configured_owners_are_exactly_those(place):
    me, old = AccountId("console:me"), AccountId("console:old")
    key = bytes(range(32))
    for owners, expected in (([me, old], {me, old}), (None, {me, old}), ([me], {me}), ([], set())):
        store = await SqlStore.open(place, Vault(key), owners)
        async with store.transaction() as tx:
            assert (await tx.people()).owners == expected
        await store.close()


async def test_the_drivers_errors_come_as_one_line_without_values(database, monkeypatch, make):
    store = await SqlStore.open(database, Vault(bytes(range(32))))
    with pytest.raises(StoreFault) as caught:
        async with store.transaction() as tx:
            await tx._connection.exec_driver_sql("INSERT INTO accounts (id, owner) VALUES ('x', 1), ('x', 1)")
    assert "UNIQUE" in str(caught.value)
    assert "\n" not in str(caught.value)
    await store.close()

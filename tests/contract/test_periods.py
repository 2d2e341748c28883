"""What is older than a moment: listed oldest first, and found without opening what is not due."""

from __future__ import annotations

from dataclasses import replace

from engine.ids import CategoryName, ContainerId, FactId, MessageId
from storage import SqlStore, Vault
from tests.contract.conftest import KEY

F, M = FactId, MessageId
WORK, HEALTH = CategoryName("work"), CategoryName("health")
MANY = 1200


class Counting(Vault):
    """A vault that counts what it opens."""

    opened = 0

    def _disclose(self, data: bytes, place: bytes) -> bytes:
        type(self).opened += 1
        return super()._disclose(data, place)


async def test_what_is_older_is_listed_oldest_first(store, make, put):
    await put(
        store,
        make.fact("f2", minutes=2, category=WORK),
        make.fact("f1", minutes=1, category=WORK),
        make.fact("f3", minutes=1, category=HEALTH),
        make.fact("f4", minutes=9, category=WORK),
    )
    async with store.transaction() as tx:
        for name, minutes in (("m2", 2), ("m1", 1), ("m9", 9)):
            await tx.record(make.message(name, minutes=minutes), event=name)
        await tx.record(make.message("x", container=ContainerId("other")), event="x")
        old = await tx.messages_before(make.at(9), make.room, 5)
        assert old == [(M("m1"), make.at(1)), (M("m2"), make.at(2))]
        assert await tx.messages_before(make.at(9), make.room, 1) == old[:1]
        assert await tx.messages_before(make.at(9), make.room, 0) == []
        facts = await tx.facts_before(make.at(9), WORK, 5)
        assert facts == [(F("f1"), make.at(1)), (F("f2"), make.at(2))]
        assert await tx.facts_before(make.at(9), WORK, 1) == facts[:1]
        assert await tx.facts_before(make.at(9), WORK, 0) == []


async def test_a_facts_category_counts_as_it_stands(store, make, put):
    """In the transaction that changes it too; what was forgotten is not listed."""
    one, other = make.fact("f1", minutes=1, category=WORK), make.fact("f2", minutes=1, category=WORK)
    await put(store, one, other)
    async with store.transaction() as tx:
        assert len(await tx.facts_before(make.at(9), WORK, 5)) == 2
        await tx.change_fact(replace(one, category=HEALTH))
        assert await tx.facts_before(make.at(9), WORK, 5) == [(F("f2"), make.at(1))]
        assert await tx.facts_before(make.at(9), HEALTH, 5) == [(F("f1"), make.at(1))]
        await tx.forget(facts=[F("f2")], at=make.at(9))
        assert await tx.facts_before(make.at(9), WORK, 5) == []
    async with store.transaction() as tx:
        assert await tx.facts_before(make.at(9), HEALTH, 5) == [(F("f1"), make.at(1))]


async def test_one_old_fact_behind_many_others_is_found_with_all_its_equals(store, make, put):
    others = [make.fact(f"a{n:04}", minutes=1, category=HEALTH) for n in range(MANY)]
    mine = [make.fact(f"f{n:04}", minutes=1, category=WORK) for n in range(MANY)]
    await put(store, *(others + mine)[::-1])
    async with store.transaction() as tx:
        found = await tx.facts_before(make.at(9), WORK, 2 * MANY)
        assert [i for i, _ in found] == [f.id for f in mine]
        assert await tx.facts_before(make.at(9), WORK, 700) == found[:700]


async def test_what_another_process_filed_is_listed(opened, make, put):
    store, other = await opened(), await opened()
    fact = make.fact("f1", minutes=1, category=HEALTH)
    await put(store, fact)
    async with store.transaction() as tx:
        assert await tx.facts_before(make.at(9), WORK, 5) == []
    async with other.transaction() as tx:
        await tx.change_fact(replace(fact, category=WORK))
    async with store.transaction() as tx:
        assert await tx.facts_before(make.at(9), WORK, 5) == [(F("f1"), make.at(1))]
    await store.close()
    await other.close()


async def test_where_nothing_is_due_nothing_is_opened(place, make, put):
    """However many older facts there are of other categories, once the index is there."""
    store = await SqlStore.open(place, Counting(KEY))
    await put(store, *(make.fact(f"f{n:04}", minutes=1, category=HEALTH) for n in range(MANY)))
    async with store.transaction() as tx:
        assert await tx.facts_before(make.at(9), WORK, 500) == []
    before = Counting.opened
    async with store.transaction() as tx:
        assert await tx.facts_before(make.at(9), WORK, 500) == []
        assert await tx.facts_before(make.at(1), HEALTH, 500) == []
    assert Counting.opened == before
    async with store.transaction() as tx:
        assert len(await tx.facts_before(make.at(9), HEALTH, 500)) == 500
    assert Counting.opened == before + 500
    await store.close()

"""Another model takes over: facts without its vectors are found, get them, and are compared again."""

from __future__ import annotations

import struct
from dataclasses import replace

import pytest

from engine.ids import FactId
from engine.store import Search

VECTORS_ELSEWHERE = True


def _vector(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


async def _ids(tx, model, scope, after=None, limit=9) -> list[str]:
    return [f.id for f in await tx.facts_without_vector(model, scope, after, limit)]


async def _filled(store, make, put) -> None:
    await put(
        store,
        replace(make.new(make.fact("a", "red", to=["bob"]), _vector(1, 0)), model="old"),
        replace(make.new(make.fact("b", "blue", minutes=1), _vector(0, 1)), model="new"),
        make.new(make.fact("c", "green", to=["bob"], minutes=2)),
        replace(make.new(make.fact("d", "grey", minutes=3), _vector(0, 1)), model="old"),
    )


async def test_facts_without_a_vector_of_a_model_come_in_order_and_in_scope(store, make, put):
    await _filled(store, make, put)
    async with store.transaction() as tx:
        assert [await tx.without_vector(model) for model in ("new", "old", "a third")] == [3, 2, 4]
        assert await _ids(tx, "new", make.zone) == ["a", "c", "d"]
        assert await _ids(tx, "new", make.zone, limit=2) == ["a", "c"]
        assert await _ids(tx, "new", make.zone, after=FactId("a")) == ["c", "d"]
        assert await _ids(tx, "new", make.scope("bob")) == ["a", "c"]
        assert await _ids(tx, "new", make.scope("bob"), limit=1, after=FactId("a")) == ["c"]
        assert await _ids(tx, "new", replace(make.zone, nothing=True)) == []


async def test_what_gets_a_vector_is_compared_again(store, make, put):
    await _filled(store, make, put)
    query = Search((), _vector(1, 0), 0.5, model="new")
    async with store.transaction() as tx:
        before = {h.fact.id: h.rank.similarity for h in await tx.search(query, make.zone, 9)}
        assert before == {"a": None, "b": 0.0, "c": None, "d": None}
        facts = await tx.facts_without_vector("new", make.zone, None, 9)
        assert await tx.put_vectors("new", [(fact, _vector(0.6, 0.8)) for fact in facts]) == 3
        assert await tx.without_vector("new") == 0
    async with store.transaction() as tx:
        hits = {h.fact.id: h.rank.similarity for h in await tx.search(query, make.zone, 9)}
        assert hits == {i: pytest.approx(0.6, abs=1e-3) for i in "acd"} | {"b": 0.0}
        old = await tx.search(replace(query, model="old"), make.zone, 9)
        assert {h.rank.similarity for h in old} == {None}


async def test_what_changed_or_was_forgotten_meanwhile_stays_as_it_is(store, make, put):
    await _filled(store, make, put)
    async with store.transaction() as tx:
        facts = await tx.facts_without_vector("new", make.zone, None, 9)
        await tx.forget(facts=[FactId("c")], at=make.start)
        other = [replace(f, text="other words") if f.id == "a" else f for f in facts]
        assert await tx.put_vectors("new", [(fact, _vector(1, 0)) for fact in other]) == 1
        assert await _ids(tx, "new", make.zone) == ["a"]

"""Ranked reads: complete in their scope, and blind to all else."""

from __future__ import annotations

import math
import struct
from dataclasses import replace

import pytest

from engine.ids import FactId, SessionId
from engine.store import Scope, Search

VECTORS_ELSEWHERE = True


def _vector(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


async def test_two_hundred_forbidden_facts_that_fit_better_hide_nothing(store, make, put):
    allowed = make.fact("allowed", "tuesday", to=["bob"])
    better = [make.fact(f"x{i}", "dentist dentist dentist", minutes=i + 1) for i in range(200)]
    best = [make.new(f, _vector(1, 0)) for f in better]
    await put(store, *best, make.new(allowed, _vector(0, 1)))
    query = Search(("dentist",), _vector(1, 0), 0.5)
    async with store.transaction() as tx:
        for limit in (1, 24):
            assert [h.fact.id for h in await tx.search(query, make.scope("bob"), limit)] == ["allowed"]
        assert len(await tx.search(query, make.zone, 500)) == 201


async def test_what_is_out_of_scope_changes_no_score(store, make, put):
    mine = [
        make.new(make.fact("a", "red car", to=["bob"]), _vector(1, 0)),
        make.new(make.fact("b", "red house red", to=["bob"], minutes=1), _vector(0.6, 0.8)),
        make.new(make.fact("c", "blue", to=["bob"], minutes=2)),
    ]
    query = Search(("red", "car", "red"), _vector(0.8, 0.6), 0.5)
    await put(store, *mine)
    async with store.transaction() as tx:
        before = await tx.search(query, make.scope("bob"), 9)
    noise = [
        make.new(make.fact(f"n{i}", "red car car", session=SessionId("s2")), _vector(0.8, 0.6))
        for i in range(60)
    ]
    await put(store, *noise)
    async with store.transaction() as tx:
        assert await tx.search(query, make.scope("bob"), 9) == before
    similar = {h.fact.id: h.rank.similarity for h in before}
    assert similar == {"a": pytest.approx(0.8, abs=1e-3), "b": pytest.approx(0.96, abs=1e-3), "c": None}


async def test_words_rank_by_rarity_and_frequency(store, make, put):
    await put(
        store,
        make.fact("common", "the meeting", minutes=1),
        make.fact("common2", "the lunch", minutes=2),
        make.fact("rare", "dentist the", minutes=3),
        make.fact("twice", "dentist dentist", minutes=0),
        make.fact("none", "nothing", minutes=9),
    )
    async with store.transaction() as tx:
        hits = await tx.search(make.find("dentist the"), make.zone, 9)
    assert [h.fact.id for h in hits] == ["rare", "twice", "common2", "common", "none"]
    assert (hits[0].rank.score, hits[-1].rank.score) == (1.0, 0.0)
    assert all(h.rank.similarity is None for h in hits)


async def test_the_numbers_are_those_of_the_definition(store, make, put):
    """BM25 with k1 1.5, b .75 and average length 12, over the three facts in scope; then min-max."""
    texts = {"a": "dentist the the", "b": "the lunch with ana", "c": "dentist"}
    await put(
        store, *(make.fact(i, text, to=["bob"]) for i, text in texts.items()), make.fact("x", "dentist the")
    )

    def part(having: int, often: int, length: int) -> float:
        rarity = math.log(1 + (3 - having + 0.5) / (having + 0.5))
        return rarity * often * 2.5 / (often + 1.5 * (0.25 + 0.75 * length / 12))

    raw = {"a": part(2, 1, 3) + part(2, 2, 3), "b": part(2, 1, 4) + part(1, 1, 4), "c": part(2, 1, 1)}
    low, high = min(raw.values()), max(raw.values())
    async with store.transaction() as tx:
        hits = await tx.search(make.find("dentist the lunch"), make.scope("bob"), 9)
    expected = {i: pytest.approx((value - low) / (high - low)) for i, value in raw.items()}
    assert {h.fact.id: h.rank.score for h in hits} == expected


async def test_share_weighs_nearness_against_words(store, make, put):
    near = make.new(make.fact("near", "x"), _vector(1, 0))
    word = make.new(make.fact("word", "dentist"), _vector(0, 1))
    await put(store, near, word)
    async with store.transaction() as tx:
        for share, first in ((0.9, "near"), (0.1, "word"), (1.0, "near"), (0.0, "word")):
            hits = await tx.search(Search(("dentist",), _vector(1, 0), share), make.zone, 9)
            assert hits[0].fact.id == first
            assert hits[0].rank.score == pytest.approx(max(share, 1 - share))


async def test_a_query_without_words_ranks_by_vector_and_one_without_vector_by_words(store, make, put):
    await put(
        store, make.new(make.fact("a", "x"), _vector(1, 0)), make.new(make.fact("b", "y"), _vector(0, 1))
    )
    async with store.transaction() as tx:
        near = await tx.search(Search((), _vector(0, 1), 0.5), make.zone, 9)
        assert [(h.fact.id, h.rank.score) for h in near] == [("b", 0.5), ("a", 0.0)]
        words = await tx.search(Search(("x",), b"", 0.5), make.zone, 9)
        assert [(h.fact.id, h.rank.score) for h in words] == [("a", 1.0), ("b", 0.0)]


async def test_vectors_of_another_length_are_never_compared(store, make, put):
    await put(
        store, make.new(make.fact("a", "x"), _vector(1, 0)), make.new(make.fact("b", "y"), _vector(1, 0, 0))
    )
    async with store.transaction() as tx:
        hits = await tx.search(Search((), _vector(1, 0, 0), 0.5), make.zone, 9)
        assert {h.fact.id: h.rank.similarity for h in hits} == {"b": pytest.approx(1.0), "a": None}
        assert all(
            h.rank.similarity is None for h in await tx.search(Search((), _vector(1), 0.5), make.zone, 9)
        )


async def test_vectors_of_another_model_are_never_compared(store, make, put):
    """Ranked as if they had none: two models' numbers mean different things, also where there are as many."""
    await put(
        store,
        replace(make.new(make.fact("mine", "x"), _vector(0.6, 0.8)), model="one"),
        replace(make.new(make.fact("other", "y", minutes=1), _vector(1, 0)), model="another"),
        make.new(make.fact("nobodys", "z", minutes=2), _vector(1, 0)),
    )
    async with store.transaction() as tx:
        hits = await tx.search(Search((), _vector(1, 0), 0.5, model="one"), make.zone, 9)
        assert [(h.fact.id, h.rank.similarity) for h in hits] == [
            ("mine", pytest.approx(0.6, abs=1e-3)), ("nobodys", None), ("other", None),
        ]  # fmt: skip
        hits = await tx.search(Search((), _vector(1, 0), 0.5, model="a third"), make.zone, 9)
        assert {h.rank.similarity for h in hits} == {None}


async def test_ties_go_to_the_newest_and_then_by_id(store, make, put):
    await put(
        store,
        *(make.fact(i, "same", minutes=m) for i, m in (("c", 1), ("a", 1), ("b", 1), ("z", 2), ("y", 0))),
    )
    async with store.transaction() as tx:
        for query in (make.find("same"), make.find("absent"), make.find()):
            assert "".join(h.fact.id for h in await tx.search(query, make.zone, 9)) == "zabcy"
            assert "".join(h.fact.id for h in await tx.search(query, make.zone, 2, 1)) == "ab"
            assert "".join(h.fact.id for h in await tx.search(query, make.zone, 9, 4)) == "y"
            assert await tx.search(query, make.zone, 9, 5) == []
            assert await tx.search(query, make.zone, 0) == []


async def test_wide_is_by_recency_alone(store, make, put):
    await put(store, make.fact("old", "word word"), make.fact("new", "other", minutes=1))
    async with store.transaction() as tx:
        hits = await tx.search(Search(("word",), b"", 0.5, wide=True), make.zone, 9)
        assert [(h.fact.id, h.rank.score) for h in hits] == [("new", 0.0), ("old", 0.0)]


async def test_an_empty_scope_or_memory_finds_nothing(store, make, put):
    async with store.transaction() as tx:
        assert await tx.search(make.find("x"), make.zone, 9) == []
    await put(store, make.fact("a", to=["*"]))
    async with store.transaction() as tx:
        assert await tx.search(make.find("fact"), Scope(make.audience("*"), nothing=True), 9) == []


async def test_what_this_transaction_wrote_is_found_in_it(store, make):
    async with store.transaction() as tx:
        for name in ("a", "b"):
            new = make.new(make.fact(name, session=SessionId(name)))
            await tx.put_facts(SessionId(name), [new], [], [])
            assert name in {h.fact.id for h in await tx.search(make.find("fact"), make.zone, 9)}
        await tx.forget(facts=[FactId("a")], at=make.start)
        assert [h.fact.id for h in await tx.search(make.find("fact"), make.zone, 9)] == ["b"]


async def test_a_corrected_fact_stays_readable(store, make, put):
    await put(store, make.fact("a", superseded_by=FactId("b")), make.fact("b", minutes=1))
    async with store.transaction() as tx:
        assert [h.fact.id for h in await tx.search(make.find("fact"), make.zone, 9)] == ["b", "a"]

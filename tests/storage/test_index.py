"""The index: exact whatever surrounds a row, in step when rows come and go, and no loop over facts."""

from __future__ import annotations

import random
import sys
from datetime import UTC, datetime, timedelta

import numpy as np

from engine.audience import EVERYONE, OWNER_ONLY, Audience
from engine.ids import OWNER, ContainerId, EventId, FactId, MessageId, PersonId, SessionId
from engine.items import EventState, RawFact
from engine.policy import Policy
from engine.store import Scope, Search
from storage.index import FactIndex
from storage.vectors.port import Vector

START = datetime(2026, 5, 1, tzinfo=UTC)
BOB = Audience.of([PersonId("bob")])
RANDOM = np.random.default_rng(7)


def _fact(number: int, audience: Audience) -> RawFact:
    return RawFact(
        FactId(f"f{number}"), EventState(EventId(f"e{number}")), SessionId("s"), ContainerId("r"), (MessageId("m"),),
        "words", OWNER, START + timedelta(minutes=number), audience,
    )  # fmt: skip


def _vectors(count: int) -> list[bytes]:
    values = RANDOM.standard_normal((count, 256)).astype("<f4")
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    return [row.tobytes() for row in values]


def _index(facts: list[tuple[RawFact, tuple[str, ...], bytes]]) -> FactIndex:
    index = FactIndex()
    for fact, terms, vector in facts:
        index.put(fact, terms, Vector(vector), ())
    index.settle(Policy())
    return index


async def test_scores_are_the_same_to_the_last_bit_whatever_else_is_there():
    """Gathered or scanned, at any row, beside anything: law P5 for numbers."""
    vectors = _vectors(40)
    mine = [(_fact(n, BOB), ("red",) * (n % 3), vectors[n]) for n in range(40)]
    query = Search(("red", "blue"), _vectors(1)[0], 0.5)
    alone = await _index(mine).search(query, Scope(BOB), 40)
    for others in (7, 61, 993):
        noise = [(_fact(100 + n, OWNER_ONLY), ("red", "blue"), v) for n, v in enumerate(_vectors(others))]
        mixed = mine + noise
        random.Random(others).shuffle(mixed)
        assert await _index(mixed).search(query, Scope(BOB), 40) == alone


async def test_cosines_are_true_to_three_digits():
    vectors = _vectors(50)
    index = _index([(_fact(n, BOB), (), v) for n, v in enumerate(vectors)])
    query = _vectors(1)[0]
    found = {i: rank.similarity for i, rank in (await index.search(Search((), query, 1.0), Scope(BOB), 50))}
    for n, vector in enumerate(vectors):
        true = float(np.frombuffer(vector, "<f4") @ np.frombuffer(query, "<f4"))
        assert abs(found[FactId(f"f{n}")] - true) < 5e-4


async def test_a_vector_that_is_not_of_length_one_is_brought_to_it():
    long = (np.frombuffer(_vectors(1)[0], "<f4") * 1000).astype("<f4").tobytes()
    index = _index([(_fact(0, BOB), (), long)])
    ((_, rank),) = await index.search(Search((), long, 1.0), Scope(BOB), 1)
    assert abs((rank.similarity or 0) - 1) < 1e-3


async def test_rows_of_dropped_facts_are_used_again_and_hold_nothing_of_them():
    vectors = _vectors(3)
    index = _index([(_fact(n, BOB), ("red",), vectors[n]) for n in range(2)])
    index.drop(FactId("f0"))
    index.drop(FactId("f0"))
    index.put(_fact(2, BOB), ("blue",), Vector(b""), ["Ana"])
    assert (await index.search(Search(("red",)), Scope(BOB), 9))[0][0] == "f1"  # not before it is settled
    index.settle(Policy())
    assert len(index) == 2
    found = dict(await index.search(Search(("red",), vectors[0], 0.5), Scope(BOB), 9))
    assert set(found) == {"f1", "f2"}
    assert found[FactId("f2")].similarity is None
    assert index.naming(["ANA"]) == {"f2"}
    index.drop(FactId("f2"))
    assert index.naming(["ana"]) == set()


async def test_it_grows():
    index = _index([(_fact(n, EVERYONE), ("red",), b"") for n in range(3000)])
    assert len(await index.search(Search(("red",)), Scope(EVERYONE), 5000)) == 3000


async def test_a_search_is_no_loop_over_facts():
    """Calls are counted, not time: a search of ten thousand makes about as many as a search of a hundred."""

    async def calls(count):
        vectors = _vectors(count)
        index = _index([(_fact(n, BOB), ("red", f"w{n % 50}"), v) for n, v in enumerate(vectors)])
        query = Search(("red", "w7"), vectors[3], 0.5)
        await index.search(query, Scope(BOB), 24)
        made = []
        sys.setprofile(lambda frame, event, what: made.append(event) if event.endswith("call") else None)
        try:
            await index.search(query, Scope(BOB), 24)
        finally:
            sys.setprofile(None)
        return len(made)

    few, many = await calls(100), await calls(10_000)
    assert many < few + 200

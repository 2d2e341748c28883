"""Whatever is done to them, both back ends hold the same and answer the same, to the last bit of a score."""

from __future__ import annotations

import asyncio
import os
import shutil
import struct
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.audience import EVERYONE, OWNER_ONLY, Audience
from engine.ids import (
    OWNER,
    AccountId,
    CategoryName,
    ContainerId,
    EventId,
    FactId,
    MessageId,
    PersonId,
    SessionId,
)
from engine.items import (
    Basis,
    Colour,
    Confidence,
    EventState,
    ListEntry,
    Origin,
    RawEdge,
    RawFact,
    RawMessage,
    Suggestion,
)
from engine.labels import Label
from engine.policy import Category, Holding, Policy, ReleaseSetting
from engine.store import NewFact, Scope, Search, Store, Transaction
from storage import MemoryStore, SqlStore, Vault

EXAMPLES = int(os.environ.get("TACT_EXAMPLES", "25"))
START = datetime(2026, 5, 1, tzinfo=UTC)
ROOM = ContainerId("room")
PERSONS = [PersonId(p) for p in ("a", "b", "c")]
FACTS = [FactId(f"f{i}") for i in range(8)]
EVENTS = [EventId(f"e{i}") for i in range(3)]
SESSIONS = [SessionId("s0"), SessionId("s1")]
MESSAGES = [MessageId(f"m{i}") for i in range(5)]
WORDS = ("red", "car", "dentist")
CATEGORIES = [CategoryName("work"), CategoryName("open"), CategoryName("own")]
VECTORS = [b"", *(struct.pack("<2f", *v) for v in ((1, 0), (0, 1), (0.6, 0.8), (-0.28, 0.96)))]

minutes = st.integers(0, 4).map(lambda n: START + timedelta(minutes=n))
audiences = st.one_of(
    st.sampled_from([OWNER_ONLY, EVERYONE]), st.sets(st.sampled_from(PERSONS), min_size=1).map(Audience.of)
)
scopes = st.one_of(audiences, st.sampled_from(PERSONS).map(lambda p: Audience.of([p]))).map(Scope)
owner_acts = st.builds(
    ListEntry,
    st.sampled_from(Colour),
    st.sampled_from(PERSONS),
    st.just(Basis.GRANT),
    st.just(OWNER),
    minutes,
)
entries = owner_acts | st.builds(
    ListEntry,
    st.sampled_from(Colour),
    st.sampled_from([*PERSONS, None]),
    st.sampled_from(Basis),
    st.sampled_from([OWNER, *PERSONS]),
    minutes,
)
suggestions = st.builds(
    Suggestion, st.sampled_from(CATEGORIES), st.sampled_from([0.05, 0.5]), st.sampled_from(Confidence)
)
flags = st.sampled_from([False, False, False, True])


def facts(session: SessionId) -> st.SearchStrategy[RawFact]:
    return st.builds(
        RawFact,
        id=st.sampled_from(FACTS),
        event=st.sampled_from(EVENTS).map(EventState),
        session=st.just(session),
        container=st.just(ROOM),
        sources=st.lists(st.sampled_from(MESSAGES), min_size=1, max_size=2, unique=True).map(tuple),
        text=st.just("some words that were said"),
        teller=st.sampled_from([OWNER, OWNER, *PERSONS]),
        said_at=minutes,
        audience=audiences,
        category=st.sampled_from([None, *CATEGORIES]),
        suggestions=st.lists(suggestions, max_size=2).map(tuple),
        first_hand=st.booleans(),
        owner_typed=st.booleans(),
        unresolved=flags,
        confidential=flags,
        cover=flags,
        secret=flags,
        sensitive=flags,
        confirmed=st.none() | minutes,
        kept_private=flags,
        settled=st.booleans(),
        superseded_by=st.none() | st.sampled_from(FACTS),
        mentions=st.lists(st.sampled_from(PERSONS), max_size=2).map(tuple),
        lists=st.lists(entries, max_size=2).map(tuple),
    )


def new_facts(session: SessionId) -> st.SearchStrategy[NewFact]:
    terms = st.lists(st.sampled_from(WORDS), max_size=4).map(tuple)
    return st.builds(NewFact, facts(session), terms, st.sampled_from(VECTORS))


labels = st.sampled_from([Label(1, "work"), Label(1, "life"), Label(3)])
policies = st.builds(
    Policy,
    categories=st.tuples(
        st.builds(
            Category,
            st.just(CATEGORIES[0]),
            labels.map(lambda x: (x,)),
            release=st.sampled_from(ReleaseSetting),
        ),
        st.builds(Category, st.just(CATEGORIES[1]), st.just((Label(4),))),
        st.builds(
            Category, st.just(CATEGORIES[2]), labels.map(lambda x: (x,)), release=st.just(ReleaseSetting.OWN)
        ),
    ),
    contacts=st.dictionaries(
        st.sampled_from(PERSONS),
        st.lists(st.builds(Holding, labels, st.none() | minutes), max_size=2).map(tuple),
    ),
    blacklist_scope=st.sampled_from(["event", "event", "fact"]),
)
messages = st.builds(
    RawMessage,
    st.sampled_from(MESSAGES),
    st.just(ROOM),
    st.sampled_from(SESSIONS),
    st.sampled_from([OWNER, *PERSONS]),
    st.just(AccountId("x")),
    st.sampled_from(["short", "some words that were said", "other words of the same length"]),
    minutes,
    audiences,
    origin=st.sampled_from([Origin.TYPED, Origin.TACT]),
    reply_to=st.none() | st.sampled_from(MESSAGES),
    used=st.lists(st.sampled_from(FACTS), max_size=2, unique=True).map(tuple),
)


def _annotate(session: SessionId):
    edges = st.lists(st.builds(RawEdge, st.sampled_from(FACTS), st.sampled_from(["Ana", "Bob"]), st.just("knows"), st.just("Cy")), max_size=3)  # fmt: skip
    return st.tuples(st.just("annotate"), st.just(session), st.lists(new_facts(session), max_size=6), edges)


steps = st.one_of(
    st.sampled_from(SESSIONS).flatmap(_annotate),
    st.sampled_from(SESSIONS).flatmap(_annotate),
    st.tuples(st.just("change"), facts(SESSIONS[0])),
    st.tuples(st.just("list"), entries, st.sampled_from([*FACTS, *EVENTS])),
    st.tuples(st.just("policy"), policies),
    st.tuples(st.just("record"), messages),
    st.tuples(st.just("forget"), st.lists(st.sampled_from(FACTS), max_size=1), st.lists(st.sampled_from(MESSAGES), max_size=1)),
)  # fmt: skip
queries = st.builds(
    Search,
    st.lists(st.sampled_from([*WORDS, "absent"]), max_size=4).map(tuple),
    st.sampled_from(VECTORS),
    st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    st.booleans(),
)
asked = st.lists(st.tuples(queries, scopes, st.integers(1, 9), st.integers(0, 2)), min_size=4, max_size=4)


async def _do(tx: Transaction, step) -> object:
    kind, *args = step
    if kind == "annotate":
        session, new, edges = args
        return await tx.put_facts(session, new, edges, [])
    if kind == "change":
        return await tx.change_fact(args[0])
    if kind == "list":
        entry, target = args
        return await tx.list_person(entry, **{"fact" if target in FACTS else "event": target})
    if kind == "policy":
        return await tx.save_policy(args[0], START)
    if kind == "record":
        return await tx.record(args[0], event=f"{args[0].id} {args[0].text}")
    return await tx.forget(facts=args[0], messages=args[1], at=START)


async def _see(tx: Transaction, query: Search, scope: Scope, limit: int, offset: int) -> list[object]:
    """All that can be read of it in this scope."""
    talk = await tx.recent(ROOM, scope, limit)
    return [
        await tx.policy(),
        await tx.counts(),
        await tx.search(query, scope, limit, offset),
        await tx.facts(FACTS, scope),
        [await tx.session_facts(session, scope) for session in SESSIONS],
        await tx.edges(scope, naming=["ana"], facts=FACTS[:2]),
        talk,
        await tx.facts_behind(talk, scope),
    ]


async def _play(stores: list[Store], story, questions, other: SqlStore) -> None:
    for number, step in enumerate(story):
        question, done = questions[number % len(questions)], []
        for store in stores:
            async with store.transaction() as tx:
                done.append(await _do(tx, step))
        assert done[0] == done[1]
        views = []
        for store in (*stores, other):
            async with store.transaction() as tx:
                views.append(await _see(tx, *question))
        assert views[0] == views[1]
        assert views[1] == views[2]


async def _compare(place: Path | str, story, questions) -> None:
    """The twin against a database, and a second store on that database against both."""
    vault = Vault(bytes(range(32)))
    sql, other = await SqlStore.open(place, vault), await SqlStore.open(place, vault)
    try:
        await _play([MemoryStore(), sql], story, questions, other)
    finally:
        await sql.close()
        await other.close()


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(story=st.lists(steps, min_size=2, max_size=7), questions=asked)
def test_the_twins_agree_after_every_step(empty_memory, story, questions):
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_compare(Path(shutil.copy(empty_memory, folder)), story, questions))


@pytest.mark.slow
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(story=st.lists(steps, min_size=2, max_size=7), questions=asked)
def test_postgresql_agrees_with_them(postgres_server, postgres_memory, story, questions):
    postgres_server.empty(postgres_memory)
    asyncio.run(_compare(postgres_memory, story, questions))

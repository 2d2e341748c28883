"""The audit finds nothing in a memory that is whole, and finds each kind of damage that is planted."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from engine.audience import EVERYONE, OWNER_ONLY, Audience
from engine.cards import Card, FactCard
from engine.ids import OWNER, AccountId, ContainerId, EventId, FactId, LinkId, MessageId, PersonId, SessionId
from engine.items import (
    Basis,
    Colour,
    EventState,
    LinkKind,
    ListEntry,
    Origin,
    RawEdge,
    RawFact,
    RawLink,
    RawMessage,
    RawSession,
)
from engine.labels import Label
from engine.mailroom import Arrival, Sending
from engine.policy import Category, Holding, Policy
from engine.records import Chat, Outcome, TurnTrace
from engine.store import NewFact
from storage import MemoryStore, SqlStore, Vault
from storage.audit import Harm, audit

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
BOB, ROOM, SESSION = PersonId("console:bob"), ContainerId("console:room"), SessionId("s1")
TOLD = Audience.of([BOB])
KEY = bytes(range(32))


def _message(n, **more):
    at = NOW + timedelta(seconds=n)
    plain = RawMessage(
        MessageId(f"m{n}"), ROOM, SESSION, OWNER, AccountId("console:o"), f"text {n}", at, TOLD
    )
    return replace(plain, **more)


def _fact(n, audience=TOLD):
    words = f"fact number {n}"
    fact = RawFact(
        FactId(f"f{n}"), EventState(EventId(f"e{n}")), SESSION, ROOM, (MessageId(f"m{n}"), MessageId("m0")), words,
        OWNER, NOW + timedelta(seconds=n), audience, category="work",
    )  # fmt: skip
    vector = np.zeros(4, dtype="<f4")
    vector[n % 4] = 1
    return NewFact(fact, tuple(words.split()), vector.tobytes())


async def _fill(tx):
    """A little of everything."""
    work = Category("work", (Label(1, "work"),))
    for contacts in ({}, {BOB: (Holding(Label(1, "work")),)}):
        await tx.save_policy(Policy(categories=(work,), contacts=contacts), NOW)
    await tx.see(AccountId("console:bob"), "Bob", NOW, ROOM)
    await tx.call(BOB, "Bob")
    await tx.chat(Chat(ROOM, "group", "title"))
    await tx.put_session(RawSession(SESSION, ROOM, TOLD, NOW, NOW, 5, annotated=True))
    for n in range(5):
        await tx.record(_message(n), event=f"e{n}", raw="{}")
    reply = _message(9, origin=Origin.TACT, reply_to=MessageId("m1"), used=(FactId("f1"), FactId("f2")))
    await tx.record(reply, event="reply")
    new = [_fact(1), _fact(2), _fact(3, OWNER_ONLY), _fact(4, EVERYONE)]
    edges = [RawEdge(FactId("f1"), "Bob", "knows", "Ann"), RawEdge(FactId("f1"), "Ann", "knows", "Bob")]
    link = RawLink(LinkId("l1"), LinkKind.BECAUSE, FactId("f1"), FactId("f2"), MessageId("m1"), TOLD)
    await tx.put_facts(SESSION, new, edges, [link])
    await tx.list_person(ListEntry(Colour.WHITE, BOB, Basis.GRANT, OWNER, NOW), fact=FactId("f3"))
    await tx.list_person(ListEntry(Colour.BLACK, BOB, Basis.BLOCK, OWNER, NOW), event=EventId("e2"))
    decided = (("f1", True, "ok", ""), ("f2", True, "ok", ""))
    await tx.put_turn(
        TurnTrace(
            "t1",
            MessageId("m1"),
            ROOM,
            BOB,
            NOW,
            "known",
            TOLD,
            1,
            Outcome.ANSWERED,
            decided,
            used=(FactId("f1"),),
        )
    )
    await tx.put_card(Card("c1", NOW, FactCard(())))
    await tx.put_sending(Sending("t1/reply", ROOM, "words", used=(FactId("f1"), FactId("f2"))))
    await tx.keep_arrival(Arrival("telegram:1", "{}"))
    await tx.keep_arrival(Arrival("telegram:2", "{}"))
    await tx.finish_arrival("telegram:2")
    await tx.put_note("name", "value")


@pytest.fixture
async def whole(path):
    store = await SqlStore.open(path, Vault(KEY))
    async with store.transaction() as tx:
        await _fill(tx)
    await store.finish_forgetting()
    await store.close()
    return path


async def _found(path):
    store = await SqlStore.open(path, Vault(KEY))
    async with store.transaction() as tx:
        found = await audit(tx)
    await store.close()
    return found


def _plant(path, *statements):
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            changed = database.execute(statement).rowcount
            assert changed == 1 or statement.startswith("PRAGMA"), statement


async def test_a_whole_memory_has_no_faults_and_loses_nothing_by_being_asked(whole, tmp_path):
    before = shutil.copy(whole, tmp_path / "before")
    assert await _found(whole) == []
    with closing(sqlite3.connect(whole)) as after, closing(sqlite3.connect(before)) as old:
        assert list(after.iterdump()) == list(old.iterdump())


async def test_it_stays_whole_when_something_is_forgotten(whole):
    store = await SqlStore.open(whole, Vault(KEY))
    async with store.transaction() as tx:
        await tx.forget(facts=[FactId("f1")], at=NOW)
    async with store.transaction() as tx:
        assert await audit(tx) == []
    await store.close()


async def test_a_memory_that_is_no_database_has_no_faults():
    store = MemoryStore()
    async with store.transaction() as tx:
        assert await audit(tx) == []


_TWICE = """
INSERT INTO messages (id, container_id, session_id, sender, account, sent_at, audience_id, unresolved, alone, origin, text, raw)
SELECT 'm4b', container_id, session_id, sender, account, sent_at, audience_id, unresolved, alone, origin, text, raw
FROM messages WHERE id = 'm4'
"""
PLANTED = {
    "an edge of no fact": (Harm.HALF, ["UPDATE edges SET fact_id = 'f8' WHERE position = 1"]),
    "an edge too few": (Harm.HALF, ["DELETE FROM edges WHERE position = 0"]),
    "a source too few": (Harm.HALF, ["DELETE FROM fact_sources WHERE fact_id = 'f2' AND position = 0"]),
    "a fact without sources": (
        Harm.HALF,
        [
            "DELETE FROM fact_sources WHERE fact_id = 'f2' AND position = 0",
            "DELETE FROM fact_sources WHERE fact_id = 'f2' AND position = 1",
        ],
    ),
    "a source that is not there": (
        Harm.HALF,
        ["UPDATE fact_sources SET message_id = 'm77' WHERE fact_id = 'f2' AND position = 1"],
    ),
    "a list entry of no fact": (Harm.HALF, ["UPDATE list_entries SET fact_id = 'f8' WHERE fact_id = 'f3'"]),
    "half a link": (Harm.HALF, ["UPDATE links SET right_id = 'f8'"]),
    "a link that nobody said": (Harm.HALF, ["UPDATE links SET message_id = 'm8'"]),
    "a fact of no session": (Harm.HALF, ["UPDATE facts SET session_id = 's9' WHERE id = 'f4'"]),
    "an event without its message": (Harm.ORPHANED, ["DELETE FROM messages WHERE id = 'm4'"]),
    "a message of no session": (Harm.ORPHANED, ["UPDATE messages SET session_id = 's9' WHERE id = 'm9'"]),
    "a message for nobody": (Harm.ORPHANED, ["UPDATE messages SET audience_id = 99 WHERE id = 'm9'"]),
    "an audience of nobody": (
        Harm.ORPHANED,
        ["INSERT INTO audiences (id, digest, everyone) VALUES (50, 'x', 0)"],
    ),
    "what a reply told, torn": (Harm.ORPHANED, ["DELETE FROM tellings WHERE position = 0"]),
    "a decision of no turn": (
        Harm.ORPHANED,
        ["UPDATE turn_items SET turn_id = 't9' WHERE role = 'used'"],
    ),
    "a decision too few": (
        Harm.ORPHANED,
        ["DELETE FROM turn_items WHERE role = 'decision' AND position = 0"],
    ),
    "a delivery's fact of no delivery": (
        Harm.ORPHANED,
        ["UPDATE outbox_facts SET key = 'x' WHERE position = 0"],
    ),
    "a message written twice": (
        Harm.DOUBLED,
        [_TWICE],
    ),
    "a message under two events": (
        Harm.DOUBLED,
        ["INSERT INTO inbox (event, message_id) VALUES ('other', 'm4')"],
    ),
    "a forgotten fact": (Harm.RETURNED, ["INSERT INTO tombstones (kind, id, at) VALUES ('fact', 'f4', 0)"]),
    "a forgotten message": (
        Harm.RETURNED,
        ["INSERT INTO tombstones (kind, id, at) VALUES ('message', 'm9', 0)"],
    ),
    "a policy version too few": (Harm.DAMAGED, ["DELETE FROM policy_versions WHERE version = 1"]),
    "a policy that does not open": (
        Harm.DAMAGED,
        ["UPDATE policy_versions SET document = x'00' WHERE version = 1"],
    ),
    "words of another row": (
        Harm.DAMAGED,
        ["UPDATE facts SET text = (SELECT text FROM facts WHERE id = 'f1') WHERE id = 'f2'"],
    ),
    "a state there is not": (Harm.DAMAGED, ["UPDATE outbox SET state = 'lost'"]),
    "a finished event that is kept": (Harm.DAMAGED, ["UPDATE arrivals SET done = 1 WHERE key = 'telegram:1'"]),
    "a session that counts too few": (Harm.DAMAGED, ["UPDATE sessions SET messages = 4"]),
}  # fmt: skip


@pytest.mark.parametrize("name", PLANTED)
async def test_planted_damage_is_found(name, whole):
    harm, statements = PLANTED[name]
    _plant(whole, *statements)
    assert harm in {fault.harm for fault in await _found(whole)}


async def test_the_same_words_told_twice_are_found(whole):
    store = await SqlStore.open(whole, Vault(KEY))
    async with store.transaction() as tx:
        again = _fact(3)
        twice = NewFact(replace(again.fact, id=FactId("f33")), again.terms, again.vector)
        await tx.put_facts(SESSION, [again, twice], [], [])
    async with store.transaction() as tx:
        assert {fault.harm for fault in await audit(tx)} == {Harm.DOUBLED}
    await store.close()


async def test_tables_of_another_version_are_found(whole):
    store = await SqlStore.open(whole, Vault(KEY))
    _plant(whole, "UPDATE alembic_version SET version_num = '0001'")
    async with store.transaction() as tx:
        assert [(f.harm, f.where) for f in await audit(tx)] == [(Harm.DAMAGED, "alembic_version")]
    await store.close()


async def test_a_file_that_contradicts_itself_is_found(whole):
    _plant(
        whole,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = 'CREATE INDEX ix_outbox_state ON outbox (key)' WHERE name = 'ix_outbox_state'",
    )
    store = await SqlStore.open(whole, Vault(KEY))
    async with store.transaction() as tx:
        faults = [f async for f in tx._database()]
    assert faults
    assert {f.harm for f in faults} == {Harm.DAMAGED}
    await store.close()


BEHIND = {
    "a fact is gone": "DELETE FROM facts WHERE id = 'f4'",
    "who heard a fact": "UPDATE facts SET audience_id = (SELECT audience_id FROM facts WHERE id = 'f4') WHERE id = 'f3'",
    "when it was said": "UPDATE facts SET said_at = said_at + 100000000 WHERE id = 'f1'",
    "a grant": "DELETE FROM list_entries WHERE fact_id = 'f3'",
}


@pytest.mark.parametrize("what", BEHIND)
async def test_an_index_that_was_not_told_is_out_of_step(what, whole):
    """As if another process had committed rows, and the change counter not: nothing tells this one."""
    store = await SqlStore.open(whole, Vault(KEY))
    async with store.transaction() as tx:
        assert await audit(tx) == []
    _plant(whole, BEHIND[what])
    async with store.transaction() as tx:
        assert Harm.STEP in {fault.harm for fault in await audit(tx)}
    await store.close()


CHANGED = {
    "terms": ({"terms": ("fact", "number", "1", "more")}, []),
    "vectors": ({"vector": np.array([0, 0, 0, 1], dtype="<f4").tobytes()}, []),
    "names": ({}, [RawEdge(FactId("f1"), "Zoe", "knows", "Bob")]),
}


@pytest.mark.parametrize("what", CHANGED)
async def test_what_a_fact_is_found_by_and_that_was_not_told_is_out_of_step(what, whole):
    store = await SqlStore.open(whole, Vault(KEY))
    async with store.transaction() as tx:
        await tx._index()
    other = await SqlStore.open(whole, Vault(KEY))
    changes, edges = CHANGED[what]
    async with other.transaction() as tx:
        new = [replace(_fact(1), **changes), _fact(2), _fact(3, OWNER_ONLY), _fact(4, EVERYONE)]
        await tx.put_facts(SESSION, new, edges, [])
        tx._written.clear()
    async with store.transaction() as tx:
        assert {fault.harm for fault in await audit(tx)} == {Harm.STEP}
    await other.close()
    await store.close()


async def test_an_index_entry_too_many_is_out_of_step(whole):
    store = await SqlStore.open(whole, Vault(KEY))
    async with store.transaction() as tx:
        await tx._index()
    async with store.transaction() as tx:
        await tx.put_facts(SESSION, [_fact(n) for n in (1, 2, 3)], [], [])
        tx._caches.stale_facts.clear()
        tx._written.clear()
    async with store.transaction() as tx:
        assert {f.what.split()[0] for f in await audit(tx) if f.harm is Harm.STEP} >= {"f4"}
    await store.close()

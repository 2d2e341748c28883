"""What lies on the disk: no word before anything is forgotten, and none after, even if nothing were encrypted."""

from __future__ import annotations

import struct
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from engine.audience import OWNER_ONLY, Audience
from engine.cards import Card, ForgetProposal, ProposalCard
from engine.ids import (
    OWNER,
    AccountId,
    CategoryName,
    ContainerId,
    EventId,
    FactId,
    LinkId,
    MessageId,
    PersonId,
    SessionId,
    TurnId,
)
from engine.items import (
    Confidence,
    EventState,
    LinkKind,
    Origin,
    RawEdge,
    RawFact,
    RawLink,
    RawMessage,
    Suggestion,
)
from engine.labels import Label
from engine.policy import Category, Policy
from engine.records import Chat, Outcome, TurnTrace
from engine.store import NewFact, Sending
from storage import SqlStore, Vault

CANARY = "Zwitscher-9471"
CAT = CategoryName(f"about {CANARY}")
NOW = datetime(2026, 5, 1, tzinfo=UTC)
ROOM, SESSION, BOB = ContainerId("console:room"), SessionId("s1"), PersonId("console:bob")
VECTOR = struct.pack("<256f", *([0.0625] * 256))


class Glass(Vault):
    """A vault that hides nothing, to see what deleting alone is worth."""

    def _close(self, plain: bytes, place: bytes) -> bytes:
        return plain

    def _disclose(self, data: bytes, place: bytes) -> bytes:
        return data


def _found(folder: Path, *needles: bytes) -> dict[str, list[bytes]]:
    held = {path.name: path.read_bytes() for path in folder.iterdir()}
    return {name: hits for name, data in held.items() if (hits := [n for n in needles if n in data])}


def _needles() -> list[bytes]:
    plain = [CANARY, CANARY.lower(), CANARY.casefold(), "Zwitscher", "zwitscher"]
    return [*(text.encode() for text in plain), *(text.encode("utf-16-le") for text in plain), VECTOR[:64]]


async def _tell(store: SqlStore) -> None:
    """The canary in every column that can hold words."""
    fact = RawFact(
        FactId("f1"), EventState(EventId("e1")), SESSION, ROOM, (MessageId("m1"),), f"{CANARY} sings", OWNER, NOW,
        OWNER_ONLY, category=CAT, suggestions=(Suggestion(CAT, 1.0, Confidence.LEXICAL),),
    )  # fmt: skip
    link = RawLink(LinkId("l1"), LinkKind.BUT, fact.id, fact.id, MessageId("m1"), OWNER_ONLY)
    async with store.transaction() as tx:
        for number in range(30):  # other rows around it, so that pages are shared, split and freed
            other = RawMessage(
                MessageId(f"x{number}"),
                ROOM,
                SESSION,
                BOB,
                AccountId(BOB),
                "other " * 60,
                NOW,
                Audience.of([BOB]),
            )
            await tx.record(other, event=f"x{number}", raw="r" * 700)
        said = RawMessage(
            MessageId("m1"), ROOM, SESSION, OWNER, AccountId("o"), f"{CANARY}!", NOW, OWNER_ONLY
        )
        await tx.record(said, event=f"event {CANARY}", raw=f"<{CANARY}>" + "long " * 3000)
        new = NewFact(fact, (CANARY, CANARY.lower(), "sing"), VECTOR)
        await tx.put_facts(SESSION, [new], [RawEdge(fact.id, CANARY, f"is {CANARY}", CANARY)], [link])
    async with store.transaction() as tx:
        reply = RawMessage(
            MessageId("r1"), ROOM, SESSION, OWNER, AccountId("t"), f"I heard {CANARY}.", NOW + timedelta(1), OWNER_ONLY,
            origin=Origin.TACT, used=(fact.id,),
        )  # fmt: skip
        await tx.record(reply, event="r1", raw=CANARY)
        trace = TurnTrace(
            TurnId("t1"), MessageId("m1"), ROOM, OWNER, NOW, "known", OWNER_ONLY, 1, Outcome.ANSWERED, used=(fact.id,),
            question=f"{CANARY}?", payload=f"{CANARY} payload".encode() * 500, reply=f"It is {CANARY}.",
        )  # fmt: skip
        await tx.put_turn(trace)
        await tx.put_card(Card("c1", NOW, ProposalCard(ForgetProposal((FactId("f1"),), ()), CANARY)))
        await tx.put_sending(Sending("k1", ROOM, f"It is {CANARY}.", used=(fact.id,)))


async def _name(store: SqlStore) -> None:
    """The owner's own words, which are not forgotten with a fact: names, titles, the policy."""
    async with store.transaction() as tx:
        await tx.save_policy(
            Policy(categories=(Category(CAT, (Label(3),), {"en": CANARY}),), owner_name=CANARY), NOW
        )
        await tx.call(BOB, CANARY)
        await tx.see(AccountId(BOB), CANARY, NOW, ROOM)
        await tx.chat(Chat(ROOM, "group", CANARY))


async def test_no_word_is_in_any_file_even_before_anything_is_forgotten(path, vault):
    store = await SqlStore.open(path, vault)
    await _tell(store)
    await _name(store)
    assert (path.parent / "tact.db-wal").stat().st_size > 0
    assert _found(path.parent, *_needles()) == {}
    await store.finish_forgetting()
    assert _found(path.parent, *_needles()) == {}
    await store.close()
    assert _found(path.parent, *_needles()) == {}


async def test_the_key_is_in_no_file(path, vault):
    store = await SqlStore.open(path, vault)
    await _tell(store)
    assert _found(path.parent, bytes(range(32))) == {}
    await store.close()


async def test_without_encryption_the_needles_would_be_found(path):
    """The other tests prove something only if this one finds them."""
    store = await SqlStore.open(path, Glass(bytes(32)))
    await _tell(store)
    await store.finish_forgetting()
    assert set(_found(path.parent, CANARY.encode(), VECTOR[:64])["tact.db"]) == {CANARY.encode(), VECTOR[:64]}
    await store.close()


@pytest.mark.parametrize("what", ["fact", "message"])
@pytest.mark.parametrize("reopened", [False, True])
async def test_forgetting_drives_every_byte_off_the_disk_by_deleting_alone(path, what, reopened):
    store = await SqlStore.open(path, Glass(bytes(32)))
    await _tell(store)
    if reopened:
        await store.close()
        store = await SqlStore.open(path, Glass(bytes(32)))
    async with store.transaction() as tx:
        if what == "fact":
            done = await tx.forget(facts=[FactId("f1")], at=NOW)
        else:
            done = await tx.forget(messages=[MessageId("m1")], at=NOW)
        assert done.facts == 1
    assert await store.finish_forgetting()
    assert _found(path.parent, *_needles()) == {}
    async with store.transaction() as tx:
        assert (await tx.counts())["messages"] == 30
    await store.close()
    assert _found(path.parent, *_needles()) == {}


async def test_annotating_again_leaves_nothing_of_what_vanished(path):
    store = await SqlStore.open(path, Glass(bytes(32)))
    await _tell(store)
    async with store.transaction() as tx:
        await tx.forget(messages=[MessageId("m1")], at=NOW)
    fact = RawFact(
        FactId("f2"), EventState(EventId("e2")), SESSION, ROOM, (MessageId("m2"),), f"{CANARY} sings", OWNER, NOW,
        OWNER_ONLY,
    )  # fmt: skip
    async with store.transaction() as tx:
        await tx.put_facts(
            SESSION, [NewFact(fact, (CANARY,), VECTOR)], [RawEdge(fact.id, CANARY, "x", "y")], []
        )
    async with store.transaction() as tx:
        await tx.put_facts(SESSION, [], [], [])
    assert await store.finish_forgetting()
    assert _found(path.parent, *_needles()) == {}
    await store.close()

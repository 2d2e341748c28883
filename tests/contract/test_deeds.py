"""Turns, cards and deliveries."""

from __future__ import annotations

from dataclasses import fields, replace

from engine.audience import EVERYONE, OWNER_ONLY
from engine.cards import Card, CardState, FactCard, LevelProposal, ProposalCard
from engine.ids import OWNER, CategoryName, ContainerId, FactId, MessageId, PersonId, TurnId
from engine.labels import Label
from engine.records import Outcome, TurnTrace
from engine.store import Sending


def _trace(make, name: str = "t1", minutes: float = 0, **more) -> TurnTrace:
    trace = TurnTrace(
        id=TurnId(name), message=MessageId("m1"), container=make.room, asker=make.person("bob"), at=make.at(minutes),
        viewers="known: bob", upper=make.audience("bob"), policy_version=3, outcome=Outcome.ANSWERED,
        decisions=(("f2", True, "label", ""), ("f1", False, "blacklist", "console:bob")),
        withheld=(("f3", False, "not present and not released", ""),), digest="d" * 64,
        used=(FactId("f2"), FactId("f0")), question="when?", payload=b"\x00bytes", reply="now 你好",
    )  # fmt: skip
    return replace(trace, **more)


async def test_every_field_of_a_trace_comes_back(store, make):
    trace = _trace(make)
    async with store.transaction() as tx:
        assert await tx.turn(trace.id) is None
        await tx.put_turn(trace)
    async with store.transaction() as tx:
        assert await tx.turn(trace.id) == trace
    assert all(getattr(trace, f.name) for f in fields(TurnTrace) if f.name != "forgotten")


async def test_a_trace_is_replaced_whole(store, make):
    async with store.transaction() as tx:
        await tx.put_turn(_trace(make))
    shorter = _trace(make, decisions=(), withheld=(), used=(), reply="", outcome=Outcome.DEFLECTED, minutes=1)
    async with store.transaction() as tx:
        await tx.put_turn(shorter)
    async with store.transaction() as tx:
        assert await tx.turns(9) == [shorter]


async def test_the_newest_traces_come_first(store, make):
    async with store.transaction() as tx:
        for name, minutes in (("b", 2), ("a", 1), ("d", 3), ("c", 3)):
            await tx.put_turn(_trace(make, name, minutes))
        assert [t.id for t in await tx.turns(3)] == ["c", "d", "b"]
        assert await tx.turns(0) == []


async def test_cards_not_done_newest_first(store, make):
    first = Card("c1", make.at(1), FactCard((FactId("f1"),), {FactId("f1"): EVERYONE}), nonce="n", deed="d")
    wanted = LevelProposal(PersonId("irc:bob"), Label(1, "work"), "Bob")
    opens = {CategoryName("work"): (PersonId("irc:bob"),)}
    second = Card("c2", make.at(2), ProposalCard(wanted, "Bob, L1-work", opens, {FactId("f1"): OWNER_ONLY}))
    async with store.transaction() as tx:
        await tx.put_card(first)
        await tx.put_card(second)
        await tx.put_card(replace(first, about=FactCard(()), state=CardState.KEPT))
    async with store.transaction() as tx:
        assert await tx.cards() == [second, replace(first, about=FactCard(()), state=CardState.KEPT)]
        await tx.put_card(replace(second, done=True))
        assert [c.id for c in await tx.cards()] == ["c1"]


async def test_a_delivery_is_made_once_and_then_moves_on(store):
    first = Sending("k1", ContainerId("room"), "words", used=(FactId("f2"), FactId("f1")))
    async with store.transaction() as tx:
        assert await tx.put_sending(first)
        assert await tx.put_sending(Sending("k2", ContainerId("room"), "more"))
        assert not await tx.put_sending(replace(first, text="other words"))
    async with store.transaction() as tx:
        assert [s.key for s in await tx.sendings("pending")] == ["k1", "k2"]
        assert (await tx.sendings("pending"))[0] == first
        assert await tx.put_sending(replace(first, state="sent"))
        assert await tx.put_sending(Sending("k3", ContainerId("room"), "third", state="uncertain"))
    async with store.transaction() as tx:
        assert await tx.sendings("sent") == [replace(first, state="sent")]
        assert [s.key for s in await tx.sendings("pending")] == ["k2"]
        assert [s.key for s in await tx.sendings("uncertain")] == ["k3"]


async def test_counts(store, make, put):
    bob = make.person("bob")
    async with store.transaction() as tx:
        await tx.save_policy(make.policy(), make.start)
        await tx.own("console:o")
        await tx.see("console:o", "me", make.start, make.room)
        await tx.see(bob, "bob", make.start, make.room)
        await tx.record(make.message("m1"), event="e")
        await tx.put_turn(_trace(make))
        await tx.put_card(Card("c1", make.start, FactCard(())))
        await tx.put_card(Card("c2", make.start, FactCard(()), done=True))
        await tx.put_sending(Sending("k", make.room, "x"))
    await put(
        store,
        make.fact("a"),
        make.fact("b", teller=OWNER),
        edges=[make.edge("a", "A", "B")],
        links=[make.link("l", "a", "b")],
    )
    async with store.transaction() as tx:
        assert await tx.counts() == {
            "accounts": 2, "chats": 0, "messages": 1, "sessions": 0, "facts": 2, "edges": 1, "links": 1,
            "policy versions": 1, "turns": 1, "cards": 1, "pending": 1, "tombstones": 0,
        }  # fmt: skip

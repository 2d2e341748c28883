"""Forgetting: the words go everywhere, ids, digests and verdicts stay, and nothing comes back."""

from __future__ import annotations

from dataclasses import replace

from engine.audience import OWNER_ONLY
from engine.cards import Card, FactCard, ForgetProposal, ProposalCard
from engine.ids import FactId, MessageId, SessionId, TurnId
from engine.items import Origin
from engine.mailroom import Arrival
from engine.records import Outcome, TurnTrace
from engine.store import Sending

F, M = FactId, MessageId
SECRET = "the canary sings at dawn"

VECTORS_ELSEWHERE = True


def _trace(make, name: str, **more) -> TurnTrace:
    trace = TurnTrace(
        TurnId(name), M("q"), make.room, make.person("bob"), make.at(3), "known", make.audience("bob"), 1,
        Outcome.ANSWERED, (("f1", True, "label", ""), ("f9", False, "no label opens it", "")), (), "digest", (F("f1"),),
        "when does it sing?", b"payload", "at dawn",
    )  # fmt: skip
    return replace(trace, **more)


async def _told(store, make, put) -> None:
    """One secret, told in two messages; a fact of another message; a reply that told the secret."""
    await put(
        store,
        make.fact("f1", SECRET, sources=(M("m1"), M("m2"))),
        make.fact("f2", "derived from the first", sources=(M("m1"),)),
        make.fact("f3", "another matter", sources=(M("m3"),)),
        edges=[make.edge("f1", "canary", "dawn"), make.edge("f3", "Ana", "Bob")],
        links=[make.link("l1", "f1", "f3", message=M("m1")), make.link("l2", "f3", "f3", message=M("m3"))],
    )
    async with store.transaction() as tx:
        for message in (
            make.message("m1", SECRET, minutes=1),
            make.message("m2", "yes, at dawn", minutes=2),
            make.message("m3", "another matter", minutes=3),
            make.message("q", "when does it sing?", sender=make.person("bob"), minutes=4),
            make.message("r1", "It sings.", origin=Origin.TACT, used=(F("f1"),), reply_to=M("q"), minutes=5),
            make.message("r2", "Nothing new.", origin=Origin.TACT, used=(F("f3"),), minutes=6),
        ):
            await tx.record(message, event=f"e {message.id}", raw=f"<{message.text}>")
        await tx.put_turn(_trace(make, "t1"))
        await tx.put_turn(
            _trace(make, "t2", reply="Bob.", used=(F("f3"),), decisions=(("f3", True, "label", ""),))
        )


async def test_a_fact_goes_with_its_sources_and_all_that_came_of_them(store, make, put):
    await _told(store, make, put)
    async with store.transaction() as tx:
        done = await tx.forget(facts=[F("f1")], at=make.at(9))
        assert (done.facts, done.messages, done.turns) == (2, 3, 1)
    assert await store.finish_forgetting() is not store.compacted_by_hand
    async with store.transaction() as tx:
        assert [m.id for m in await tx.recent(make.room, make.zone, 9)] == ["m3", "q", "r2"]
        assert [f.id for f in await tx.session_facts(make.session, make.zone)] == ["f3"]
        assert [h.fact.id for h in await tx.search(make.find(SECRET), make.zone, 9)] == ["f3"]
        assert await tx.edges(make.zone, naming=["canary", "ana"]) == [make.edge("f3", "Ana", "Bob")]
        assert [link.id for link in await tx.links([F("f1"), F("f3")], make.zone)] == ["l2"]
        assert (await tx.counts())["tombstones"] == 5


async def test_a_message_goes_with_its_facts(store, make, put):
    await _told(store, make, put)
    async with store.transaction() as tx:
        await tx.forget(messages=[M("m2")], at=make.at(9))
    async with store.transaction() as tx:
        assert [f.id for f in await tx.session_facts(make.session, make.zone)] == ["f2", "f3"]
        assert [m.id for m in await tx.recent(make.room, make.zone, 9)] == ["m1", "m3", "q", "r2"]


async def test_a_trace_keeps_ids_digest_and_verdicts_alone(store, make, put):
    await _told(store, make, put)
    async with store.transaction() as tx:
        before = await tx.turn(TurnId("t1"))
        untouched = await tx.turn(TurnId("t2"))
        await tx.forget(facts=[F("f1")], at=make.at(9))
    async with store.transaction() as tx:
        after = await tx.turn(TurnId("t1"))
        assert before is not None
        assert after == replace(before, question="", payload=b"", reply="", forgotten=True)
        assert await tx.turn(TurnId("t2")) == untouched


async def test_the_turn_of_a_forgotten_question_goes_with_it_and_so_does_its_reply(store, make, put):
    await _told(store, make, put)
    async with store.transaction() as tx:
        await tx.forget(messages=[M("q")], at=make.at(9))
        trace = await tx.turn(TurnId("t2"))
        assert trace is not None
        assert (trace.forgotten, trace.reply) == (True, "")
        assert [m.id for m in await tx.recent(make.room, make.zone, 9)] == ["m1", "m2", "m3", "r2"]


async def test_a_reply_asked_for_itself_goes_however_short_with_its_trace_and_its_delivery(store, make, put):
    await _told(store, make, put)
    async with store.transaction() as tx:
        await tx.record(
            make.message("r3", "At 9.", origin=Origin.TACT, reply_to=M("q3"), minutes=7), event="r3"
        )
        await tx.put_turn(_trace(make, "t3", message=M("q3"), used=(), decisions=(), reply="At 9."))
        await tx.put_sending(Sending("t3/reply", make.room, ""))
        await tx.put_sending(Sending("t3/reply", make.room, "", state="sent"))
        done = await tx.forget(messages=[M("r3")], at=make.at(9))
        assert [posted.key for posted in done.posted] == ["t3/reply"]
        trace = await tx.turn(TurnId("t3"))
        assert trace is not None
        assert (trace.forgotten, trace.reply) == (True, "")


async def test_a_context_that_held_the_item_is_erased_even_if_the_reply_did_not_use_it(store, make, put):
    await _told(store, make, put)
    allowed = _trace(make, "t3", message=M("q2"), used=(), decisions=(("m1", True, "heard it", ""),))
    denied = _trace(
        make,
        "t4",
        message=M("q2"),
        reply="Who knows.",
        used=(),
        decisions=(("m1", False, "not present", ""),),
    )
    async with store.transaction() as tx:
        await tx.put_turn(allowed)
        await tx.put_turn(denied)
        await tx.forget(messages=[M("m1")], at=make.at(9))
        found = {t.id: t.forgotten for t in await tx.turns(9)}
        assert found == {"t1": True, "t2": False, "t3": True, "t4": False}


async def test_whatever_tact_wrote_with_these_words_in_it_is_erased_too(store, make, put):
    await _told(store, make, put)
    quoting = _trace(
        make, "t5", message=M("q2"), used=(), decisions=(), payload=f'{{"x":"{SECRET}"}}'.encode()
    )
    async with store.transaction() as tx:
        await tx.record(make.message("r3", f"You said: {SECRET}.", origin=Origin.TACT, minutes=7), event="r3")
        await tx.put_turn(quoting)
        await tx.put_sending(Sending("k1", make.room, f"Ana: {SECRET}"))
        await tx.put_card(Card("c1", make.start, ProposalCard(ForgetProposal((), ()), f"forget “{SECRET}”")))
        await tx.forget(facts=[F("f1")], at=make.at(9))
    async with store.transaction() as tx:
        assert await tx.message(M("r3"), make.zone) is None
        assert (await tx.turns(9))[0].payload == b""
        assert await tx.sendings("pending") == []
        assert await tx.cards() == []


async def test_the_words_of_a_deflection_are_no_copy_of_anything(store, make):
    line = "I cannot help with that; write to the owner directly."
    async with store.transaction() as tx:
        for name in ("1", "2"):
            await tx.record(make.message(f"q{name}", f"question number {name}?"), event=f"q{name}")
            answer = make.message(f"r{name}", line, origin=Origin.TACT, reply_to=M(f"q{name}"))
            await tx.record(answer, event=f"r{name}")
            trace = _trace(make, f"t{name}", message=M(f"q{name}"), used=(), decisions=(), reply=line)
            await tx.put_turn(replace(trace, question=f"question number {name}?"))
            await tx.put_sending(Sending(f"k{name}", make.room, line))
        await tx.forget(messages=[M("q1")], at=make.at(9))
        assert [m.id for m in await tx.recent(make.room, make.zone, 9)] == ["q2", "r2"]
        assert {t.id: t.forgotten for t in await tx.turns(9)} == {"t1": True, "t2": False}
        assert len(await tx.sendings("pending")) == 2


async def test_deliveries_that_told_it_lose_their_words_and_pending_ones_never_go_out(store, make, put):
    await _told(store, make, put)
    pending = Sending("k1", make.room, "dawn!", used=(F("f1"),))
    sent = Sending("k2", make.room, "dawn?", state="sent", used=(F("f1"), F("f3")))
    other = Sending("k3", make.room, "Bob", used=(F("f3"),))
    lost = Sending("k4", make.room, "dawn", state="uncertain", used=(F("f1"),))
    async with store.transaction() as tx:
        for sending in (pending, sent, other, lost):
            await tx.put_sending(sending)
        await tx.forget(facts=[F("f1")], at=make.at(9))
    async with store.transaction() as tx:
        assert await tx.sendings("pending") == [other]
        assert await tx.sendings("sent") == [replace(sent, text="")]
        assert await tx.sendings("uncertain") == [replace(lost, text="")]
        assert await tx.sendings("forgotten") == [replace(pending, text="", state="forgotten")]
        assert await tx.put_sending(replace(pending, state="sent"))  # it was on its way
        assert await tx.sendings("sent") == [replace(pending, text="", state="sent"), replace(sent, text="")]
        assert not await tx.put_sending(pending)


async def test_cards_about_it_are_closed_and_emptied(store, make, put):
    await _told(store, make, put)
    about = Card("c1", make.start, FactCard((F("f1"),), {F("f1"): OWNER_ONLY}))
    other = Card("c2", make.start, FactCard((F("f3"),)))
    async with store.transaction() as tx:
        await tx.put_card(about)
        await tx.put_card(other)
        await tx.forget(facts=[F("f1")], at=make.at(9))
        assert await tx.cards() == [other]
        await tx.put_card(about)
        assert await tx.cards() == [other]


async def test_what_was_forgotten_never_comes_back(store, make, put):
    await _told(store, make, put)
    async with store.transaction() as tx:
        await tx.forget(facts=[F("f1")], at=make.at(9))
    again = [
        make.fact("f1", SECRET, sources=(M("m9"),)),
        make.fact("f7", SECRET, sources=(M("m1"),)),
        make.fact("f3"),
    ]
    await put(
        store,
        *again,
        edges=[make.edge("f7", "canary", "dawn")],
        links=[make.link("l1", "f3", "f3", message=M("m1"))],
    )
    async with store.transaction() as tx:
        assert [f.id for f in await tx.session_facts(make.session, make.zone)] == ["f3"]
        assert (await tx.counts())["edges"] == (await tx.counts())["links"] == 0
        assert not await tx.record(make.message("m1", SECRET), event="another")
        late = make.message("r9", "dawn", origin=Origin.TACT, used=(F("f1"),))
        assert not await tx.record(late, event="r9")
        assert not await tx.record(
            make.message("r8", "dawn", origin=Origin.TACT, reply_to=M("m1")), event="r8"
        )


async def test_a_turn_under_way_while_its_item_is_forgotten_leaves_no_words(store, make, put):
    await _told(store, make, put)
    async with store.transaction() as tx:
        await tx.forget(facts=[F("f1")], at=make.at(9))
    async with store.transaction() as tx:
        await tx.put_turn(_trace(make, "t1", reply="late"))
        await tx.put_turn(_trace(make, "t8", message=M("q2")))
        await tx.put_card(Card("c8", make.start, FactCard((F("f1"),))))
        await tx.put_sending(Sending("k8", make.room, "late", used=(F("f1"),)))
        for name in ("t1", "t8"):
            trace = await tx.turn(TurnId(name))
            assert trace is not None
            assert (trace.forgotten, trace.question, trace.payload, trace.reply) == (True, "", b"", "")
        assert await tx.cards() == []
        assert await tx.sendings("pending") == []


async def test_forgetting_what_is_not_there_leaves_a_tombstone_and_is_no_error(store, make):
    async with store.transaction() as tx:
        done = await tx.forget(facts=[F("never")], messages=[M("was")], at=make.start)
        assert (done.facts, done.messages, done.turns) == (0, 0, 0)
        await tx.forget(facts=[F("never")], at=make.at(1))
        assert not await tx.record(make.message("was"), event="e")
        assert (await tx.counts())["tombstones"] == 2


async def test_facts_of_other_sessions_made_from_the_message_go_too(store, make, put):
    await put(
        store, make.fact("a", sources=(M("m1"),)), make.fact("b", sources=(M("m1"),), session=SessionId("s2"))
    )
    async with store.transaction() as tx:
        await tx.record(make.message("m1"), event="e")
        assert (await tx.forget(facts=[F("a")], at=make.start)).facts == 2


async def test_everything_said_in_the_turn_of_a_forgotten_message_goes_with_it(store, make):
    async with store.transaction() as tx:
        await tx.record(make.message("q1", "what is it?"), event="q1")
        await tx.put_turn(_trace(make, "t_1", message=M("q1"), used=(), decisions=()))
        for key in ("t_1/owner#0", "t_1/line", "t_10/line"):
            await tx.put_sending(Sending(key, make.room, "a line"))
            await tx.put_sending(Sending(key, make.room, "a line", state="uncertain"))
        await tx.forget(messages=[M("q1")], at=make.at(9))
        kept = {s.key: s.text for s in await tx.sendings("uncertain")}
    assert kept == {"t_1/owner#0": "", "t_1/line": "", "t_10/line": "a line"}


async def test_what_platforms_may_still_show_is_told_in_order(store, make, put):
    await _told(store, make, put)
    async with store.transaction() as tx:
        for key, state in (("k3", "sent"), ("k1", "uncertain"), ("k2", "waiting"), ("k4", "refused")):
            await tx.put_sending(Sending(key, make.room, "dawn", used=(F("f1"),)))
            await tx.put_sending(Sending(key, make.room, "", state=state, used=(F("f1"),)))
        done = await tx.forget(facts=[F("f1")], at=make.at(9))
    assert [p.key for p in done.posted] == ["k1", "k3", "", ""]
    assert [p.raw for p in done.posted] == ["", "", f"<{SECRET}>", "<yes, at dawn>"]
    assert {p.container for p in done.posted} == {make.room}
    assert done.posted[2].sender == make.message("m").sender


async def test_a_reply_that_retells_a_message_it_was_worded_with_goes_with_that_message(store, make):
    async with store.transaction() as tx:
        await tx.record(make.message("m1", SECRET), event="m1")
        for name, heard in (("1", [M("m1")]), ("2", [])):
            await tx.record(make.message(f"q{name}", "what?"), event=f"q{name}")
            reply = make.message(
                f"r{name}", f"At {name}.", origin=Origin.TACT, reply_to=M(f"q{name}"), used=(F("f9"),)
            )
            assert await tx.record(reply, event=f"r{name}", heard=heard)
            trace = _trace(
                make, f"t{name}", message=M(f"q{name}"), used=(), decisions=(), reply=f"At {name}."
            )
            await tx.put_turn(trace)
            for key in ("reply#0", "line#0"):
                await tx.put_sending(Sending(f"t{name}/{key}", make.room, ""))
                await tx.put_sending(Sending(f"t{name}/{key}", make.room, "", state="sent"))
        assert [m.used for m in await tx.recent(make.room, make.zone, 9) if m.used] == [(F("f9"),)] * 2
        done = await tx.forget(messages=[M("m1")], at=make.at(9))
        assert [m.id for m in await tx.recent(make.room, make.zone, 9)] == ["q1", "q2", "r2"]
        assert [posted.key for posted in done.posted] == ["t1/reply#0"]
        late = make.message("r3", "At three.", origin=Origin.TACT, reply_to=M("q2"))
        assert not await tx.record(late, event="r3", heard=[M("m1")])


async def test_a_raw_event_of_a_forgotten_message_is_not_kept_until_it_is_handled(store, make):
    async with store.transaction() as tx:
        await tx.record(make.message("m1", SECRET), event="m1", raw=f"<{SECRET}>")
        for key in ("u1", "u2"):
            await tx.keep_arrival(Arrival(key, f"<{SECRET}>" if key == "u1" else "<another>"))
        await tx.forget(messages=[M("m1")], at=make.at(9))
        assert [a.key for a in await tx.arrivals()] == ["u2"]
        assert not await tx.keep_arrival(Arrival("u1", "again"))


async def test_a_long_erasure_says_how_far_it_got(store, make, put):
    await _told(store, make, put)
    seen: list[float] = []
    async with store.transaction() as tx:
        await tx.forget(facts=[F("f1")], at=make.at(9), progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1

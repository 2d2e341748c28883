"""Facts, their lists and events, edges and links."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import datetime, timedelta, timezone

import pytest

from engine.ids import OWNER, CategoryName, EventId, FactId, MessageId, PersonId, SessionId
from engine.items import Basis, Confidence, EventState, Origin, RawFact, Suggestion
from engine.store import Scope

F = FactId


def _full(make) -> RawFact:
    """A fact with something in every field."""
    bob = make.person("bob")
    return RawFact(
        id=F("f1"), event=EventState(EventId("e1"), frozenset({OWNER}), confidential=True, unresolved=True),
        session=make.session, container=make.room, sources=(MessageId("m2"), MessageId("m1")), text="the words 你好",
        teller=OWNER, said_at=make.at(1), audience=make.audience("bob"),
        when=datetime(2026, 7, 1, tzinfo=timezone(timedelta(hours=8))), when_is_day=False,
        category=CategoryName("work"), suggestions=(Suggestion(CategoryName("work"), 0.75, Confidence.LEXICAL),),
        first_hand=True, owner_typed=True, unresolved=True, confidential=True, cover=True, secret=True,
        sensitive=True, confirmed=make.at(2), kept_private=True, settled=True, superseded_by=F("f9"),
        mentions=(bob, PersonId("b")), lists=(make.black("ana"), make.white("bob", minutes=1)),
    )  # fmt: skip


async def test_every_field_of_a_fact_comes_back(store, make, put):
    fact = _full(make)
    plain = make.fact("f1")
    missing = {f.name for f in fields(RawFact) if getattr(fact, f.name) == getattr(plain, f.name)}
    assert missing == {"id", "session", "container", "teller"}
    await put(store, fact)
    async with store.transaction() as tx:
        (found,) = await tx.facts([fact.id], make.zone)
        assert found == fact
        assert found.when is not None
        assert fact.when is not None
        assert found.when.isoformat() == fact.when.isoformat()  # the day depends on the zone


async def test_only_facts_in_scope_in_the_order_asked_for(store, make, put):
    await put(
        store,
        make.fact("a"),
        make.fact("b", to=["bob"]),
        make.fact("c", to=["bob", "ana"]),
        make.fact("d", to=["*"]),
    )
    wanted = [F(i) for i in ("d", "a", "nothing", "c", "b", "d")]
    cases = {(): "dacb", ("bob",): "dcb", ("ana",): "dc", ("bob", "ana"): "dc", ("eve",): "d", ("*",): "d"}
    async with store.transaction() as tx:
        for viewers, expected in cases.items():
            scope = make.scope(*viewers)
            assert "".join(f.id for f in await tx.facts(wanted, scope)) == expected
            in_session = await tx.session_facts(make.session, scope)
            assert "".join(f.id for f in in_session) == "".join(sorted(expected))
        nothing = Scope(make.audience(), nothing=True)
        assert await tx.facts(wanted, nothing) == []
        assert await tx.session_facts(make.session, nothing) == []


async def test_a_released_fact_is_in_scope_of_those_it_was_released_to(store, make, put):
    async with store.transaction() as tx:
        await tx.save_policy(make.policy("bob"), make.start)
    work = make.fact("f", category=CategoryName("work"), first_hand=True)
    await put(store, work)
    bob = make.scope("bob")
    async with store.transaction() as tx:
        assert await tx.facts([work.id], bob) == []
        await tx.change_fact(replace(work, confirmed=make.at(1)))
        assert [f.id for f in await tx.facts([work.id], bob)] == [work.id]
        assert [h.fact.id for h in await tx.search(make.find("fact"), bob, 5)] == [work.id]
        assert await tx.search(make.find("fact"), make.scope("ana"), 5) == []
    async with store.transaction() as tx:
        await tx.save_policy(make.policy("ana"), make.at(2))
        assert await tx.search(make.find("fact"), bob, 5) == []
        assert [h.fact.id for h in await tx.search(make.find("fact"), make.scope("ana"), 5)] == [work.id]


async def test_annotating_again_replaces_and_never_doubles(store, make, put):
    other = make.fact("other", session=SessionId("s2"), to=["*"])
    await put(store, make.fact("a", "old a"), make.fact("b"), other, edges=[make.edge("a", "Ana", "Bob")])
    await put(store, make.fact("a", "new a"), make.fact("c"))
    async with store.transaction() as tx:
        assert [(f.id, f.text) for f in await tx.session_facts(make.session, make.zone)] == [
            ("a", "new a"),
            ("c", "a fact"),
        ]
        assert (await tx.search(make.find("old"), make.zone, 1))[0].rank.score == 0  # its words are gone
        assert {h.fact.id for h in await tx.search(make.find(), make.zone, 9)} == {"a", "c", "other"}
        assert await tx.edges(make.zone, naming=["Ana"]) == []
        counts = await tx.counts()
        assert (counts["facts"], counts["edges"]) == (3, 0)


async def test_a_fact_that_stays_keeps_its_lists_and_its_event(store, make, put):
    fact = make.fact("a", event="e1")
    await put(store, fact, make.fact("b"))
    async with store.transaction() as tx:
        await tx.list_person(make.black("bob"), fact=fact.id)
        await tx.list_person(make.black("ana"), event=EventId("e1"))
    async with store.transaction() as tx:
        (kept,) = await tx.facts([fact.id], make.zone)
    await put(store, replace(fact, event=EventState(EventId("e2")), lists=kept.lists))
    await put(store, replace(fact, event=EventState(EventId("e3"))))
    async with store.transaction() as tx:
        (found,) = await tx.facts([fact.id], make.zone)
        assert found.event.id == "e1"
        assert set(found.lists) == {make.black("bob"), make.black("ana")}
        assert len(found.lists) == 2


async def test_an_annotators_entry_that_comes_again_later_is_the_same_one(store, make, put):
    role = make.white("bob", basis=Basis.ROLE)
    fact = make.fact("a", lists=(role,))
    await put(store, fact)
    await put(store, replace(fact, lists=(replace(role, at=make.at(9)), make.black("ana", minutes=9))))
    async with store.transaction() as tx:
        (found,) = await tx.facts([fact.id], make.zone)
        assert found.lists == (role, make.black("ana", minutes=9))


async def test_a_fact_of_another_session_is_refused(store, make):
    fact = make.fact("a", session=SessionId("s2"))
    with pytest.raises(ValueError, match="session"):
        async with store.transaction() as tx:
            await tx.put_facts(make.session, [make.new(fact)], [], [])


async def test_marks_change_and_how_it_was_recorded_does_not(store, make, put):
    fact = make.fact("a", "words", to=["bob"], minutes=1)
    await put(store, fact)
    wider = replace(
        fact, text="other words", audience=make.audience("*"), first_hand=True, owner_typed=True, teller=make.person("x"),
        said_at=make.at(7), sources=(), lists=(make.white(None),), event=EventState(EventId("e9")),
        category=CategoryName("work"), confirmed=make.at(2), kept_private=True, superseded_by=F("b"), secret=True,
    )  # fmt: skip
    async with store.transaction() as tx:
        await tx.change_fact(wider)
        await tx.change_fact(make.fact("nobody knows"))
    async with store.transaction() as tx:
        (found,) = await tx.facts([fact.id], make.zone)
        assert found == replace(
            fact, event=EventState(EventId("e_a"), frozenset({OWNER})), category=CategoryName("work"),
            confirmed=make.at(2), kept_private=True, superseded_by=F("b"), secret=True,
        )  # fmt: skip
        assert [h.fact.id for h in await tx.search(make.find("words"), make.zone, 9)] == ["a"]


async def test_what_one_fact_of_an_event_is_the_others_know(store, make, put):
    bob = make.person("bob")
    mine = make.fact("mine", event="e")
    theirs = make.fact("theirs", event="e", to=["bob"], teller=bob, session=SessionId("s2"))
    await put(store, mine)
    async with store.transaction() as tx:
        assert (await tx.facts([mine.id], make.zone))[0].event == EventState(EventId("e"), frozenset({OWNER}))
    await put(store, replace(theirs, confidential=True, unresolved=True))
    async with store.transaction() as tx:
        expected = EventState(EventId("e"), frozenset({OWNER, bob}), confidential=True, unresolved=True)
        assert [f.event for f in await tx.facts([mine.id, theirs.id], make.zone)] == [expected, expected]
        await tx.put_facts(SessionId("s2"), [], [], [])
        assert (await tx.facts([mine.id], make.zone))[0].event == EventState(EventId("e"), frozenset({OWNER}))


async def test_a_telling_elsewhere_in_the_event_takes_a_release_back(store, make, put):
    async with store.transaction() as tx:
        await tx.save_policy(make.policy("bob"), make.start)
    work = make.fact("f", event="e", category=CategoryName("work"), first_hand=True, confirmed=make.at(1))
    bob = make.scope("bob")
    await put(store, work)
    async with store.transaction() as tx:
        assert len(await tx.search(make.find("fact"), bob, 9)) == 1
    told = make.fact("g", event="e", teller=make.person("ana"), session=SessionId("s2"))
    await put(store, told)
    async with store.transaction() as tx:
        assert await tx.search(make.find("fact"), bob, 9) == []
        assert await tx.facts([work.id], bob) == []
        await tx.put_facts(SessionId("s2"), [], [], [])
        assert len(await tx.search(make.find("fact"), bob, 9)) == 1


async def test_an_entry_on_an_event_reaches_its_facts_present_and_future(store, make, put):
    await put(store, make.fact("a", event="e"), make.fact("b"))
    async with store.transaction() as tx:
        await tx.list_person(make.black("bob"), event=EventId("e"))
        await tx.list_person(make.black("bob"), event=EventId("e"))
    await put(store, make.fact("c", event="e", session=SessionId("s2")))
    async with store.transaction() as tx:
        found = {f.id: f.lists for f in await tx.facts([F("a"), F("b"), F("c")], make.zone)}
        assert found == {"a": (make.black("bob"),), "b": (), "c": (make.black("bob"),)}


async def test_an_entry_on_an_event_counts_for_the_next_search(store, make, put):
    await put(store, make.fact("a", event="e"), make.fact("b", event="e"))
    ana, query = make.scope("ana"), make.find("fact")
    for minutes, entry, found in ((1, make.white, 2), (2, make.black, 0), (3, make.white, 2)):
        async with store.transaction() as tx:
            await tx.search(query, ana, 9)
            await tx.list_person(entry("ana", minutes=minutes), event=EventId("e"))
            assert len(await tx.search(query, ana, 9)) == found
        async with store.transaction() as tx:
            assert len(await tx.search(query, ana, 9)) == found


async def test_a_black_entry_on_one_fact_reaches_the_event_and_a_white_one_does_not(store, make, put):
    await put(store, make.fact("a", event="e"), make.fact("b", event="e"))
    async with store.transaction() as tx:
        await tx.list_person(make.black("bob"), fact=F("a"))
        await tx.list_person(make.white("ana", minutes=1), fact=F("a"))
    async with store.transaction() as tx:
        a, b = await tx.facts([F("a"), F("b")], make.zone)
        assert a.lists == (make.black("bob"), make.white("ana", minutes=1))
        assert b.lists == (make.black("bob"),)
        assert await tx.search(make.find("fact"), make.scope("ana"), 9) != []


async def test_with_scope_fact_nothing_is_gathered_from_the_event(store, make, put):
    async with store.transaction() as tx:
        await tx.save_policy(make.policy(blacklist_scope="fact"), make.start)
    await put(store, make.fact("a", event="e"), make.fact("b", event="e"))
    async with store.transaction() as tx:
        await tx.list_person(make.black("bob"), fact=F("a"))
        await tx.list_person(make.black("ana"), event=EventId("e"))
    async with store.transaction() as tx:
        assert [f.lists for f in await tx.facts([F("a"), F("b")], make.zone)] == [(make.black("bob"),), ()]


async def test_somebodys_request_binds_only_what_that_person_told(store, make, put):
    ana = make.person("ana")
    await put(store, make.fact("mine", event="e"), make.fact("hers", event="e", teller=ana))
    hush = make.black("bob", by=ana, basis=Basis.REQUEST)
    async with store.transaction() as tx:
        await tx.list_person(hush, event=EventId("e"))
    async with store.transaction() as tx:
        assert [f.lists for f in await tx.facts([F("mine"), F("hers")], make.zone)] == [(), (hush,)]


async def test_a_list_entry_is_about_a_fact_or_an_event(store, make):
    with pytest.raises(ValueError, match="fact or an event"):
        async with store.transaction() as tx:
            await tx.list_person(make.black("bob"))


async def test_the_owners_share_and_block_decide_who_is_in_scope(store, make, put):
    await put(store, make.fact("a"))
    bob, query = make.scope("bob"), make.find("fact")
    async with store.transaction() as tx:
        await tx.list_person(make.white("bob", minutes=1), fact=F("a"))
        assert len(await tx.search(query, bob, 9)) == 1
        await tx.list_person(make.black("bob", minutes=2), fact=F("a"))
        assert await tx.search(query, bob, 9) == []
        await tx.list_person(make.white(None, minutes=3), fact=F("a"))
        assert len(await tx.search(query, make.world, 9)) == 1


async def test_the_facts_behind_messages_are_their_sources_facts_and_what_replies_told(store, make, put):
    await put(
        store,
        make.fact("a", sources=(MessageId("m1"), MessageId("m2")), to=["bob"], minutes=2),
        make.fact("b", sources=(MessageId("m3"),), to=["bob"], minutes=1),
        make.fact("c", sources=(MessageId("m2"),)),
        make.fact("d", sources=(MessageId("m9"),), to=["bob"]),
    )
    heard = make.message("m2")
    reply = make.message("r", origin=Origin.TACT, used=(F("b"), F("gone")))
    async with store.transaction() as tx:
        assert [f.id for f in await tx.facts_behind([heard, reply], make.scope("bob"))] == ["b", "a"]
        assert [f.id for f in await tx.facts_behind([heard], make.zone)] == ["c", "a"]
        assert await tx.facts_behind([], make.zone) == []


async def test_edges_are_as_visible_as_the_fact_that_states_them(store, make, put):
    mine, hers = make.edge("a", "Ana", "Bob"), make.edge("b", "Bob", "Zoë")
    second = make.edge("a", "Carol", "Dave")
    await put(store, make.fact("a"), make.fact("b", to=["ana"], minutes=1), edges=[mine, second, hers])
    ana = make.scope("ana")
    async with store.transaction() as tx:
        assert await tx.edges(make.zone, naming=["  BOB "]) == [mine, hers]
        assert await tx.edges(ana, naming=["bob", "ana"]) == [hers]
        assert await tx.edges(make.zone, facts=[F("a")]) == [mine, second]
        assert await tx.edges(make.zone, naming=["zoë"], facts=[F("a")]) == [mine, second, hers]
        assert await tx.edges(ana, facts=[F("a")]) == []
        assert await tx.edges(make.zone) == []
        assert await tx.edges(Scope(make.audience(), nothing=True), naming=["bob"]) == []


async def test_links_need_both_ends_and_their_own_audience(store, make, put):
    heard, private = make.link("l1", "a", "b", to=["bob"]), make.link("l2", "a", "c", to=["bob"])
    narrow = make.link("l3", "b", "a")
    facts = [make.fact("a", to=["bob"]), make.fact("b", to=["bob"]), make.fact("c")]
    await put(store, *facts, links=[heard, private, narrow])
    ids, bob = [F("a"), F("b"), F("c")], make.scope("bob")
    async with store.transaction() as tx:
        assert await tx.links(ids, make.zone) == [heard, private, narrow]
        assert await tx.links(ids, bob) == [heard]
        assert await tx.links([F("a"), F("c")], make.zone) == [private]
        assert await tx.links(ids, make.world) == []
        assert await tx.links(ids, Scope(make.audience(), nothing=True)) == []


async def test_links_go_when_an_end_goes(store, make, put):
    far = make.fact("far", session=SessionId("s2"))
    await put(store, make.fact("a"), make.fact("b"), far)
    async with store.transaction() as tx:
        await tx.put_facts(
            SessionId("s2"), [make.new(far)], [], [make.link("l1", "far", "b"), make.link("l2", "far", "a")]
        )
    await put(store, make.fact("a"))
    async with store.transaction() as tx:
        ids = [F("a"), F("b"), F("far")]
        assert [link.id for link in await tx.links(ids, make.zone)] == ["l2"]
        assert (await tx.counts())["links"] == 1


async def test_a_grant_does_not_move_to_other_words(store, make, put):
    fact = make.fact("a", "the words that were shared")
    await put(store, fact)
    async with store.transaction() as tx:
        await tx.list_person(make.white("bob"), fact=fact.id)
        await tx.list_person(make.black("ana"), fact=fact.id)
    await put(store, replace(fact, text="quite other words under the same id"))
    async with store.transaction() as tx:
        (found,) = await tx.facts([fact.id], make.zone)
        assert found.lists == (make.black("ana"),)
        assert await tx.facts([fact.id], make.scope("bob")) == []

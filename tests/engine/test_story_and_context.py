"""The projected story and the sealed bytes."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from datetime import timedelta
from hashlib import sha256

from engine.annotation import Query
from engine.audience import EVERYONE, OWNER_ONLY, Audience
from engine.ids import OWNER, FactId, LinkId, MessageId, TurnId
from engine.items import Basis, Colour, LinkKind, ListEntry, RawEdge, RawLink
from engine.policy import Policy
from engine.release import (
    Place,
    ReleasedReply,
    release_edges,
    release_facts,
    release_line,
    release_links,
    release_messages,
    release_reply,
    release_to_owner,
)
from engine.retrieval import search_for
from engine.sealed_context import NO_CLAIM, Ranked, seal
from engine.storyline import project
from engine.viewers import FutureReaders, Known
from tests.strategies import ANA, BOB, MESSAGE, ROOMS, T0, a_fact

HOME = Place(Known(frozenset({OWNER})), ROOMS[0])
DAY = timedelta(days=1)


def released(*facts):
    return release_facts(facts, HOME, Policy())[0]


def link(kind, left, right, audience=OWNER_ONLY, name="l1"):
    return RawLink(LinkId(name), kind, FactId(left), FactId(right), MessageId("m-" + left), audience)


def test_a_story_is_told_in_the_order_of_its_times():
    facts = released(a_fact("f1", when=T0 + DAY), a_fact("f2"), a_fact("f3", when=T0 - DAY))
    story = project(facts, ())
    assert [(n.number, n.fact.id) for n in story.nodes] == [(1, "f3"), (2, "f2"), (3, "f1")]


def test_links_stay_between_told_nodes_only_and_once():
    facts = released(a_fact("f1"), a_fact("f2"))
    because = link(LinkKind.BECAUSE, "f1", "f2")
    links = (because, replace(because, id=LinkId("l2")), link(LinkKind.BUT, "f1", "f-gone"))
    story = project(facts, links)
    assert [(e.left, e.kind, e.right) for e in story.edges] == [(1, LinkKind.BECAUSE, 2)]


def sealed(**changes):
    facts = released(
        a_fact("f1", teller=ANA, when=T0), a_fact("f2", when=T0 + DAY, when_is_day=False), a_fact("f3")
    )
    messages, _ = release_messages([MESSAGE], (), HOME, Policy())
    plain = {
        "turn": TurnId("t1"),
        "language": "en",
        "owner_name": "Olga",
        "zone": "UTC",
        "now": T0,
        "asker": "Bob",
        "to_owner": False,
        "question": "When?",
        "projection": project(facts, [link(LinkKind.BUT, "f1", "f2")]),
        "ranks": {FactId("f1"): Ranked(0.9, 0.7)},
        "names": {ANA: "Ana"},
        "graph": release_edges(
            [RawEdge(FactId("f1"), "Ana", "likes", "tea"), RawEdge(FactId("f9"), "x", "y", "z")], facts
        ),
        "recent": messages,
        "viewers": OWNER_ONLY,
        "policy_version": 3,
    }
    return seal(**{**plain, **changes})


def test_the_bytes_hold_what_may_be_told_and_nothing_else():
    context = sealed()
    plain = json.loads(context.payload)
    assert plain["rule"] == NO_CLAIM
    assert [(x["node"], x["text"], x["teller"], x["when"], x["whole_day"]) for x in plain["story"]] == [
        (1, "text of f1", "Ana", "2026-03-01T12:00:00+00:00", True),
        (2, "text of f3", "", None, True),
        (3, "text of f2", "", "2026-03-02T12:00:00+00:00", False),
    ]
    assert plain["because_but"] == [[1, "but", 3]]
    assert plain["graph"] == [["Ana", "likes", "tea"]]
    assert plain["recent"] == [["", MESSAGE.sent_at.isoformat(), MESSAGE.text]]
    assert not {"t1", "f1", "m1", "3"} & set(map(str, plain.values()))


def test_ids_ranks_and_the_policy_version_change_no_byte():
    """They could tell how much else there is."""
    assert sealed().payload == sealed(turn=TurnId("t2"), ranks={}, policy_version=9).payload
    assert sealed().digest == sha256(sealed().payload).hexdigest()
    assert sealed().digest != sealed(question="Where?").digest


def test_a_context_knows_what_it_holds():
    context = sealed()
    assert context.item_ids == (FactId("f1"), FactId("f3"), FactId("f2"), MESSAGE.id)
    assert not context.empty
    assert context.facts[0].similarity == 0.7
    assert context.facts[1].score == 0.0
    assert sealed(projection=project((), ())).empty


def test_nothing_told_is_in_the_repr_of_a_context():
    assert "text of" not in repr(sealed())
    assert "Olga" not in repr(sealed())


def test_a_reply_is_bound_to_the_viewers_it_was_judged_for():
    reply = release_reply("Hello.", HOME, (FactId("f1"),), "d" * 64)
    assert reply == ReleasedReply("Hello.", OWNER_ONLY, (FactId("f1"),), "d" * 64)
    assert release_line("Hi.").text == release_to_owner("Hi.").text == "Hi."
    assert "text" not in [f.name for f in fields(ReleasedReply) if f.repr]


def test_a_link_stays_home_where_later_members_can_read():
    facts = (a_fact("f1", audience=Audience.of([BOB])), a_fact("f2", audience=Audience.of([BOB])))
    place = Place(Known(frozenset({OWNER, BOB})), ROOMS[0])
    told, _ = release_facts(facts, place, Policy())
    heard = link(LinkKind.BECAUSE, "f1", "f2", Audience.of([BOB]))
    assert release_links([heard, link(LinkKind.BUT, "f1", "f2")], facts, told, place, Policy()) == (heard,)
    share = ListEntry(Colour.WHITE, None, Basis.GRANT, OWNER, T0)
    public = tuple(replace(fact, lists=(share,)) for fact in facts)
    elsewhere = Place(Known(frozenset({OWNER, BOB}), FutureReaders.UNBOUNDED), ROOMS[1])
    told, _ = release_facts(public, elsewhere, Policy())
    assert len(told) == 2
    everybodys = link(LinkKind.BUT, "f1", "f2", EVERYONE)
    assert release_links([heard, everybodys], public, told, elsewhere, Policy()) == (everybodys,)


def test_vectors_count_by_language_and_only_if_there_is_one():
    query = Query("when?", "zh", ("when?",), frozenset({"when"}), wide=True)
    search = search_for(query, ("when",), b"1234", "m")
    assert (search.terms, search.vector, search.share, search.wide) == (("when",), b"1234", 0.9, True)
    assert search.model == "m"
    assert search_for(replace(query, language="en"), (), b"1", "m").share == 0.5
    assert search_for(query, (), b"", "").share == 0.0

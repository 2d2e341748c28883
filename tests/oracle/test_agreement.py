"""The engine against the second reading: the same decision, by the same step, on random and on all small universes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.audience import EVERYONE, Audience, admissible
from engine.bundles import case2
from engine.coreference import admissible_facts, barring, bound, case3, fully_disclosable
from engine.disclosure import Reason, bars_somebody, blacklisted, case1, fact_labels, whitelisted
from engine.ids import OWNER, CategoryName, PersonId
from engine.items import Basis, Colour, ListEntry, RawFact
from engine.labels import Label, Lattice, ceiling
from engine.policy import Category, Holding, Policy
from engine.release import (
    Place,
    judge_fact,
    release_facts,
    release_links,
    release_messages,
    release_of,
)
from engine.viewers import FutureReaders, Known, Unknown
from tests import strategies as us
from tests.oracle.model import Here, Model, ceil, conj

TIMES = 10 if os.environ.get("HYPOTHESIS_PROFILE") == "ci" else 3
MANY = settings(max_examples=settings().max_examples * TIMES)  # 150; 2,000 in `make oracle`

STEP = {
    Reason.OWNER: "owner",
    Reason.WHITELIST: "whitelist",
    Reason.SHARED: "whitelist",
    Reason.LABEL: "level",
    Reason.SECRET: "secret",
    Reason.BLACKLIST: "blacklist",
    Reason.NO_LABEL: "level",
    Reason.CONFIDENTIAL: "level",
    Reason.NOT_PRESENT: "audience",
    Reason.COVER: "cover",
    Reason.LATER_MEMBERS: "later members",
    Reason.CEILING: "ceiling",
    Reason.BOUND: "bound",
    Reason.NOTHING_STATES_IT: "nothing",
}


def here(place: Place) -> Here:
    return Here(place.viewers.upper, place.container, place.viewers.future, place.consented)


def pair(label: Label) -> tuple[int, str | None]:
    return label.depth, label.domain


@given(us.lattices, st.data())
def test_conjunction_and_ceiling_agree(lattice, data):
    some = data.draw(st.lists(us.labels(lattice), min_size=1, max_size=4))
    assert pair(some[0] & some[-1]) == conj(pair(some[0]), pair(some[-1]))
    whole = ceiling(some)
    assert whole is not None
    assert pair(whole) == ceil([pair(label) for label in some])


@given(us.policies(), us.moments)
def test_default_audiences_agree(policy, said_at):
    second = Model(policy, others=us.PEOPLE)
    for label, person in product((*policy.lattice.labels(), *us.STRAY), second.U):
        theirs = second.R(pair(label) if pair(label) in second.defined else (0, None), said_at)
        assert policy.in_default_audience(person, label, said_at) == (person in theirs)


@MANY
@given(us.policies(), us.raw_facts())
def test_labels_lists_and_case_1_agree_in_decision_and_reason(policy, fact):
    second = Model(policy, [fact], us.PEOPLE)
    assert sorted(map(str, map(pair, fact_labels(fact, policy)))) == sorted(map(str, second.labels(fact)))
    assert {p for p in second.U if blacklisted(fact, p)} == second.B(fact)
    assert {p for p in second.U - {OWNER} if whitelisted(fact, p)} == second.W(fact) - {OWNER}
    assert bars_somebody(fact) == bool(second.B(fact))
    for person, owner_set in product(second.U, (False, True)):
        mine = case1(fact, person, policy, owner_set_only=owner_set)
        theirs = second.case1(fact, person, owner_set=owner_set)
        assert (mine.allowed, STEP[mine.reason]) == (theirs.allow, theirs.step)


@MANY
@given(us.policies(), us.raw_facts(), us.places)
def test_release_and_the_gate_agree_in_decision_and_reason(policy, fact, place):
    second = Model(policy, [fact], place.upper.members | set(us.PEOPLE))
    released = release_of(fact, policy)
    assert second.persons(released) == second.rel(fact) | {OWNER}
    assert admissible(place.upper, fact.audience, released) == second.admissible1(
        fact, second.persons(place.upper)
    )
    mine = judge_fact(fact, place, policy)
    theirs = second.judge(fact, here(place))
    assert mine.verdict.allowed == theirs.allow
    if mine.verdict.reason is Reason.NOT_PRESENT:
        assert mine.viewer not in second.persons(fact.audience) | second.rel(fact)
    elif mine.viewer is not None:  # several viewers may be refused: the one named must be one of them
        theirs = second.case1(fact, mine.viewer)
    if not mine.verdict.allowed:
        assert not theirs.allow
        assert STEP[mine.verdict.reason] == theirs.step


@MANY
@given(us.universes())
def test_what_a_turn_may_use_agrees(universe):
    second = Model(universe.policy, universe.facts, universe.place.upper.members)
    passed, decisions = release_facts(universe.facts, universe.place, universe.policy)
    told = second.m_auth(list(universe.facts), here(universe.place))
    assert {fact.id for fact in passed} == {d.item for d in decisions if d.verdict.allowed} == told
    every = list(universe.facts)
    links = release_links(universe.links, universe.facts, passed, universe.place, universe.policy)
    assert links == tuple(x for x in universe.links if second.link(x, every, told, here(universe.place)))
    messages, _ = release_messages(universe.messages, universe.facts, universe.place, universe.policy)
    expected = [m.id for m in universe.messages if second.message(m, every, here(universe.place))]
    assert [m.id for m in messages] == expected


@MANY
@given(us.policies(), us.bundles)
def test_case_2_agrees_in_decision_and_reason(policy, bundle):
    second = Model(policy, bundle, us.PEOPLE)
    for person in second.U:
        mine, theirs = case2(bundle, person, policy), second.case2(list(bundle), person)
        assert mine.allowed == theirs.allow
        assert mine.allowed or STEP[mine.reason] == theirs.step


@MANY
@given(us.policies(), us.questions)
def test_case_3_agrees_in_decision_and_reason(policy, units):
    evidence = [list(unit.evidence) for unit in units]
    second = Model(policy, [fact for facts in evidence for fact in facts], us.PEOPLE)
    for person in second.U:
        mine, theirs = case3(units, person, policy), second.case3(evidence, person)
        assert [(v.allowed, STEP[v.reason]) for v in mine] == [(a.allow, a.step) for a in theirs]
        assert fully_disclosable(mine) == second.full_disc(evidence, person)
    for unit in units:
        w_eff, b_eff = second.coref(list(unit.evidence))
        assert {p for p in second.U - {OWNER} if bound(unit, p)} == w_eff - {OWNER}
        assert {p for p in second.U if barring(unit, p, policy)} == b_eff


@MANY
@given(us.universes())
def test_what_passes_layer_1_agrees(universe):
    second = Model(universe.policy, universe.facts, universe.place.upper.members)
    viewers = second.persons(universe.place.upper)
    theirs = tuple(f for f in universe.facts if second.admissible1(f, viewers))
    assert admissible_facts(universe.facts, universe.place, universe.policy) == theirs


# Every universe of two persons, two domains and one fact, for N = 2 and 3


ANA, BOB = us.ANA, us.BOB
WORK = CategoryName("work")


def small_policies(lattice: Lattice) -> Iterator[Policy]:
    held = [(), *((Holding(x),) for x in lattice.labels() if x.depth)]
    kinds = [(x,) for x in lattice.labels()]
    middle = [x for x in lattice.labels() if x.depth and x != lattice.public]
    kinds += [(a, b) for a in middle for b in middle if a < b]
    for ana, bob, labels in product(held, held[:: max(1, len(held) // 2)], kinds):
        category = Category(WORK, labels)
        yield Policy(lattice=lattice, categories=(category,), contacts={ANA: ana, BOB: bob})


def small_facts(fact: RawFact) -> Iterator[RawFact]:
    acts: list[tuple[ListEntry, ...]] = [()]
    for colour, basis in (
        (Colour.WHITE, Basis.GRANT),
        (Colour.BLACK, Basis.BLOCK),
        (Colour.BLACK, Basis.REQUEST),
    ):
        about = (ANA, None) if basis is not Basis.REQUEST else (ANA,)
        acts += [(ListEntry(colour, person, basis, OWNER, us.T0),) for person in about]
    audiences = (Audience(), Audience.of([ANA]), EVERYONE)
    for audience, lists, category in product(audiences, acts, (WORK, None)):
        alone = audience == Audience()
        yield replace(fact, audience=audience, lists=lists, category=category, first_hand=alone)
    yield replace(fact, secret=True)
    yield replace(fact, cover=True)
    yield replace(fact, confidential=True)
    yield replace(fact, confirmed=None)


def small_places() -> Iterator[Place]:
    rooms: list[frozenset[PersonId]] = [
        frozenset(),
        frozenset({ANA}),
        frozenset({BOB}),
        frozenset({ANA, BOB}),
    ]
    for persons in rooms:
        yield Place(Known(persons | {OWNER}), us.ROOMS[0])
    yield Place(Known(frozenset({OWNER, us.MALLORY})), us.ROOMS[0])
    yield Place(Known(frozenset({OWNER, ANA}), FutureReaders.UNBOUNDED), us.ROOMS[1])
    yield Place(Unknown("nothing known", ANA), us.ROOMS[0])


def test_every_small_universe_agrees():
    places = list(small_places())
    facts = list(small_facts(us.a_fact()))
    count = 0
    for lattice in (Lattice(2, ()), Lattice(3, ("life", "work"))):
        for policy, fact in product(small_policies(lattice), facts):
            second = Model(policy, [fact], [us.MALLORY])
            for place in places:
                mine = judge_fact(fact, place, policy)
                assert mine.verdict.allowed == second.judge(fact, here(place)).allow, (policy, fact, place)
                count += 1
    assert count > 30_000

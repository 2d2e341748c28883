"""P1 to P5, and the laws of the lists, as the gate realises them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.audience import EVERYONE, OWNER_ONLY, Audience
from engine.disclosure import Reason, blacklisted, case1, fact_labels, whitelisted
from engine.ids import OWNER, STRANGER, FactId, MessageId, TurnId
from engine.items import Basis, Colour, Confidence, EventState, ListEntry, RawEdge
from engine.policy import Category, Holding, Policy, ReleaseSetting, conjunction
from engine.release import (
    Place,
    judge_fact,
    release_edges,
    release_facts,
    release_links,
    release_messages,
    release_of,
)
from engine.sealed_context import Ranked, seal
from engine.storyline import project
from engine.viewers import FutureReaders, Known, Unknown
from tests import strategies as us
from tests.strategies import ANA, BOB, CATEGORIES, MALLORY, PEOPLE, ROOMS, T0, a_fact

cases = st.tuples(us.policies(), us.raw_facts())
LATER = us.moments.map(lambda at: at.replace(year=2027))


def passes(fact, place, policy):
    return judge_fact(fact, place, policy).verdict.allowed


def room(*persons, future=FutureReaders.NONE, container=ROOMS[0], consented=False):
    return Place(Known(frozenset({OWNER, *persons}), future), container, consented)


def act(colour, person, at, by=OWNER):
    basis = Basis.GRANT if colour is Colour.WHITE else Basis.BLOCK
    return ListEntry(colour, person, basis, by, at)


# The five laws


@given(cases, us.places)
def test_p1_what_is_told_was_heard_by_all_or_released_to_them(case, place):
    policy, fact = case
    if passes(fact, place, policy):
        open_to = fact.audience | release_of(fact, policy)
        assert open_to.covers(place.upper)
        assert all(person in open_to for person in place.upper.members)


@given(cases, st.frozensets(us.persons, max_size=2), st.frozensets(us.persons, max_size=2), us.futures)
def test_p2_more_viewers_never_hear_more(case, few, more, future):
    policy, fact = case
    if passes(fact, room(*few, *more, future=future), policy):
        assert passes(fact, room(*few, future=future), policy)


@given(cases, st.frozensets(us.persons, max_size=3))
def test_p2_what_everybody_may_hear_any_room_may_hear(case, persons):
    policy, fact = case
    if passes(fact, Place(Unknown("reason"), ROOMS[0]), policy):
        assert passes(fact, room(*persons), policy)


@given(cases, us.persons | st.none(), us.futures)
def test_p3_before_unknown_viewers_only_what_is_everybodys(case, sender, future):
    policy, fact = case
    if passes(fact, Place(Unknown("reason", sender, future), ROOMS[0]), policy):
        shared = any(e.by_owner and e.person is None and e.colour is Colour.WHITE for e in fact.lists)
        public = policy.lattice.public in fact_labels(fact, policy)
        confirmed_as_public = public and fact.teller == OWNER and fact.confirmed is not None
        assert fact.audience.everyone or shared or confirmed_as_public


@given(us.policies(), us.raw_facts(), us.places)
def test_p4_a_planted_item_reaches_nobody_outside_its_audience(policy, fact, place):
    acts = tuple(e for e in fact.lists if e.set_by != OWNER)
    event = replace(fact.event, tellers=frozenset({MALLORY}))
    planted = replace(fact, teller=MALLORY, event=event, owner_typed=False, lists=acts)
    assert release_of(planted, policy) == OWNER_ONLY
    if passes(planted, place, policy):
        assert planted.audience.covers(place.upper)


@given(us.universes(), us.raw_facts("planted"), st.text(max_size=20))
def test_p4_planted_words_change_no_verdict_on_anything_else(universe, planted, text):
    planted = replace(planted, teller=MALLORY, text=text)
    _, before = release_facts(universe.facts, universe.place, universe.policy)
    _, after = release_facts((*universe.facts, planted), universe.place, universe.policy)
    assert after[:-1] == before
    assert after[-1] == judge_fact(replace(planted, text=""), universe.place, universe.policy)


def turn(universe, facts, messages, links):
    """What one turn makes of a store: released tuples, projection and sealed bytes."""
    place, policy = universe.place, universe.policy
    passed, _ = release_facts(facts, place, policy)
    told, _ = release_messages(messages, facts, place, policy)
    kept = release_links(links, facts, passed, place, policy)
    edges = [RawEdge(f.id, "Ana", "is", f.text) for f in facts]
    graph = release_edges(edges, passed)
    story = project(passed, kept)
    context = seal(
        turn=TurnId("t1"),
        language="en",
        owner_name="Olga",
        zone="UTC",
        now=T0,
        asker="Ana",
        to_owner=False,
        question="what is new?",
        projection=story,
        ranks={f.id: Ranked(0.5) for f in passed},
        names={ANA: "Ana"},
        graph=graph,
        recent=told,
        viewers=place.upper,
        policy_version=policy.version,
    )
    return passed, told, kept, graph, story, context, context.payload


@given(us.universes())
def test_p5_a_store_without_the_inadmissible_items_seals_the_same_bytes(universe):
    whole = turn(universe, universe.facts, universe.messages, universe.links)
    passed, told, kept = ({item.id for item in items} for items in whole[:3])
    facts = [f for f in universe.facts if f.id in passed]
    messages = [m for m in universe.messages if m.id in told]
    links = [x for x in universe.links if x.id in kept]
    assert turn(universe, facts, messages, links) == whole


@given(us.universes(), us.raw_facts("hidden"))
def test_p5_one_more_inadmissible_item_changes_nothing(universe, hidden):
    assume(not passes(hidden, universe.place, universe.policy))
    whole = turn(universe, universe.facts, universe.messages, universe.links)
    sources = {m.id for m in universe.messages}
    hidden = replace(hidden, sources=tuple(s for s in hidden.sources if s not in sources))
    assert turn(universe, (hidden, *universe.facts), universe.messages, universe.links) == whole


@given(us.universes(), st.randoms())
def test_the_order_in_which_a_store_returns_facts_changes_no_byte(universe, chance):
    shuffled = list(universe.facts)
    chance.shuffle(shuffled)
    one = turn(universe, universe.facts, universe.messages, universe.links)
    other = turn(universe, shuffled, universe.messages, universe.links)
    assert one[4].nodes == other[4].nodes


# Categories


@given(cases)
def test_the_ceiling_of_a_penetrating_fact_opens_to_fewer_than_each_of_its_labels(case):
    policy, fact = case
    some = fact_labels(fact, policy)
    for person in (*PEOPLE, STRANGER):
        if policy.in_default_audience(person, conjunction(some), fact.said_at):
            assert all(policy.in_default_audience(person, label, fact.said_at) for label in some)


@given(cases)
def test_the_default_audience_of_a_fact_is_the_union_over_its_labels(case):
    policy, fact = case
    bare = replace(fact, lists=(), secret=False, audience=OWNER_ONLY)
    some = fact_labels(bare, policy)
    for person in (*PEOPLE, STRANGER):
        in_union = any(policy.in_default_audience(person, label, fact.said_at) for label in some)
        assert case1(bare, person, policy).allowed == in_union


@given(us.policies(), us.raw_facts(), us.suggestions)
def test_one_more_opinion_on_the_category_never_opens_a_label(policy, fact, more):
    assume(more.annotator is not Confidence.OWNER)
    unsure = replace(fact, suggestions=(*fact.suggestions, more))
    for person in (*PEOPLE, STRANGER):
        if case1(unsure, person, policy).allowed:
            assert case1(fact, person, policy).allowed


@given(cases)
def test_what_has_no_category_opens_by_its_label_to_nobody(case):
    policy, fact = case
    loose = replace(fact, category=None, lists=(), audience=OWNER_ONLY)
    assert not any(case1(loose, p, policy).allowed for p in (*PEOPLE, STRANGER))
    assert release_of(loose, policy) == OWNER_ONLY


# Lists


@given(cases, us.persons, LATER)
def test_a_blacklist_beats_every_label_and_whitelist_and_release(case, person, at):
    policy, fact = case
    barred = replace(fact, lists=(*fact.lists, act(Colour.BLACK, person, at)))
    assert blacklisted(barred, person)
    assert not case1(barred, person, policy).allowed
    assert not passes(barred, room(person), policy)
    assert not passes(barred, Place(Unknown("reason"), ROOMS[0]), policy)


@given(cases, us.persons, LATER, st.booleans())
def test_a_later_share_by_the_owner_beats_a_blacklist(case, person, at, everybody):
    policy, fact = case
    assume(not fact.cover)
    share = act(Colour.WHITE, None if everybody else person, at)
    given_back = replace(fact, lists=(*fact.lists, act(Colour.BLACK, person, T0), share))
    assert not blacklisted(given_back, person)
    assert case1(given_back, person, policy).reason is Reason.SHARED
    assert passes(given_back, room(person), policy)


@given(cases, us.persons, st.permutations([Colour.WHITE, Colour.BLACK]), st.booleans())
def test_the_owners_last_act_wins_whatever_the_order_of_the_entries(case, person, colours, backwards):
    policy, fact = case
    acts = [act(colour, person, T0.replace(year=2027 + n)) for n, colour in enumerate(colours)]
    final = replace(fact, lists=tuple(reversed(acts)) if backwards else tuple(acts))
    assert blacklisted(final, person) == (colours[-1] is Colour.BLACK)
    assert case1(final, person, policy).allowed == (colours[-1] is Colour.WHITE)


@given(cases, us.persons, us.moments)
def test_a_share_and_a_block_of_the_same_moment_leave_the_block(case, person, at):
    policy, fact = case
    both = replace(fact, lists=(act(Colour.BLACK, person, at), act(Colour.WHITE, person, at)))
    assert not case1(both, person, policy).allowed


@given(cases, us.persons, LATER)
def test_a_later_request_by_the_owner_takes_a_share_back(case, person, at):
    policy, fact = case
    request = ListEntry(Colour.BLACK, person, Basis.REQUEST, OWNER, at)
    asked = replace(fact, lists=(act(Colour.WHITE, person, T0), request))
    assert not case1(asked, person, policy).allowed


@given(cases, LATER)
def test_the_owner_is_never_denied(case, at):
    policy, fact = case
    worst = replace(
        fact, secret=True, lists=(*fact.lists, act(Colour.BLACK, OWNER, at), act(Colour.BLACK, None, at))
    )
    for one in (fact, worst):
        assert not blacklisted(one, OWNER)
        assert case1(one, OWNER, policy).allowed
        assert passes(one, room(), policy)


@given(cases, us.persons)
def test_a_request_binds_only_what_that_person_told(case, person):
    _, fact = case
    request = ListEntry(Colour.BLACK, person, Basis.REQUEST, MALLORY, T0)
    assert blacklisted(replace(fact, teller=MALLORY, secret=False, lists=(request,)), person)
    assert not blacklisted(replace(fact, teller=BOB, secret=False, lists=(request,)), person)


@given(cases)
def test_pl4_reaches_nobody_but_those_it_was_explicitly_shared_with(case):
    policy, fact = case
    secret = replace(fact, secret=True)
    for person in (*PEOPLE, STRANGER):
        shared = any(
            e.by_owner and e.colour is Colour.WHITE and e.person in (person, None) for e in secret.lists
        )
        if case1(secret, person, policy).allowed:
            assert shared
        if not any(e.by_owner for e in secret.lists):
            assert case1(secret, person, policy).reason is Reason.SECRET
    if not any(e.by_owner for e in secret.lists):
        assert release_of(secret, policy) == OWNER_ONLY


@given(cases, st.sampled_from(["fact", "event"]))
def test_confidential_reaches_those_who_heard_it_and_whom_the_owner_shared_it_with(case, whose):
    policy, fact = case
    event = replace(fact.event, confidential=True)
    hushed = replace(fact, confidential=True) if whose == "fact" else replace(fact, event=event)
    for person in (*PEOPLE, STRANGER):
        if case1(hushed, person, policy).allowed:
            assert whitelisted(hushed, person)
            assert case1(hushed, person, policy).reason in {Reason.SHARED, Reason.WHITELIST}
    if not any(e.by_owner for e in hushed.lists):
        assert release_of(hushed, policy) == OWNER_ONLY


@given(cases, us.places)
def test_a_cover_story_is_repeated_to_nobody_for_whom_the_owner_did_not_switch_that_on(case, place):
    policy, fact = case
    cover = replace(fact, cover=True)
    if not place.upper.members - {OWNER} <= policy.covers_for or place.upper.everyone:
        assert not passes(cover, place, policy)
    assert passes(cover, place, replace(policy, covers_for=frozenset())) == (place.upper == OWNER_ONLY)


@given(cases, us.places)
def test_a_cover_story_is_repeated_only_to_those_who_were_told_it(case, place):
    policy, fact = case
    cover, willing = replace(fact, cover=True), replace(policy, covers_for=frozenset(PEOPLE))
    if passes(cover, place, willing):
        assert all(whitelisted(cover, person) for person in place.upper.members - {OWNER})


@given(cases, us.persons)
def test_a_blacklisted_fact_reaches_no_stranger_by_its_label_and_never_everybody(case, person):
    policy, fact = case
    entry = act(Colour.BLACK, person, T0.replace(year=2027))
    barred = replace(fact, lists=(*fact.lists, entry))
    assert not release_of(barred, policy).everyone
    assert case1(barred, STRANGER, policy).reason is not Reason.LABEL


@given(cases)
def test_whitelists_never_add_up_to_everybody(case):
    policy, fact = case
    acts = tuple(act(Colour.WHITE, p, T0) for p in PEOPLE)
    every = replace(fact, lists=acts, category=None, audience=OWNER_ONLY)
    assert release_of(every, policy) == Audience.of(PEOPLE)
    assert not passes(every, Place(Unknown("reason"), ROOMS[0]), policy)


@given(cases)
def test_whoever_was_there_is_whitelisted_and_everybody_is_nobody(case):
    _, fact = case
    for person in PEOPLE:
        bare = replace(fact, lists=())
        assert whitelisted(bare, person) == (person in fact.audience and not fact.audience.everyone)


# Nobody else's words ever widen


others = st.lists(us.list_entries().filter(lambda e: e.set_by != OWNER), max_size=3)


@given(cases, others)
def test_list_entries_of_others_add_nobody_to_what_is_released(case, entries):
    policy, fact = case
    more = replace(fact, lists=(*fact.lists, *entries))
    assert release_of(fact, policy).covers(release_of(more, policy))


@given(cases, us.persons)
def test_roles_found_by_annotation_add_nobody_to_what_is_released(case, person):
    policy, fact = case
    role = ListEntry(Colour.WHITE, person, Basis.ROLE, OWNER, T0)
    more = replace(fact, lists=(*fact.lists, role))
    assert release_of(fact, policy) == release_of(more, policy)


@given(cases, st.frozensets(us.persons), st.booleans(), st.booleans())
def test_what_others_tell_of_the_event_adds_nobody_to_what_is_released(case, tellers, hushed, unresolved):
    policy, fact = case
    told = EventState(fact.event.id, fact.event.tellers | tellers, hushed, unresolved)
    event = replace(
        told,
        confidential=told.confidential or fact.event.confidential,
        unresolved=unresolved or fact.event.unresolved,
    )
    assert release_of(fact, policy).covers(release_of(replace(fact, event=event), policy))


@given(cases, st.lists(us.suggestions.filter(lambda s: s.annotator is not Confidence.OWNER), max_size=3))
def test_suggestions_add_nobody_to_what_the_owner_has_to_confirm(case, more):
    policy, fact = case
    category = policy.category(fact.category)
    assume(category is None or category.release_for(fact.said_at) is not ReleaseSetting.POLICY)
    unsure = replace(fact, suggestions=(*fact.suggestions, *more))
    assert release_of(fact, policy).covers(release_of(unsure, policy))


@given(cases, us.persons)
def test_what_somebody_else_told_is_released_by_an_explicit_share_alone(case, teller):
    policy, fact = case
    entries = tuple(e for e in fact.lists if e.colour is Colour.BLACK or e.set_by != OWNER)
    retold = replace(fact, teller=teller, first_hand=False, owner_typed=False, lists=entries)
    assert release_of(retold, policy) == OWNER_ONLY


MARKS = {
    "no source": {"sources": ()},
    "unresolved": {"unresolved": True},
    "confidential": {"confidential": True},
    "a cover story": {"cover": True},
    "a PL4 secret": {"secret": True},
    "kept private": {"kept_private": True},
    "told by somebody else": {"teller": MALLORY},
    "heard by others": {"audience": Audience.of([BOB])},
    "not first-hand": {"first_hand": False},
    "not confirmed": {"confirmed": None},
    "no category": {"category": None},
    "event told by others": {"event": EventState(a_fact().event.id, frozenset({OWNER, MALLORY}))},
    "event confidential": {"event": EventState(a_fact().event.id, frozenset({OWNER}), confidential=True)},
    "event unresolved": {"event": EventState(a_fact().event.id, frozenset({OWNER}), unresolved=True)},
}
OPEN_TO_ANA = Policy(
    categories=(Category(CATEGORIES[0], (Policy().lattice.parse("L1-work"),)),),
    contacts={ANA: (Holding(Policy().lattice.parse("L1-work")),), BOB: ()},
)


@pytest.mark.parametrize("mark", MARKS)
def test_each_condition_of_the_standing_policy_is_needed(mark):
    assert release_of(a_fact(), OPEN_TO_ANA) == Audience.of([ANA])
    assert release_of(a_fact(**MARKS[mark]), OPEN_TO_ANA) == OWNER_ONLY


# Later members


@given(cases, us.places, st.sampled_from([f for f in FutureReaders if f is not FutureReaders.NONE]))
def test_where_later_members_can_read_only_public_or_own_items_are_told(case, place, future):
    policy, fact = case
    place = Place(replace(place.viewers, future=future), place.container)
    if passes(fact, place, policy) and fact.container != place.container:
        assert passes(fact, Place(Unknown("anybody"), fact.container), policy)


@given(cases, us.places)
def test_the_owners_consent_lifts_the_later_members_rule_and_nothing_else(case, place):
    policy, fact = case
    calm = replace(place, viewers=replace(place.viewers, future=FutureReaders.NONE))
    consented = judge_fact(fact, replace(place, consented=True), policy)
    assert consented == judge_fact(fact, calm, policy)


# The recency buffer


@given(us.universes())
def test_a_message_is_judged_by_its_own_audience_whatever_was_released(universe):
    told, _ = release_messages(universe.messages, universe.facts, universe.place, universe.policy)
    by_id = {m.id: m for m in universe.messages}
    assert all(by_id[m.id].audience.covers(universe.place.upper) for m in told)


@given(us.universes())
def test_a_reply_goes_with_anything_it_told_that_would_not_be_told_again(universe):
    passed, _ = release_facts(universe.facts, universe.place, universe.policy)
    told, _ = release_messages(universe.messages, universe.facts, universe.place, universe.policy)
    by_id = {m.id: m for m in universe.messages}
    for message in told:
        assert set(by_id[MessageId(message.id)].used) <= {FactId(f.id) for f in passed}


@given(us.universes(), us.persons)
def test_no_source_of_a_secret_is_shown_again_to_anybody_but_the_owner(universe, person):
    told, _ = release_messages(universe.messages, universe.facts, room(person), universe.policy)
    secret = {source for f in universe.facts if f.secret or f.cover for source in f.sources}
    assert not secret & {m.id for m in told}


@given(us.universes())
def test_everything_released_carries_the_words_it_was_recorded_with(universe):
    passed, decisions = release_facts(universe.facts, universe.place, universe.policy)
    texts = {f.id: f.text for f in universe.facts}
    assert all(fact.text == texts[fact.id] for fact in passed)
    assert len(decisions) == len(universe.facts)
    assert EVERYONE.covers(universe.place.upper)

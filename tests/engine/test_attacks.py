"""The attacks that shaped the model, each by its name, as far as the engine alone can stop it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from engine.annotation import (
    Act,
    Reading,
    Request,
    Statement,
    is_first_hand,
    make_facts,
    mentioned,
    requested,
    same_event,
)
from engine.audience import EVERYONE, OWNER_ONLY, Audience, admissible, derived_audience
from engine.disclosure import Reason, case1
from engine.errors import PolicyFault
from engine.ids import (
    OWNER,
    STRANGER,
    AccountId,
    CategoryName,
    ContainerId,
    EventId,
    FactId,
    LinkId,
    MessageId,
)
from engine.items import Basis, Colour, EventState, LinkKind, ListEntry, Origin, RawLink
from engine.labels import L0, Lattice
from engine.people import People, Seen
from engine.policy import Category, Holding, Policy, ReleaseSetting
from engine.release import Place, judge_fact, release_facts, release_links, release_messages, release_of
from engine.viewers import (
    ChatKind,
    FutureReaders,
    Known,
    Open,
    RosterEvidence,
    Unknown,
    recorded_for,
    viewers,
)
from tests.strategies import ANA, BOB, CAROL, DAN, MALLORY, MESSAGE, ROOMS, T0, a_fact

LATTICE = Lattice()
L1_WORK, L2_WORK, PUBLIC = (LATTICE.parse(x) for x in ("L1-work", "L2-work", "L4"))
WORK, NEWS = CategoryName("work"), CategoryName("news")
POLICY = Policy(
    categories=(Category(WORK, (L1_WORK,)), Category(NEWS, (PUBLIC,))),
    contacts={ANA: (Holding(L1_WORK),), BOB: (Holding(L1_WORK),), CAROL: (Holding(L1_WORK),), DAN: ()},
)
OLD = OWNER_ONLY
ANYBODY = Place(Unknown("no complete member list"), ROOMS[0])
DAY = timedelta(days=1)


def room(*persons, container=ROOMS[0], future=FutureReaders.NONE):
    return Place(Known(frozenset({OWNER, *persons}), future), container)


def told(fact, *persons, policy=POLICY):
    return judge_fact(fact, room(*persons), policy).verdict.allowed


def request(person, by=OWNER, at=T0):
    return ListEntry(Colour.BLACK, person, Basis.REQUEST, by, at)


def block(person, at=T0):
    return ListEntry(Colour.BLACK, person, Basis.BLOCK, OWNER, at)


def share(person, at=T0):
    return ListEntry(Colour.WHITE, person, Basis.GRANT, OWNER, at)


def test_nothing_is_attacked_here():
    """Without an attack, Ana hears of work, Dan and strangers do not."""
    assert told(a_fact(), ANA)
    assert not told(a_fact(), DAN)
    assert not told(a_fact(), MALLORY)
    assert not judge_fact(a_fact(), ANYBODY, POLICY).verdict.allowed


def test_owner_command_typed_in_a_group():
    command = replace(
        MESSAGE, origin=Origin.COMMAND, audience=Audience.of([ANA, BOB]), container=ROOMS[0], alone=False
    )
    shown, decisions = release_messages([command], (), room(ANA, BOB), POLICY)
    assert shown == ()
    assert decisions[0].verdict.reason is Reason.RETIRED
    assert not is_first_hand(command)


def test_pasted_letter_that_names_dave():
    people = People(names={DAN: ("Dave",)})
    assert mentioned(Statement("Dave agrees.", names=("Dave",)), people) == (DAN,)
    role = ListEntry(Colour.WHITE, DAN, Basis.ROLE, OWNER, T0)
    letter = a_fact(mentions=(DAN,), lists=(role,))
    assert case1(letter, DAN, POLICY).allowed  # a role whitelists ...
    assert DAN not in release_of(letter, POLICY)  # ... and releases to nobody
    assert not told(letter, DAN)


def test_forwarded_secret_of_bobs():
    forwarded = replace(MESSAGE, origin=Origin.FORWARD)
    (fact,) = make_facts(forwarded, Reading(Act.STATEMENT, "en", (Statement("Bob resigns."),)), People())
    confirmed = replace(fact, category=WORK, confirmed=T0, settled=True)
    assert release_of(confirmed, POLICY) == OWNER_ONLY
    assert not told(confirmed, ANA)


def test_retelling_of_bobs_news():
    retold = a_fact(event=EventState(EventId("e"), frozenset({OWNER, BOB})))
    assert not told(retold, ANA)
    assert told(replace(retold, lists=(share(ANA),)), ANA)


def test_two_audiences_intersecting_to_the_owner():
    audience = derived_audience([Audience.of([ANA]), Audience.of([BOB])])
    assert audience == OWNER_ONLY
    summary = a_fact(audience=audience, first_hand=False, sources=(MessageId("a"), MessageId("b")))
    assert not told(summary, ANA)
    assert not told(summary, BOB)


def test_fact_without_sources():
    assert derived_audience([]) == OWNER_ONLY
    assert not told(a_fact(sources=()), ANA)


def test_distiller_given_another_rooms_jargon():
    """Everything in the call counts, so a glossary from another room narrows what was made with it."""
    made = derived_audience([Audience.of([ANA, BOB]), Audience.of([ANA, BOB]), Audience.of([CAROL, BOB])])
    assert made == Audience.of([BOB])


def test_slack_public_treated_as_world_public():
    ana = AccountId("slack:ana")
    evidence = RosterEvidence(ChatKind.ORGANISATION, ana, frozenset({ana}))
    found = viewers(evidence, {ana: ANA})
    assert isinstance(found, Open)
    assert not found.world
    assert found.upper == EVERYONE
    assert recorded_for(found, found, evidence, ANA) == (Audience.of([ANA]), False)


def test_joiner_between_message_and_pull():
    ana, dave = AccountId("irc:ana"), AccountId("irc:dave")
    people = {ana: ANA, dave: DAN}
    evidence = RosterEvidence(ChatKind.GROUP, ana, frozenset({ana, dave}))
    before, now = Known(frozenset({OWNER, ANA})), viewers(evidence, people)
    assert recorded_for(now, before, evidence, ANA) == (Audience.of([ANA]), False)
    assert recorded_for(now, now, evidence, ANA) == (Audience.of([ANA, DAN]), False)
    assert recorded_for(now, Unknown("timeout"), evidence, ANA) == (Audience.of([ANA]), False)


def test_a_snapshot_needs_no_second_pull():
    ana = AccountId("console:ana")
    evidence = RosterEvidence(ChatKind.GROUP, ana, frozenset({ana}), snapshot=True)
    now = viewers(evidence, {ana: ANA})
    assert recorded_for(now, None, evidence, ANA) == (Audience.of([ANA]), False)


def test_an_open_place_remembers_for_everybody_and_a_direct_chat_for_its_two_parties():
    ana = AccountId("irc:ana")
    world = RosterEvidence(ChatKind.OPEN, ana, None)
    assert recorded_for(viewers(world, {}), None, world, ANA) == (EVERYONE, False)
    direct = RosterEvidence(ChatKind.DIRECT, ana, frozenset({ana}))
    assert recorded_for(viewers(direct, {ana: ANA}), None, direct, ANA) == (Audience.of([ANA]), False)
    silent = RosterEvidence(ChatKind.UNKNOWN, ana, None)
    assert recorded_for(viewers(silent, {ana: ANA}), None, silent, ANA) == (Audience.of([ANA]), True)


def test_retired_owner_account():
    old = AccountId("telegram:1")
    people = People(owners=frozenset({AccountId("telegram:2")}))
    assert people.person(old) != OWNER
    found = viewers(RosterEvidence(ChatKind.PRIVATE, old, frozenset({old})), people.mapping)
    assert isinstance(found, Unknown)
    assert not judge_fact(a_fact(), Place(found, ROOMS[0]), POLICY).verdict.allowed


def test_cover_story_that_releases_the_truth():
    reading = Reading(Act.STATEMENT, "en", (Statement("I quit."),), covers=(Statement("I am ill."),))
    truth, cover = make_facts(MESSAGE, reading, People())
    ready = {"category": WORK, "confirmed": T0, "settled": True}
    for fact in (replace(truth, **ready), replace(cover, **ready)):
        assert not told(fact, ANA)
        assert release_of(fact, POLICY) == OWNER_ONLY
        assert told(fact)
    # a share of the cover story opens nothing either, and above all not the truth
    shared = replace(cover, lists=(share(ANA),), **ready)
    assert judge_fact(shared, room(ANA), POLICY).verdict.reason is Reason.COVER
    assert not told(replace(truth, **ready), ANA)


def test_dont_tell_carol_and_the_next_days_fact():
    assert same_event(("party", "friday"), ("party", "friday", "garden"))
    next_day = a_fact("f2", said_at=T0 + DAY, lists=(request(CAROL),))
    assert told(next_day, ANA)
    assert not told(next_day, CAROL)
    assert not told(next_day, ANA, CAROL)
    assert judge_fact(next_day, room(CAROL), POLICY).verdict.reason is Reason.NOT_PRESENT
    heard = replace(next_day, audience=Audience.of([CAROL]))
    assert judge_fact(heard, room(CAROL), POLICY).verdict.reason is Reason.BLACKLIST


def test_mama_resolving_to_nobody():
    entries, unclear = requested(Request(("妈妈",)), OWNER, T0, People(names={ANA: ("Ana",)}))
    assert (entries, unclear) == ((), True)
    hushed = a_fact(confidential=True)
    assert not told(hushed, ANA)
    verdict = judge_fact(replace(hushed, audience=EVERYONE), room(ANA), POLICY).verdict
    assert verdict.reason is Reason.CONFIDENTIAL


def test_mallory_who_calls_herself_bob():
    people = People(names={BOB: ("Bob",)}, seen={AccountId(MALLORY): Seen(AccountId(MALLORY), "Bob", T0)})
    assert people.resolve("Bob") == (BOB,)
    assert people.person(AccountId(MALLORY)) == MALLORY
    assert told(a_fact(lists=(share(BOB),)), BOB)
    assert not told(a_fact(lists=(share(BOB),)), MALLORY)


def test_level_add_mallory_l0():
    with pytest.raises(PolicyFault, match="cannot hold L0"):
        replace(POLICY, contacts={MALLORY: (Holding(L0),)})


def test_l0_beside_l2_work_in_one_category():
    both = Category(WORK, (L0, L2_WORK))
    with pytest.raises(PolicyFault, match="L0"):
        Policy(categories=(both,))


def test_contact_who_plants_she_told_me_the_truth():
    planted = (
        ListEntry(Colour.WHITE, MALLORY, Basis.GRANT, MALLORY, T0),
        ListEntry(Colour.WHITE, MALLORY, Basis.ROLE, MALLORY, T0),
        ListEntry(Colour.WHITE, None, Basis.GRANT, MALLORY, T0),
    )
    assert release_of(a_fact(lists=planted), POLICY) == release_of(a_fact(), POLICY)
    assert not told(a_fact(lists=planted), MALLORY)


def because(left, right, audience):
    return RawLink(LinkId("l"), LinkKind.BECAUSE, FactId(left), FactId(right), MessageId("m"), audience)


def test_because_edge_as_oracle():
    """That two things hang together is a third thing: it is told only to those who heard that as well."""
    facts = (
        a_fact("f1", lists=(share(ANA),)),
        a_fact("f2", lists=(share(ANA),)),
        a_fact("f3", confirmed=None),
    )
    passed, _ = release_facts(facts, room(ANA), POLICY)
    assert [f.id for f in passed] == ["f1", "f2"]
    private = because("f1", "f2", OWNER_ONLY)
    heard = because("f1", "f2", Audience.of([ANA]))
    dangling = because("f1", "f3", Audience.of([ANA]))
    assert release_links((private, heard, dangling), facts, passed, room(ANA), POLICY) == (heard,)


def test_supersession_as_oracle():
    """A correction that Ana may not hear leaves the old value standing for her, as if there were none."""
    old = a_fact("f1", superseded_by=FactId("f2"))
    correction = a_fact("f2", kept_private=True)
    alone, _ = release_facts((old,), room(ANA), POLICY)
    both, decisions = release_facts((old, correction), room(ANA), POLICY)
    assert [f.text for f in both] == [f.text for f in alone] == [old.text]
    _, decisions = release_facts((old, correction), room(), POLICY)
    assert decisions[0].verdict.reason is Reason.SUPERSEDED


def reply(*used):
    return replace(
        MESSAGE,
        id=MessageId("r"),
        sender=OWNER,
        origin=Origin.TACT,
        audience=Audience.of([ANA]),
        container=ROOMS[0],
        used=tuple(map(FactId, used)),
        alone=False,
    )


def shown(message, *facts, place=None, policy=POLICY):
    return bool(release_messages([message], facts, place or room(ANA), policy)[0])


def test_tacts_reply_coming_back_as_a_fact():
    assert not is_first_hand(replace(MESSAGE, origin=Origin.TACT))
    assert shown(reply("f1"), a_fact())
    assert shown(reply())


@pytest.mark.parametrize(
    "after",
    [
        {"kept_private": True},
        {"confirmed": None},
        {"lists": (block(ANA),)},
        {"secret": True},
        {"confidential": True},
    ],
)
def test_a_narrowed_fact_does_not_live_on_in_the_reply_that_told_it(after):
    assert not shown(reply("f1"), a_fact(**after))


def test_a_forgotten_or_corrected_fact_does_not_live_on_in_the_reply_that_told_it():
    assert not shown(reply("f1"))
    old = a_fact(superseded_by=FactId("f2"))
    assert shown(reply("f1"), old, a_fact("f2", kept_private=True))
    assert not shown(reply("f1"), old, a_fact("f2"))


def test_source_of_a_secret_or_barred_fact_in_the_recency_buffer():
    source = replace(MESSAGE, id=MessageId("m-f1"), audience=Audience.of([ANA]), container=ROOMS[0])
    heard = a_fact(audience=Audience.of([ANA]))
    assert shown(source, heard)
    assert not shown(source, replace(heard, secret=True))
    assert not shown(source, replace(heard, cover=True))
    assert not shown(source, replace(heard, lists=(block(ANA),)))
    assert shown(source, replace(heard, lists=(block(BOB),)))
    assert shown(source, replace(heard, secret=True), place=room())
    public = replace(source, audience=EVERYONE)
    assert shown(public, replace(heard, lists=()), place=ANYBODY)
    assert not shown(public, replace(heard, lists=(block(BOB),)), place=ANYBODY)


def test_draft_approved_after_a_blacklist():
    draft, _ = release_facts([a_fact()], room(ANA), POLICY)
    assert draft
    assert not told(a_fact(lists=(block(ANA, T0 + DAY),)), ANA)


def test_reminder_after_dave_joined():
    assert told(a_fact(), ANA)
    decision = judge_fact(a_fact(), room(ANA, DAN), POLICY)
    assert (decision.verdict.reason, decision.viewer) == (Reason.NOT_PRESENT, DAN)


def test_level_added_after_years_of_facts():
    later = replace(POLICY, contacts={DAN: (Holding(L1_WORK, since=T0 + 900 * DAY),)})
    assert not told(a_fact(), DAN, policy=later)
    assert told(a_fact(said_at=T0 + 901 * DAY), DAN, policy=later)


def test_category_widened_after_years_of_facts():
    wide = Category(WORK, (PUBLIC,), release=ReleaseSetting.POLICY)
    later = POLICY.edited(wide, T0 + 900 * DAY, earlier=False)
    assert not told(a_fact(), DAN, policy=later)
    assert release_of(a_fact(confirmed=None), later) == OWNER_ONLY
    assert told(a_fact(), DAN, policy=POLICY.edited(wide, T0 + 900 * DAY, earlier=True))


def test_category_added_after_years_of_facts():
    gone = replace(POLICY, categories=())
    new = gone.edited(Category(WORK, (L1_WORK,)), T0 + 900 * DAY, earlier=False)
    assert not told(a_fact(), ANA, policy=new)
    assert told(a_fact(said_at=T0 + 901 * DAY), ANA, policy=new)


def test_edit_after_carol_joined():
    """A new version is for those who had the old one and are there for the edit."""
    old, present = Audience.of([ANA]), Audience.of([ANA, CAROL])
    assert old & present == Audience.of([ANA])
    assert Audience.of([ANA, BOB]) & present == Audience.of([ANA])


def test_reply_target_carrying_narrower_text():
    """The target of a reply is looked up under layer 1 like anything else."""
    target = replace(MESSAGE, audience=Audience.of([BOB]), container=ROOMS[0])
    answer = replace(target, id=MessageId("m2"), audience=Audience.of([ANA, BOB]), reply_to=target.id)
    shown_now, _ = release_messages([target, answer], (), room(ANA, BOB), POLICY)
    assert [m.id for m in shown_now] == [answer.id]


def test_carol_who_is_no_contact_asks_where_anybody_may_read():
    """People on a list are asked for even if they are unknown otherwise, and strangers may be them."""
    public = a_fact(audience=EVERYONE, category=NEWS)
    assert judge_fact(public, ANYBODY, POLICY).verdict.allowed
    barred = replace(public, lists=(block(MALLORY),))
    assert not judge_fact(barred, ANYBODY, POLICY).verdict.allowed
    assert not told(barred, MALLORY)
    assert not told(barred, STRANGER)
    assert not told(barred, DAN)
    assert told(barred, ANA, policy=replace(POLICY, categories=(Category(NEWS, (L1_WORK,)),)))
    everybody_but_mallory = a_fact(lists=(share(None), block(MALLORY, T0 + DAY)))
    assert release_of(everybody_but_mallory, POLICY) == Audience.of(POLICY.contacts)


def test_confirmed_public_fact_is_told_anywhere():
    public = a_fact(category=NEWS)
    assert release_of(public, POLICY) == EVERYONE
    assert judge_fact(public, ANYBODY, POLICY).verdict.allowed
    everywhere = room(ANA, container=ContainerId("elsewhere"), future=FutureReaders.UNBOUNDED)
    assert judge_fact(public, everywhere, POLICY).verdict.allowed
    assert judge_fact(a_fact(), everywhere, POLICY).verdict.reason is Reason.LATER_MEMBERS
    assert judge_fact(a_fact(), replace(everywhere, consented=True), POLICY).verdict.allowed


def test_message_from_elsewhere_where_later_members_can_read():
    heard = replace(MESSAGE, audience=Audience.of([ANA]), container=ContainerId("elsewhere"))
    history = room(ANA, future=FutureReaders.BOUNDED)
    assert shown(heard)
    assert not shown(heard, place=history)
    assert shown(replace(heard, audience=EVERYONE), place=history)


def test_audience_of_a_derived_item_is_never_wider_than_a_source():
    assert not admissible(Audience.of([ANA]), derived_audience([EVERYONE, OWNER_ONLY]))


def test_role_found_by_annotation_beside_a_share_with_everybody_but_somebody():
    """Being named by annotation does not make somebody known to the owner, and known is who is let in."""
    role = ListEntry(Colour.WHITE, MALLORY, Basis.ROLE, OWNER, T0)
    but_ana = a_fact(lists=(share(None), block(ANA, T0 + DAY)))
    named = replace(but_ana, lists=(*but_ana.lists, role))
    assert release_of(named, POLICY) == release_of(but_ana, POLICY) == Audience.of([BOB, CAROL, DAN])

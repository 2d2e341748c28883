"""Labels, lists, the standing policy and viewers, one example for each condition."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.audience import EVERYONE, OWNER_ONLY, Audience
from engine.disclosure import Reason, case1, fact_labels
from engine.ids import OWNER, STRANGER, AccountId, CategoryName
from engine.items import Basis, Colour, Confidence, EventState, ListEntry, Suggestion
from engine.labels import L0, Label, Lattice
from engine.policy import Category, Holding, Policy, ReleaseSetting
from engine.release import Place, judge_fact, release_of
from engine.viewers import ChatKind, Known, RosterEvidence, Unknown, viewers
from tests.strategies import ANA, BOB, MALLORY, ROOMS, T0, a_fact

LATTICE = Lattice()
L1_WORK, L2_WORK, L1_LIFE, PUBLIC = (LATTICE.parse(x) for x in ("L1-work", "L2-work", "L1-life", "L4"))
WORK, TEAM, HOME, GONE = (CategoryName(x) for x in ("work", "team", "home", "gone"))


def policy(setting=ReleaseSetting.CONFIRM, *labels):
    categories = (
        Category(WORK, labels or (L1_WORK,), release=setting),
        Category(TEAM, (L2_WORK,)),
        Category(HOME, (L1_LIFE,)),
    )
    return Policy(categories=categories, contacts={ANA: (Holding(L1_WORK),), BOB: (Holding(L2_WORK),)})


def opinion(category, confidence=0.5, annotator=Confidence.EMBEDDING):
    return Suggestion(category, confidence, annotator)


@pytest.mark.parametrize(
    ("suggestions", "labels"),
    [
        ((), (L1_WORK,)),
        ((opinion(WORK),), (L1_WORK,)),
        ((opinion(TEAM),), (L1_WORK,)),
        ((opinion(HOME),), (L0,)),
        ((opinion(HOME, 0.09),), (L1_WORK,)),
        ((opinion(HOME, 0.10),), (L0,)),
        ((opinion(GONE),), (L0,)),
        ((opinion(WORK, 1.0, Confidence.OWNER), opinion(HOME)), (L1_WORK,)),
    ],
)
def test_every_plausible_category_counts_unless_the_owner_chose(suggestions, labels):
    assert fact_labels(a_fact(suggestions=suggestions), policy()) == labels


def test_two_plausible_categories_make_an_ordinary_fact_of_a_penetrating_one():
    both = policy(ReleaseSetting.CONFIRM, L1_WORK, L2_WORK)
    assert fact_labels(a_fact(), both) == (L1_WORK, L2_WORK)
    assert fact_labels(a_fact(suggestions=(opinion(TEAM),)), both) == (L1_WORK,)


@pytest.mark.parametrize(
    ("change", "labels"),
    [
        ({"category": None}, (L0,)),
        ({"category": None, "audience": EVERYONE}, (PUBLIC,)),
        ({"category": GONE, "audience": EVERYONE}, (L0,)),
        ({"confidential": True}, (L0,)),
        ({"event": EventState(a_fact().event.id, confidential=True)}, (L0,)),
        ({"cover": True}, (L0,)),
    ],
)
def test_labels_of_what_has_no_ordinary_category(change, labels):
    assert fact_labels(a_fact(**change), policy()) == labels


def test_an_older_label_that_is_no_longer_defined_is_l0():
    old = Category(WORK, (L1_WORK,), past=((T0.replace(year=2030), (Label(1, "hobby"),)),))
    assert fact_labels(a_fact(), replace(policy(), categories=(old,))) == (L0,)


@pytest.mark.parametrize(
    ("fact", "person", "reason"),
    [
        (a_fact(), OWNER, Reason.OWNER),
        (a_fact(), ANA, Reason.LABEL),
        (a_fact(), BOB, Reason.NO_LABEL),
        (a_fact(), STRANGER, Reason.NO_LABEL),
        (a_fact(audience=Audience.of([BOB])), BOB, Reason.WHITELIST),
        (a_fact(secret=True), ANA, Reason.SECRET),
        (a_fact(confidential=True), ANA, Reason.CONFIDENTIAL),
        (a_fact(lists=(ListEntry(Colour.WHITE, BOB, Basis.GRANT, OWNER, T0),)), BOB, Reason.SHARED),
        (a_fact(lists=(ListEntry(Colour.WHITE, BOB, Basis.ROLE, MALLORY, T0),)), BOB, Reason.WHITELIST),
        (a_fact(lists=(ListEntry(Colour.BLACK, ANA, Basis.BLOCK, OWNER, T0),)), ANA, Reason.BLACKLIST),
    ],
)
def test_reasons_of_case_1(fact, person, reason):
    verdict = case1(fact, person, policy())
    assert verdict.reason is reason
    assert verdict.allowed == (reason in {Reason.OWNER, Reason.LABEL, Reason.WHITELIST, Reason.SHARED})


# The release settings

AGREED = (opinion(WORK, 0.8), opinion(WORK, 0.6, Confidence.LEXICAL))
SEVERAL_TELLERS = EventState(a_fact().event.id, frozenset({OWNER, BOB}))
BY_ITSELF = {"confirmed": None, "suggestions": AGREED}


@pytest.mark.parametrize(
    ("setting", "change", "released"),
    [
        (ReleaseSetting.NEVER, {}, False),
        (ReleaseSetting.CONFIRM, {}, True),
        (ReleaseSetting.CONFIRM, BY_ITSELF, False),
        (ReleaseSetting.CONFIRM, {"event": SEVERAL_TELLERS}, False),
        (ReleaseSetting.POLICY, {}, True),
        (ReleaseSetting.POLICY, BY_ITSELF, True),
        (ReleaseSetting.POLICY, {**BY_ITSELF, "settled": False}, False),
        (ReleaseSetting.POLICY, {**BY_ITSELF, "sensitive": True}, False),
        (ReleaseSetting.POLICY, {**BY_ITSELF, "sensitive": True, "confirmed": T0}, True),
        (ReleaseSetting.POLICY, {**BY_ITSELF, "suggestions": AGREED[:1]}, False),
        (ReleaseSetting.POLICY, {**BY_ITSELF, "suggestions": ()}, False),
        (
            ReleaseSetting.POLICY,
            {**BY_ITSELF, "suggestions": (AGREED[0], opinion(WORK, 1.0, Confidence.OWNER))},
            False,
        ),
        (
            ReleaseSetting.POLICY,
            {**BY_ITSELF, "suggestions": (AGREED[0], opinion(WORK, 0.05, Confidence.LEXICAL))},
            False,
        ),
        (  # as sure as a category must be to count, and no surer
            ReleaseSetting.POLICY,
            {**BY_ITSELF, "suggestions": (AGREED[0], opinion(WORK, 0.10, Confidence.LEXICAL))},
            True,
        ),
        (ReleaseSetting.POLICY, {**BY_ITSELF, "suggestions": (*AGREED, opinion(TEAM, 0.05))}, True),
        (ReleaseSetting.POLICY, {**BY_ITSELF, "suggestions": (*AGREED, opinion(TEAM, 0.9))}, False),
        (ReleaseSetting.POLICY, {**BY_ITSELF, "suggestions": (*AGREED, opinion(TEAM, 0.8))}, False),
        (ReleaseSetting.OWN, {}, True),
        (ReleaseSetting.OWN, {"first_hand": False}, True),
        (ReleaseSetting.OWN, {"first_hand": False, "owner_typed": False}, False),
        (ReleaseSetting.OWN, {"first_hand": False, "confirmed": None}, False),
        (ReleaseSetting.OWN, {"event": SEVERAL_TELLERS}, False),
        (ReleaseSetting.ANY, {}, True),
        (ReleaseSetting.ANY, {"event": SEVERAL_TELLERS}, True),
        (ReleaseSetting.ANY, {"first_hand": False}, False),
        (ReleaseSetting.ANY, {"confirmed": None}, False),
    ],
)
def test_release_settings(setting, change, released):
    expected = Audience.of([ANA]) if released else OWNER_ONLY
    assert release_of(a_fact(**change), policy(setting)) == expected


def test_release_by_policy_is_never_to_everybody():
    public = policy(ReleaseSetting.POLICY, PUBLIC)
    assert release_of(a_fact(), public) == EVERYONE
    assert release_of(a_fact(**BY_ITSELF), public) == OWNER_ONLY


def test_what_is_shared_with_everybody_is_everybodys():
    share = ListEntry(Colour.WHITE, None, Basis.GRANT, OWNER, T0)
    fact = a_fact(lists=(share,), secret=True)
    assert release_of(fact, policy()) == EVERYONE
    assert judge_fact(fact, Place(Unknown("reason"), ROOMS[0]), policy()).verdict.allowed


# Viewers

ME, ANAS, EVE = AccountId("irc:me"), AccountId("irc:ana"), AccountId("irc:eve")
PEOPLE = {ME: OWNER, ANAS: ANA}
GOOD = RosterEvidence(ChatKind.GROUP, ANAS, frozenset({ME, ANAS}), reported_count=2)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"faults": ("timeout", "error")}, "timeout"),
        ({"kind": ChatKind.UNKNOWN}, "unknown kind"),
        ({"sender": None}, "no authenticated sender"),
        ({"roster": None}, "no complete member list"),
        ({"membership_version": 1}, "older than"),
        ({"sender": EVE}, "sender is not on"),
        ({"observed": frozenset({EVE})}, "somebody seen"),
        ({"reported_count": 3}, "count"),
        ({"unenrolled_bots": frozenset({EVE})}, "a bot"),
        ({"kind": ChatKind.PRIVATE}, "do not fit"),
    ],
)
def test_why_viewers_are_unknown(change, reason):
    assert viewers(GOOD, PEOPLE) == Known(frozenset({OWNER, ANA}))
    found = viewers(replace(GOOD, **change), PEOPLE)
    assert isinstance(found, Unknown)
    assert reason in found.reason


def test_a_private_chat_is_the_owners_alone():
    private = RosterEvidence(ChatKind.PRIVATE, ME, frozenset({ME}))
    assert viewers(private, PEOPLE) == Known(frozenset({OWNER}))

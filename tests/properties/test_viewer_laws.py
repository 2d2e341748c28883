"""From evidence to viewers: two bounds, and everything that is not established fails closed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.audience import EVERYONE, Audience
from engine.ids import OWNER, AccountId, PersonId
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
from tests.strategies import viewer_sets

ME = AccountId("irc:me")
accounts = st.sampled_from([AccountId(f"irc:{n}") for n in ("ana", "bob", "carol")])
JOINED = {ME: OWNER, AccountId("irc:ana"): PersonId("ana")}


@st.composite
def good_evidence(draw):
    """A complete, fresh, consistent pull of a group or of an organisation's channel."""
    roster = frozenset({ME, *draw(st.frozensets(accounts, min_size=1))})
    return RosterEvidence(
        kind=draw(st.sampled_from([ChatKind.GROUP, ChatKind.ORGANISATION])),
        sender=draw(st.sampled_from(sorted(roster))),
        roster=roster,
        observed=draw(st.frozensets(st.sampled_from(sorted(roster)))),
        roster_version=draw(st.integers(0, 3)),
        reported_count=draw(st.sampled_from([None, len(roster)])),
        future=draw(st.sampled_from(FutureReaders)),
    )


@st.composite
def any_evidence(draw):
    roster = draw(st.none() | st.frozensets(accounts | st.just(ME)))
    return RosterEvidence(
        kind=draw(st.sampled_from(ChatKind)),
        sender=draw(st.none() | accounts | st.just(ME)),
        roster=roster,
        observed=draw(st.frozensets(accounts, max_size=1)),
        roster_version=draw(st.integers(0, 1)),
        membership_version=draw(st.integers(0, 1)),
        reported_count=draw(st.none() | st.integers(0, 4)),
        unenrolled_bots=draw(st.frozensets(st.just(AccountId("irc:bot")))),
        faults=draw(st.sampled_from([(), (), ("timeout",)])),
        future=draw(st.sampled_from(FutureReaders)),
    )


FAULTS = {
    "a fault": lambda e: replace(e, faults=("an unfinished page",)),
    "an unknown kind": lambda e: replace(e, kind=ChatKind.UNKNOWN),
    "no sender": lambda e: replace(e, sender=None),
    "no list": lambda e: replace(e, roster=None),
    "a stale list": lambda e: replace(e, membership_version=e.roster_version + 1),
    "a sender not on the list": lambda e: replace(e, sender=AccountId("irc:mallory")),
    "somebody seen who is not on the list": lambda e: replace(
        e, observed=frozenset({AccountId("irc:mallory")})
    ),
    "a count that does not match": lambda e: replace(e, reported_count=len(e.roster) + 1),
    "an unenrolled bot": lambda e: replace(e, unenrolled_bots=frozenset({AccountId("irc:bot")})),
}


@pytest.mark.parametrize("fault", FAULTS)
@given(evidence=good_evidence())
def test_one_faulty_item_of_evidence_is_enough_for_unknown(fault, evidence):
    assert not isinstance(viewers(evidence, JOINED), Unknown)
    broken = viewers(FAULTS[fault](evidence), JOINED)
    assert isinstance(broken, Unknown)
    assert broken.reason


@given(any_evidence() | good_evidence())
def test_the_lower_bound_lies_in_the_upper_one(evidence):
    found = viewers(evidence, JOINED)
    assert found.upper.covers(found.lower)
    assert OWNER in found.lower


@given(any_evidence() | good_evidence())
def test_only_known_viewers_bound_who_can_read(evidence):
    found = viewers(evidence, JOINED)
    assert isinstance(found, Known) == (found.upper != EVERYONE)
    if isinstance(found, Known):
        assert found.upper == found.lower
        assert evidence.roster is not None
        assert found.persons == {OWNER} | {JOINED.get(a, PersonId(a)) for a in evidence.roster}


@given(any_evidence())
def test_unknown_never_remembers_more_than_owner_and_sender(evidence):
    found = viewers(evidence, JOINED)
    if isinstance(found, Unknown):
        sender = () if evidence.sender is None else (JOINED.get(evidence.sender, PersonId(evidence.sender)),)
        assert found.lower == Audience.of(sender)


@given(any_evidence())
def test_only_a_place_open_to_the_world_remembers_for_everybody(evidence):
    found = viewers(evidence, JOINED)
    if found.lower.everyone:
        assert isinstance(found, Open)
        assert evidence.kind is ChatKind.OPEN


@given(good_evidence(), st.dictionaries(st.sampled_from(["viewers", "private", "members"]), st.text()))
def test_claims_never_count(evidence, claims):
    assert viewers(replace(evidence, claims=claims), JOINED) == viewers(evidence, JOINED)


@given(good_evidence(), st.frozensets(accounts))
def test_a_direct_chat_has_two_parties_and_a_private_one_the_owner(evidence, more):
    roster = evidence.roster | more
    direct = viewers(replace(evidence, kind=ChatKind.DIRECT, roster=roster, reported_count=None), JOINED)
    assert isinstance(direct, Known) == (len(roster) == 2)
    private = viewers(replace(evidence, kind=ChatKind.PRIVATE, roster=roster, reported_count=None), JOINED)
    assert isinstance(private, Unknown)


# Recording as of a message's own time


@given(any_evidence() | good_evidence(), st.none() | viewer_sets())
def test_a_message_is_bound_to_nobody_who_cannot_read_it_now(evidence, before):
    now = viewers(evidence, JOINED)
    sender = PersonId("ana")
    audience, _ = recorded_for(now, before, evidence, sender)
    assert (now.upper | Audience.of([sender])).covers(audience)
    assert (now.lower | Audience.of([sender])).covers(audience)


@given(any_evidence(), st.none() | viewer_sets())
def test_nothing_is_recorded_for_everybody_because_something_was_unknown(evidence, before):
    now = viewers(evidence, JOINED)
    audience, unresolved = recorded_for(now, before, evidence, PersonId("ana"))
    assert unresolved == isinstance(now, Unknown)
    if audience.everyone:
        assert isinstance(now, Open)
        assert now.world


@given(good_evidence(), viewer_sets())
def test_a_join_between_two_pulls_leaves_the_owner_and_the_sender(evidence, before):
    now = viewers(evidence, JOINED)
    audience, _ = recorded_for(now, before, evidence, PersonId("ana"))
    joined = isinstance(before, Unknown) or not before.lower.covers(now.lower)
    assert audience == (Audience.of([PersonId("ana")]) if joined else now.lower)


@given(good_evidence())
def test_without_an_earlier_pull_a_message_is_the_owners_and_the_senders(evidence):
    now = viewers(evidence, JOINED)
    audience, unresolved = recorded_for(now, None, evidence, PersonId("ana"))
    assert (audience, unresolved) == (Audience.of([PersonId("ana")]), False)

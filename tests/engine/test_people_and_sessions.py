"""Who is who, and where a session ends."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from engine.audience import OWNER_ONLY, Audience
from engine.ids import OWNER, AccountId, ContainerId, PersonId, SessionId
from engine.items import RawSession
from engine.people import People, Seen, folded
from engine.sessions import LONGEST, PAUSE, continues, is_over, is_to_do
from tests.strategies import ANA, BOB, CAROL, T0

PEOPLE = People(
    owners=frozenset({AccountId("irc:olga")}),
    joined={AccountId("irc:bob"): BOB, AccountId("telegram:7"): BOB},
    names={BOB: ("Bob", "Robert"), ANA: ("Ana",), CAROL: ("ana ",)},
)


def test_accounts_joined_by_the_owner_are_one_person_and_others_are_persons_of_their_own():
    assert PEOPLE.person(AccountId("irc:bob")) == PEOPLE.person(AccountId("telegram:7")) == BOB
    assert PEOPLE.person(AccountId("irc:eve")) == PersonId("irc:eve")
    assert PEOPLE.person(AccountId("irc:olga")) == OWNER


def test_the_mapping_holds_joined_accounts_and_the_owners_which_win():
    claimed = replace(PEOPLE, joined={**PEOPLE.joined, AccountId("irc:olga"): BOB})
    assert claimed.mapping[AccountId("irc:olga")] == OWNER
    assert claimed.mapping[AccountId("telegram:7")] == BOB


def test_names_resolve_to_none_one_or_several():
    assert PEOPLE.resolve("  ROBERT ") == (BOB,)
    assert PEOPLE.resolve("Ana") == (ANA, CAROL)
    assert PEOPLE.resolve("妈妈") == ()
    assert PEOPLE.called(BOB) == "Bob"
    assert PEOPLE.called(OWNER) == ""


def test_names_are_compared_in_one_unicode_form():
    assert folded("Ａna  Ł") == "ana ł"


def test_a_name_that_somebody_gave_himself_resolves_to_nobody():
    seen = Seen(AccountId("irc:mallory"), "Bob", T0, (ContainerId("c"),))
    claimed = replace(PEOPLE, seen={seen.account: seen}, names={})
    assert claimed.resolve("Bob") == ()
    assert "Bob" not in repr(seen)


SESSION = RawSession(SessionId("s"), ContainerId("c"), Audience.of([BOB]), T0, T0, messages=1)


@pytest.mark.parametrize(
    ("session", "audience", "after", "expected"),
    [
        (SESSION, Audience.of([BOB]), PAUSE, True),
        (SESSION, Audience.of([BOB]), PAUSE + timedelta(seconds=1), False),
        (SESSION, Audience.of([BOB]), -PAUSE, True),
        (SESSION, Audience.of([BOB, ANA]), timedelta(), False),
        (SESSION, OWNER_ONLY, timedelta(), False),
        (replace(SESSION, closed=True), Audience.of([BOB]), timedelta(), False),
        (replace(SESSION, messages=LONGEST), Audience.of([BOB]), timedelta(), False),
    ],
)
def test_a_session_ends_where_the_audience_changes_after_a_pause_or_when_it_is_long(
    session, audience, after, expected
):
    assert continues(session, audience, T0 + after) is expected


@pytest.mark.parametrize(
    ("session", "after", "expected"),
    [
        (SESSION, PAUSE, False),
        (SESSION, PAUSE + timedelta(seconds=1), True),
        (replace(SESSION, closed=True), timedelta(), True),
        (replace(SESSION, messages=LONGEST), timedelta(), True),
    ],
)
def test_a_session_is_over_when_nothing_can_be_added(session, after, expected):
    assert is_over(session, T0 + after) is expected


@pytest.mark.parametrize(
    ("session", "after", "expected"),
    [
        (SESSION, timedelta(), True),
        (replace(SESSION, annotated=True), timedelta(), False),
        (replace(SESSION, annotated=True), PAUSE + timedelta(seconds=1), True),
        (replace(SESSION, annotated=True, closed=True), PAUSE + timedelta(seconds=1), False),
        (replace(SESSION, closed=True), timedelta(), True),
    ],
)
def test_a_session_waits_until_all_of_it_is_annotated_and_it_is_closed(session, after, expected):
    assert is_to_do(session, T0 + after) is expected

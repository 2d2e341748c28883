"""The platform port's own values: events, faults, and the accounts that evidence depends on."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from engine.events import Ignored, Membership, Message, Migration, Press, chat_of
from engine.ids import OWNER, AccountId, ContainerId, PersonId
from engine.mailroom import Room
from engine.people import People
from engine.platform import NotWritten, Profile, Refused, Sighting, Uncertain, Why, insiders
from engine.policy import Policy

AT = datetime(2026, 1, 1, tzinfo=UTC)
CHAT, OTHER = ContainerId("x:chat"), ContainerId("x:other")
BOB = AccountId("x:bob")
LETTER = Message(
    "x:1", "x:1", ContainerId("x:chat:4"), CHAT, BOB, vouched=True, name="Bob", text="moonstone", sent_at=AT
)


@pytest.mark.parametrize(
    ("event", "chat"),
    [
        (LETTER, CHAT),
        (Press("p", CHAT, "x:1", BOB, direct=False, data="d"), CHAT),
        (Membership("e", CHAT, BOB, None, present=True), CHAT),
        (Migration(CHAT, OTHER), OTHER),
        (Ignored("kind"), ""),
    ],
)
def test_each_event_belongs_to_the_chat_in_whose_order_it_is_handled(event, chat):
    assert chat_of(event) == chat


def test_a_version_has_another_id_than_the_first():
    assert not LETTER.edited
    assert replace(LETTER, id="x:1.2").edited


def test_words_are_not_shown():
    press = Press("p", CHAT, "x:1", BOB, direct=False, data="secret")
    assert LETTER.text not in repr(LETTER)
    assert "secret" not in repr(press)


def test_faults_say_what_may_be_done():
    assert NotWritten("wait", 3).wait == 3
    assert Refused("no", Why.TOKEN).why is Why.TOKEN
    assert str(Uncertain("perhaps")) == "perhaps"
    assert Profile(BOB, "bob").advice == ()
    assert Room(CHAT).known == frozenset()
    assert Sighting("x:1", AT, direct=True).direct


def test_insiders_are_the_owners_and_whom_he_has_named():
    ann, bot, nobody = AccountId("x:ann"), AccountId("x:bot"), AccountId("x:nobody")
    people = People(
        owners=frozenset({AccountId("x:me")}),
        joined={ann: PersonId("ann"), nobody: PersonId("stranger")},
        names={PersonId("ann"): ("Ann",), PersonId(BOB): ("Bob",)},
    )
    policy = Policy(contacts={PersonId(bot): ()})
    found = insiders(policy, people)
    assert found.owners == {"x:me"}
    assert {ann, BOB, bot, "ann"} == found.enrolled
    assert OWNER not in found.enrolled

"""Details of the gate that mutants of it showed to be held by no example."""

from __future__ import annotations

from dataclasses import replace

from engine.audience import Audience
from engine.disclosure import Reason
from engine.ids import OWNER, CategoryName, FactId, MessageId
from engine.items import Basis, Colour, ListEntry, Origin
from engine.policy import Policy
from engine.release import Place, judge_fact, release_facts, release_messages
from engine.viewers import Known, Unknown
from tests.strategies import ANA, BOB, MESSAGE, ROOMS, T0, a_fact

ROOM = Place(Known(frozenset({OWNER, ANA})), ROOMS[0])


def share(person):
    return ListEntry(Colour.WHITE, person, Basis.GRANT, OWNER, T0)


def test_a_cover_story_that_was_shared_with_everybody_is_not_told_where_everybody_reads():
    cover = a_fact(cover=True, lists=(share(None),))
    willing = Policy(covers_for=frozenset({ANA, BOB}))
    found = judge_fact(cover, Place(Unknown("no list"), ROOMS[0]), willing).verdict
    assert (found.allowed, found.reason) == (False, Reason.COVER)
    assert judge_fact(cover, ROOM, willing).verdict.allowed


def test_a_correction_that_passes_hides_no_reason_of_what_it_corrects():
    old = a_fact("f1", superseded_by=FactId("f2"), category=CategoryName("none"))
    new = a_fact("f2", lists=(share(ANA),))
    _, (denied, told) = release_facts((old, new), ROOM, Policy())
    assert (denied.verdict.reason, told.verdict.allowed) == (Reason.NOT_PRESENT, True)


def test_a_released_message_says_whether_tact_sent_it():
    plain = replace(MESSAGE, audience=Audience.of([ANA]))
    own = replace(plain, id=MessageId("r"), origin=Origin.TACT)
    shown, _ = release_messages([plain, own], (), ROOM, Policy())
    assert [m.by_tact for m in shown] == [False, True]


def test_a_secret_that_was_shared_is_told_and_its_telling_is_not_shown_again():
    """The owner shared the fact, and not every message that holds it."""
    secret = a_fact(secret=True, lists=(share(ANA),), sources=(MESSAGE.id,))
    assert judge_fact(secret, ROOM, Policy()).verdict.allowed
    source = replace(MESSAGE, audience=Audience.of([ANA]))
    reply = replace(source, id=MessageId("r"), origin=Origin.TACT, used=(secret.id,))
    _, decisions = release_messages([source, reply], (secret,), ROOM, Policy())
    assert [d.verdict.reason for d in decisions] == [Reason.RETIRED, Reason.RETIRED]

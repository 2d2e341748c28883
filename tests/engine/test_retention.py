"""Periods after which things are forgotten."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from engine.errors import PolicyFault
from engine.ids import CategoryName, ContainerId
from engine.policy import Policy
from engine.retention import LONGEST, Period, Retention

ROOM, OTHER, HEALTH = ContainerId("room"), ContainerId("other"), CategoryName("health")
NOW = datetime(2026, 5, 1, tzinfo=UTC)


def test_a_period_ends_so_many_days_ago():
    period = Period(30, chat=ROOM)
    assert period.ends(NOW) == NOW - timedelta(days=30)
    assert period.over(period.ends(NOW)) == NOW


def test_periods_are_set_changed_and_taken_away():
    kept = Retention().put(Period(30, chat=ROOM)).put(Period(365, category=HEALTH)).put(Period(7, chat=OTHER))
    assert kept.periods() == (Period(7, chat=OTHER), Period(30, chat=ROOM), Period(365, category=HEALTH))
    assert kept.put(Period(1, chat=ROOM)).chats == {OTHER: 7, ROOM: 1}
    assert kept.put(Period(0, chat=ROOM)).chats == {OTHER: 7}
    assert kept.put(Period(0, category=HEALTH)).categories == {}
    assert kept.put(Period(9, category=HEALTH)) == Retention({ROOM: 30, OTHER: 7}, {HEALTH: 9})
    assert Retention().periods() == ()


def test_what_is_not_set_is_kept():
    kept = Retention({ROOM: 30}, {HEALTH: 9})
    assert (kept.of(chat=ROOM), kept.of(chat=OTHER)) == (30, 0)
    assert (kept.of(category=HEALTH), kept.of(category=CategoryName("work")), kept.of()) == (9, 0, 0)


def test_a_period_follows_its_chat_and_of_two_the_shorter_stays():
    kept = Retention({ROOM: 30}, {HEALTH: 9})
    assert kept.moved(ROOM, OTHER) == Retention({OTHER: 30}, {HEALTH: 9})
    assert kept.moved(OTHER, ROOM) == kept
    assert Retention({ROOM: 30, OTHER: 7}).moved(ROOM, OTHER).chats == {OTHER: 7}
    assert Retention({ROOM: 3, OTHER: 7}).moved(ROOM, OTHER).chats == {OTHER: 3}


@pytest.mark.parametrize("days", [0, -1, LONGEST + 1])
def test_a_policy_refuses_what_is_no_period(days):
    with pytest.raises(PolicyFault, match="no such period"):
        Policy(retention=Retention({ROOM: days}))


def test_a_policy_keeps_its_periods():
    assert Policy(retention=Retention({ROOM: 1}, {HEALTH: LONGEST})).retention.periods()

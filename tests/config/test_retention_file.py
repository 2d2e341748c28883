"""Periods as people write them."""

from __future__ import annotations

import pytest

from config.policy_changes import difference
from config.retention_file import days_of, written_period
from engine.ids import CategoryName, ContainerId
from engine.policy import Policy
from engine.retention import Period, Retention

ROOM, HEALTH = ContainerId("telegram:-5"), CategoryName("health")


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("30d", 30), ("1 day", 1), ("12w", 84), ("2 Weeks", 14), ("6m", 180), ("1y", 365), ("2 years", 730), ("30天", 30),
        ("4周", 28), ("6个月", 180), ("6月", 180), ("1 年", 365), ("36500d", 36500), (" 7D ", 7),
        ("0d", None), ("36501d", None), ("101y", None), ("d", None), ("30", None), ("30 moons", None), ("-3d", None),
        ("off", None), ("", None), ("1个", None), ("３天", 3),
    ],
)  # fmt: skip
def test_a_period_in_words(text, days):
    assert days_of(text) == days


@pytest.mark.parametrize("days", [1, 7, 29, 30, 84, 90, 365, 730, 36500])
def test_what_is_written_means_the_same(days):
    assert days_of(written_period(days)) == days


def test_what_is_forgotten_sooner_must_be_agreed_to():
    kept = Retention({ROOM: 30}, {HEALTH: 365})
    old = Policy(retention=kept)

    def asks(new: Retention) -> bool:
        return difference(old, Policy(retention=new)).widens

    assert asks(kept.put(Period(29, chat=ROOM)))
    assert asks(kept.put(Period(365, category=CategoryName("work"))))
    assert not asks(kept.put(Period(31, chat=ROOM)))
    assert not asks(Retention())
    changes = difference(old, Policy(retention=kept.put(Period(7, chat=ROOM))))
    assert [(s.what, s.old, s.new) for s in changes.settings] == [("retention of telegram:-5", "1m", "1w")]

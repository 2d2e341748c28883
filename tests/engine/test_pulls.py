"""Who heard a message is proved by a pull that ended before it and one after it; anything less is its sender."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from engine.ids import AccountId
from engine.viewers import CLOCKS, LATE, ChatKind, RosterEvidence, pull_before

SENT = datetime(2026, 5, 1, 12, tzinfo=UTC)
TRIO = frozenset(AccountId(f"t:{n}") for n in (1, 2, 3))
BEFORE = RosterEvidence(
    ChatKind.GROUP, AccountId("t:1"), TRIO, roster_version=4, membership_version=4, pulled_at=SENT - CLOCKS
)
AFTER = replace(BEFORE, pulled_at=SENT + timedelta(seconds=1), before=BEFORE)


def test_a_pull_that_ended_before_the_message_counts():
    assert pull_before(AFTER, SENT) == BEFORE
    assert pull_before(replace(AFTER, pulled_at=SENT + LATE), SENT) == BEFORE


@pytest.mark.parametrize(
    "evidence",
    [
        replace(AFTER, before=None),
        replace(AFTER, pulled_at=None),
        replace(AFTER, before=replace(BEFORE, pulled_at=None)),
        replace(AFTER, before=replace(BEFORE, pulled_at=SENT - CLOCKS + timedelta(milliseconds=1))),
        replace(AFTER, pulled_at=SENT + LATE + timedelta(seconds=1)),
        replace(AFTER, membership_version=5, roster_version=5),
    ],
    ids=["none", "untimed", "untimed before", "too close", "late", "somebody came or went"],
)
def test_nothing_else_does(evidence):
    assert pull_before(evidence, SENT) is None

"""A real Tact is killed in the middle of things, in processes of its own: nothing is lost and nothing is said twice."""

from __future__ import annotations

import pytest

from bot.selftest.crash import POINTS, measured

pytestmark = pytest.mark.slow


async def test_no_point_of_a_turn_loses_or_doubles_anything() -> None:
    tally = await measured(POINTS, 2)
    assert (tally.lost, tally.doubled, tally.missed) == (0, 0, 0)
    assert tally.kills == 2 * len(POINTS)
    assert tally.messages == 2 * tally.kills

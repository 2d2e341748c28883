"""A real Tact is killed in the middle of things, in processes of its own: nothing is lost, torn, or said twice."""

from __future__ import annotations

import pytest

from bot.selftest.crash import Order, measured

pytestmark = pytest.mark.slow


@pytest.fixture(params=["sqlite", "postgresql"])
def server(request) -> str:
    if request.param == "sqlite":
        return ""
    return request.getfixturevalue("postgres_server").admin


async def test_no_kill_loses_doubles_or_tears_anything(server):
    order = Order(kills=1, at_random=5, database=server)
    tally = await measured(order)
    assert tally.faults == []
    assert tally.points == dict.fromkeys(order.reached, 1)
    assert (tally.kills, tally.at_random) == (len(order.reached) + 5, 5)
    assert tally.messages > tally.kills

"""A real Tact is killed in the middle of things, in processes of its own: nothing is lost, torn, or said twice."""

from __future__ import annotations

import pytest

from bot.selftest.crash import Order, measured

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_no_kill_loses_doubles_or_tears_anything(kind, request):
    """Every place once; on PostgreSQL only those where something is written to the database."""
    every = Order().reached
    points = every if kind == "sqlite" else every[every.index("noted") :]
    server = "" if kind == "sqlite" else request.getfixturevalue("postgres_server").admin
    tally = await measured(Order(points, kills=1, at_random=3, database=server))
    assert tally.faults == []
    assert tally.points == dict.fromkeys(points, 1)
    assert (tally.kills, tally.at_random) == (len(points) + 3, 3)
    assert tally.messages > tally.kills

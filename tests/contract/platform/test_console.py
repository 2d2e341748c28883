"""What is the console's own: whoever comes after a line was typed did not hear it, and a screen's faults are the port's."""

from __future__ import annotations

import pytest

from bot.context import ZONE
from connectors.console.platform import Console
from connectors.console.world import ROOM, World
from engine.ids import ContainerId
from engine.platform import Insiders, NotWritten, Refused, Uncertain
from engine.viewers import Unknown, viewers
from tests.contract.platform.rigs import BOB, EVE, GROUP, ConsoleRig

NOBODY = Insiders(frozenset(), frozenset())


async def test_who_comes_while_a_line_waits_is_not_taken_to_have_heard_it(tmp_path):
    async with ConsoleRig(tmp_path / "tact").open() as rig, rig.running() as service:
        rig.say(GROUP, BOB, "The lemon cake is for Ana.")
        rig.joins(EVE)
        await rig.settle()
        async with service.store.transaction() as tx:
            (message,) = await tx.recent(rig.chat(GROUP), ZONE, 5)
    assert rig.account(EVE) not in message.audience.members


async def test_a_room_that_nobody_knows_is_unknown():
    evidence = await Console(World(), print).look(ContainerId(f"{ROOM}attic"), None, NOBODY)
    assert isinstance(viewers(evidence, {}), Unknown)


@pytest.mark.parametrize(
    ("raised", "fault"), [(BlockingIOError, NotWritten), (BrokenPipeError, Refused), (OSError, Uncertain)]
)
async def test_what_writing_raises_is_one_of_the_port_s_faults(raised, fault):
    def show(_written):
        raise raised

    with pytest.raises(fault):
        await Console(World(), show).send(ContainerId(f"{ROOM}attic"), "hello", ())

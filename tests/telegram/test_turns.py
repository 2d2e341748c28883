"""What people read on Telegram, from the wire of the unmodified library to the wire."""

from __future__ import annotations

from tests.telegram.conftest import BOB, EVE


async def test_the_owner_tells_and_a_contact_with_the_label_is_answered(stage):
    async with stage.running():
        await stage.meets_bob()
        await stage.tells("The launch of Borealis is on Friday.")
        assert any("Friday" in text for text in await stage.says(BOB, BOB, "When is the launch of Borealis?"))


async def test_a_stranger_reads_the_deflection(stage):
    async with stage.running():
        await stage.tells("The launch of Borealis is on Friday.")
        await stage.says(EVE, EVE, "/start")
        (line,) = await stage.says(EVE, EVE, "When is the launch of Borealis?")
        assert line == "Sorry, I can't help with that one. Please write to Alex directly."

"""`/why` tells the owner, and him alone, whose words a reply was."""

from __future__ import annotations

import pytest

from tests.model.fake import Back, says, sends, serving
from tests.model.stage import ATLAS, BREAD, TOLD, staged


async def why(stage, trace) -> str:
    return (await stage.say(("owner", None, f"/why {trace.id}")))[1][0].text


async def test_a_models_words_are_named_and_so_is_what_was_left_out_of_them():
    async with serving(says("Bob said 3 June.")) as server, staged(TOLD, url=server.url) as stage:
        told = await why(stage, (await stage.say(ATLAS))[0])
        assert "Worded by the model m" in told
        assert "left out" not in told
    secret = "Bob said 3 June; the password is Tulip!4455Xy."
    async with serving(says(secret)) as server, staged(TOLD, url=server.url) as stage:
        told = await why(stage, (await stage.say(ATLAS))[0])
        assert "looked like a password" in told
        assert "Tulip" not in told


async def test_tacts_own_words_are_named_and_why():
    async with serving(sends(Back(b"{}", status=500))) as server, staged(TOLD, url=server.url) as stage:
        trace, _ = await stage.say(ATLAS)
        assert "the model gave nothing usable" in await why(stage, trace)
        other, _ = await stage.say(BREAD)
        assert "Worded" not in await why(stage, other)
    async with staged(TOLD) as stage:
        assert "Worded" not in await why(stage, (await stage.say(ATLAS))[0])


async def test_where_no_model_was_asked_it_says_tact():
    """The owner's own question about a password is put before no model."""
    asked = ("owner", None, "What is the password for the Atlas server?")
    told = [("owner", None, "My password for the Atlas server is Heliotrope!77.")]
    async with serving(says("It is 42.")) as server, staged(told, url=server.url) as stage:
        trace, _ = await stage.say(asked)
        assert "Worded by Tact itself." in await why(stage, trace)
    assert server.asked == []


@pytest.mark.parametrize("who", ["bob", "mallory"])
async def test_nobody_else_is_told_whose_words_they_were(who):
    async with serving(says("Bob said 3 June.")) as server, staged(TOLD, url=server.url) as stage:
        trace, _ = await stage.say(ATLAS)
        heard = (await stage.say((who, None, f"/why {trace.id}")))[1]
        assert all("model" not in h.text for h in heard)

"""A model may retell anything it was shown, in its own words: forgetting any of that forgets what it said."""

from __future__ import annotations

from bot.context import ZONE
from tests.model.fake import says, serving
from tests.model.stage import CAKE, TOLD, Said, staged

ASKED: Said = ("ana", "both", "Do submarines come in yellow?")
RETOLD = "Somebody here wondered about the colour of boats that dive."


async def test_a_reply_goes_with_a_message_that_its_model_was_shown():
    async with serving(says(RETOLD)) as server, staged([*TOLD, ASKED], url=server.url) as stage:
        trace, heard = await stage.say(CAKE)
        assert [h.text for h in heard] == [RETOLD]
        assert "submarines" in server.asked[0].body.decode()
        store = stage.context.store
        async with store.transaction() as tx:
            said = [m.text async for page in tx.every_message(ZONE) for m in page]
        assert RETOLD in said
        await stage.say(("owner", None, "/forget about submarines"))
        await stage.say(("owner", None, "confirm"))
        async with store.transaction() as tx:
            said = [m.text async for page in tx.every_message(ZONE) for m in page]
            kept = await tx.turn(trace.id)
        assert RETOLD not in said
        assert CAKE[2] in said
        assert kept is not None
        assert (kept.forgotten, kept.reply) == (True, "")
        assert TOLD[1][2] in said

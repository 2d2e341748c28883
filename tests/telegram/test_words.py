"""A model's words over Telegram: in time whatever the model does, and typing is shown as long as somebody waits."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.bootstrap import make_writer
from bot.service import dispatcher
from tests.model.fake import Back, echoes_bare, says, sends, serving
from tests.model.stage import settings_for
from tests.telegram.conftest import BOB, CAROL, GROUP

ASK = "@tact_bot when is the launch of Borealis?"
TOLD = "The launch of Borealis is on Friday."


async def ready(stage, url: str, **more) -> None:
    """Everybody is known, and replies are worded by a model at this address."""
    settings = settings_for(url, **more)
    writer = make_writer(settings, stage.clock)
    context = stage.service.tact.context
    context = replace(context, writer=writer, patience=settings.models.word.deadline_s)
    stage.service.tact.context = context
    await stage.meets_bob()
    await stage.tells(TOLD)
    await stage.saw(BOB)
    await stage.quiet()


async def asked(stage) -> list[str]:
    found = await stage.says(GROUP, BOB, ASK, date=stage.stamp())
    await stage.service.tact.context.writer.close()
    return found


async def test_a_model_words_the_answer_in_a_group(stage):
    async with serving(says("Friday it is, says Alex.")) as server, stage.running():
        await ready(stage, server.url)
        assert await asked(stage) == ["Friday it is, says Alex."]
        assert "Worded by the model m" in await stage.owner("/why")


async def test_nothing_of_another_audience_is_in_a_prompt_or_a_reply(stage):
    async with serving(echoes_bare) as server, stage.running():
        await ready(stage, server.url)
        await stage.owner("My sister lends me zanzibar-one for the weekend.")
        await stage.owner("keep private")
        await stage.says(CAROL, CAROL, "My cat is called zanzibar-two.")
        await stage.quiet()
        (reply,) = await asked(stage)
        assert "Friday" in reply
        for text in (reply, *(request.body.decode() for request in server.asked)):
            assert "zanzibar" not in text
            assert f"telegram:{BOB}" not in text
            assert "Crew" not in text


@pytest.mark.parametrize("back", [Back(hang=True), Back(b"{", status=200), Back(b"{}", status=500)], ids=str)
async def test_whatever_the_model_does_an_answer_comes_in_time(stage, back):
    async with serving(sends(back)) as server, stage.running():
        await ready(stage, server.url, deadline_s=0.5)
        (reply,) = await asked(stage)
        assert "Friday" in reply


async def test_a_model_that_is_down_at_the_start_keeps_nothing_from_starting(stage):
    async with serving(says("x")) as server:
        url = server.url
    async with stage.running():
        await ready(stage, url)
        (reply,) = await asked(stage)
        assert "Friday" in reply


async def test_typing_goes_on_as_long_as_the_model_thinks(stage, monkeypatch):
    monkeypatch.setattr(dispatcher, "_TYPING_S", 0.1)
    async with serving(sends(Back(hang=True))) as server, stage.running():
        await ready(stage, server.url, deadline_s=1.0)
        before = stage.wire.count("sendChatAction")
        await asked(stage)
        shown = stage.wire.count("sendChatAction")
        assert shown - before >= 3
        await asyncio.sleep(0.3)
        assert stage.wire.count("sendChatAction") == shown

"""A model that does not answer is left alone for a while, so that not everybody waits the whole deadline for nothing."""

from __future__ import annotations

import pytest

from connectors.language.model.pause import AFTER, PAUSE_S, Rest
from tests.model.fake import Back, completion, in_turn, says, sends, serving
from tests.model.stage import ATLAS, TOLD, staged


def test_after_three_failures_in_a_row_it_rests_and_then_one_call_is_tried():
    rest = Rest()
    for _ in range(AFTER - 1):
        rest.failed(0.0)
    assert rest.allows(0.0)
    rest.failed(0.0)
    assert not rest.allows(0.0)
    assert not rest.allows(PAUSE_S - 1)
    assert rest.allows(PAUSE_S)
    assert not rest.allows(PAUSE_S)  # the others wait for what becomes of that one
    rest.answered()
    assert rest.allows(PAUSE_S)
    assert rest.allows(PAUSE_S)


def test_an_answer_in_between_begins_the_count_anew():
    rest = Rest()
    for _ in range(2 * AFTER):
        rest.failed(0.0)
        rest.answered()
    assert rest.allows(0.0)


async def test_a_hanging_model_is_asked_three_times_and_then_nobody_waits_for_it():
    async with (
        serving(sends(Back(hang=True))) as server,
        staged(TOLD, url=server.url, deadline_s=0.3) as stage,
    ):
        for _ in range(AFTER + 3):
            trace, _ = await stage.say(ATLAS)
            assert "3 June" in trace.reply
        assert len(server.asked) == AFTER
        assert "three times in a row" in await stage.status()


async def test_a_model_that_is_down_rests_too():
    async with serving(says("x")) as server:
        url = server.url
    async with staged(TOLD, url=url, retries=0) as stage:
        for _ in range(AFTER):
            assert "3 June" in (await stage.say(ATLAS))[0].reply
        assert stage.context.writer.spent().resting


@pytest.mark.parametrize("back", [Back(b"{}", status=500), completion("")], ids=["at fault", "says nothing"])
async def test_a_model_that_answers_in_time_never_rests(back):
    good = completion("Bob said 3 June.")
    async with (
        serving(in_turn(back, back, back, back, good)) as server,
        staged(TOLD, url=server.url) as stage,
    ):
        for _ in range(AFTER + 1):
            await stage.say(ATLAS)
        assert (await stage.say(ATLAS))[0].reply == "Bob said 3 June."
        assert "in a row" not in await stage.status()

"""A hostile model: whatever it sends, a turn ends in time, with words, and with nobody else's.

What may be known is decided before it is asked, so the sealed bytes, the decisions and the admitted items are those of
a run without a model; and what is not in them is in no prompt.
"""

from __future__ import annotations

import asyncio

import pytest

from engine.records import Outcome
from tests.model.fake import (
    FISHING,
    UNUSABLE,
    Back,
    completion,
    echoes_bare,
    in_turn,
    remembers,
    says,
    sends,
    serving,
)
from tests.model.stage import ATLAS, BREAD, CAKE, CANARIES, HIDDEN, STRANGER, TOLD, WALK, Said, staged

QUESTIONS = [ATLAS, CAKE, WALK]


async def without_model(question: Said):
    async with staged() as stage:
        return await stage.say(question)


def carries_a_canary(text: str) -> bool:
    return any(canary.casefold() in text.casefold() for canary in CANARIES)


@pytest.mark.parametrize("behaviour", UNUSABLE.values(), ids=UNUSABLE.keys())
async def test_after_anything_unusable_the_composers_own_words_go_out(behaviour):
    plain, heard = await without_model(ATLAS)
    async with serving(behaviour) as server, staged(url=server.url) as stage:
        trace, said = await stage.say(ATLAS)
    assert server.asked
    assert (trace.outcome, trace.reply, trace.used) == (Outcome.ANSWERED, plain.reply, plain.used)
    assert [h.text for h in said] == [h.text for h in heard]
    assert (trace.payload, trace.decisions) == (plain.payload, plain.decisions)


@pytest.mark.parametrize("question", QUESTIONS, ids=["atlas", "cake", "walk"])
@pytest.mark.parametrize(
    "behaviour", [echoes_bare, says(FISHING), says("Yes.")], ids=["tells all it has", "fishes", "is short"]
)
async def test_no_reply_and_no_prompt_holds_what_another_audience_told(behaviour, question):
    plain, _ = await without_model(question)
    async with serving(behaviour) as server, staged(url=server.url) as stage:
        trace, said = await stage.say(question)
    assert len(server.asked) == 1
    assert not any(carries_a_canary(asked.body.decode()) for asked in server.asked)
    assert said
    assert not any(carries_a_canary(heard.text) for heard in said)
    assert (trace.payload, trace.decisions) == (plain.payload, plain.decisions)
    assert set(trace.used) >= set(plain.used)


async def test_a_model_that_hangs_or_drips_costs_the_deadline_and_no_more():
    plain, _ = await without_model(ATLAS)
    for back in (Back(hang=True), Back(drip=True)):
        async with serving(sends(back)) as server, staged(url=server.url, deadline_s=0.4, retries=5) as stage:
            began = asyncio.get_running_loop().time()
            trace, _ = await stage.say(ATLAS)
            took = asyncio.get_running_loop().time() - began
        assert trace.reply == plain.reply
        assert 0.4 <= took < 3
        assert len(server.asked) == 1


async def test_a_model_that_is_down_costs_little():
    plain, _ = await without_model(ATLAS)
    async with serving(says("x")) as server:
        url = server.url
    async with staged(url=url, retries=1) as stage:
        trace, _ = await stage.say(ATLAS)
    assert trace.reply == plain.reply


@pytest.mark.parametrize("question", [STRANGER, BREAD], ids=["withheld", "unknown"])
async def test_where_nothing_answers_no_model_is_asked(question):
    plain, heard = await without_model(question)
    async with serving(says("I know everything.")) as server, staged(url=server.url) as stage:
        trace, said = await stage.say(question)
    assert server.asked == []
    assert (trace.outcome, trace.reply) == (Outcome.DEFLECTED, plain.reply)
    assert [h.text for h in said] == [h.text for h in heard]


async def test_a_fault_that_passes_is_tried_again_as_often_as_was_allowed():
    good = completion("Bob said that the launch is on 3 June.")
    fault = Back(b"{}", status=500, headers={"retry-after": "0"})
    async with serving(in_turn(fault, fault, good)) as server, staged(url=server.url, retries=2) as stage:
        assert (await stage.say(ATLAS))[0].reply == "Bob said that the launch is on 3 June."
        assert len(server.asked) == 3
    async with serving(in_turn(fault, fault, good)) as server, staged(url=server.url, retries=1) as stage:
        assert "3 June" in (await stage.say(ATLAS))[0].reply
        assert len(server.asked) == 2


@pytest.mark.parametrize(
    "back", [Back(b"{}", status=400), Back(b"{}", status=503, headers={"retry-after": "3600"})]
)
async def test_what_will_not_pass_in_time_is_not_waited_for(back):
    async with serving(sends(back)) as server, staged(url=server.url, retries=5) as stage:
        began = asyncio.get_running_loop().time()
        await stage.say(ATLAS)
        assert asyncio.get_running_loop().time() - began < 3
    assert len(server.asked) == 1


async def test_what_nobody_was_told_in_a_turn_never_reaches_a_server_that_remembers():
    """It cannot return what it never saw: only what was asked for by those who may hear it was ever in a prompt."""
    async with serving(remembers) as server, staged(url=server.url) as stage:
        for question in (ATLAS, CAKE, STRANGER, WALK, ATLAS):
            _, said = await stage.say(question)
            assert not any(carries_a_canary(heard.text) for heard in said)
    assert len(server.asked) == 4
    assert not any(carries_a_canary(asked.body.decode()) for asked in server.asked)


async def test_a_server_that_carries_words_between_audiences_is_found_out():
    """Which no prompt can prevent (docs/models.md): the reply goes out as it is, and the owner is told what it repeated."""
    async with serving(remembers) as server, staged(url=server.url) as stage:
        await stage.say(("ana", None, "What about Bob's lemon cake?"))
        assert any(carries_a_canary(asked.body.decode()) for asked in server.asked)
        trace, said = await stage.say(CAKE)
    assert [h.kind for h in said] == ["reply", "owner"]
    assert "zanzibar-two" in said[0].text
    assert "zanzibar-two" in said[1].text
    assert "model was not given" in said[1].text
    told = [row for row in trace.withheld if row[2] == "repeated by a model that was not given it"]
    assert len(told) == 1


async def test_a_password_in_the_context_is_put_before_no_model():
    asked: Said = ("owner", None, "What is the password for the Atlas server?")
    async with serving(says("It is 42.")) as server, staged(url=server.url) as stage:
        trace, _ = await stage.say(asked)
        assert "Heliotrope!77" in trace.reply
    assert server.asked == []


async def test_a_password_that_a_model_makes_up_is_left_out():
    words = "Bob said 3 June; the password is Tulip!4455Xy."
    async with serving(says(words)) as server, staged(TOLD, url=server.url) as stage:
        trace, said = await stage.say(ATLAS)
    assert server.asked
    assert "Tulip" not in said[0].text
    assert "[left out]" in said[0].text
    assert trace.reply == said[0].text


async def test_the_budget_rests_the_model_and_status_says_so():
    async with serving(says("Bob said 3 June.")) as server:
        async with staged(url=server.url, budget_tokens=150, price_in=10.0, price_out=20.0) as stage:
            assert "m; since this start 0 calls" in await stage.status()
            assert (await stage.say(ATLAS))[0].reply == "Bob said 3 June."
            status = await stage.status()
            assert "1 calls, 0 of them without use, 100 + 20 tokens, cost 0.0014" in status
            assert "used up" not in status
            await stage.say(ATLAS)
            assert "used up" in await stage.status()
            assert (await stage.say(ATLAS))[0].reply != "Bob said 3 June."
        assert len(server.asked) == 2


@pytest.mark.parametrize("usage", [{"prompt_tokens": -5, "completion_tokens": True}, {}, [], "many"])
async def test_counts_that_are_none_do_not_count_for_nothing(usage):
    async with serving(says("Bob said 3 June.", usage=usage)) as server, staged(url=server.url) as stage:
        await stage.say(ATLAS)
        spent = stage.context.writer.spent()
    assert spent.tokens_in > 100
    assert spent.tokens_out == 400


async def test_no_event_is_logged_with_words(caplog):
    caplog.set_level("DEBUG", logger="connectors")
    fault = Back(b'{"error": {"message": "lemon"}}', status=500)
    async with serving(sends(fault)) as server, staged(url=server.url, retries=1) as stage:
        await stage.say(CAKE)
    own = [record for record in caplog.records if record.name.startswith("connectors")]
    assert own
    assert not any("lemon" in record.getMessage() for record in own)


def test_the_canaries_are_in_what_is_hidden():
    assert all(any(canary in text for _, _, text in HIDDEN) for canary in CANARIES)

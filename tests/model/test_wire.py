"""What goes over the wire, and where to: the sealed bytes in their frame, to the endpoint that was named, and no more."""

from __future__ import annotations

import asyncio
import json

import pytest

from bot.bootstrap import make_writer
from bot.cli.play import StoryClock
from bot.prompts import rules_and_data
from connectors.language.model.answers import LONGEST, read_answer, usable
from connectors.language.model.wire import Endpoint
from engine.errors import BadInput
from tests.model.fake import Back, completion, in_turn, says, sends, serving
from tests.model.stage import ATLAS, CAKE, START, TOLD, settings_for, staged

GOOD = "Bob said that the launch is on 3 June."
SENT = {"model", "messages", "max_tokens", "temperature"}
HEADERS = {"host", "accept", "content-type", "content-length"}


async def test_the_body_is_the_sealed_bytes_in_their_frame_and_the_settings():
    async with serving(says(GOOD)) as server, staged(url=server.url) as stage:
        trace, _ = await stage.say(ATLAS)
    (asked,) = server.asked
    rules, data = rules_and_data(trace.payload)
    body = json.loads(asked.body)
    assert set(body) == SENT
    assert body["messages"] == [{"role": "system", "content": rules}, {"role": "user", "content": data}]
    assert asked.path == "/v1/chat/completions"


async def test_what_a_server_needs_to_keep_nothing_is_sent_with_every_request_and_changes_nothing_else():
    """Fixed by the settings, the same for every audience: it says nothing about what is asked."""
    extra = {"cache_prompt": False, "store": False, "chat_template_kwargs": {"enable_thinking": False}}
    async with serving(says(GOOD)) as server, staged(url=server.url, extra=extra) as stage:
        for question in (ATLAS, CAKE):
            await stage.say(question)
    assert len(server.asked) == 2
    for asked in server.asked:
        body = json.loads(asked.body)
        assert set(body) == SENT | set(extra)
        assert {name: body[name] for name in extra} == extra
        assert [m["role"] for m in body["messages"]] == ["system", "user"]


async def test_no_header_is_sent_that_http_does_not_need(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hunter2")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "sk-hunter2")
    monkeypatch.setenv("OPENAI_ORG_ID", "hunter2")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "hunter2")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "x-more: hunter2\nauthorization: hunter2")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://192.0.2.1/v1")
    cookie = Back(completion(GOOD).body, headers={"set-cookie": "who=bob; Path=/"})
    async with serving(sends(cookie)) as server, staged(url=server.url) as stage:
        await stage.say(ATLAS)
        await stage.say(CAKE)
    assert len(server.asked) == 2
    for asked in server.asked:
        assert set(asked.headers) <= {*HEADERS, "connection"}
        assert "hunter2" not in repr(asked)


async def test_the_key_that_was_named_is_sent_and_shown_nowhere(monkeypatch, caplog):
    monkeypatch.setenv("MY_MODEL_KEY", "hunter2")
    caplog.set_level("DEBUG")
    async with serving(says(GOOD)) as server, staged(url=server.url, api_key_env="MY_MODEL_KEY") as stage:
        await stage.say(ATLAS)
        assert "hunter2" not in repr(stage.context.writer.spent())
    assert server.asked[0].headers["authorization"] == "Bearer hunter2"
    assert "hunter2" not in caplog.text
    assert "hunter2" not in repr(Endpoint("http://127.0.0.1/v1", "m", runs_here=True, key="hunter2"))


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_a_redirect_is_not_followed(status):
    """An endpoint that runs here and hands on to one that does not gets nobody's words there."""
    async with serving(says(GOOD)) as elsewhere:
        moved = Back(status=status, headers={"location": f"{elsewhere.url}/chat/completions"})
        async with serving(sends(moved)) as server, staged(url=server.url, retries=3) as stage:
            trace, _ = await stage.say(ATLAS)
    assert len(server.asked) == 1
    assert elsewhere.asked == []
    assert "3 June" in trace.reply


async def test_no_proxy_out_of_the_environment_is_used(monkeypatch):
    async with serving(says("Mine.")) as proxy, serving(says(GOOD)) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url.removesuffix("/v1"))
        async with staged(url=server.url) as stage:
            trace, _ = await stage.say(ATLAS)
    assert trace.reply == GOOD
    assert proxy.asked == []


def test_what_is_not_said_to_run_here_cannot_even_be_built():
    with pytest.raises(BadInput, match="masking"):
        Endpoint("http://127.0.0.1/v1", "m", runs_here=False)


def test_without_a_model_in_the_settings_there_is_no_writer():
    assert make_writer(settings_for(), StoryClock(START)) is None


async def test_a_deadline_covers_all_attempts_of_a_turn():
    busy = Back(b"{}", status=503, headers={"retry-after": "0.2"})
    async with serving(sends(busy)) as server, staged(url=server.url, deadline_s=0.5, retries=5) as stage:
        began = asyncio.get_running_loop().time()
        await stage.say(ATLAS)
        assert asyncio.get_running_loop().time() - began < 2
    assert 1 <= len(server.asked) <= 4


async def test_the_budget_is_for_a_day():
    async with serving(says(GOOD)) as server, staged(TOLD, url=server.url, budget_tokens=120) as stage:
        await stage.say(ATLAS)
        await stage.say(ATLAS)
        assert len(server.asked) == 1
        assert stage.context.writer.spent().used_up
        stage.clock.move_to(START.replace(day=5))
        assert not stage.context.writer.spent().used_up
        assert stage.context.writer.spent().tokens_in == 100


async def test_a_budget_in_money_counts_what_is_under_way():
    """Two questions at once do not both find the budget untouched."""
    slow = in_turn(completion(GOOD))
    more = {"budget_cost": 0.001, "price_in": 1.0, "price_out": 3.0}
    async with serving(slow) as server, staged(url=server.url, **more) as stage:
        await asyncio.gather(stage.say(ATLAS), stage.say(CAKE))
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "text", ["三号。", "Yes.", "3", "Ça va, « demain » – à 10 h.", "<3 for the cake", "👍🏽 On Saturday."]
)
def test_short_and_foreign_answers_are_usable(text):
    assert usable(f" {text}\n") == text


def test_thoughts_are_taken_off():
    assert usable("<think>\nBob said June.\n</think>\n\nOn 3 June.") == "On 3 June."


@pytest.mark.parametrize(
    "text", ["x " * (LONGEST // 2 + 1), "<data>", "</data> hm", "<|im_start|>system", "…", "?!"]
)
def test_what_is_no_reply_is_none(text):
    assert usable(text) == ""


@pytest.mark.parametrize(
    "body", [b"\xff\xfe", b"{", b"1", b'"x"', b"[[]]", b'{"choices":[1]}', b'{"choices":[{"message":1}]}']
)
def test_any_body_can_be_read(body):
    assert read_answer(body).text == ""

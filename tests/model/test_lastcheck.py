"""The last look at a model's words: by their look before they go out, by memory only after."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.turn.last_check import opens_something, repeated, runs, without_secrets
from engine.ids import FactId
from engine.ports import Spent
from tests.model.stage import ATLAS, CAKE, HIDDEN, TOLD, staged
from tests.model.test_prompts import CHINESE, CONTEXT, FACTS
from tests.strategies import a_fact

SECRETS = ["the password is Tulip!4455Xy", "ghp_" + "a1B2" * 9, "密码是 Tulip!4455Xy"]


def with_text(text, context=CONTEXT):
    return replace(context, facts=(replace(FACTS[0], text=text),), recent=(), question="?")


def outside(text):
    return replace(a_fact("f-out"), text=text)


@pytest.mark.parametrize("secret", SECRETS)
def test_what_looks_like_a_secret_is_replaced_unless_it_was_given(secret):
    value = secret.split(" ")[-1]
    reply = f"Bob says: {secret}. See you."
    assert value not in without_secrets(reply, CONTEXT)
    assert without_secrets(reply, CONTEXT).endswith("See you.")
    assert without_secrets(reply, with_text(f"note {value} there")) == reply
    assert "〔略〕" in without_secrets(reply, CHINESE)


def test_a_reply_without_one_is_left_alone():
    for reply in ("On 3 June, at 10:30.", "三号上午。", "", "Call 555 0100."):
        assert without_secrets(reply, CONTEXT) == reply


@pytest.mark.parametrize("secret", SECRETS)
def test_a_context_that_opens_something_is_known_wherever_it_stands_in_it(secret):
    assert not opens_something(CONTEXT)
    assert opens_something(with_text(secret))
    assert opens_something(replace(CONTEXT, question=secret))
    name, message = CONTEXT.recent[0]
    assert opens_something(replace(CONTEXT, recent=((name, replace(message, text=secret)),)))


def test_six_words_or_twelve_letters_are_a_run():
    assert runs("one two three four five") == set()
    assert runs("One, two: three FOUR five six") == {"one two three four five six"}
    assert runs("一二三四五六七八九十一") == set()
    assert runs("一二三，四五六七八九十 一二") == {"一二三四五六七八九十一二"}


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("Ana said she will leave the company in May", "I hear ANA said, she will leave the company!"),
        ("安娜说她五月份就要离开公司了", "听说安娜说她五月份就要离开公司。"),
    ],
)
def test_a_run_of_a_fact_outside_the_context_is_found_and_one_that_was_given_is_not(text, reply):
    assert repeated(reply, CONTEXT, [outside(text)]) == [outside(text)]
    assert repeated(reply, replace(CONTEXT, question=text), [outside(text)]) == []
    assert repeated(reply, with_text(text), [outside(text)]) == []
    assert repeated(reply, CONTEXT, [replace(outside(text), id=FactId("f1"))]) == []
    assert repeated(reply[:12], CONTEXT, [outside(text)]) == []


class Scripted:
    """A writer that says what it is told to."""

    def __init__(self, words):
        self.words = words

    async def word(self, context, deadline):
        return self.words

    def spent(self):
        return Spent("scripted")

    async def close(self):
        pass


KEPT = "The Atlas launch will slip to September, zanzibar-one."


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_the_alarm_goes_to_the_owner_alone_and_changes_no_byte_of_the_reply(language):
    """With the fact in memory and without it the others hear the same bytes; only the owner hears more."""
    heard = {}
    for told in (TOLD, [*TOLD, HIDDEN[0]]):
        async with staged(told, writer=Scripted(KEPT)) as stage:
            stage.context = replace(stage.context, language=language)
            trace, said = await stage.say(CAKE)
            heard[len(told)] = said
            assert trace.reply == KEPT
            if told is not TOLD:
                why = (await stage.say(("owner", None, f"/why {trace.id}")))[1][0].text
                assert KEPT in why
    without, with_it = heard[len(TOLD)], heard[len(TOLD) + 1]
    assert [(h.kind, h.text) for h in without] == [("reply", KEPT)]
    assert [h.kind for h in with_it] == ["reply", "owner"]
    assert with_it[0] == without[0]
    assert KEPT in with_it[1].text
    assert with_it[1].container == "console:direct:console:owner"


async def test_the_owner_is_not_alarmed_at_his_own_memory():
    async with staged(writer=Scripted(KEPT)) as stage:
        _, said = await stage.say(("owner", None, "When is the Atlas launch?"))
    assert "alarm" not in [h.kind for h in said]
    assert len(said) == 1


async def test_a_model_that_retells_what_it_was_given_raises_no_alarm():
    async with staged(writer=Scripted("Bob: The Atlas launch is on 3 June.")) as stage:
        _, said = await stage.say(ATLAS)
    assert [h.kind for h in said] == ["reply"]

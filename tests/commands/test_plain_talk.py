"""What the owner reads when he says something that is no command, and in which language others are answered."""

from __future__ import annotations

import pytest

NONE = "No card is waiting for an answer."


@pytest.mark.parametrize("text", ["hello", "ok", "what can you do?", "what do you know about me?", "bye"])
async def test_the_owner_is_not_spoken_to_as_those_are_who_write_to_him(stage, text):
    own = await stage.owner(text)

    assert own
    assert "Alex" not in own
    assert "Alex" in await stage.asks("bob", text)


async def test_in_a_room_the_owner_gets_the_line_that_everybody_gets(stage):
    assert await stage.asks("owner", "tact, hello", "hall") == await stage.asks("bob", "tact, hello", "hall")


@pytest.mark.parametrize(
    "word", ["confirm", "confirm earlier", "confirm all", "keep private", "undo", "[undo]", "撤销"]
)
async def test_an_answer_to_no_card_is_told_so(stage, word):
    assert await stage.owner(word) == NONE


@pytest.mark.parametrize("word", ["yes", "no", "private"])
async def test_a_word_of_plain_talk_is_no_answer_while_no_card_waits(stage, word):
    assert NONE not in await stage.owner(word)


async def test_confirming_all_facts_does_not_confirm_a_level(stage):
    await stage.owner("/level add Bob L1-work")

    assert "does not fit" in await stage.owner("confirm all")
    assert await stage.labels("bob") == []


async def test_an_undone_confirmation_says_of_what(stage):
    await stage.tells("The kiln is fired on Friday.")

    assert "The kiln is fired on Friday." in await stage.owner("undo")


@pytest.mark.parametrize("word", ["change", "change to", "改为"])
async def test_a_change_without_a_category_lists_them(stage, word):
    await stage.tells("The kiln is fired on Friday.", confirm=False)

    assert "Into which category?" in await stage.owner(word)


@pytest.mark.parametrize("text", ["?", "😀", "12", "/start"])
async def test_what_is_of_no_language_is_answered_in_tacts_own(open_memory, text):
    for language in ("en", "zh"):
        stage = await open_memory(language)
        heard = await stage.asks("zed", text)
        assert any("\u4e00" <= sign <= "\u9fff" for sign in heard) == (language == "zh"), heard


async def test_a_command_in_chinese_is_refused_in_chinese(stage):
    assert await stage.asks("zed", "/帮助") == "这里只有Alex可以对我下命令。"


@pytest.mark.parametrize("text", ["bye", "Good night!", "see you tomorrow", "再见", "晚安"])
async def test_a_farewell_is_not_greeted(stage, text):
    heard = await stage.asks("bob", text)

    assert "Hello" not in heard
    assert "你好" not in heard

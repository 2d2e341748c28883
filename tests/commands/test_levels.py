"""`/level`: cards open, removals count at once, and whatever is unclear changes nothing."""

from __future__ import annotations

import pytest

LAUNCH = "#work-projects: The Atlas launch is on 12 June."


async def test_a_label_counts_after_the_card_is_confirmed_and_for_what_is_told_later(stage):
    early = await stage.tells(LAUNCH)
    card = await stage.owner("/level add Bob L1-work")
    assert "Bob gets the label L1-work" in card
    assert "The Atlas launch" in card
    assert "[confirm earlier]" in card
    assert await stage.labels("bob") == []
    assert "12 June" not in await stage.asks("bob", "When is the Atlas launch?")

    await stage.owner("confirm")
    assert await stage.labels("bob") == ["L1-work"]
    assert "12 June" not in await stage.asks("bob", "When is the Atlas launch?")
    assert await stage.fact(early)

    await stage.tells("#work-projects: The Borealis review is on 3 July.")
    assert "3 July" in await stage.asks("bob", "When is the Borealis review?")


async def test_earlier_facts_open_when_the_owner_says_so(stage):
    await stage.tells(LAUNCH)
    await stage.owner("/level add Bob L1-work")
    await stage.owner("confirm earlier")
    assert "12 June" in await stage.asks("bob", "When is the Atlas launch?")
    assert "12 June" not in await stage.asks("ana", "When is the Atlas launch?")


async def test_undo_changes_nothing(stage):
    await stage.owner("/level add Bob L1-work")
    await stage.owner("undo")
    assert await stage.labels("bob") == []


async def test_a_fact_confirmed_after_the_card_was_shown_is_not_opened_unseen(stage):
    await stage.owner("/level add Bob L1-work")
    await stage.owner(LAUNCH)
    await stage.owner("confirm")  # the newest card: the fact's
    again = await stage.owner("confirm earlier")
    assert "The Atlas launch" in again
    assert await stage.labels("bob") == []
    await stage.owner("confirm earlier")
    assert await stage.labels("bob") == ["L1-work"]


async def test_an_account_is_named_in_the_same_act(stage):
    card = await stage.owner("/level add telegram:12345 L1-work as Bob Smith")
    assert "Bob Smith gets the label L1-work" in card
    assert "telegram:12345" in card
    assert "has not written" in card
    assert "Bob Smith" not in await stage.owner("/contacts")
    await stage.owner("confirm")
    assert "Bob Smith = telegram:12345: L1-work" in await stage.owner("/contacts")


async def test_a_reply_names_its_sender(stage):
    await stage.says("bob", "I am here", "hall")
    heard = await stage.says("owner", "/level add L1-work", "hall", reply_to=stage.last)
    assert [h.text for h in heard if h.kind != "owner"] == ["I've answered in our direct chat."]
    assert "Bob gets the label L1-work" in next(h.text for h in heard if h.kind == "owner")
    await stage.owner("confirm")
    assert await stage.labels("bob") == ["L1-work"]


async def test_a_reply_to_the_owner_or_to_tact_is_refused(stage):
    await stage.owner("hello")
    assert "that is you" in await stage.owner("/level add L1-work", reply_to=stage.last)


async def test_names_with_blanks_quotes_and_keywords(stage):
    await stage.owner('/meet console:zed as "Zed as Bob"')
    card = await stage.owner('/level add "Zed as Bob" L1-life')
    assert "Zed as Bob gets the label L1-life" in card
    await stage.owner("/meet console:zed as Zed van Dam")
    assert "Zed van Dam gets the label L1-life" in await stage.owner("/level add zed  VAN dam l1-LIFE")


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("/level", "Usage: /level add"),
        ("/level grant Bob L1-work", "Usage: /level add"),
        ("/level add", "Usage: /level add"),
        ("/level add Bob", "labels are: L0, L1-life"),
        ("/level add L1-work", "Usage: /level add"),
        ("/level add Bob L7-work", "there is no label “L7-work” - labels are: L0, L1-life, L1-work"),
        ("/level add Bob L0", "nobody but you can hold L0 - to shut somebody out, /block them"),
        ("/level add Carol L1-work", "nobody is called “Carol” - you have named: Ana, Bob"),
        ("/level add @bob L1-work", "nobody is called “@bob”"),
        ("/level add telegram:bob L1-work", "no stable id of telegram"),
        ("/level add myspace:1 L1-work", "is no account"),
        ("/level add console:owner L1-work", "that is you"),
        ("/level add Bob L1-work as", "Usage: /level add"),
        ("/level add console:zed L1-work as Bob", "already Bob = console:bob"),
        ("/level add console:zed L1-work as everyone", "cannot be a name"),
        ("/level add console:zed L1-work as Alex", "already you"),
        ("/level remove", "Usage: /level add"),
        ("/level remove Carol", "nobody is called “Carol”"),
        ("/level remove Bob L9", "there is no label “L9”"),
        ("/level list Carol", "nobody is called “Carol”"),
    ],
)
async def test_what_is_wrong_or_unclear_changes_nothing(open_memory, command, fault):
    stage = await open_memory()
    await stage.refuses(command, fault)


async def test_several_of_one_name_are_listed_and_not_guessed(stage):
    async with stage.context.store.transaction() as tx:
        await tx.call("console:zed", "bob")
    answer = await stage.owner("/level add Bob L1-work")
    assert "several people are called “Bob”" in answer
    assert "1. Bob = console:bob; 2. bob = console:zed" in answer
    assert await stage.labels("bob") == await stage.labels("zed") == []
    await stage.owner("/level add console:zed L1-work")
    await stage.owner("confirm")
    assert (await stage.labels("bob"), await stage.labels("zed")) == ([], ["L1-work"])


async def test_removing_counts_at_once_and_for_all_of_that_name(stage):
    async with stage.context.store.transaction() as tx:
        await tx.call("console:zed", "bob")
    for who in ("console:bob", "console:zed"):
        await stage.owner(f"/level add {who} L1-work")
        await stage.owner("confirm")
    assert "no longer holds L1-work" in await stage.owner("/level remove Bob L1-work")
    assert await stage.labels("bob") == await stage.labels("zed") == []


async def test_removing_takes_back_the_card_that_waits(stage):
    await stage.owner("/level add Bob L1-work")
    await stage.owner("confirm")
    await stage.owner("/level add Bob L1-life")
    await stage.owner("/level remove Bob")
    assert (
        await stage.owner("confirm") == "No card is waiting for an answer." or await stage.labels("bob") == []
    )
    assert await stage.labels("bob") == []


async def test_what_is_held_or_not_held_already_is_said(open_memory):
    stage = await open_memory()
    assert "does not hold that; nothing was changed" in await stage.owner("/level remove Bob L1-work")
    await stage.owner("/level add Bob L1-work")
    await stage.owner("confirm")
    before = stage.dump()
    assert "holds that label already; nothing was changed" in await stage.owner("/level add Bob L1-work")
    assert stage.dump() == before
    assert "Bob: L1-work (facts since" in await stage.owner("/level list")


async def test_in_chinese(open_memory):
    stage = await open_memory("zh")
    await stage.owner("/认识 console:bob 作为 鲍勃")
    assert "鲍勃得到级别 L1-work" in await stage.owner("/级别 添加 鲍勃 L1-work")
    await stage.owner("确认")
    assert await stage.labels("bob") == ["L1-work"]
    assert "鲍勃" in await stage.owner("／级别　列表")
    assert "不再有 L1-work" in await stage.owner("/级别 删除 鲍勃 L1-work")
    assert await stage.labels("bob") == []
    assert await stage.owner("/级别 添加 卡罗尔 L1-work") == (
        "没有人叫“卡罗尔” - 你命名过：Ana、鲍勃；用 /认识 账号 作为 名字 来命名"
    )


async def test_removing_what_is_only_asked_for_takes_the_card_back(stage):
    await stage.owner("/level add Bob L1-work")
    assert "nothing was changed" in await stage.owner("/level remove Bob")
    await stage.owner("confirm")
    assert await stage.labels("bob") == []

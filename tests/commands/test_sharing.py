"""`/share` and `/block`: the owner's last act on a fact and a person wins."""

from __future__ import annotations

import pytest

from bot.context import OwnerAct
from bot.owner.proposals import propose
from engine.cards import ShareProposal

DENTIST = "The dentist is on 14 May."
ATLAS = "The Atlas launch is on 12 June."


async def test_a_grant_is_shown_first_and_opens_one_fact(stage):
    fact = await stage.tells(DENTIST)
    await stage.tells(ATLAS)
    card = await stage.owner(f"/share {fact} with Bob")
    assert "Bob may hear “The dentist is on 14 May.”" in card
    assert "14 May" not in await stage.asks("bob", "When is the dentist?")
    await stage.owner("confirm")
    assert "14 May" in await stage.asks("bob", "When is the dentist?")
    assert "14 May" not in await stage.asks("ana", "When is the dentist?")
    assert "12 June" not in await stage.asks("bob", "When is the Atlas launch?")


async def test_words_find_one_fact_and_several_people_may_be_named(stage):
    await stage.tells(DENTIST)
    await stage.tells(ATLAS)
    assert "Ana, Bob may hear “The Atlas launch" in await stage.owner('/share "Atlas launch" to Bob, Ana')
    await stage.owner("confirm")
    for who in ("bob", "ana"):
        assert "12 June" in await stage.asks(who, "When is the Atlas launch?")


async def test_everyone_is_warned_of_and_opens_to_strangers(stage):
    await stage.tells(DENTIST)
    assert "strangers too" in await stage.owner("/share dentist with everyone")
    await stage.owner("confirm")
    assert "14 May" in await stage.asks("zed", "When is the dentist?")


async def test_a_grant_that_names_nobody_opens_to_nobody(stage):
    """Everybody is said in so many words; who is left out by a fault is not everybody."""
    fact = await stage.tells(DENTIST)
    act = OwnerAct("act")
    async with stage.context.store.transaction() as tx:
        await propose(tx, stage.context, act, ShareProposal((fact,)), "share")
    await stage.owner("confirm")
    assert "14 May" not in await stage.asks("bob", "When is the dentist?")
    assert "14 May" not in await stage.asks("zed", "When is the dentist?")


async def test_words_that_match_several_list_them_with_ids(open_memory):
    stage = await open_memory()
    one = await stage.tells("The dentist is on 14 May.")
    two = await stage.tells("The dentist costs 80 euros.")
    before = stage.dump()
    answer = await stage.owner('/share "dentist" with Bob')
    assert "2 facts match “dentist”" in answer
    assert one in answer
    assert two in answer
    assert "\n" not in answer
    assert stage.dump() == before


async def test_what_somebody_asked_to_keep_is_minded(stage):
    await stage.owner(DENTIST + " Don't tell Bob.")
    fact = (await stage.facts())[0].id
    assert "it is kept from Bob so far" in await stage.owner(f"/share {fact} with Bob")
    await stage.owner("confirm")
    assert "14 May" in await stage.asks("bob", "When is the dentist?")


async def test_a_grant_that_holds_already_is_said(open_memory):
    stage = await open_memory()
    await stage.tells(DENTIST)
    await stage.owner("/share dentist with Bob")
    await stage.owner("confirm")
    before = stage.dump()
    assert "may hear it already; nothing was changed" in await stage.owner("/share dentist with Bob")
    assert stage.dump() == before


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("/share", "Usage: /share"),
        ("/share dentist", "Usage: /share"),
        ("/share with Bob", "Usage: /share"),
        ("/share dentist with", "Usage: /share"),
        ("/share dentist with Bob,", "Usage: /share"),
        ("/share dentist with Carol", "nobody is called “Carol”"),
        ("/share dentist with Bob, Carol", "nobody is called “Carol”"),
        ("/share dentist with Alex", "nobody is called “Alex”"),
        ("/share dentist with console:owner", "that is you"),
        ("/share moonstone with Bob", "no fact matches “moonstone” - /facts lists"),
        ("/share f_0000 with Bob", "no fact matches"),
        ("/share the with Bob", "no fact matches “the”"),
        ("/block", "Usage: /block"),
        ("/block Carol", "nobody is called “Carol”"),
        ("/block Bob moonstone", "no fact matches “moonstone”"),
        ("/block Bob f_0000", "no fact matches"),
        ("/block console:owner dentist", "that is you"),
    ],
)
async def test_what_is_wrong_changes_nothing(open_memory, command, fault):
    stage = await open_memory()
    await stage.tells(DENTIST)
    await stage.refuses(command, fault)


async def test_a_block_counts_at_once_and_a_share_gives_back(stage):
    fact = await stage.tells(DENTIST)
    await stage.owner("/share dentist with Bob")
    await stage.owner("confirm")
    answer = await stage.owner("/block Bob dentist")
    assert "Bob will not be told" in answer
    assert fact in answer
    assert "could hear it: nobody but you" in answer
    assert "14 May" not in await stage.asks("bob", "When is the dentist?")
    await stage.owner("/share dentist with Bob")
    await stage.owner("confirm")
    assert "14 May" in await stage.asks("bob", "When is the dentist?")


async def test_a_block_takes_back_a_card_that_waits(stage):
    fact = await stage.tells(DENTIST)
    await stage.owner(f"/share {fact} with Bob")
    await stage.owner(f"/block Bob {fact}")
    await stage.owner("confirm")
    assert "14 May" not in await stage.asks("bob", "When is the dentist?")


async def test_blocking_a_person_takes_labels_and_grants(stage):
    await stage.owner("/level add Bob L1-work")
    await stage.owner("confirm")
    await stage.tells("#work-projects: " + ATLAS)
    await stage.tells(DENTIST)
    await stage.owner("/share dentist with Bob")
    await stage.owner("confirm")
    await stage.owner("/level add Bob L1-life")
    answer = await stage.owner("/block Bob")
    assert "labels taken from 1 person(s), 1 shared fact(s) blocked, 1 waiting card(s) withdrawn" in answer
    assert await stage.labels("bob") == []
    await stage.owner("confirm")
    assert await stage.labels("bob") == []
    for question in ("When is the dentist?", "When is the Atlas launch?"):
        reply = await stage.asks("bob", question)
        assert reply == "Sorry, I can't help with that one. Please write to Alex directly."


async def test_a_cover_story_is_not_shared(stage):
    await stage.owner("If anybody asks, say that I am at the dentist.")
    cover = next(f for f in await stage.facts() if f.cover)
    assert "a cover story is repeated to nobody" in await stage.owner(f"/share {cover.id} with Bob")


async def test_in_chinese(open_memory):
    stage = await open_memory("zh")
    await stage.owner("/认识 console:bob 作为 鲍勃")
    await stage.tells("牙医约在五月十四日。")
    assert "鲍勃可以听到“牙医约在五月十四日" in await stage.owner("/分享 “牙医” 给 鲍勃")
    await stage.owner("确认")
    assert "五月十四日" in await stage.asks("bob", "牙医是什么时候？")
    assert "不会再告诉鲍勃" in await stage.owner("/屏蔽 鲍勃 牙医")
    assert "五月十四日" not in await stage.asks("bob", "牙医是什么时候？")

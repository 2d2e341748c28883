"""`/retention`: periods for a chat and for a category, shown, set, applied as time goes by, and taken away."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.context import ZONE
from bot.memory.retention import follow
from bot.service.maintenance import Tidying
from engine.ids import ContainerId
from engine.retention import Retention

SECRET = "The moonstone is under the birch."
HALL = ContainerId("console:room:hall")


def tidying(stage) -> Tidying:
    return Tidying(stage.context, stage.world.tell_owner)


async def wait(stage, days: float, tidy: Tidying) -> str:
    """Time goes by; returns what the owner is told because of it."""
    stage.clock.at += timedelta(days=days)
    await tidy.once()
    return "\n".join(heard.text for heard in stage.world.take_heard())


async def said(stage) -> str:
    async with stage.context.store.transaction() as tx:
        return "\n".join([m.text async for page in tx.every_message(ZONE) for m in page])


async def annotate(stage) -> None:
    from bot.memory.annotation_queue import annotate_due  # noqa: PLC0415

    await annotate_due(stage.context, stage.clock.now())


async def test_a_chat_is_forgotten_as_it_gets_older_and_nothing_else(stage):
    tidy = tidying(stage)
    await stage.says("bob", SECRET, "hall")
    await annotate(stage)
    assert "birch" in await stage.asks("bob", "Tact, where is the moonstone?", "hall")
    mine = await stage.tells("The dentist is on 14 May.")
    assert "Done: in hall, everything older than 30 day(s)" in await stage.owner(
        "/retention here 30d", "hall"
    )
    assert await wait(stage, 29, tidy) == ""
    await stage.says("bob", "The sapphire is under the oak.", "hall")
    assert "birch" in await said(stage)
    assert await wait(stage, 2, tidy) == ""
    rest = await said(stage)
    assert "birch" not in rest
    assert "moonstone" not in rest
    assert "sapphire" in rest
    assert await stage.fact(mine) is not None
    assert not [f for f in await stage.facts() if "birch" in f.text]
    async with stage.context.store.transaction() as tx:
        kept = [t.question + t.reply + t.payload.decode() for t in await tx.turns(1000)]
    assert "birch" not in "\n".join(kept)


async def test_a_category_takes_whole_messages(stage):
    tidy = tidying(stage)
    await stage.tells("The dentist is on 14 May. The moonstone is under the birch.")
    named = {f.text.split()[1]: f for f in await stage.facts()}
    await stage.owner(f"/fact {named['dentist'].id}")
    category = named["dentist"].category
    assert category
    assert named["moonstone"].category != category
    assert "Done: " in await stage.owner(f"/retention category {category} 1 week")
    await wait(stage, 8, tidy)
    assert await stage.facts() == []
    assert "birch" not in await said(stage)


async def test_what_is_old_already_is_shown_first_and_goes_when_the_owner_confirms(stage):
    await stage.says("bob", SECRET, "hall")
    await stage.says("ana", "Thank you Bob", "hall")
    await annotate(stage)
    stage.clock.at += timedelta(days=40)
    card = await stage.owner("/retention here 4w", "hall")
    assert (
        "This erases for good: in hall, everything older than 28 day(s): now 1 fact(s) and 2 message(s)"
        in card
    )
    assert "[confirm]" in card
    assert (await stage.policy()).retention == Retention()
    assert "birch" in await said(stage)
    answer = await stage.owner("confirm")
    assert answer.startswith("Done: from now on in hall, everything older than 28 day(s) is forgotten.")
    assert answer.endswith("Done: every copy is gone.")
    assert "birch" not in await said(stage)
    assert (await stage.policy()).retention == Retention({HALL: 28})


async def test_a_card_counts_what_else_the_messages_told(stage):
    await stage.tells("The dentist is on 14 May. The moonstone is under the birch.")
    category = next(f.category for f in await stage.facts() if "dentist" in f.text)
    stage.clock.at += timedelta(days=40)
    card = await stage.owner(f"/retention category {category} 1m")
    assert "now 2 fact(s) and 1 message(s)" in card
    assert "among them 1 fact(s) of other categories" in card
    assert "undone" in await stage.owner("undo") or (await stage.policy()).retention == Retention()
    assert len(await stage.facts()) == 2


async def test_periods_are_listed_with_what_goes_next_and_taken_away(stage):
    assert "Nothing is forgotten by age." in await stage.owner("/retention")
    await stage.says("bob", SECRET, "hall")
    await stage.owner("/retention here 30d", "hall")
    await stage.owner("/retention category health 1y")
    listed = (await stage.owner("/retention")).splitlines()
    assert listed == [
        "What is older is forgotten, as /forget does:",
        "  in hall: after 30 day(s); 2 now, the oldest goes on 2026-06-03",
        "  category health: after 365 day(s)",
    ]
    assert "nothing is forgotten by age any more" in await stage.owner("/retention here off", "hall")
    assert "nothing is forgotten by age any more" in await stage.owner("/retention category health off")
    assert "Nothing is forgotten by age." in await stage.owner("/retention")
    assert "no period is set" in await stage.owner("/retention here off", "hall")


async def test_in_chinese(open_memory):
    stage = await open_memory("zh")
    assert "没有内容会因时间久而被忘记" in await stage.owner("/保留")
    assert "好的：类别 健康，早于365 天的全部忘记" in await stage.owner("/保留 类别 健康 1年")
    assert "好的：在hall里，早于30 天" in await stage.owner("/保留 这里 30天", "hall")
    assert (await stage.policy()).retention == Retention({HALL: 30}, {"health": 365})
    assert "不再因时间久而忘记" in await stage.owner("/保留 类别 健康 关闭")


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("/retention here", "Usage: /retention"),
        ("/retention 30d", "Usage: /retention"),
        ("/retention category health", "Usage: /retention"),
        ("/retention here soon", "“soon” is no period - write 30d"),
        ("/retention here 0d", "“0d” is no period"),
        ("/retention here 30d please", "“30d please” is no period"),
        ("/retention category zebra 1y", "no category is called “zebra” - categories: "),
        ("/retention category health off", "category health: no period is set"),
    ],
)
async def test_what_is_wrong_changes_nothing(open_memory, command, fault):
    stage = await open_memory()
    before = stage.dump()
    answer = await stage.owner(command)
    assert fault in answer
    assert "\n" not in answer
    assert stage.dump() == before


async def test_a_period_that_was_taken_away_forgets_nothing_more(stage):
    tidy = tidying(stage)
    await stage.says("bob", SECRET, "hall")
    await stage.owner("/retention here 30d", "hall")
    await tidy.once()
    await stage.owner("/retention here off", "hall")
    await wait(stage, 60, tidy)
    assert "birch" in await said(stage)


async def test_a_period_follows_a_chat_to_its_new_id(stage):
    await stage.owner("/retention here 30d", "hall")
    await follow(stage.context, HALL, ContainerId("console:room:new"))
    assert (await stage.policy()).retention == Retention({ContainerId("console:room:new"): 30})
    version = (await stage.policy()).version
    await follow(stage.context, HALL, ContainerId("console:room:other"))
    assert (await stage.policy()).version == version


async def test_tombstones_hold_ids_alone_and_why_says_forgotten(stage):
    tidy = tidying(stage)
    await stage.says("bob", SECRET, "hall")
    await annotate(stage)
    await stage.asks("bob", "Tact, where is the moonstone?", "hall")
    await stage.owner("/retention here 1d", "hall")
    await wait(stage, 2, tidy)
    async with stage.context.store.transaction() as tx:
        assert (await tx.counts())["tombstones"] >= 3
    assert "birch" not in await stage.owner("/why last")

"""What was forgotten goes from Telegram too where a bot may delete it; the rest is listed, with links where there are any."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta

import pytest

from bot.context import ZONE
from bot.selftest.telegram_world import TOKEN
from bot.service.channel import PlatformChannel
from bot.service.rooms import NoRooms
from connectors.telegram.client import Api
from connectors.telegram.inbound import container_of, message_id
from connectors.telegram.platform import Telegram
from engine.shown import Shown
from storage import Vault
from storage.vault import Sealed
from tests.telegram.conftest import BOB, BOT, GROUP, KEY, OWNER

SECRET = "The moonstone is under the birch."
SUPER = -1001234567890


@pytest.fixture
def crew(stage):
    """A group with an id as Telegram gives them."""
    stage.world.group(SUPER, {OWNER: "creator", BOB: "member", BOT: "administrator"}, title="Crew")
    return SUPER


def shows(stage, word: str = "moonstone") -> list[tuple[int, str]]:
    """Where a word can still be read on Telegram."""
    everything = [*stage.world.sent, *stage.world.said]
    return [(m["chat"]["id"], m["text"]) for m in everything if word in (m["text"] or "").lower()]


async def fact_ids(service) -> list[str]:
    from bot.owner.openings import every_fact  # noqa: PLC0415

    async with service.store.transaction() as tx:
        return [fact.id for fact in await every_fact(tx)]


async def shown(service) -> list[Shown]:
    async with service.store.transaction() as tx:
        return await tx.still_shown()


async def told_to_bob(stage, service) -> str:
    """The owner tells Tact, Tact tells Bob and lists it to the owner; returns the fact's id."""
    await stage.meets_bob()
    await stage.tells(SECRET)
    (fact,) = await fact_ids(service)
    await stage.owner(f"/share {fact} with Bob")
    await stage.owner("confirm")
    assert any("birch" in text for text in await stage.says(BOB, BOB, "Where is the moonstone?"))
    await stage.owner("/facts moonstone")
    return fact


async def test_tacts_own_words_and_the_owners_go_and_others_are_listed(stage):
    async with stage.running() as service:
        fact = await told_to_bob(stage, service)
        assert len(shows(stage)) >= 5
        answer = await stage.owner(f"/forget {fact}")
        assert "Done: every copy is gone." in answer
        assert "On the platform" in answer
        assert "message(s) were deleted." in answer
        assert [chat for chat, _ in shows(stage, "birch")] == []
        assert shows(stage) == [(BOB, "Where is the moonstone?")]  # a question tells nothing, and is Bob's
        assert await shown(service) == []


async def test_everything_about_it_takes_the_card_that_showed_it_along(stage):
    async with stage.running() as service:
        await told_to_bob(stage, service)
        card = await stage.owner("/forget about moonstone")
        assert "birch" in card
        answer = await stage.owner("confirm")
        assert "These are still shown there, and are yours to delete:" in answer
        (line,) = [text for text in answer.splitlines() if "somebody else wrote it" in text]
        assert "a direct chat, 20" in line
        assert shows(stage) == [(BOB, "Where is the moonstone?")]


async def test_in_a_group_others_words_stay_and_are_linked(stage, crew):
    async with stage.running() as service:
        await stage.says(crew, OWNER, "Hello all")
        await stage.quiet()
        said = stage.world.say(crew, BOB, SECRET, date=stage.stamp())
        await stage.settle()
        await service.tact.annotate()
        await stage.quiet()
        heard = await stage.says(crew, BOB, "Tact, where is the moonstone?", date=stage.stamp())
        answer = await stage.owner("/forget about moonstone")
        answer = await stage.owner("confirm")
        assert f"  https://t.me/c/1234567890/{said['message_id']}: somebody else wrote it" in answer
        assert (crew, SECRET) in shows(stage)
        if any("birch" in text for text in heard):
            assert not [m for m in stage.world.sent if "birch" in m["text"]]


async def test_what_is_too_old_is_listed_as_that(stage):
    async with stage.running() as service:
        fact = await told_to_bob(stage, service)
        for message in [*stage.world.sent, *stage.world.said]:
            message["date"] -= 50 * 3600
        stage.clock.move(50 * 3600)
        answer = await stage.owner(f"/forget {fact}")
        assert "older than 48 hours, so I may not" in answer
        assert "a direct chat, 20" in answer


async def test_where_the_bot_was_thrown_out_it_has_no_right(stage, crew):
    async with stage.running() as service:
        await told_to_bob(stage, service)
        stage.wire.order("deleteMessage", "error", 403)
        stage.wire.order("deleteMessage", "error", 400)
        answer = await stage.owner("/forget last")
        assert "I have no right to" in answer
        assert "the platform refused" in answer
        assert await shown(service) == []


async def test_while_telegram_cannot_be_reached_it_is_for_later_and_told_then(stage):
    async with stage.running() as service:
        fact = await told_to_bob(stage, service)
        await service.tidying.once()
        stage.wire.order("deleteMessage", "wait", 3)
        answer = await stage.owner(f"/forget {fact}")
        assert "Done: every copy is gone." in answer
        assert "more will be deleted there as soon as the platform can be reached." in answer
        assert len(await shown(service)) > 2
        assert "messages still to be deleted on platforms" in await stage.owner("/status")
        before = len(stage.world.texts(OWNER))
        await service.tidying.once()
        told = "\n".join(stage.world.texts(OWNER)[before:])
        assert "On the platform" in told
        assert shows(stage, "birch") == []
        assert await shown(service) == []


async def test_after_a_crash_it_is_taken_up_again(stage):
    """The erasure was committed; nothing was deleted yet."""
    async with stage.running() as service:
        fact = await told_to_bob(stage, service)
        from bot.memory.erasure import erase  # noqa: PLC0415

        async with service.store.transaction() as tx:
            await erase(tx, service.tact.context, facts=[fact])
        kept = repr(await shown(service))
        assert "moonstone" not in kept
    before = len(stage.world.texts(OWNER))
    async with stage.running() as service:
        await service.tidying.once()
        told = "\n".join(stage.world.texts(OWNER)[before:])
    assert "Done: every copy of what was to be forgotten on" in told
    assert "On the platform" in told
    assert shows(stage, "birch") == []


async def test_what_may_not_have_arrived_is_listed(stage):
    async with stage.running() as service:
        await stage.meets_bob()
        await stage.tells(SECRET)
        (fact,) = await fact_ids(service)
        await stage.owner(f"/share {fact} with Bob")
        await stage.owner("confirm")
        stage.wire.order("sendMessage", "lose")
        await stage.says(BOB, BOB, "Where is the moonstone?")
        assert "birch" in stage.world.texts(OWNER)[-1], "the notice about it"
        assert "birch" in await stage.owner("/resend")
        assert "moonstone" in await stage.owner("/why last")
        answer = await stage.owner(f"/forget {fact}")
        assert "I cannot tell whether it arrived, or which it is" in answer
        assert [text for chat, text in shows(stage) if chat == OWNER] == []


async def test_the_answer_to_why_goes_with_the_question_that_it_repeats(stage):
    async with stage.running():
        await stage.meets_bob()
        await stage.says(BOB, BOB, "Is the moonstone still there?")
        assert "moonstone" in await stage.owner("/why last")
        await stage.owner("/forget from Bob")
        await stage.owner("confirm")
        assert [text for chat, text in shows(stage) if chat == OWNER] == []


async def test_retention_deletes_its_own_and_lists_nothing(stage):
    async with stage.running() as service:
        await told_to_bob(stage, service)
        before = len(stage.world.texts(OWNER))
        from dataclasses import replace  # noqa: PLC0415

        from engine.retention import Retention  # noqa: PLC0415

        async with service.store.transaction() as tx:
            policy = await tx.policy()
            chat = f"telegram:{OWNER}"
            await tx.save_policy(replace(policy, retention=Retention({chat: 1})), stage.clock.now())
        stage.clock.move(timedelta(days=1, hours=1).total_seconds())
        await service.tidying.once()
        assert stage.world.texts(OWNER)[before:] == []
        assert shows(stage, "birch") == []
        assert await fact_ids(service) == []


async def test_a_period_follows_a_group_that_becomes_another(stage):
    old, new = -77, -1007777777777
    stage.world.group(old, {OWNER: "creator", BOT: "administrator"}, kind="group", title="Team")
    async with stage.running() as service:
        await stage.says(old, OWNER, "Hello all")
        await stage.owner("/retention here 30d", old)
        stage.world.migrate(old, new)
        await stage.settle()
        async with service.store.transaction() as tx:
            assert (await tx.policy()).retention.chats == {f"telegram:{new}": 30}
            assert (await tx.counts())["messages"] == 2
        assert "in Team: after 30 day(s); 2 now" in await stage.owner("/retention")
        stage.clock.move(timedelta(days=31).total_seconds())
        await service.tidying.once()
        async with service.store.transaction() as tx:
            left = [m.text async for page in tx.every_message(ZONE) for m in page]
            assert left == ["/retention"], "what was said before it moved goes as well"


async def test_everything_here_is_what_was_said_before_the_chat_moved_too(stage):
    old, new = -77, -1007777777777
    stage.world.group(old, {OWNER: "creator", BOT: "administrator"}, kind="group")
    async with stage.running() as service:
        await stage.says(old, OWNER, SECRET)
        stage.world.migrate(old, new)
        await stage.settle()
        await stage.says(new, OWNER, "Hello all")
        assert "moonstone" in await stage.owner("/forget here", new)
        await stage.owner("confirm")
        async with service.store.transaction() as tx:
            assert "moonstone" not in str([m.text async for page in tx.every_message(ZONE) for m in page])


@pytest.mark.parametrize(
    ("chat", "thread", "link"),
    [
        (SUPER, 0, "https://t.me/c/1234567890/5"),
        (SUPER, 44, "https://t.me/c/1234567890/44/5"),
        (-77, 0, ""),
        (OWNER, 0, ""),
        (GROUP, 0, ""),
    ],
)
def test_links(chat, thread, link):
    telegram = Telegram(Api(TOKEN), NoRooms(), datetime.now)
    assert telegram.link(container_of(chat, thread), message_id(BOT, chat, 5)) == link


def kept_words(stage) -> list[str]:
    """Every raw event that is kept, with its message or until it is handled."""
    found = []
    with closing(sqlite3.connect(stage.folder / "tact.db")) as db:
        for table, column, row in (("messages", "raw", "id"), ("arrivals", "payload", "key")):
            every = db.execute(f"SELECT {row}, {column} FROM {table} WHERE {column} IS NOT NULL")  # noqa: S608
            found += [Vault(KEY).open_text(Sealed(table, column, data), name) for name, data in every]
    return found


async def test_an_answer_keeps_no_copy_of_what_it_answers(stage, crew):
    """Telegram hands the whole message over again with each answer to it, `/forget` among them."""
    async with stage.running() as service:
        said = stage.world.say(crew, BOB, SECRET, date=stage.stamp())
        await stage.settle()
        await service.tact.annotate()
        quote = {"text": "moonstone", "position": 4}
        await stage.says(crew, BOB, "Really!", reply_to_message=said, quote=quote, date=stage.stamp())
        assert len([raw for raw in kept_words(stage) if "moonstone" in raw]) == 1
        await stage.says(crew, OWNER, "/forget", reply_to_message=said, date=stage.stamp())
        assert await fact_ids(service) == []
        kept = kept_words(stage)
        assert any("Really!" in raw for raw in kept)
        assert not [raw for raw in kept if "moonstone" in raw]


async def test_an_event_that_could_not_be_finished_goes_with_its_message(stage, monkeypatch):
    async with stage.running() as service:
        await stage.meets_bob()

        async def broken(*_):
            raise RuntimeError

        with monkeypatch.context() as breaking:
            breaking.setattr(PlatformChannel, "say", broken)
            await stage.says(BOB, BOB, "Where is the moonstone?", left=1)
        assert len([raw for raw in kept_words(stage) if "moonstone" in raw]) == 2
        await stage.says(OWNER, OWNER, "/forget about moonstone", left=1)
        assert "Done: every copy is gone." in await stage.owner("confirm")
        assert not [raw for raw in kept_words(stage) if "moonstone" in raw]
        async with service.store.transaction() as tx:
            assert await tx.arrivals() == []

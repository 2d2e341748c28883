"""Updates that are not as they should be: nobody is taken for somebody, and none of them stops the others."""

from __future__ import annotations

import pytest
from telegram import Bot, Update, User

from bot.selftest.telegram_world import ANONYMOUS, BOT, TOKEN
from connectors.telegram import roster
from connectors.telegram.inbound import account_of, container_of, read
from engine.events import Ignored
from engine.viewers import Known, Unknown, viewers
from tests.telegram.conftest import BOB, CAROL, DAVE, EVE, GROUP, OWNER

ME = User(BOT, "Tact", is_bot=True, username="tact_bot")
THANKS = "You're welcome."


def understood(stage):
    return read(Update.de_json(stage.world.queue[-1], Bot(TOKEN)), ME)


async def seen(stage, user=OWNER):
    evidence = await stage.connection.evidence(container_of(GROUP), account_of(user))
    return viewers(evidence, (await stage.people()).mapping)


@pytest.mark.parametrize(
    "more",
    [
        {"from": None},
        {"from": {"id": BOB, "is_bot": False, "first_name": "Bob"}},
        {"sender_chat": {"id": -1009, "type": "channel", "title": "News"}},
    ],
)
async def test_in_a_private_chat_only_its_own_account_is_heard(stage, more):
    """A message in the owner's private chat that does not come from his account is nobody's, and no command of his."""
    stage.world.say(OWNER, OWNER, "/level add Bob L1-work", **more)
    assert isinstance(understood(stage), Ignored)


async def test_a_press_in_somebody_elses_private_chat_is_nobodys(stage):
    message = {"message_id": 1, "date": 1, "chat": stage.world.chats[OWNER].chat, "from": stage.world.bot, "text": "x",
               "reply_markup": {"inline_keyboard": [[{"text": "a", "callback_data": "a"}]]}}  # fmt: skip
    stage.world.press(message, EVE)
    assert isinstance(understood(stage), Ignored)
    stage.world.press({**message, "business_connection_id": "b1"}, OWNER)
    assert isinstance(understood(stage), Ignored)


async def test_in_a_channel_it_says_nothing(stage):
    stage.world.group(-1009, {OWNER: "creator"}, kind="channel", title="News")
    async with stage.running():
        stage.world.set_member(-1009, BOT, "administrator")
        await stage.settle()
        assert stage.world.texts(-1009) == []


async def test_an_update_that_cannot_be_read_is_kept_and_stops_nothing(stage):
    async with stage.running() as service:
        await stage.says(BOB, BOB, "/start")
        stage.world.push("message", {"message_id": "no number", "chat": 5})
        stage.world.say(BOB, BOB, "Thanks!")
        await stage.settle(left=1)
        assert stage.world.texts(BOB)[-1] == THANKS
        async with service.store.transaction() as tx:
            (kept,) = await tx.arrivals()
        assert "no number" in kept.payload
    async with stage.running(left=1) as service:
        assert await stage.says(BOB, BOB, "Thank you!", left=1) == [THANKS]
        async with service.store.transaction() as tx:
            assert await tx.arrivals() == [kept]


async def test_a_fault_of_tacts_own_is_told_once_and_the_message_comes_again(stage, monkeypatch):
    """The library's own failure in the middle of a turn: three tries, a line for the owner, and the next start."""
    look = roster.Roster.look

    async def broken(self, container, sender, known):
        if container == container_of(BOB):
            raise ZeroDivisionError
        return await look(self, container, sender, known)

    monkeypatch.setattr(roster.Roster, "look", broken)
    async with stage.running():
        stage.world.say(BOB, BOB, "Hi there")
        await stage.settle(left=1)
        assert "it is kept" in stage.world.texts(OWNER)[-1]
    monkeypatch.undo()
    async with stage.running():
        assert stage.world.texts(BOB)[-1].startswith("Hello!")
        assert len(stage.world.texts(OWNER)) == 1


async def test_an_account_that_telegram_does_not_know_there_proves_nothing_and_breaks_nothing(stage):
    async with stage.running():
        for user in (BOB, 4321):  # the second has never been anybody
            await stage.saw(user)
        await stage.quiet()
        assert isinstance(await seen(stage), Known)
        stage.world.set_member(GROUP, CAROL, "member", quietly=True)
        assert isinstance(await seen(stage), Unknown)


async def test_many_who_left_long_ago_do_not_make_a_group_unknown_for_ever(stage):
    async with stage.running():
        for user in range(100, 100 + 2 * roster.MOST_ASKED):
            stage.world.user(user, f"u{user}")
            await stage.saw(user)
        await stage.saw(BOB)
        for _ in range(3):
            await stage.quiet()
        assert isinstance(await seen(stage), Known)


async def test_somebody_who_was_on_no_complete_list_and_writes_makes_ninety_seconds_of_doubt(stage):
    """Telegram's count may be a minute old: who appears untold may not have come alone."""
    async with stage.running():
        await stage.saw(BOB)
        await stage.quiet()
        assert isinstance(await seen(stage), Known)
        stage.world.set_member(GROUP, DAVE, "member", quietly=True)
        await stage.says(GROUP, DAVE, "Hello all")
        assert (await seen(stage)).reason == roster.NOT_QUIET
        stage.clock.move(91)
        assert isinstance(await seen(stage), Known)


async def test_an_anonymous_administrators_act_adds_nobody(stage):
    async with stage.running():
        stage.world.users[ANONYMOUS] = {"id": ANONYMOUS, "is_bot": True, "first_name": "Group"}
        change = {
            "chat": stage.world.chats[GROUP].chat, "from": stage.world.users[ANONYMOUS], "date": 1,
            "old_chat_member": stage.world.member(GROUP, CAROL),
            "new_chat_member": {"user": stage.world.users[CAROL], "status": "member"},
        }  # fmt: skip
        stage.world.push("chat_member", change)
        await stage.settle()
        known = (await stage.connection.rooms.get(container_of(GROUP))).known
        assert account_of(CAROL) in known
        assert account_of(ANONYMOUS) not in known

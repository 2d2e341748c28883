"""Faults that others reported of such programs, each shown not to be here (their rows b, c and f that concern Telegram).

Rows that other files show: 25 and 34 `test_connecting` (names and service ids as owner), 30 to 32 `test_groups` (every
command, `/mode`, no help for others), 36 `test_inbound` and `test_odd_updates`, 40 `test_roster`, 42 `test_groups`,
74 and 75 `test_splitting`, 80 `test_delivery`, 84 the crash test. Row 78 cannot be met here: Telegram tells bots of no
deleted message (docs/channels/telegram.md).
"""

from __future__ import annotations

import asyncio

import pytest

from bot.selftest.telegram_world import ANONYMOUS
from connectors.telegram.inbound import account_of, container_of
from engine.mailroom import State
from tests.telegram.conftest import BOB, CAROL, EVE, GROUP, OWNER

ASK = "@tact_bot when is the launch of Borealis?"
DEFLECTION = "Sorry, I can't help with that one. Please write to Alex directly."
ONLY_OWNER = "Only Alex can give me commands here."
TOLD = "The launch of Borealis is on Friday."


async def ready(stage) -> None:
    await stage.meets_bob()
    await stage.tells(TOLD)
    await stage.saw(BOB)
    await stage.quiet()


@pytest.mark.parametrize(
    "name", ["Alex", "ALEX", "Аlex", "A\u200blex", "Alex\u202e", "console:owner", f"telegram:{OWNER}"]
)
async def test_rows_24_and_26_a_name_makes_nobody_the_owner(stage, name):
    """Also in another case, with a letter that looks like it, and with signs that do not show."""
    async with stage.running() as service:
        await ready(stage)
        stage.world.users[EVE] |= {"first_name": name, "username": "alex"}
        await stage.says(EVE, EVE, "/start")
        for command in (
            "/facts",
            "/level add Eve L0",
            "/forget about Borealis",
            "/share Borealis with everyone",
            "/why",
        ):
            assert await stage.says(EVE, EVE, command) == [ONLY_OWNER]
        async with service.store.transaction() as tx:
            assert (await tx.policy()).contacts.get(f"telegram:{EVE}") is None
        stage.clock.move(120)
        assert await stage.says(EVE, EVE, "When is the launch of Borealis?") == [DEFLECTION]


async def test_row_28_who_spoke_is_told_by_the_owners_name_for_them_also_after_a_restart(stage):
    async with stage.running():
        await ready(stage)
        await stage.says(BOB, BOB, "The keys are at the bakery.")
    stage.world.users[BOB]["first_name"] = "Alex"
    async with stage.running() as service:
        await service.tact.annotate()
        stage.clock.move(7200)
        await service.tact.annotate()
        assert "Bob told me" in await stage.owner("Where are the keys?")


async def test_row_35_an_anonymous_post_and_the_press_of_whoever_is_behind_it(stage):
    """The press comes with a real id and counts for that account alone; the post counts for nobody."""
    async with stage.running() as service:
        await ready(stage)
        stage.world.users[ANONYMOUS] = {"id": ANONYMOUS, "is_bot": True, "first_name": "Group"}
        hidden = {"sender_chat": stage.world.chats[GROUP].chat}
        await stage.says(GROUP, ANONYMOUS, "/rollcall@tact_bot", **hidden)
        assert not any("reply_markup" in m and m["chat"]["id"] == GROUP for m in stage.world.sent)
        await stage.owner("/rollcall", GROUP)
        call = next(m for m in stage.world.sent if "reply_markup" in m and m["chat"]["id"] == GROUP)
        stage.world.chats[GROUP].members[CAROL] = "administrator"
        stage.world.press(call, CAROL)
        await stage.settle()
        assert account_of(CAROL) in (await stage.connection.rooms.get(container_of(GROUP))).known
        async with service.store.transaction() as tx:
            assert f"telegram:{CAROL}" not in (await tx.people()).owners


async def test_row_41_where_nothing_tells_who_joins_only_what_is_public_is_said(stage):
    async with stage.running():
        await ready(stage)
        await stage.owner("/share Borealis with everyone")
        stage.world.chats[GROUP].members[CAROL] = "member"  # by a link, untold
        assert await stage.says(GROUP, BOB, ASK, date=stage.stamp()) == [DEFLECTION]
        await stage.owner("confirm")
        (reply,) = await stage.says(GROUP, BOB, ASK, date=stage.stamp())
        assert "Friday" in reply


async def test_row_68_two_deliveries_of_one_message_at_once_are_one_turn(stage):
    async with stage.running() as service:
        await ready(stage)
        before = len(stage.world.texts(BOB))
        message = stage.world.say(BOB, BOB, "When is the launch of Borealis?")
        for _ in range(4):
            stage.world.push("message", message)
        await stage.settle()
        assert len(stage.world.texts(BOB)) == before + 1
        async with service.store.transaction() as tx:
            assert len([t for t in await tx.turns(50) if t.question.startswith("When is")]) == 1


@pytest.mark.slow  # the client waits longer after each break
async def test_rows_71_and_72_what_was_said_in_a_gap_is_answered_once_however_often_the_connection_breaks(
    stage,
):
    async with stage.running():
        await ready(stage)
        for _ in range(5):
            stage.wire.order("getUpdates", "drop")
        stage.world.say(GROUP, BOB, ASK, date=stage.stamp())
        await stage.settle(40)
        assert len([t for t in stage.world.texts(GROUP) if "Friday" in t or t == DEFLECTION]) == 1
    for _ in range(5):
        async with stage.running():
            pass
    assert len([t for t in stage.world.texts(GROUP) if "Friday" in t or t == DEFLECTION]) == 1


async def test_row_76_when_nobody_can_say_who_reads_it_is_never_a_wider_context(stage):
    """The chat's own question fails: the reply falls to what is public, not to what was known a moment ago."""
    async with stage.running():
        await ready(stage)
        assert "Friday" in (await stage.says(GROUP, BOB, ASK, date=stage.stamp()))[0]
        for method in ("getChat", "getChatMember", "getChatMemberCount", "getChatAdministrators"):
            for _ in range(8):
                stage.wire.order(method, "error", 500)
            topic = {"message_thread_id": 44, "is_topic_message": True}
            assert await stage.says(GROUP, BOB, ASK, date=stage.stamp(), **topic) == [DEFLECTION]
            stage.wire.faults.clear()


async def test_row_81_words_that_look_like_an_error_are_words(stage):
    async with stage.running():
        await stage.meets_bob()
        await stage.tells(
            "The launch of Borealis failed: Context overflow, 400 Bad Request, message is too long."
        )
        (reply,) = await stage.says(BOB, BOB, "What failed at the launch of Borealis?")
        assert "Context overflow" in reply
        async with stage.service.store.transaction() as tx:
            assert await tx.sendings(State.UNCERTAIN) == []


@pytest.mark.parametrize(
    "more",
    [
        {"photo": [], "caption": "Look, the launch of Borealis?"},
        {"sticker": {"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1, "is_animated": False,
                     "is_video": False, "type": "regular"}},
        {"voice": {"file_id": "a", "file_unique_id": "b", "duration": 1}},
        {"poll": None, "dice": {"emoji": "🎲", "value": 3}},
    ],
    ids=["photo", "sticker", "voice", "dice"],
)  # fmt: skip
async def test_row_85_what_is_not_said_to_tact_is_not_answered_whatever_it_is(stage, more):
    async with stage.running() as service:
        await ready(stage)
        before = len(stage.world.sent), stage.wire.count("sendChatAction")
        await stage.says(GROUP, BOB, None, **more)
        await stage.says(GROUP, BOB, "When is the launch of Borealis?")
        await asyncio.sleep(0)
        assert (len(stage.world.sent), stage.wire.count("sendChatAction")) == before
        async with service.store.transaction() as tx:
            assert all(t.outcome != "answered" for t in await tx.turns(5) if t.asker != "o")

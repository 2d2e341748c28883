"""In groups: when Tact speaks up, whom it remembers as present, who may command it, and what moves with a group."""

from __future__ import annotations

from bot.selftest.telegram_world import ANONYMOUS, BOT
from bot.service.rate_limits import A_MINUTE
from connectors.telegram.inbound import account_of, container_of
from engine.audience import OWNER_ONLY
from engine.items import Origin
from engine.store import Scope
from tests.telegram.conftest import BOB, CAROL, DAVE, EVE, GROUP, OWNER

ASK = "@tact_bot when is the launch of Borealis?"
DEFLECTION = "Sorry, I can't help with that one. Please write to Alex directly."


async def recorded(stage, container=f"telegram:{GROUP}"):
    async with stage.service.store.transaction() as tx:
        found = await tx.recent(container, Scope(OWNER_ONLY), 50)
    return {m.text: m for m in found if m.origin is not Origin.TACT}


def roll(stage):
    """The message with the button that was posted in the group."""
    return next(m for m in stage.world.sent if m["chat"]["id"] == GROUP and "reply_markup" in m)


async def ready(stage):
    """Bob may hear of work, a fact about it is confirmed, and the group is known."""
    await stage.meets_bob()
    await stage.tells("The launch of Borealis is on Friday.")
    await stage.saw(BOB)
    await stage.quiet()


async def test_a_known_group_is_told_what_all_in_it_may_hear(stage):
    async with stage.running():
        await ready(stage)
        (reply,) = await stage.says(GROUP, BOB, ASK, date=stage.stamp())
        assert "Friday" in reply


async def test_a_silent_stranger_in_the_group_closes_it(stage):
    async with stage.running():
        await ready(stage)
        stage.world.set_member(GROUP, EVE, "member", quietly=True)
        assert await stage.says(GROUP, BOB, ASK) == [DEFLECTION]


async def test_rollcall_finds_who_is_there_and_audience_counts(stage):
    async with stage.running():
        stage.world.chats[GROUP].members |= {CAROL: "member", DAVE: "member", EVE: "member"}
        await ready(stage)
        asked = await stage.owner("/rollcall", GROUP)
        assert "2 of 5 known; unknown: 3" in asked
        call = roll(stage)
        assert call["text"] == "Alex would like to know who is in this group. Please press the button once."
        for user in (CAROL, DAVE):
            stage.world.press(call, user)
        await stage.settle()
        assert len(stage.world.answered) == 2
        assert "4 of 5 known; unknown: 1" in await stage.owner("/audience", GROUP)
        stage.world.press(call, EVE, data="here:forged")
        await stage.settle()
        assert "Can read it" in await stage.owner("/audience", GROUP)


async def test_a_press_by_somebody_who_is_not_in_the_group_adds_nobody(stage):
    async with stage.running():
        await ready(stage)
        await stage.owner("/rollcall", GROUP)
        call = roll(stage)
        stage.world.press(call, EVE)
        await stage.settle()
        assert "Can read it: you and Bob" in await stage.owner("/audience", GROUP)


async def test_a_press_by_an_anonymous_admin_is_nobodys(stage):
    async with stage.running():
        await stage.owner("/rollcall", GROUP)
        call = roll(stage)
        stage.world.users[ANONYMOUS] = {"id": ANONYMOUS, "is_bot": True, "first_name": "Group"}
        stage.world.press(call, ANONYMOUS)
        await stage.settle()
        assert account_of(ANONYMOUS) not in (await stage.connection.rooms.get(container_of(GROUP))).known


async def test_nothing_is_said_unasked_and_everything_is_remembered(stage):
    async with stage.running():
        await ready(stage)
        assert await stage.says(GROUP, BOB, "When is the launch of Borealis?") == []
        assert await stage.says(GROUP, BOB, "Hello, anybody?") == []
        assert await stage.says(GROUP, BOB, None, caption="a picture", photo=[]) == []
        assert len(await recorded(stage)) == 3


async def test_modes(stage):
    async with stage.running():
        await ready(stage)
        assert "every question" in await stage.owner("/mode always", GROUP)
        await stage.quiet()
        assert (
            "Friday"
            in (await stage.says(GROUP, BOB, "When is the launch of Borealis?", date=stage.stamp()))[-1]
        )
        assert await stage.says(GROUP, BOB, "Nice weather here.") == []
        assert "never" in await stage.owner("/mode never", GROUP)
        assert await stage.says(GROUP, BOB, ASK) == []
        assert "never" in await stage.owner("/mode", GROUP)
        assert "mentioned" in await stage.owner("/mode mention", GROUP)
        assert await stage.owner("/mode loud", GROUP)
        assert "group" in await stage.owner("/mode always")


async def test_nobody_else_sets_a_mode(stage):
    async with stage.running() as service:
        await ready(stage)
        assert await stage.says(GROUP, BOB, "/mode always@tact_bot") == []
        line = await stage.says(GROUP, BOB, "/mode@tact_bot always")
        assert line == ["Only Alex can give me commands here."]
        async with service.store.transaction() as tx:
            assert await tx.notes("mode:") == {}


async def test_every_command_by_anybody_else_gets_the_same_words(stage):
    async with stage.running() as service:
        await ready(stage)
        names = [c.name for c in service.tact.commands if c.name not in {"help", "start"}]
        said = set()
        for name in names:
            said |= set(await stage.says(GROUP, BOB, f"/{name}@tact_bot"))
        said |= set(await stage.says(GROUP, BOB, "/nosuchthing@tact_bot"))
        assert said == {"Only Alex can give me commands here."}


async def test_an_owner_s_command_is_answered_in_private_alone(stage):
    async with stage.running():
        await ready(stage)
        told = await stage.owner("/facts", GROUP)
        assert "Friday" in told
        assert stage.world.texts(GROUP) == ["I've answered in our direct chat."]


async def test_who_takes_the_owner_s_name_or_hides_behind_the_group_is_not_the_owner(stage):
    async with stage.running():
        await ready(stage)
        stage.world.users[BOB] |= {"first_name": "Alex", "username": "alex"}
        assert await stage.says(GROUP, BOB, "/facts@tact_bot") == ["Only Alex can give me commands here."]
        stage.world.users[ANONYMOUS] = {"id": ANONYMOUS, "is_bot": True, "first_name": "Group"}
        hidden = {"sender_chat": stage.world.chats[GROUP].chat}
        assert await stage.says(GROUP, ANONYMOUS, "/facts@tact_bot", **hidden) == [
            "Only Alex can give me commands here."
        ]
        assert await stage.says(GROUP, ANONYMOUS, ASK, **hidden) == [DEFLECTION]
        assert stage.world.texts(OWNER)[-1].startswith("Confirmed")


async def test_a_message_is_bound_by_the_pull_before_and_the_pull_after(stage):
    async with stage.running():
        await ready(stage)
        await stage.says(GROUP, BOB, "The keys are at the bakery.", date=stage.stamp())
        found = (await recorded(stage))["The keys are at the bakery."]
        assert found.audience.members == {"o", f"telegram:{BOB}"}
        assert not found.unresolved


async def test_a_join_in_between_leaves_owner_and_sender(stage):
    async with stage.running():
        stage.world.chats[GROUP].members[CAROL] = "member"
        await ready(stage)
        await stage.saw(CAROL)
        await stage.quiet()
        stage.world.set_member(GROUP, DAVE, "member")
        await stage.settle()
        stage.clock.move(120)
        await stage.says(GROUP, BOB, "The moonstone is sold.", date=stage.stamp())
        found = (await recorded(stage))["The moonstone is sold."]
        assert found.audience.members == {"o", f"telegram:{BOB}"}


async def test_a_message_that_came_late_is_its_sender_s(stage):
    async with stage.running():
        stage.world.chats[GROUP].members[CAROL] = "member"
        await stage.saw(CAROL)
        await ready(stage)
        await stage.says(GROUP, BOB, "From yesterday.", date=stage.stamp(-86400))
        assert (await recorded(stage))["From yesterday."].audience.members == {"o", f"telegram:{BOB}"}


async def test_an_edit_is_remembered_for_those_who_saw_both_and_never_answered(stage):
    async with stage.running():
        await ready(stage)
        message = stage.world.say(GROUP, BOB, "At nine.", date=stage.stamp())
        await stage.settle()
        stage.world.chats[GROUP].members[CAROL] = "member"
        await stage.saw(CAROL)
        await stage.quiet()
        stage.world.push("edited_message", {**message, "text": ASK, "edit_date": stage.stamp(),
                                            "entities": [{"type": "mention", "offset": 0, "length": 9}]})  # fmt: skip
        await stage.settle()
        assert stage.world.texts(GROUP) == []
        found = await recorded(stage)
        assert set(found) == {"At nine.", ASK}
        assert found[ASK].audience.members <= found["At nine."].audience.members


async def test_a_group_that_becomes_a_supergroup_keeps_its_mode_and_begins_with_nothing_else(stage):
    async with stage.running() as service:
        old, new = -55, -1055
        stage.world.group(old, {OWNER: "creator", BOB: "member", BOT: "administrator"}, kind="group")
        await stage.says(old, BOB, "The moonstone is sold.")
        await stage.owner("/mode never", old)
        stage.world.migrate(old, new)
        await stage.settle()
        assert await stage.says(new, BOB, ASK) == []
        room = await stage.connection.rooms.get(container_of(new))
        assert account_of(BOB) in room.known
        assert room.pull is None
        async with service.store.transaction() as tx:
            assert await tx.notes("mode:") == {f"mode:telegram:{new}": "never"}


async def test_topics_are_answered_where_they_are(stage):
    async with stage.running():
        await ready(stage)
        await stage.says(GROUP, BOB, ASK, message_thread_id=44, is_topic_message=True, date=stage.stamp())
        assert stage.world.sent[-1]["message_thread_id"] == 44
        assert "Friday" in stage.world.sent[-1]["text"]


async def test_it_says_once_who_it_is_when_it_is_added(stage):
    async with stage.running():
        stage.world.group(-77, {OWNER: "creator"})
        stage.world.set_member(-77, BOT, "member")
        await stage.settle()
        stage.world.set_member(-77, BOT, "administrator")
        await stage.settle()
        (line,) = stage.world.texts(-77)
        assert line.startswith("I'm Alex's assistant, a program")
        assert "remember" in line


async def test_a_reply_to_tact_s_own_message_finds_its_turn(stage):
    async with stage.running():
        await ready(stage)
        await stage.says(BOB, BOB, "When is the launch of Borealis?")
        await stage.says(GROUP, BOB, ASK, date=stage.stamp())
        reply = stage.world.sent[-1]
        stage.world.say(GROUP, OWNER, "/why", reply_to_message=reply)
        await stage.settle()
        assert "Bob, Crew" in stage.world.texts(OWNER)[-1]


async def test_another_bot_is_not_answered(stage):
    async with stage.running():
        stage.world.users[99] = {"id": 99, "is_bot": True, "first_name": "Helper"}
        stage.world.chats[GROUP].members[99] = "member"
        assert await stage.says(GROUP, 99, ASK) == []
        await stage.owner("/mode always", GROUP)
        assert await stage.says(GROUP, 99, "When is the launch of Borealis?") == []


async def test_in_a_room_that_is_always_answered_strangers_are_counted_too(stage):
    """Before anything that costs: with `/mode always` nobody has to name Tact to make it think."""
    async with stage.running():
        await ready(stage)
        stage.world.chats[GROUP].members[EVE] = "member"
        await stage.owner("/mode always", GROUP)
        for _ in range(A_MINUTE + 3):
            await stage.says(GROUP, EVE, "When is the launch of Borealis?")
        assert stage.world.texts(GROUP).count(DEFLECTION) == A_MINUTE
        assert len(await recorded(stage)) >= 1
        assert await stage.says(GROUP, BOB, "When is the launch of Borealis?") == [DEFLECTION]


async def test_a_mode_is_a_topics_own(stage):
    """A topic is a room of its own for `/mode`; who reads it is the whole group's matter."""
    async with stage.running():
        await ready(stage)
        topic = {"message_thread_id": 44, "is_topic_message": True}
        stage.world.say(GROUP, OWNER, "/mode never", **topic)
        await stage.settle()
        assert await stage.says(GROUP, BOB, ASK, date=stage.stamp(), **topic) == []
        (reply,) = await stage.says(GROUP, BOB, ASK, date=stage.stamp())
        assert "Friday" in reply
        assert "message_thread_id" not in stage.world.sent[-1]
        stage.world.set_member(GROUP, EVE, "member", quietly=True)
        other = {"message_thread_id": 45, "is_topic_message": True}
        assert await stage.says(GROUP, BOB, ASK, **other) == [DEFLECTION]

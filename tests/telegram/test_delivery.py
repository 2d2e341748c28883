"""No message lost, no reply twice: what goes wrong on the way, and what comes of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.selftest.telegram_world import TOKEN, units
from bot.service.channel import PlatformChannel
from connectors.telegram.client import Api, fetch
from connectors.telegram.inbound import container_of
from engine.errors import NotReleased, StoreFault
from engine.mailroom import Sending, SendingKind, State
from engine.platform import NotWritten
from engine.release import release_line, release_to_owner
from tests.telegram.conftest import BOB, EVE, GROUP, OWNER

THANKS = "You're welcome."


async def states(stage, state):
    async with stage.service.store.transaction() as tx:
        return [s.key for s in await tx.sendings(state)]


async def test_one_event_handed_over_twice_is_one_turn(stage):
    async with stage.running() as service:
        await stage.says(BOB, BOB, "/start")
        message = stage.world.say(BOB, BOB, "Thanks!")
        stage.world.queue.append(dict(stage.world.queue[-1]))
        await stage.settle()
        stage.world.push("message", message)  # the same message under another number
        await stage.settle()
        assert stage.world.texts(BOB).count(THANKS) == 1
        async with service.store.transaction() as tx:
            assert (await tx.counts())["messages"] == 2


async def test_an_order_turned_round_loses_nothing(stage):
    async with stage.running():
        await stage.says(BOB, BOB, "/start")
        for text in ("Thanks!", "Thank you!", "Many thanks!"):
            stage.world.say(BOB, BOB, text)
        stage.world.reorder([2, 0, 1])
        await stage.settle()
        assert stage.world.texts(BOB).count(THANKS) == 3


async def test_what_came_while_tact_was_down_is_answered_at_the_next_start(stage):
    async with stage.running():
        await stage.says(BOB, BOB, "/start")
    stage.world.say(BOB, BOB, "Thanks!")
    async with stage.running():
        assert stage.world.texts(BOB).count(THANKS) == 1


async def test_a_lost_answer_is_uncertain_never_tried_again_and_shown_to_the_owner(stage):
    async with stage.running():
        await stage.says(BOB, BOB, "/start")
        stage.wire.order("sendMessage", "lose")
        stage.world.say(BOB, BOB, "Thanks!")
        await stage.settle()
        assert stage.world.texts(BOB).count(THANKS) == 1
        (key,) = await states(stage, State.UNCERTAIN)
        assert f"/resend {key}" in stage.world.texts(OWNER)[-1]
    async with stage.running():
        assert stage.world.texts(BOB).count(THANKS) == 1
        assert key in await stage.owner("/resend")
        assert "Sent again" in await stage.owner(f"/resend {key}")
        assert stage.world.texts(BOB).count(THANKS) == 2
        assert "Nothing is uncertain" in await stage.owner("/resend")
        assert "no delivery" in await stage.owner(f"/resend {key}")


@pytest.mark.parametrize("kind", ["drop", "garbage", "error"])
async def test_whatever_may_have_arrived_is_uncertain(stage, kind):
    async with stage.running():
        await stage.says(BOB, BOB, "/start")
        stage.wire.order("sendMessage", kind, 500)
        stage.world.say(BOB, BOB, "Thanks!")
        await stage.settle()
        assert len(await states(stage, State.UNCERTAIN)) == 1


async def test_a_reply_is_resent_only_while_it_may_be_said(stage):
    async with stage.running():
        await stage.meets_bob()
        await stage.tells("The launch of Borealis is on Friday.")
        stage.wire.order("sendMessage", "drop")
        stage.world.say(BOB, BOB, "When is the launch of Borealis?")
        await stage.settle()
        (key,) = await states(stage, State.UNCERTAIN)
        await stage.owner("/block Bob Borealis")
        assert "may not be said" in await stage.owner(f"/resend {key}")
        assert not any("Friday" in text for text in stage.world.texts(BOB))


async def test_the_owners_words_follow_the_owner_and_not_the_chat_that_was_his(stage):
    """An alarm may not have arrived; by now another account is the owner's."""
    async with stage.running() as service:
        await stage.says(EVE, EVE, "/start")
        async with service.store.transaction() as tx:
            alarm = Sending(
                "t_1/alarm#0", container_of(EVE), "the moonstone is under the birch", State.UNCERTAIN
            )
            await tx.put_sending(alarm)
        await stage.owner("/resend t_1/alarm#0")
        assert any("moonstone" in text for text in stage.world.texts(OWNER))
        assert not any("moonstone" in text for text in stage.world.texts(EVE))


async def test_what_was_forgotten_is_not_resent(stage):
    async with stage.running():
        await stage.meets_bob()
        await stage.tells("The launch of Borealis is on Friday.")
        stage.wire.order("sendMessage", "drop")
        stage.world.say(BOB, BOB, "When is the launch of Borealis?")
        await stage.settle()
        (key,) = await states(stage, State.UNCERTAIN)
        await stage.owner("/forget about Borealis")
        await stage.owner("confirm")
        assert "no delivery" in await stage.owner(f"/resend {key}")


async def test_a_delay_that_telegram_asks_for_is_kept(stage):
    async with stage.running():
        await stage.says(BOB, BOB, "/start")
        stage.wire.order("sendMessage", "wait", 1)
        began = asyncio.get_running_loop().time()
        assert await stage.says(BOB, BOB, "Thanks!") == [THANKS]
        assert asyncio.get_running_loop().time() - began >= 1
        assert await states(stage, State.UNCERTAIN) == []


async def test_a_refused_connection_is_tried_again(stage):
    async with stage.running():
        await stage.says(BOB, BOB, "/start")
        away = stage.wire.port
        stage.world.say(BOB, BOB, "Thanks!")
        stage.receiver.platform.api._bot._base_url = stage.receiver.platform.api._bot._base_url.replace(
            str(away), "1"
        )
        await asyncio.sleep(0.6)
        assert THANKS not in stage.world.texts(BOB)
        stage.receiver.platform.api._bot._base_url = stage.wire.url + TOKEN
        await stage.settle()
        assert stage.world.texts(BOB).count(THANKS) == 1


async def test_a_command_whose_answer_had_to_wait_is_carried_out_once(stage):
    async with stage.running() as service:
        await stage.says(BOB, BOB, "/start")
        stage.wire.order("sendMessage", "wait", 1)
        stage.wire.order("sendMessage", "wait", 1)
        assert "Noted" in await stage.owner("/meet telegram:8 as Bob")
        async with service.store.transaction() as tx:
            assert (await tx.people()).names == {"telegram:8": ("Bob",)}


async def test_a_card_whose_words_had_to_wait_is_one_card(stage):
    async with stage.running() as service:
        stage.wire.order("sendMessage", "wait", 1)
        assert "Noted" in await stage.owner("The launch of Borealis is on Friday.")
        async with service.store.transaction() as tx:
            assert len(await tx.cards()) == 1


async def test_viewers_are_looked_at_again_after_a_wait(stage):
    """A reply that had to wait is judged afresh: meanwhile somebody came."""
    async with stage.running():
        await stage.meets_bob()
        await stage.tells("The launch of Borealis is on Friday.")
        await stage.saw(BOB)
        await stage.quiet()
        stage.wire.order("sendMessage", "wait", 1)
        stage.wire.before["sendChatAction"] = lambda _: None
        stage.world.say(GROUP, BOB, "@tact_bot when is the launch of Borealis?", date=stage.stamp())
        await asyncio.sleep(0.5)
        stage.world.set_member(GROUP, 9, "member", quietly=True)
        await stage.settle()
        assert stage.world.texts(GROUP) == [
            "Sorry, I can't help with that one. Please write to Alex directly."
        ]


async def test_a_chat_that_shut_tact_out_holds_up_nothing(stage):
    async with stage.running():
        stage.wire.order("sendMessage", "error", 403)
        await stage.says(BOB, BOB, "/start")
        assert len(await states(stage, State.REFUSED)) == 1
        assert await stage.says(BOB, BOB, "Thanks!") == [THANKS]


async def test_a_long_answer_comes_in_parts_in_order(stage):
    async with stage.running():
        channel = PlatformChannel(stage.connection)
        text = "\n".join(f"line {n} 😀" for n in range(900))
        await channel.tell_owner(release_to_owner(text), "k1")
        await channel.tell_owner(release_to_owner(text), "k1")
        parts = stage.world.texts(OWNER)
        assert len(parts) > 1
        assert all(units(part) <= 4096 for part in parts)
        assert "\n".join(parts) == text


async def test_what_follows_a_part_in_doubt_is_held_shown_to_the_owner_and_sent_when_he_says_so(stage):
    """Nobody reads an end without its beginning, and nothing of a long answer is thrown away."""
    text = "\n".join(f"line {n} 😀" for n in range(1200))
    async with stage.running():
        stage.wire.order("sendMessage", "drop")
        await PlatformChannel(stage.connection).tell_owner(release_to_owner(text), "k1/owner")
        await stage.settle()
        assert await states(stage, State.UNCERTAIN) == ["k1/owner#0"]
        assert await states(stage, State.HELD) == ["k1/owner#1", "k1/owner#2", "k1/owner#3"]
        assert await states(stage, State.PENDING) == []
        told = stage.world.texts(OWNER)[-1]
        assert "/resend k1/owner#0" in told
        assert "/resend k1/owner#1 sends the rest" in told
    async with stage.running():  # held over a restart, and told once
        assert len(stage.world.texts(OWNER)) == 1
        listed = await stage.owner("/resend")
        assert [f"k1/owner#{n}" in listed for n in range(4)] == [True] * 4
        before = len(stage.world.texts(OWNER))
        assert "Sent again" in await stage.owner("/resend k1/owner#0")
        parts = stage.world.texts(OWNER)[before:]
        assert "\n".join(part for part in parts if part.startswith("line")) == text
        assert "Nothing is uncertain" in await stage.owner("/resend")


async def test_of_an_answer_whose_beginning_did_arrive_the_rest_alone_is_sent(stage):
    async with stage.running():
        text = "\n".join(f"line {n} 😀" for n in range(900))
        stage.wire.order("sendMessage", "lose")
        await PlatformChannel(stage.connection).tell_owner(release_to_owner(text), "k1/owner")
        await stage.settle()
        await stage.owner("/resend k1/owner#1")
        parts = [part for part in stage.world.texts(OWNER) if part.startswith("line")]
        assert "\n".join(parts) == text
        assert await states(stage, State.UNCERTAIN) == ["k1/owner#0"]


async def test_an_end_that_does_not_fit_its_beginning_any_more_is_the_owners_to_decide(stage):
    """The network was away between two parts, and meanwhile the answer is another."""
    text = "\n".join(f"line {n} 😀" for n in range(900))
    async with stage.running():
        channel = PlatformChannel(stage.connection)

        def then_wait(call):
            stage.wire.before.pop("sendMessage")
            stage.wire.order("sendMessage", "wait", 30)

        stage.wire.before["sendMessage"] = then_wait
        with pytest.raises(NotWritten):
            await channel.tell_owner(release_to_owner(text), "k1/owner")
        await channel.tell_owner(release_to_owner("Other words. " * 900), "k1/owner")
        await stage.settle()
        assert "Other words" not in "".join(stage.world.texts(OWNER))
        assert "/resend k1/owner#1" in stage.world.texts(OWNER)[-1]
        await stage.owner("/resend k1/owner#1")
        parts = [part for part in stage.world.texts(OWNER) if part.startswith("line")]
        assert "\n".join(parts) == text


async def test_what_was_held_when_tact_died_is_told_at_the_next_start(stage):
    async with stage.running() as service:
        await stage.says(BOB, BOB, "/start")
        async with service.store.transaction() as tx:
            for number, state in enumerate([State.SENT, State.SENDING, State.PENDING]):
                part = Sending(f"t_1/line#{number}", f"telegram:{BOB}", f"part {number}", state)
                await tx.put_sending(replace(part, kind=SendingKind.LINE))
    async with stage.running():
        assert await states(stage, State.UNCERTAIN) == ["t_1/line#1"]
        assert await states(stage, State.HELD) == ["t_1/line#2"]
        assert "/resend t_1/line#2 sends the rest" in stage.world.texts(OWNER)[-1]
        assert "Sent again" in await stage.owner("/resend t_1/line#1")
        assert stage.world.texts(BOB)[-2:] == ["part 1", "part 2"]


async def test_a_room_takes_released_words_only(stage):
    async with stage.running():
        channel = PlatformChannel(stage.connection)
        for words in (release_to_owner("secret"), "text", None):
            with pytest.raises(NotReleased):
                await channel.say(f"telegram:{BOB}", words, "k")
        with pytest.raises(NotReleased):
            await channel.tell_owner(release_line("x"), "k")
        assert stage.world.sent == []


async def test_typing_is_shown_while_an_answer_is_on_its_way(stage):
    async with stage.running():
        await stage.says(BOB, BOB, "Thanks!")
        assert stage.wire.count("sendChatAction") >= 1
        before = stage.wire.count("sendChatAction")
        await stage.says(GROUP, BOB, "hello all")
        assert stage.wire.count("sendChatAction") == before


async def test_an_update_is_acknowledged_only_after_it_was_kept(stage):
    api = Api(TOKEN, stage.wire.url)
    await api.start()

    async def fail(updates):
        raise StoreFault("the disk is full")

    stage.world.say(BOB, BOB, "Thanks!")
    with pytest.raises(StoreFault):
        await fetch(api, fail, wait=1)
    await api.stop()
    assert [update["message"]["text"] for update in stage.world.queue] == ["Thanks!"]
    assert all("offset" not in call for method, call in stage.wire.calls if method == "getUpdates")
    async with stage.running():
        assert len(stage.world.texts(BOB)) == 1


async def test_the_end_lets_a_turn_finish(stage):
    async with stage.running():
        await stage.says(BOB, BOB, "/start")
        stage.world.say(BOB, BOB, "Thanks!")
        await asyncio.sleep(0.05)
    async with stage.running():
        assert stage.world.texts(BOB).count(THANKS) == 1

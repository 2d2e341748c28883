"""From an update to what Tact receives: who is vouched for, what is meant for Tact, and what is refused."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from telegram import Bot, Update, User

from bot.selftest.telegram_world import ANONYMOUS, BOT, CHANNEL_BOT, SERVICE, TOKEN, TelegramWorld
from connectors.telegram.inbound import (
    account_of,
    container_of,
    message_id,
    numbers_of,
    place_of,
    read,
    user_of,
)
from connectors.telegram.payloads import kept
from engine.events import Ignored, Membership, Message, Migration, Press, chat_of
from engine.items import Origin
from engine.viewers import ChatKind, RosterEvidence, Unknown, viewers

ME = User(BOT, "Tact", is_bot=True, username="tact_bot")
GROUP = -1001


@pytest.fixture
def world() -> TelegramWorld:
    world = TelegramWorld()
    world.allowed = ["message", "edited_message", "callback_query", "chat_member", "my_chat_member", "channel_post",
                     "business_message", "guest_message", "edited_channel_post"]  # fmt: skip
    world.user(7, "Alex", username="alex")
    world.user(8, "Bob", last_name="B")
    world.users[ANONYMOUS] = {"id": ANONYMOUS, "is_bot": True, "first_name": "Group"}
    world.users[CHANNEL_BOT] = {"id": CHANNEL_BOT, "is_bot": True, "first_name": "Channel"}
    world.users[SERVICE] = {"id": SERVICE, "is_bot": False, "first_name": "Telegram"}
    world.group(GROUP, {7: "creator", 8: "member", BOT: "administrator"})
    return world


def last(world: TelegramWorld):
    return read(Update.de_json(world.queue[-1], Bot(TOKEN)), ME, ("Tact",))


def heard(world: TelegramWorld, text: str, user: int = 8, chat: int = GROUP, **more) -> Message:
    world.say(chat, user, text, **more)
    found = last(world)
    assert isinstance(found, Message)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "@tact_bot when?",
        "😀😀 @tact_bot hi",
        "hi @Tact_Bot",
        "/why@tact_bot",
        "Tact, when is it?",
        "tell me, tact",
    ],
)
def test_these_are_meant_for_tact(world, text):
    assert heard(world, text).addressed


@pytest.mark.parametrize(
    "text",
    [
        "@tact_bot2 hi",
        "hi all",
        "tactful people",
        "see example.com/tact",
        "mail@tact",
        "/why@other_bot",
        "@tact hi",
    ],
)
def test_these_are_not(world, text):
    assert not heard(world, text).addressed


def test_a_mention_is_an_entity_and_no_piece_of_text(world):
    assert not heard(world, "x@tact_bot", entities=[]).addressed
    assert not heard(
        world, "😀😀 @tact_bot hi", entities=[{"type": "bold", "offset": 5, "length": 9}]
    ).addressed
    named = [{"type": "text_mention", "offset": 0, "length": 3, "user": world.bot}]
    assert heard(world, "You there?", entities=named).addressed


def test_a_reply_to_tact_is_meant_for_it_and_a_reply_to_somebody_is_not(world):
    mine = {"message_id": 3, "date": 1, "chat": world.chats[GROUP].chat, "from": world.bot, "text": "x"}
    assert heard(world, "and then?", reply_to_message=mine).addressed
    other = {**mine, "from": world.users[7]}
    spoken = heard(world, "and then?", reply_to_message=other)
    assert (spoken.addressed, spoken.answers) == (False, message_id(BOT, GROUP, 3))


def test_a_command_for_another_bot_is_nobodys_here(world):
    assert heard(world, "/stats@other_bot").elsewhere
    assert not heard(world, "/stats").elsewhere


def test_what_is_quoted_or_replied_to_is_not_what_the_sender_typed(world):
    quoted = {
        "message_id": 3,
        "date": 1,
        "chat": world.chats[GROUP].chat,
        "from": world.users[7],
        "text": "moonstone",
    }
    spoken = heard(world, "yes", reply_to_message=quoted, quote={"text": "moonstone", "position": 0})
    assert spoken.text == "yes"


@pytest.mark.parametrize(
    "more",
    [
        {"user": ANONYMOUS, "sender_chat": {"id": GROUP, "type": "supergroup", "title": "Crew"}},
        {"user": CHANNEL_BOT, "sender_chat": {"id": -1009, "type": "channel", "title": "News"}},
        {
            "user": SERVICE,
            "sender_chat": {"id": -1009, "type": "channel", "title": "News"},
            "is_automatic_forward": True,
        },
        {"user": 7, "sender_chat": {"id": -1009, "type": "channel", "title": "News"}},
        {"user": SERVICE},
    ],
)
def test_nobody_is_vouched_for_where_a_chat_speaks(world, more):
    user = more.pop("user")
    spoken = heard(world, "/level add Bob L1", user, **more)
    assert (spoken.vouched, user_of(spoken.account)) == (False, 0)
    evidence = RosterEvidence(ChatKind.GROUP, None, None)
    assert isinstance(viewers(evidence, {}), Unknown)


def test_a_message_without_a_sender_is_somebodys_unknown(world):
    world.say(GROUP, 7, "hello", **{"from": None})
    spoken = last(world)
    assert isinstance(spoken, Message)
    assert not spoken.vouched


@pytest.mark.parametrize("kind", ["channel_post", "edited_channel_post", "business_message", "guest_message"])
def test_what_others_can_read_unseen_is_refused(world, kind):
    message = world.say(GROUP, 8, "secret")
    world.push(kind, message)
    assert isinstance(last(world), Ignored)


@pytest.mark.parametrize("field", [{"business_connection_id": "b1"}, {"guest_query_id": "g1"}])
def test_a_business_or_guest_message_is_refused_whatever_it_comes_as(world, field):
    world.say(8, 8, "secret", **field)
    assert last(world) == Ignored("business")


def test_a_forward_is_no_word_of_its_sender(world):
    origin = {"type": "user", "date": 1, "sender_user": world.users[7]}
    assert heard(world, "I will pay", forward_origin=origin).origin is Origin.FORWARD
    assert heard(world, "I will pay", via_bot=world.bot).origin is Origin.FORWARD
    assert heard(world, None, caption="look", photo=[]).origin is Origin.ATTACHMENT


def test_an_edit_is_a_version_of_its_own(world):
    message = world.say(8, 8, "at nine")
    first = last(world)
    world.edit(message, "at ten")
    second = last(world)
    assert (first.edited, second.edited, second.text) == (False, True, "at ten")
    assert second.id.startswith(first.id + ":")
    assert (first.first, second.first) == (first.id, first.id)
    assert second.sent_at > datetime(2026, 1, 1, tzinfo=UTC)


def test_what_a_bot_counts_for_itself_carries_the_bot(world):
    message = world.say(8, 8, "at nine")
    update = Update.de_json(world.queue[-1], Bot(TOKEN))
    mine, other = read(update, ME), read(update, User(BOT + 1, "Tact", is_bot=True))
    assert mine.id == message_id(BOT, 8, message["message_id"]) != other.id
    assert (mine.container, mine.account) == (other.container, other.account)
    assert numbers_of(mine.id) == numbers_of(other.id) == (8, message["message_id"])


def test_topics_are_containers_and_have_their_chats_readers(world):
    spoken = heard(world, "hello", message_thread_id=44, is_topic_message=True)
    assert spoken.container == f"telegram:{GROUP}:44"
    assert place_of(spoken.container) == (GROUP, 44)
    assert heard(world, "a reply in no topic", message_thread_id=44).container == container_of(GROUP)


def test_a_group_that_moves_is_seen_from_both_sides(world):
    world.migrate(GROUP, -1002)
    found = [read(Update.de_json(u, Bot(TOKEN)), ME) for u in world.queue[-2:]]
    assert found == [Migration(container_of(GROUP), container_of(-1002))] * 2
    assert chat_of(found[0]) == container_of(-1002)


def test_members_come_and_go(world):
    world.set_member(GROUP, 8, "left")
    gone = last(world)
    assert isinstance(gone, Membership)
    assert (gone.account, gone.present, gone.own) == (account_of(8), False, False)
    world.set_member(GROUP, BOT, "member")
    assert last(world).own
    world.say(GROUP, 7, None, new_chat_members=[world.users[8]])
    assert (last(world).account, last(world).present) == (account_of(8), True)
    world.say(GROUP, 7, None, new_chat_title="New")
    assert isinstance(last(world), Ignored)


def test_a_button_counts_by_who_pressed_it(world):
    message = {"message_id": 1, "date": 1, "chat": world.chats[GROUP].chat, "from": world.bot, "text": "x",
               "reply_markup": {"inline_keyboard": [[{"text": "here", "callback_data": "here:1"}]]}}  # fmt: skip
    world.press(message, 8)
    pressed = last(world)
    assert isinstance(pressed, Press)
    assert (pressed.account, pressed.chat, pressed.data) == (account_of(8), container_of(GROUP), "here:1")
    world.press(message, ANONYMOUS)
    assert isinstance(last(world), Ignored)


def test_names_identify_nobody(world):
    world.users[8]["first_name"], world.users[8]["username"] = "Alex", "alex"
    spoken = heard(world, "/level add Bob L1")
    assert spoken.account == "telegram:8"


def test_an_update_is_kept_without_what_others_said():
    other = {
        "message_id": 4,
        "date": 9,
        "chat": {"id": 7},
        "from": {"id": 8},
        "text": "a secret",
        "entities": [],
    }
    bare = {"message_id": 4, "date": 9, "chat": {"id": 7}, "from": {"id": 8}}
    mine = {"message_id": 5, "text": "mine", "chat": {"id": 7}, "date": 9}
    answer = {
        **mine,
        "reply_to_message": other,
        "quote": {"text": "a secret"},
        "external_reply": {"x": "a secret"},
    }
    update = {
        "update_id": 1,
        "message": answer,
        "callback_query": {"id": "1", "data": "x", "message": other},
        "edited_message": {**mine, "pinned_message": other, "photo": [{"file_id": "x"}]},
    }
    assert json.loads(kept(update)) == {
        "update_id": 1,
        "message": {**mine, "reply_to_message": bare},
        "callback_query": {"id": "1", "data": "x", "message": bare},
        "edited_message": {**mine, "pinned_message": bare, "photo": [{"file_id": "x"}]},
    }
    assert kept({"update_id": 2, "message": None}) == '{"update_id": 2, "message": null}'

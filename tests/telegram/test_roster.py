"""Who can read a group: proved by equal counts around point queries, and unknown as soon as anything is missing."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.selftest.telegram_world import BOT
from bot.service.rooms import KnownRooms
from connectors.telegram import roster
from connectors.telegram.inbound import account_of, container_of
from engine.ids import AccountId
from engine.viewers import FutureReaders, Known, Unknown, viewers
from tests.telegram.conftest import BOB, CAROL, GROUP, OWNER

KNOWN = {account_of(OWNER), account_of(BOB)}


async def seen(stage, chat=GROUP, user=OWNER):
    evidence = await stage.connection.evidence(container_of(chat), account_of(user))
    return viewers(evidence, (await stage.people()).mapping), evidence


async def acquainted(stage, *users, chat=GROUP):
    for user in users:
        await stage.saw(user, chat)
    await stage.quiet()


async def test_all_known_and_counted_is_known(stage):
    async with stage.running():
        await acquainted(stage, BOB)
        found, evidence = await seen(stage)
        assert isinstance(found, Known)
        assert evidence.roster == KNOWN
        assert evidence.future is FutureReaders.NONE


async def test_somebody_who_never_wrote_makes_it_unknown_and_counted(stage):
    async with stage.running():
        stage.world.chats[GROUP].members[CAROL] = "member"
        await acquainted(stage, BOB)
        found, evidence = await seen(stage)
        assert found.reason == "the member count does not match the member list"
        assert (len(evidence.roster), evidence.reported_count) == (2, 3)


async def test_a_swap_that_nobody_told_of_does_not_pass(stage):
    """Field case: as many as before, but others. The count alone would be fooled."""
    async with stage.running():
        await acquainted(stage, BOB)
        stage.world.set_member(GROUP, BOB, "left", quietly=True)
        stage.world.set_member(GROUP, CAROL, "member", quietly=True)
        assert isinstance((await seen(stage))[0], Unknown)


async def test_a_swap_between_the_questions_does_not_pass(stage):
    async with stage.running():
        await acquainted(stage, BOB)

        def swap(call):
            if call.get("user_id") == str(BOB):
                stage.world.set_member(GROUP, CAROL, "member", quietly=True)

        stage.wire.before["getChatMember"] = swap
        assert (await seen(stage))[0].reason == roster.MOVING


async def test_who_is_said_to_have_left_and_speaks_is_a_viewer(stage):
    async with stage.running():
        await acquainted(stage, BOB)
        stage.world.set_member(GROUP, BOB, "left", quietly=True)
        found, _ = await seen(stage, user=BOB)
        assert found.reason == "the sender is not on the member list"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda g: g.members.update({BOT: "member"}), roster.NOT_ADMIN),
        (lambda g: g.flags.update(active_usernames=["crew"]), roster.PUBLIC),
        (lambda g: g.flags.update(linked_chat_id=-1009), roster.LINKED),
        (lambda g: g.chat.update(type="channel"), roster.OTHER),
        (lambda g: g.members.update(dict.fromkeys(range(100, 120), "member")), roster.TOO_MANY),
    ],
)
async def test_what_makes_a_group_unknown(stage, change, reason):
    async with stage.running():
        await acquainted(stage, BOB)
        for number in range(100, 120):
            stage.world.user(number, f"u{number}")
        change(stage.world.chats[GROUP])
        assert (await seen(stage))[0].reason == reason


@pytest.mark.parametrize(
    "method", ["getChat", "getChatMember", "getChatMemberCount", "getChatAdministrators"]
)
@pytest.mark.parametrize("kind", ["drop", "wait", "error"])
async def test_any_question_unanswered_makes_it_unknown(stage, method, kind):
    async with stage.running():
        await acquainted(stage, BOB)
        stage.wire.order(method, kind, 500 if kind == "error" else 3)
        assert (await seen(stage))[0].reason == roster.NO_ANSWER


async def test_ninety_seconds_after_somebody_came_or_went_nothing_is_known(stage):
    async with stage.running():
        await acquainted(stage, BOB)
        await stage.connection.rooms.changed(container_of(GROUP), stage.clock.now())
        assert (await seen(stage))[0].reason == roster.NOT_QUIET
        stage.clock.move(91)
        assert isinstance((await seen(stage))[0], Known)


async def test_another_bot_is_a_viewer_until_the_owner_names_it(stage):
    async with stage.running():
        stage.world.users[99] = {"id": 99, "is_bot": True, "first_name": "Helper"}
        stage.world.chats[GROUP].members[99] = "administrator"
        await acquainted(stage, BOB)
        assert (await seen(stage))[0].reason == "a bot that the owner has not enrolled is present"
        await stage.owner("/meet telegram:99 as Helper")
        found, _ = await seen(stage)
        assert AccountId("telegram:99") in found.persons


@pytest.mark.parametrize(
    ("change", "future"),
    [
        (lambda g: g.flags.update(has_visible_history=True), FutureReaders.UNBOUNDED),
        (lambda g: g.chat.update(type="group"), FutureReaders.UNBOUNDED),
        (lambda g: None, FutureReaders.NONE),
    ],
)
async def test_whether_later_members_can_read(stage, change, future):
    async with stage.running():
        await acquainted(stage, BOB)
        change(stage.world.chats[GROUP])
        assert (await seen(stage))[1].future is future


async def test_a_restricted_member_counts_only_while_in_the_group(stage):
    async with stage.running():
        await acquainted(stage, BOB, CAROL)
        stage.world.chats[GROUP].members[CAROL] = "kicked"
        assert isinstance((await seen(stage))[0], Known)


async def test_a_private_chat_is_exact(stage):
    async with stage.running():
        found, evidence = await seen(stage, chat=BOB, user=BOB)
        assert found.persons == {"o", f"telegram:{BOB}"}
        assert evidence.faults == ()


async def test_a_list_of_an_earlier_run_or_from_before_a_gap_proves_nothing(stage):
    async with stage.running():
        await acquainted(stage, BOB)
        assert (await seen(stage))[1].before is not None
        stage.connection.rooms.distrust()
        assert (await seen(stage))[1].before is None
        assert (await seen(stage))[1].before is not None


async def test_a_list_of_an_earlier_run_is_not_kept(stage):
    async with stage.running() as service:
        await acquainted(stage, BOB)
        assert (await stage.connection.rooms.get(container_of(GROUP))).pull is not None
        kept = KnownRooms(service.store, "telegram")
        assert (await kept.get(container_of(GROUP))).known >= {account_of(OWNER), account_of(BOB)}
        assert (await kept.get(container_of(GROUP))).pull is None


async def test_the_pull_before_is_the_one_before(stage):
    async with stage.running():
        await acquainted(stage, BOB)
        _, first = await seen(stage)
        _, second = await seen(stage)
        assert second.before.pulled_at <= first.pulled_at + timedelta(seconds=1)
        assert second.before.roster == first.roster

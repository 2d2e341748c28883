"""Becoming the owner by a link, strangers with a code, and how often they are heard."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from bot.service.ownership import new_code
from bot.service.rate_limits import A_MINUTE, AN_HOUR, Heard, Limits
from config.settings import load_settings, write_settings
from config.settings_edit import add_owner_account
from tests.telegram.conftest import BOB, CAROL, EVE, OWNER, Stage


def disowned(stage: Stage) -> Stage:
    """The same, before anybody claimed it."""
    write_settings(stage.folder, owner_name="Alex", replace=True)
    stage.settings = lambda: load_settings(stage.folder).model_copy(update={"deflect_after_s": 0})
    return stage


async def code_of(stage: Stage) -> str:
    return await new_code(stage.service.store, "telegram", stage.clock.now())


async def test_the_first_to_open_the_link_is_the_owner_and_the_second_a_stranger(stage):
    disowned(stage)
    async with stage.running() as service:
        code = await code_of(stage)
        (mine,) = await stage.says(OWNER, OWNER, f"/start {code}")
        assert mine.startswith("You are the owner")
        (theirs,) = await stage.says(EVE, EVE, f"/start {code}")
        (usual,) = await stage.says(CAROL, CAROL, "/start")
        strip = re.compile(r"[A-Z2-7]{4}-[A-Z2-7]{4}$")
        assert strip.sub("", theirs) == strip.sub("", usual)
        async with service.store.transaction() as tx:
            assert f"telegram:{EVE}" not in (await tx.people()).owners
        assert f"telegram:{OWNER}" in load_settings(stage.folder).owner_accounts
        menus = stage.world.commands
        assert len(menus) == 1
        assert f'"chat_id": {OWNER}' in next(iter(menus))
    async with stage.running():
        assert "no such command" not in await stage.owner("/facts")


async def test_a_code_dies_after_an_hour_and_when_a_new_one_is_made(stage):
    disowned(stage)
    async with stage.running() as service:
        first = await code_of(stage)
        second = await code_of(stage)
        await stage.says(EVE, EVE, f"/start {first}")
        stage.clock.move(timedelta(minutes=61).total_seconds())
        await stage.says(EVE, EVE, f"/start {second}")
        async with service.store.transaction() as tx:
            assert (await tx.people()).owners == {"console:owner"}


async def test_a_code_in_a_group_or_inside_other_words_is_nothing(stage):
    disowned(stage)
    async with stage.running() as service:
        code = await code_of(stage)
        await stage.says(-1001, EVE, f"/start {code}")
        await stage.says(EVE, EVE, f"my code is {code}")
        await stage.says(EVE, EVE, f"/start {code}x")
        async with service.store.transaction() as tx:
            assert (await tx.people()).owners == {"console:owner"}


async def test_what_was_claimed_is_written_at_the_next_start_if_a_crash_came_between(stage):
    disowned(stage)
    async with stage.running() as service, service.store.transaction() as tx:
        await tx.put_note("claim to write:telegram", f"telegram:{OWNER}")
    async with stage.running():
        assert f"telegram:{OWNER}" in load_settings(stage.folder).owner_accounts


async def test_a_stranger_is_told_what_tact_is_and_gets_a_code_for_the_owner(stage):
    async with stage.running():
        (line,) = await stage.says(BOB, BOB, "Hi there")
        assert "Alex can read it" in line
        code = line.rsplit(" ", 1)[1]
        assert (await stage.says(BOB, BOB, "/start"))[0].endswith(code)
        assert "telegram:8 is Bob" in await stage.owner(f"/meet {code.lower()} as Bob")
        (greeting,) = await stage.says(BOB, BOB, "Hi there")
        assert code not in greeting
        assert "Noted" not in await stage.owner("/meet AAAA-AAAA as Rob")


async def test_a_question_on_first_contact_is_answered_after_the_introduction(stage):
    async with stage.running():
        lines = await stage.says(EVE, EVE, "When is the launch of Borealis?")
        assert len(lines) == 2
        assert lines[0].startswith("Hello! I'm Alex's assistant")
        assert lines[1].startswith("Sorry")


async def test_a_stranger_who_writes_too_much_is_told_once_and_then_not_heard(stage):
    async with stage.running() as service:
        for _ in range(A_MINUTE + 4):
            await stage.says(EVE, EVE, "Thanks!")
        slow = [text for text in stage.world.texts(EVE) if text.startswith("That was a lot")]
        assert len(slow) == 1
        assert len(stage.world.texts(EVE)) == A_MINUTE + 1
        async with service.store.transaction() as tx:
            assert (await tx.counts())["messages"] == A_MINUTE
        assert await stage.owner("/status")


def test_the_window_slides():
    limits, now = Limits(), datetime(2026, 1, 1, tzinfo=UTC)
    assert [limits.take("a", now) for _ in range(A_MINUTE + 2)][-3:] == [Heard.YES, Heard.SLOW, Heard.NO]
    assert limits.take("b", now) is Heard.YES
    assert limits.take("a", now + timedelta(minutes=2)) is Heard.YES
    heard = [limits.take("c", now + timedelta(seconds=15 * n)) for n in range(AN_HOUR + 5)]
    assert heard[AN_HOUR] is Heard.SLOW
    assert limits.take("c", now + timedelta(hours=3)) is Heard.YES


def test_an_account_is_added_to_the_settings_and_nothing_else_changes(tmp_path):
    path = write_settings(tmp_path, owner_name="Alex")
    before = path.read_text()
    add_owner_account(tmp_path, "telegram:7")
    add_owner_account(tmp_path, "telegram:7")
    assert load_settings(tmp_path).owner_accounts == ("console:owner", "telegram:7")
    changed = [a for a, b in zip(before.splitlines(), path.read_text().splitlines(), strict=True) if a != b]
    assert changed == ['owner_accounts = ["console:owner"]']
    path.write_text('owner_accounts = [\n  "console:owner",\n]\nlanguage = "en"\n')
    add_owner_account(tmp_path, "telegram:7")
    assert load_settings(tmp_path).owner_accounts == ("console:owner", "telegram:7")

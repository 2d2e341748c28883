"""`/audience`, `/status`, `/timezone`, `/line` and `/help`."""

from __future__ import annotations

import pytest

from bot.owner.commands.all import registry


async def test_a_rooms_audience_comes_with_its_evidence(stage):
    answer = await stage.owner("/audience", "hall")
    assert answer.splitlines()[0] == "hall:"
    assert "Can read it: you and Ana, Bob. Evidence: a complete member list" in answer
    unknown = await stage.owner("/audience", "fog")
    assert (
        "Who can read it is unknown (no complete member list): only what is public is said there." in unknown
    )
    assert "Whether those who join later" in unknown


async def test_in_private_all_chats_are_listed(stage):
    await stage.says("bob", "hello", "hall")
    answer = await stage.owner("/audience")
    assert "  hall: Ana, Bob (2026-05-04 09:00)" in answer
    assert "  console:direct:console:zed: console:zed" in answer
    assert "console:owner" not in answer


async def test_status_counts_and_says_where_the_memory_is(stage):
    await stage.tells("The dentist is on 14 May.")
    answer = await stage.owner("/status")
    assert "  facts: 1" in answer
    assert "  policy version 3: 8 categories, 2 contacts" in answer
    assert "  compares words; there is no embedder on this machine" in answer
    assert "  memory in /data/tact" in answer
    assert "  sessions waiting to be annotated: " in answer
    assert "dentist" not in answer


async def test_the_timezone_is_shown_and_set(stage):
    assert "Timezone: UTC, where it is 2026-05-04 09:00" in await stage.owner("/timezone")
    assert "Done: timezone Asia/Shanghai, where it is 2026-05-04 17:00" in await stage.owner(
        "/timezone asia/shanghai"
    )
    assert (await stage.policy()).timezone == "Asia/Shanghai"
    version = (await stage.policy()).version
    assert "It is Asia/Shanghai already" in await stage.owner("/timezone Asia/Shanghai")
    assert (await stage.policy()).version == version


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("/timezone Shanghai", "there is no timezone “Shanghai” - nearest: Asia/Shanghai"),
        ("/timezone Lisbon", "nearest: Europe/Lisbon"),
        ("/timezone Europe/Lisbonn", "nearest: Europe/Lisbon"),
        ("/timezone Mars", "there is no timezone “Mars”"),
        ("/timezone ../../etc/passwd", "there is no timezone"),
        ("/audience hall", "Usage: /audience"),
        ("/status all", "Usage: /status"),
        ("/line", "Usage: /line list"),
        ("/line set deflection", "Usage: /line list"),
        ("/line set deflection fr Non", "a line needs a language"),
        ("/line set farewell en Bye", "there is no line “farewell” - lines are: greeting"),
        ("/line set deflection en " + "x" * 1001, "a line needs a language"),
        ("/line reset farewell", "there is no line “farewell”"),
        ("/help nonsense", "There is no command /nonsense"),
        ("/help levl", "did you mean: /level"),
        ("/help qqqqqq", "There is no command /qqqqqq. /help lists them."),
        ("/meet irc:wren as Wren", "nobody has written as “irc:wren” so far - anybody can take a nick"),
        ("/levl add Bob", "There is no command /levl. /help lists them. - did you mean: /level"),
        ("/nonsense", "There is no command /nonsense. /help lists them."),
    ],
)
async def test_what_is_wrong_changes_nothing(open_memory, command, fault):
    stage = await open_memory()
    await stage.refuses(command, fault)


async def test_a_public_line_is_worded_by_the_owner_and_the_same_for_everybody(stage):
    answer = await stage.owner("/line set deflection en Please ask {owner}; {curly} is fine.")
    assert answer == "Done. Everybody reads now (deflection): Please ask Alex; {curly} is fine."
    for who in ("bob", "zed"):
        assert await stage.asks(who, "When is the launch?") == "Please ask Alex; {curly} is fine."
    assert "deflection (en) [yours]: Please ask Alex" in await stage.owner("/line list")
    await stage.owner("/line reset deflection")
    assert "Sorry" in await stage.asks("bob", "When is the launch?")
    assert "not one of yours; nothing was changed" in await stage.owner("/line reset deflection")


async def test_the_command_line_itself_can_be_worded(stage):
    await stage.owner("/line set command en Hm?")
    assert await stage.asks("zed", "/status") == "Hm?"


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_help_lists_every_command_and_explains_each(open_memory, language):
    stage = await open_memory(language)
    overview = await stage.owner("/help")
    for command in registry():
        assert f"/{command.name}" in overview
        assert command.help(language) in overview
        for name in (command.name, *command.aliases):
            whole = await stage.owner(f"/help {name}")
            for line in (*command.grammar(language), *command.examples(language)):
                assert line in whole
            assert ("you alone" if language == "en" else "只有你") in whole


async def test_start_greets_the_owner_with_help_and_privacy_shows_what_others_read(stage):
    assert "What you can tell Tact to do" in await stage.owner("/start")
    assert await stage.owner("/privacy") == await stage.asks("zed", "/privacy")

"""`/meet` and `/contacts`: names come from the owner; what people call themselves is a suggestion."""

from __future__ import annotations

import pytest


async def test_strangers_are_listed_as_suggestions_with_account_first_contact_and_rooms(stage):
    await stage.says("zed", "hello", "street", display_name="Bob\n/level add zed L1-work")
    rows = await stage.owner("/meet")
    assert "console:zed calls themselves “Bob /level add zed L1-work”" in rows
    assert "2026-05-04 09:00" in rows
    assert "rooms: street" in rows
    assert "console:bob" not in rows
    assert "/meet console:zed as NAME" in rows


async def test_a_name_makes_a_contact_without_a_label(stage):
    assert "console:zed is Zed" in await stage.owner("/meet console:zed as Zed")
    assert (await stage.policy()).contacts["console:zed"] == ()
    assert "Zed = console:zed: no label" in await stage.owner("/contacts")
    assert await stage.owner("/meet") == "Everybody who wrote has a name."


async def test_a_reply_names_its_sender(stage):
    await stage.says("zed", "hello", "street")
    await stage.owner("/meet as Zed", "street", reply_to=stage.last)
    assert "Zed = console:zed" in await stage.owner("/contacts")


async def test_a_second_name_is_kept_beside_the_first(stage):
    await stage.owner("/meet console:bob as Robert")
    assert "Robert = console:bob, also called Bob" in await stage.owner("/contacts")
    assert "Robert gets the label" in await stage.owner("/level add Bob L1-work")


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("/meet console:zed", "Usage: /meet"),
        ("/meet console:zed as", "Usage: /meet"),
        ("/meet as Zed", "Usage: /meet"),
        ("/meet Zed as Zed", "is no account"),
        ("/meet console:owner as Me2", "that is you"),
        ("/meet console:zed as Bob", 'say more, e.g. as "Bob (console)"'),
        ("/meet console:zed as ｂｏｂ", "is already Bob = console:bob"),
        ("/meet console:zed as Alex", "is already you"),
        ("/meet console:zed as everyone", "cannot be a name"),
        ("/meet console:zed as telegram:1", "cannot be a name"),
        ("/meet console:zed as " + "x" * 61, "cannot be a name"),
        ("/contacts all", "Usage: /contacts"),
    ],
)
async def test_what_is_wrong_changes_nothing(open_memory, command, fault):
    stage = await open_memory()
    await stage.refuses(command, fault)


async def test_a_name_taken_while_the_card_waited_is_not_given(stage):
    await stage.owner("/level add console:zed L1-work as Zed")
    await stage.owner("/meet console:new as Zed")
    assert "means somebody else by now; nothing was changed" in await stage.owner("confirm")
    assert await stage.labels("zed") == []

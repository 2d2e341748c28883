"""Cards with buttons: the owner's own press, in his direct chat, does what the words do; nobody else's does anything."""

from __future__ import annotations

import pytest

from bot.owner.buttons import read_press
from tests.telegram.conftest import BOB, EVE, GROUP, OWNER

TOLD = "The launch of Borealis is on Friday."
ONLY_OWNER = "Only Alex can give me commands here."
STALE = "This card is not waiting any more."


def card(stage):
    """The newest message with buttons in the owner's chat."""
    return next(m for m in reversed(stage.world.sent) if m["chat"]["id"] == OWNER and "reply_markup" in m)


def buttons(message) -> dict[str, str]:
    rows = message.get("reply_markup", {"inline_keyboard": []})["inline_keyboard"]
    return {button["text"]: button["callback_data"] for row in rows for button in row}


async def press(stage, message, label: str, user: int = OWNER) -> str:
    """Press what says this; returns what the owner reads because of it."""
    before = len(stage.world.texts(OWNER))
    stage.world.press(message, user, buttons(message)[label])
    await stage.settle()
    return "\n".join(stage.world.texts(OWNER)[before:])


async def test_a_fact_card_is_confirmed_and_undone_by_buttons(stage):
    async with stage.running():
        await stage.meets_bob()
        await stage.owner(TOLD)
        shown = card(stage)
        assert list(buttons(shown)) == ["Confirm", "Keep private", "Other category…", "Undo"]
        assert "can now be told to: Bob" in await press(stage, shown, "Confirm")
        assert any("Friday" in text for text in await stage.says(BOB, BOB, "When is the launch of Borealis?"))
        assert list(buttons(shown)) == ["Undo"]
        assert "private again" in await press(stage, shown, "Undo")
        assert buttons(shown) == {}
        assert not any("Friday" in t for t in await stage.says(BOB, BOB, "When is the launch of Borealis?"))


async def test_keep_private_and_undo(stage):
    async with stage.running():
        await stage.owner(TOLD)
        assert await press(stage, card(stage), "Keep private") == "Kept private."
        await stage.owner("The budget of Borealis is 40,000 euros.")
        assert "forgotten it" in await press(stage, card(stage), "Undo")
        assert "budget" not in await stage.owner("/facts")


async def test_another_category_is_chosen_from_a_list(stage):
    async with stage.running() as service:
        await stage.owner(TOLD)
        shown = card(stage)
        assert await press(stage, shown, "Other category…") == ""
        async with service.store.transaction() as tx:
            names = [category.name for category in (await tx.policy()).categories]
        assert list(buttons(shown)) == [*names, "« Back"]
        assert await press(stage, shown, "« Back") == ""
        assert "Confirm" in buttons(shown)
        await press(stage, shown, "Other category…")
        again = await press(stage, shown, "health")
        assert "Category: health" in again
        assert buttons(shown) == {}
        assert "Confirm" in buttons(card(stage))


async def test_a_widening_card_has_its_own_buttons(stage):
    async with stage.running() as service:
        await stage.says(BOB, BOB, "/start")
        await stage.owner(f"/meet telegram:{BOB} as Bob")
        await stage.tells(TOLD)
        await stage.owner("/level add Bob L1-work")
        shown = card(stage)
        assert list(buttons(shown)) == ["Confirm", "Confirm, earlier ones too", "Undo"]
        assert "earlier facts included" in await press(stage, shown, "Confirm, earlier ones too")
        async with service.store.transaction() as tx:
            assert [str(h.label) for h in (await tx.policy()).contacts[f"telegram:{BOB}"]] == ["L1-work"]
        assert buttons(shown) == {}
        await stage.owner("/level add Bob L1-life")
        assert "nothing was changed" in await press(stage, card(stage), "Undo")


async def test_forgetting_is_confirmed_by_a_button(stage):
    async with stage.running():
        await stage.tells(TOLD)
        await stage.owner("/forget about Borealis")
        assert "Forgotten" in await press(stage, card(stage), "Confirm")


async def test_words_go_on_working_and_leave_a_button_stale(stage):
    async with stage.running():
        await stage.owner(TOLD)
        shown = card(stage)
        assert "Confirmed" in await stage.owner("confirm")
        assert await press(stage, shown, "Keep private") == ""
        assert stage.world.answered[-1]["text"] == STALE
        assert list(buttons(shown)) == ["Undo"]


async def test_a_button_means_its_own_card_and_not_the_newest(stage):
    async with stage.running():
        await stage.owner(TOLD)
        first = card(stage)
        await stage.owner("The budget of Borealis is 40,000 euros.")
        await press(stage, first, "Keep private")
        assert "budget" in (await stage.owner("/facts pending") + await stage.owner("/facts"))
        assert "Confirmed" in await stage.owner("confirm")  # the second card waits as before


async def test_nobody_elses_press_does_anything(stage):
    """Not in a chat of one's own with the data of a real button, not in a group, not with data that was made up."""
    async with stage.running() as service:
        await stage.meets_bob()
        await stage.owner(TOLD)
        data = buttons(card(stage))["Confirm"]
        (hello,) = [m for m in stage.world.sent if m["chat"]["id"] == BOB][:1]
        forged = {**hello, "reply_markup": {"inline_keyboard": [[{"text": "x", "callback_data": data}]]}}
        before = len(stage.world.sent)
        stage.world.press(forged, BOB)
        await stage.settle()
        assert stage.world.answered[-1]["text"] == ONLY_OWNER
        in_group = {**forged, "chat": stage.world.chats[GROUP].chat}
        for user in (BOB, EVE, OWNER):
            stage.world.press(in_group, user)
            await stage.settle()
            assert stage.world.answered[-1]["text"] == ONLY_OWNER
        assert len(stage.world.sent) == before
        async with service.store.transaction() as tx:
            assert [c.state for c in await tx.cards() if c.kind == "fact"] == ["open"]


@pytest.mark.parametrize(
    "data", ["tap:" + "A" * 22 + ":confirm", "tap:x:confirm", "tap:", "here:1", "", "x" * 64]
)
async def test_what_no_card_says_is_one_line(stage, data):
    async with stage.running():
        await stage.owner(TOLD)
        shown = card(stage)
        before = len(stage.world.sent)
        stage.world.press(shown, OWNER, data)
        await stage.settle()
        assert len(stage.world.sent) == before
        assert stage.world.answered[-1]["text"] in {STALE, "Thank you."}
        async with stage.service.store.transaction() as tx:
            assert [c.state for c in await tx.cards()] == ["open"]


async def test_a_press_that_comes_twice_counts_once_and_buttons_outlive_a_restart(stage):
    async with stage.running():
        await stage.meets_bob()
        await stage.owner(TOLD)
        shown = card(stage)
    async with stage.running():
        stage.world.press(shown, OWNER, buttons(shown)["Confirm"])
        stage.world.queue.append(
            {**stage.world.queue[-1], "update_id": stage.world.queue[-1]["update_id"] + 50}
        )
        await stage.settle()
        assert len([t for t in stage.world.texts(OWNER) if t.startswith("Confirmed. It can")]) == 1


async def test_data_of_a_button_is_short_unguessable_and_new_for_each_card(stage):
    async with stage.running():
        seen = set()
        for text in (TOLD, "The budget of Borealis is 40,000 euros."):
            await stage.owner(text)
            for data in buttons(card(stage)).values():
                assert len(data.encode()) <= 64
                press = read_press(data)
                assert press is not None
                seen.add(press.nonce)
        assert len(seen) == 2
        assert all(len(nonce) == 22 for nonce in seen)


async def test_a_card_that_would_open_more_than_it_showed_is_shown_again(stage):
    async with stage.running():
        await stage.owner(TOLD)
        shown = card(stage)
        await stage.meets_bob()
        again = await press(stage, shown, "Confirm")
        assert again.startswith("Who could hear it has changed")
        assert "Bob" in again
        assert "can now be told to: Bob" in await press(stage, card(stage), "Confirm")


async def test_buttons_speak_the_owners_language(stage):
    settings = stage.settings
    stage.settings = lambda: settings().model_copy(update={"language": "zh"})
    async with stage.running():
        await stage.owner("博瑞利斯的发布会在星期五。")
        assert list(buttons(card(stage))) == ["确认", "保密", "换个类别……", "撤销"]
        assert "已保密" in await press(stage, card(stage), "保密")


async def test_a_category_is_shown_and_chosen_in_the_owners_language(stage):
    settings = stage.settings
    stage.settings = lambda: settings().model_copy(update={"language": "zh"})
    async with stage.running():
        assert "类别：预约（" in await stage.owner("我明天下午三点去看牙医。")
        assert "健康, " in await stage.owner("改为 天气")
        assert "类别：健康（" in await stage.owner("改为 健康")
        await press(stage, card(stage), "换个类别……")
        assert "类别：预约（" in await press(stage, card(stage), "预约")

"""What somebody edits: the new version takes the old one's place for those who heard both, and carries nothing out."""

from __future__ import annotations

import pytest

from tests.telegram.conftest import BOB, CAROL, GROUP, OWNER

ASK = "When is the launch of Borealis?"


async def edits(stage, message, text: str, chat: int = OWNER) -> str:
    """The sender changes a message; returns what the owner reads because of it."""
    before = len(stage.world.texts(OWNER))
    stage.world.edit(message, text)
    await stage.settle()
    return "\n".join(stage.world.texts(OWNER)[before:])


async def facts(stage) -> dict[str, object]:
    from bot.owner.openings import every_fact  # noqa: PLC0415

    async with stage.service.store.transaction() as tx:
        return {fact.text: fact for fact in await every_fact(tx)}


async def told(stage, text: str, chat: int = OWNER, user: int = OWNER, **more):
    message = stage.world.say(chat, user, text, **more)
    await stage.settle()
    return message


async def test_what_the_owner_edits_is_shown_anew_and_replaces_what_he_had_said(stage):
    async with stage.running():
        await stage.meets_bob()
        message = await told(stage, "The launch of Borealis is on Friday.")
        await stage.owner("confirm")
        card = await edits(stage, message, "The launch of Borealis is on Monday.")
        assert "Monday" in card
        assert "Replaces: “The launch of Borealis is on Friday.” - still known to: Bob" in card
        (unconfirmed,) = await stage.says(BOB, BOB, ASK)  # what he confirmed stands until he confirms the new
        assert "Friday" in unconfirmed
        await stage.owner("confirm")
        (reply,) = await stage.says(BOB, BOB, ASK)
        assert "Monday" in reply
        assert "Friday" not in reply


async def test_an_edit_before_the_card_was_answered_leaves_one_card(stage):
    async with stage.running():
        await stage.meets_bob()
        message = await told(stage, "The launch of Borealis is on Friday.")
        card = await edits(stage, message, "The launch of Borealis is on Monday.")
        assert "Replaces: “The launch of Borealis is on Friday.”" in card
        assert "Confirmed" in await stage.owner("confirm")
        assert await stage.owner("confirm") == "No card is waiting for an answer."
        (reply,) = await stage.says(BOB, BOB, ASK)
        assert "Monday" in reply
        assert "Friday" not in reply


async def test_a_second_edit_replaces_the_first_too(stage):
    async with stage.running():
        await stage.meets_bob()
        message = await told(stage, "The launch of Borealis is on Friday.")
        await stage.owner("confirm")
        await edits(stage, message, "The launch of Borealis is on Monday.")
        await edits(stage, message, "The launch of Borealis is on Sunday.")
        await stage.owner("confirm")
        (reply,) = await stage.says(BOB, BOB, ASK)
        assert "Sunday" in reply
        assert "Monday" not in reply
        assert "Friday" not in reply


async def test_of_two_statements_the_one_that_was_not_edited_stays(stage):
    async with stage.running():
        message = await told(stage, "The launch of Borealis is on Friday. The rent of the hall is 900 euros.")
        await edits(stage, message, "The launch of Borealis is on Monday. The rent of the hall is 900 euros.")
        await stage.service.tact.annotate()
        found = await facts(stage)
        assert found["The rent of the hall is 900 euros."].superseded_by is None
        new = found["The launch of Borealis is on Monday."].id
        assert found["The launch of Borealis is on Friday."].superseded_by == new


async def test_in_a_group_the_new_version_counts_for_those_who_saw_both(stage):
    """Carol came in between: she hears neither; Bob, who saw both, hears the new one."""
    async with stage.running():
        await stage.saw(BOB)
        await stage.quiet()
        message = await told(stage, "The keys are at the bakery.", GROUP, BOB, date=stage.stamp())
        await stage.quiet()
        stage.world.push(
            "edited_message",
            {**message, "text": "The keys are at the library.", "edit_date": stage.stamp()},
        )
        await stage.settle()
        await stage.service.tact.annotate()
        stage.clock.move(7200)
        await stage.service.tact.annotate()
        found = await facts(stage)
        old, new = found["The keys are at the bakery."], found["The keys are at the library."]
        assert old.superseded_by == new.id
        assert new.audience.members <= old.audience.members
        assert CAROL not in new.audience.members
        reply = (await stage.says(BOB, BOB, "Where are the keys?"))[-1]
        assert "library" in reply
        assert "bakery" not in reply


@pytest.mark.parametrize("text", ["The launch of Borealis is on Friday.", "confirm", "/status"])
async def test_an_edit_that_changes_no_word_is_nothing(stage, text):
    """Telegram calls a reaction or a preview an edit as well."""
    async with stage.running() as service:
        message = await told(stage, text)
        async with service.store.transaction() as tx:
            before = await tx.counts()
        assert await edits(stage, message, text) == ""
        async with service.store.transaction() as tx:
            assert await tx.counts() == before


@pytest.mark.parametrize("text", ["confirm", "undo", "yes", "keep private"])
async def test_an_edit_answers_no_card(stage, text):
    async with stage.running():
        message = await told(stage, "Hello there")
        await stage.owner("The launch of Borealis is on Friday.")
        assert await edits(stage, message, text) == ""
        assert "Confirmed" in await stage.owner("confirm")


async def test_an_edited_command_is_not_carried_out_and_its_owner_is_told(stage):
    async with stage.running() as service:
        message = await told(stage, "/levle add Bob L1-work")
        said = await edits(stage, message, "/timezone Europe/Lisbon")
        assert said == "An edited command is not carried out. Please send it as a new message."
        async with service.store.transaction() as tx:
            assert (await tx.policy()).timezone == "UTC"
        theirs = await told(stage, "Hi there", BOB, BOB)
        before = len(stage.world.texts(BOB))
        await edits(stage, theirs, "/facts", BOB)
        assert len(stage.world.texts(BOB)) == before


async def test_an_edited_question_is_not_answered(stage):
    async with stage.running():
        await stage.meets_bob()
        await stage.tells("The launch of Borealis is on Friday.")
        message = await told(stage, "Hi there", BOB, BOB)
        before = len(stage.world.texts(BOB))
        await edits(stage, message, ASK, BOB)
        mine = await told(stage, "Hi there")
        assert await edits(stage, mine, ASK) == ""
        assert len(stage.world.texts(BOB)) == before


FRIDAY, MONDAY = "The launch of Borealis is on Friday.", "The launch of Borealis is on Monday."


async def all_said(stage) -> list[str]:
    from bot.context import ZONE  # noqa: PLC0415

    async with stage.service.store.transaction() as tx:
        return [m.text async for page in tx.every_message(ZONE) for m in page]


@pytest.mark.parametrize("text", ["The picnic is on Sunday.", FRIDAY])
async def test_what_was_forgotten_does_not_come_back_with_an_edit(stage, text):
    """Telegram calls a preview an edit as well, and then all of it would be back without anybody's doing."""
    async with stage.running():
        message = await told(stage, FRIDAY)
        await stage.owner("confirm")
        await stage.owner("/forget about Borealis")
        await stage.owner("confirm")
        assert await edits(stage, message, text) == ""
        assert await facts(stage) == {}
        assert text not in await all_said(stage)


@pytest.mark.parametrize("how", ["a reply", "an id", "the old one's id", "undo", "about"])
async def test_a_message_is_forgotten_with_all_its_versions(stage, how):
    """Its sender sees one message; what it said before is no more than that."""
    async with stage.running():
        message = await told(stage, FRIDAY)
        await stage.owner("confirm")
        await edits(stage, message, MONDAY)
        if how == "a reply":
            await told(stage, "/forget", reply_to_message=message)
        elif how == "undo":
            await stage.owner("undo")
        else:
            name = (await facts(stage))[FRIDAY if "old" in how else MONDAY].id
            card = await stage.owner("/forget about Monday" if how == "about" else f"/forget {name}")
            assert "Friday" in card
            assert "Monday" in card
            await stage.owner("confirm")
        assert await facts(stage) == {}
        assert not [text for text in await all_said(stage) if "Borealis" in text]


async def test_what_was_edited_before_tact_ever_saw_it_has_versions_of_its_own(stage):
    """Two messages of which the first versions were never seen are not versions of one another."""
    async with stage.running():
        await stage.meets_bob()
        one = {**stage.world.say(BOB, BOB, None), "text": FRIDAY, "edit_date": stage.stamp()}
        other = {
            **stage.world.say(BOB, BOB, None),
            "text": "The rent is 900 euros.",
            "edit_date": stage.stamp(),
        }
        for message in (one, other, {**one, "text": MONDAY, "edit_date": stage.stamp(9)}):
            stage.world.push("edited_message", message)
            await stage.settle()
        await stage.service.tact.annotate()
        found = await facts(stage)
        assert found["The rent is 900 euros."].superseded_by is None
        assert found[FRIDAY].superseded_by == found[MONDAY].id
        await stage.owner(f"/forget {found[MONDAY].id}")
        await stage.owner("confirm")
        assert list(await facts(stage)) == ["The rent is 900 euros."]

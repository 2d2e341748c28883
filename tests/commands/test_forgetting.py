"""`/forget`: one fact goes at once, more is shown first, and what is gone is gone everywhere."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest

from storage.card_text import text_of

SECRET = "The moonstone is under the birch."


async def words(stage) -> str:
    """Everything that the owner can still get at about it."""
    asked = ("/facts", "/facts moonstone", "/why", "/who moonstone", "/preview Bob Where is the moonstone?")
    found = [await stage.owner(text) for text in asked]
    async with stage.context.store.transaction() as tx:
        from bot.context import ZONE  # noqa: PLC0415

        for chat in await tx.chats():
            found += [m.text for m in await tx.recent(chat.id, ZONE, 1000) if not m.text.startswith(asked)]
        found += [repr(card) + text_of(card) for card in await tx.cards()]
        found += [t.question + t.reply + t.payload.decode() for t in await tx.turns(1000)]
    return "\n".join(found)


async def test_one_fact_goes_at_once_with_its_message_and_what_was_said_of_it(stage):
    fact = await stage.tells(SECRET)
    await stage.owner(f"/share {fact} with Bob")
    await stage.owner("confirm")
    assert "birch" in await stage.asks("bob", "Where is the moonstone?")
    answer = await stage.owner(f"/forget {fact}")
    assert answer.splitlines()[0] == "Forgetting what you told on 2026-05-04 (unauthorised)."
    assert "Forgotten: 1 fact(s)" in answer
    assert answer.endswith("Done: every copy is gone.")
    assert "birch" not in await words(stage)
    assert "birch" not in await stage.asks("bob", "Where is the moonstone?")


async def test_the_answer_is_pending_while_the_bytes_are_still_on_the_disk(open_memory):
    stage = await open_memory()
    fact = await stage.tells(SECRET)

    async def not_yet() -> bool:
        return False

    stage.context.store.finish_forgetting = not_yet
    answer = await stage.owner(f"/forget {fact}")
    assert "Pending: " in answer
    assert "Done" not in answer


async def test_what_was_said_twice_goes_with_both_messages_and_does_not_come_back(stage):
    """The same words in one session are one fact: the second message would give it again."""
    fact = await stage.tells(SECRET)
    assert "[confirm]" not in await stage.owner(SECRET), "it was asked already"
    assert "2 message(s)" in await stage.owner(f"/forget {fact}")
    await stage.tells("The dentist is on 14 May.")
    assert "birch" not in await words(stage)
    assert len(await stage.facts()) == 1


async def test_undoing_a_fact_card_reports_on_the_disk_too(stage):
    await stage.owner(SECRET)
    assert (await stage.owner("undo")).endswith("Done: every copy is gone.")
    assert await stage.facts() == []


async def test_last_is_what_the_owner_told_last_whoever_spoke_since(stage):
    mine = await stage.tells(SECRET)
    await stage.says("bob", "I start at Borealis on Tuesday.")
    await stage.owner("/forget last")
    assert await stage.fact(mine) is None


async def test_of_what_was_told_in_one_second_the_last_message_is_the_last(stage):
    """A platform's times are whole seconds."""
    second = stage.clock.now()
    stage.clock.now = lambda: second
    for stone in ("opal", "amber", "garnet", "jade", "topaz", "beryl"):
        await stage.tells(f"The {stone} is under the birch.")
    await stage.owner("/forget last")
    left = " ".join(fact.text for fact in await stage.facts())
    assert "beryl" not in left
    assert all(stone in left for stone in ("opal", "amber", "garnet", "jade", "topaz"))


async def test_a_message_that_tells_more_is_shown_first(stage):
    await stage.owner("The dentist is on 14 May. The moonstone is under the birch.")
    facts = await stage.facts()
    assert len(facts) == 2
    card = await stage.owner(f"/forget {facts[0].id}")
    assert "This erases for good" in card
    assert "14 May" in card
    assert "moonstone" in card
    assert len(await stage.facts()) == 2
    await stage.owner("confirm")
    assert await stage.facts() == []


async def test_everything_from_somebody(stage):
    await stage.says("bob", "The moonstone is under the birch.", "hall")
    await stage.says("bob", "I start at Borealis on Tuesday.")
    await stage.says("ana", "Hello there")
    card = await stage.owner("/forget from Bob")
    assert "everything from Bob" in card
    assert "Borealis" in card
    assert "[confirm]" in card
    await stage.owner("undo")
    assert "nothing was changed" not in await stage.owner("/forget from Bob")
    answer = await stage.owner("confirm")
    assert answer.endswith("Done: every copy is gone.")
    rest = await words(stage)
    assert "birch" not in rest
    assert "Borealis" not in rest
    assert "Hello there" in rest


async def test_everything_about_something_questions_and_commands_too(stage):
    await stage.tells(SECRET)
    await stage.asks("bob", "Is the moonstone still there?")
    await stage.owner("/facts moonstone")
    await stage.tells("The dentist is on 14 May.")
    card = await stage.owner("/forget about moonstone")
    assert "everything about “moonstone”: 1 fact(s)" in card
    await stage.owner("confirm")
    async with stage.context.store.transaction() as tx:
        from bot.context import ZONE  # noqa: PLC0415

        said = [m.text for chat in await tx.chats() for m in await tx.recent(chat.id, ZONE, 1000)]
    assert not [text for text in said if "moonstone" in text]
    assert "The dentist is on 14 May." in said
    assert "14 May" in await stage.owner("/facts")


async def test_everything_in_a_chat(stage):
    await stage.says("bob", SECRET, "hall")
    await stage.says("ana", "Thank you Bob", "hall")
    await stage.tells("The dentist is on 14 May.")
    card = await stage.owner("/forget here", "hall")
    assert "everything in this chat" in card
    await stage.owner("confirm")
    rest = await words(stage)
    assert "birch" not in rest
    assert "Thank you Bob" not in rest
    assert "14 May" in rest


async def test_a_reply_forgets_the_message_it_answers(stage):
    await stage.says("bob", SECRET, "hall")
    message = stage.last
    answer = await stage.owner("/forget", "hall", reply_to=message)
    assert answer.startswith("Forgetting the message of Bob, 2026-05-04 09:")
    assert "moonstone" not in answer
    async with stage.context.store.transaction() as tx:
        from bot.context import ZONE  # noqa: PLC0415

        assert await tx.message(message, ZONE) is None


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("/forget", "Usage: /forget"),
        ("/forget everything", "Usage: /forget"),
        ("/forget moonstone birch", "Usage: /forget"),
        ("/forget f_0000", "no fact matches “f_0000”"),
        ("/forget from", "Usage: /forget"),
        ("/forget from Carol", "nobody is called “Carol”"),
        ("/forget about", "Usage: /forget"),
        ("/forget about sapphire", "there is nothing to forget: everything about “sapphire”"),
        ("/forget about the", "there is nothing to forget"),
    ],
)
async def test_what_is_wrong_changes_nothing(open_memory, command, fault):
    stage = await open_memory()
    await stage.tells(SECRET)
    await stage.refuses(command, fault)


async def test_no_name_is_guessed_before_erasing(stage):
    async with stage.context.store.transaction() as tx:
        await tx.call("console:zed", "Bob")
    assert "several people are called “Bob”" in await stage.owner("/forget from Bob")


async def test_nothing_is_left_in_the_file(tmp_path, empty_memory):
    """Rows go, not only words: the fact is named by tombstones, and by what was said of it, without its words."""
    import shutil  # noqa: PLC0415

    from storage import SqlStore, Vault  # noqa: PLC0415
    from tests.stage import KEY, open_stage  # noqa: PLC0415

    shutil.copy(empty_memory, tmp_path / "tact.db")
    store = await SqlStore.open(tmp_path / "tact.db", Vault(KEY))
    stage = await open_stage(store, tmp_path)
    fact = await stage.tells(SECRET)
    await stage.owner("/forget about moonstone")
    await stage.owner("confirm")
    await store.close()
    with sqlite3.connect(tmp_path / "tact.db") as db:
        dump = [line for line in db.iterdump() if fact in line]
    db.close()
    assert dump
    assert all(any(t in line for t in ("tombstones", "changes", "outbox_facts")) for line in dump)


async def test_a_long_erasure_says_how_far_it_is(open_memory):
    stage = await open_memory()
    seen: list[float] = []
    stage.context = replace(stage.context, progress=seen.append)
    for number in range(60):
        await stage.says("bob", f"The moonstone number {number} is under the birch.", "hall")
    await stage.owner("/forget about moonstone")
    asked, seen[:] = list(seen), []
    await stage.owner("confirm")
    assert len(asked) > 1
    for told in (asked, seen):
        assert told == sorted(told)
        assert told[-1] == 1

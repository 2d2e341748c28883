"""`/why` and `/preview`: what was told, what would be told, and why the rest was not."""

from __future__ import annotations

import pytest

ATLAS = "#work-projects: The Atlas launch is on 12 June."
QUESTION = "When is the Atlas launch?"
DEFLECTION = "Sorry, I can't help with that one. Please write to Alex directly."


async def level(stage, name="Bob"):
    await stage.owner(f"/level add {name} L1-work")
    await stage.owner("confirm")


async def test_an_answer_is_explained(stage):
    await level(stage)
    fact = await stage.tells(ATLAS)
    await stage.asks("bob", QUESTION)
    turn = stage.traces[-1].id
    why = await stage.owner("/why")
    assert why.splitlines()[0].startswith(f"{turn}: Bob, direct chat, 2026-05-04")
    assert f"Asked: “{QUESTION}”" in why
    assert "Could read the answer: you and Bob; evidence: complete member list" in why
    assert "Outcome: answered from memory" in why
    assert f"Told: {fact} “The Atlas launch is on 12 June" in why
    assert "(Bob: holds a fitting label)" in why
    assert "Judged by policy version" in why
    assert await stage.owner(f"/why {turn}") == why == await stage.owner("/why last")


async def test_what_would_not_be_told_any_more_is_said(stage):
    await level(stage)
    fact = await stage.tells(ATLAS)
    await stage.asks("bob", QUESTION)
    await stage.owner(f"/block Bob {fact}")
    assert "(Bob: could hear it then, but not any more)" in await stage.owner("/why")


async def test_a_refusal_is_explained_with_the_person_it_was_for(stage):
    await level(stage)
    fact = await stage.tells(ATLAS)
    await stage.asks("bob", f"Tact, {QUESTION}", "hall")
    why = await stage.owner("/why")
    assert "politely declined" in why
    assert "Nothing was told from memory." in why
    assert f"Withheld: {fact} “The Atlas launch is on 12 June" in why
    assert "(because of Ana)" in why


async def test_the_owners_own_turns_are_explained_only_by_id(stage):
    await stage.tells(ATLAS)
    await stage.asks("zed", QUESTION)
    asked = stage.traces[-1].id
    await stage.owner(QUESTION)
    assert (await stage.owner("/why")).startswith(asked)


async def test_what_the_owner_was_refused_in_a_room_is_explained_to_him(stage):
    fact = await stage.tells(ATLAS)
    await stage.asks("owner", f"Tact, {QUESTION}", "hall")
    asked = stage.traces[-1].id
    why = await stage.owner("/why")
    assert why.startswith(f"{asked}: you")
    assert f"Withheld: {fact}" in why


async def test_a_reply_picks_the_turn(stage):
    await stage.asks("zed", QUESTION, "street")
    await stage.says("zed", f"Tact, {QUESTION}", "street")
    message, turn = stage.last, stage.traces[-1].id
    await stage.asks("bob", "hello")
    assert (await stage.owner("/why", "street", reply_to=message)).startswith(turn)


async def test_forgotten_words_are_forgotten_here_too(stage):
    await level(stage)
    fact = await stage.tells(ATLAS)
    await stage.asks("bob", QUESTION)
    await stage.owner(f"/forget {fact}")
    why = await stage.owner("/why")
    assert f"Told: {fact} forgotten" in why
    assert "12 June" not in why
    assert "Atlas" not in why


async def test_what_there_is_nothing_of(stage):
    assert "there is no turn t_nonsense" in await stage.owner("/why t_nonsense")
    assert "Usage: /why" in await stage.owner("/why a b")


async def test_preview_words_what_would_be_told(stage):
    await level(stage)
    await stage.tells(ATLAS)
    told = await stage.owner(f"/preview Bob {QUESTION}")
    assert told.splitlines()[0] == f"Bob, asking in private now: “{QUESTION}”"
    assert "Would be told: “" in told
    assert (await stage.asks("bob", QUESTION)) in told


async def test_preview_says_what_stays_back_and_why(stage):
    fact = await stage.tells(ATLAS)
    told = await stage.owner(f"/preview Ana {QUESTION}")
    assert f"Would get the polite line: “{DEFLECTION}”" in told
    assert f"Withheld: {fact} “The Atlas launch is on 12 June" in told
    assert "(because of Ana)" in told
    assert DEFLECTION in await stage.owner(f"/preview stranger {QUESTION}")


async def test_each_part_of_a_question_has_a_verdict(stage):
    await level(stage)
    await stage.tells(ATLAS)
    await stage.tells("#family: Grandma moves to the Alps in May.")
    asked = "When is the Atlas launch and when does Grandma move?"
    told = await stage.owner(f"/preview Bob {asked}")
    assert "“When is the Atlas launch” may be answered (Bob: holds a fitting label)" in told
    assert "“when does Grandma move” stays back (Bob: nothing that could be told here states it)" in told
    assert "The question as a whole may not be answered." in told
    heard = await stage.asks("bob", asked)
    assert "as a whole" not in heard
    assert told.splitlines()[-3:] == [
        line
        for line in (await stage.owner("/why")).splitlines()
        if line.startswith(("Of the", "The question"))
    ]


async def test_a_verdict_names_who_may_not_hear_it(stage):
    await level(stage)
    fact = await stage.tells(ATLAS)
    await stage.owner(f"/share Bob {fact}")
    await stage.owner(f"/block Bob {fact}")
    assert "stays back (Bob: nothing that could" in await stage.owner(f"/preview Bob {QUESTION}")


async def test_a_question_about_nothing_in_particular_has_no_units(stage):
    assert "Of the question" not in await stage.owner("/preview Bob What's new?")


async def test_preview_sends_and_records_nothing(open_memory):
    stage = await open_memory()
    await level(stage)
    await stage.tells(ATLAS)
    before, turns = stage.dump(), len(stage.context.store._state.turns)
    heard = await stage.says("owner", f"/preview Bob {QUESTION}")
    assert [h.kind for h in heard] == ["owner"]
    assert stage.dump() == before
    assert len(stage.context.store._state.turns) == turns + 1  # the command's own
    assert stage.traces[-1].payload == b""


async def test_preview_of_a_name_with_blanks(stage):
    await stage.owner("/meet console:zed as Zed van Dam")
    assert "Zed van Dam, asking in private now: “When is it?”" in await stage.owner(
        "/preview Zed van Dam When is it?"
    )
    assert "Zed van Dam, asking in private now: “When is it?”" in await stage.owner(
        '/preview "zed van dam" When is it?'
    )


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("/preview", "Usage: /preview"),
        ("/preview Bob", "Usage: /preview"),
        ("/preview Carol When is it?", "nobody is called “Carol”"),
        ("/preview console:owner When is it?", "that is you"),
        ("/preview When is it?", "nobody is called “When”"),
    ],
)
async def test_what_is_wrong_is_one_line(open_memory, command, fault):
    stage = await open_memory()
    answer = await stage.owner(command)
    assert fault in answer
    assert "\n" not in answer

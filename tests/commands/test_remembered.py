"""`/facts`, `/fact` and `/who`: what is remembered, with everything that decides about it."""

from __future__ import annotations

import pytest

ATLAS = "#work-projects: The Atlas launch is on 12 June."


async def annotated(stage):
    from datetime import timedelta  # noqa: PLC0415

    from bot.memory.annotation_queue import annotate_due  # noqa: PLC0415

    stage.clock.at += timedelta(hours=2)
    await annotate_due(stage.context, stage.clock.now())


async def test_facts_are_listed_newest_first_with_who_could_hear_them(stage):
    await stage.owner("/level add Bob L1-work")
    await stage.owner("confirm")
    first = await stage.tells(ATLAS)
    second = await stage.tells("The dentist is on 14 May.", confirm=False)
    rows = (await stage.owner("/facts")).splitlines()
    assert rows[0] == "The newest 2 of 2 fact(s):"
    assert rows[1].startswith(f"{second} 2026-05-04 you: “The dentist is on 14 May.”")
    assert "could hear it: nobody but you) [first-hand]" in rows[1]
    assert rows[2].startswith(f"{first} ")
    assert "(work-projects, L2-work; could hear it: Bob) [first-hand, confirmed]" in rows[2]


async def test_a_query_ranks_and_leaves_out_what_does_not_match(stage):
    await stage.tells(ATLAS)
    dentist = await stage.tells("The dentist is on 14 May.")
    rows = await stage.owner("/facts dentist")
    assert dentist in rows
    assert "Atlas" not in rows
    assert await stage.owner("/facts moonstone") == "There is no such fact."


async def test_a_fact_tells_everything_about_itself(stage):
    await stage.owner(ATLAS + " Don't tell Ana.")
    fact = (await stage.facts())[0]
    await stage.owner("confirm")
    await stage.owner(f"/share {fact.id} with Bob")
    await stage.owner("confirm")
    card = await stage.owner(f"/fact {fact.id[:9]}")
    assert card.splitlines()[0] == f"{fact.id}: “{fact.text}”"
    assert f"Told by you, 2026-05-04 09:00, in console:direct:console:owner ({fact.sources[0]})" in card
    assert "Was there: nobody but you" in card
    assert "Category: work-projects (L2-work); opinions: owner: work-projects 1.00" in card
    assert "Whitelist: Bob (shared by you, set by you, 2026-05-04" in card
    assert "Blacklist: Ana (asked not to tell, set by you, 2026-05-04" in card
    assert "Release: when you confirm the fact; released to: Bob" in card
    assert "Could hear it now: Bob" in card


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("/fact", "Usage: /fact ID"),
        ("/fact a b", "Usage: /fact ID"),
        ("/fact f_0000", "no fact matches “f_0000”"),
        ("/fact f", "no fact matches “f”"),
        ("/who", "Usage: /who NAME"),
        ("/who Carol", "nobody is called “Carol” - you have named: Ana, Bob"),
    ],
)
async def test_what_is_wrong_is_one_line(open_memory, command, fault):
    stage = await open_memory()
    await stage.tells(ATLAS)
    before = stage.dump()
    answer = await stage.owner(command)
    assert fault in answer
    assert "\n" not in answer
    assert stage.dump() == before


async def test_who_shows_edges_with_their_sources_accounts_labels_and_when_last_seen(stage):
    await stage.owner("/level add Ana L1-life")
    await stage.owner("confirm")
    await stage.owner("Ana works at Borealis.")
    fact = (await stage.facts())[0].id
    await stage.says("ana", "hello again")
    card = await stage.owner("/who ana")
    assert "Ana = console:ana; labels: L1-life (facts since" in card
    assert "last seen: 2026-05-04 09:00" in card
    assert f"(you, 2026-05-04, {fact})" in card
    assert "Borealis" in card


async def test_somebody_spoken_of_but_not_named_by_the_owner_is_found_too(stage):
    await stage.owner("Volkov works at Borealis.")
    card = await stage.owner("/who Volkov")
    assert "“Volkov” is nobody you have named" in card
    assert "Borealis" in card


async def test_what_others_told_shows_its_teller_and_its_audience(stage):
    await stage.says("bob", "I start at Borealis on Tuesday.")
    await annotated(stage)
    rows = await stage.owner("/facts Borealis")
    assert "Bob: “I start at Borealis on Tuesday" in rows
    assert "could hear it: Bob)" in rows

"""`/category`: what could open comes as a card, what only narrows counts at once."""

from __future__ import annotations

import pytest

LAUNCH = "#work-projects: The Atlas launch is on 12 June."


async def category(stage, name):
    return (await stage.policy()).category(name)


async def test_a_new_category_is_a_card_that_says_who_it_opens_to(stage):
    await stage.owner("/level add Bob L1-work")
    await stage.owner("confirm")
    card = await stage.owner("/category add garden L2-work, L2-life What grows in the garden.")
    assert "a new category garden: L2-work, L2-life; release: when you confirm the fact" in card
    assert "From now on it would open to Bob what you tell and confirm under: garden" in card
    assert await category(stage, "garden") is None
    await stage.owner("confirm")
    made = await category(stage, "garden")
    assert [str(x) for x in made.labels] == ["L2-work", "L2-life"]
    assert made.description == {"en": "What grows in the garden."}


async def test_a_public_category_says_that_strangers_will_hear(stage):
    card = await stage.owner("/category add news L4")
    assert "everybody" in card
    assert "would open to strangers" in card


async def test_narrowing_counts_at_once(stage):
    await stage.owner("/level add Bob L2-work")
    await stage.owner("confirm")
    await stage.owner("/category edit work-projects L2-work")
    await stage.owner("confirm")
    await stage.tells(LAUNCH)
    assert "12 June" in await stage.asks("bob", "When is the Atlas launch?")
    assert "Done, and it counts at once" in await stage.owner("/category edit work-projects L1-work")
    assert "12 June" not in await stage.asks("bob", "When is the Atlas launch?")


async def test_widening_is_a_card_that_lists_earlier_facts(stage):
    await stage.owner("/level add Bob L2-work")
    await stage.owner("confirm")
    await stage.owner("/category edit work-projects L1-work")
    await stage.tells(LAUNCH)
    card = await stage.owner("/category edit work-projects L2-work")
    assert "The Atlas launch" in card
    assert "12 June" not in await stage.asks("bob", "When is the Atlas launch?")
    await stage.owner("confirm")
    assert "12 June" not in await stage.asks("bob", "When is the Atlas launch?")


@pytest.mark.parametrize(
    ("change", "widens"),
    [
        ("release=never", False),
        ("release=confirm", False),
        ("release=policy", True),
        ("release=own", True),
        ("release=any", True),
        ("L0", False),
        ("L4", True),
        ("release=any L4", True),
        ("Words that describe it", False),
    ],
)
async def test_what_widens_asks_first(open_memory, change, widens):
    stage = await open_memory()
    before = (await stage.policy()).version
    args = " ".join(reversed(change.split(" "))) if change.endswith("L4") else change
    answer = await stage.owner(f"/category edit money {args}")
    assert ("[confirm]" in answer) is widens
    assert ((await stage.policy()).version == before) is widens


async def test_back_from_never_widens(stage):
    await stage.owner("/category edit money release=never")
    assert "[confirm]" in await stage.owner("/category edit money release=confirm")


async def test_new_words_widen_where_facts_open_by_themselves(stage):
    await stage.owner("/category edit money release=policy")
    await stage.owner("confirm")
    assert "[confirm]" in await stage.owner("/category edit money Salaries and rents")


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("/category", "Usage: /category add"),
        ("/category add", "Usage: /category add"),
        ("/category add garden", "Usage: /category add"),
        ("/category add garden no-label", "Usage: /category add"),
        ("/category add garden L9", "there is no label “L9” - labels are: L0, L1-life"),
        ("/category add garden L1-life,L9", "there is no label “L9”"),
        ("/category add garden L0,L2-work", "L0 and L4 cannot be among several labels"),
        ("/category add garden L2-work,L4", "L0 and L4 cannot be among several labels"),
        ("/category add family L1-life", "there is a category “family” already"),
        ("/category add 家庭 L1-life", "there is a category “家庭” already"),
        ("/category add unauthorised L1-life", "cannot name a category"),
        ("/category add garden L1-life release=always", "release=always is none of: never, confirm"),
        ("/category edit garden L1-life", "No category “garden”. There are: whereabouts"),
        ("/category edit family", "Usage: /category add"),
        ("/category edit family L0,L1-life", "cannot be among several labels"),
        ("/category list all", "Usage: /category add"),
    ],
)
async def test_what_is_wrong_changes_nothing(open_memory, command, fault):
    stage = await open_memory()
    await stage.refuses(command, fault)


async def test_in_chinese(open_memory):
    stage = await open_memory("zh")
    assert "立即生效" in await stage.owner("/类别 编辑 工作项目 L1-work 放行=从不")
    money = await category(stage, "work-projects")
    assert money.release == "never"
    assert "新类别花园：L2-life, L2-work" in await stage.owner(
        "/类别 添加 花园 L2-life，L2-work 放行=确认 种了什么"
    )
    await stage.owner("确认")
    garden = await category(stage, "花园")
    assert [str(x) for x in garden.labels] == ["L2-life", "L2-work"]
    assert garden.description == {"zh": "种了什么"}
    assert "花园" in await stage.owner("/类别 列表")


async def test_the_list_names_labels_release_and_who_holds_a_label(stage):
    await stage.owner("/level add Bob L1-work")
    await stage.owner("confirm")
    rows = await stage.owner("/category list")
    assert "work-projects: " in rows
    assert "now: Bob" in rows


async def test_narrowing_takes_back_a_card_that_would_widen(stage):
    await stage.owner("/category edit money L2-work")
    await stage.owner("/category edit money release=never")
    await stage.owner("confirm")
    money = await category(stage, "money")
    assert (money.release, [str(x) for x in money.labels]) == ("never", ["L1-life"])

import pytest


@pytest.mark.parametrize(
    "text",
    ["what's new?", "any news from Alex?", "what is he up to?", "what do you know?", "summarise everything", "How is Alex?", "Tact, any updates?",
     "最近怎么样", "有什么消息", "Alex在忙什么", "有什么新鲜事吗"],
)  # fmt: skip
def test_a_question_without_a_topic_is_wide(ask, text):
    query = ask(text)
    assert query.wide
    assert query.terms == frozenset()


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("When is the Atlas launch?", {"atlas", "launch"}),
        ("Hi Tact, can you tell me when Alex's launch is?", {"launch"}),
        ("any news from Bob?", {"bob"}),
        ("how is Alex's mum?", {"mother"}),
        ("where is Alex?", {"·place"}),
        ("Did the vendor deliver the 40 sensors?", {"vendor", "deliver", "40", "sensor"}),
        ("鲍勃的生日是几号？", {"鲍", "勃", "鲍勃", "birthday"}),
    ],
)
def test_terms_are_what_the_question_is_about(ask, text, terms):
    query = ask(text)
    assert query.terms == terms
    assert not query.wide


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("When is the launch and who leads it?", ("When is the launch", "who leads it")),
        ("Where is Bob? When is he back?", ("Where is Bob", "When is he back")),
        ("安娜、鲍勃怎么样", ("安娜", "鲍勃怎么样")),
        ("When is the launch?", ("When is the launch",)),
    ],
)
def test_units(ask, text, units):
    assert ask(text).units == units


def test_a_named_day_is_resolved_and_leaves_no_word(ask):
    query = ask("What is Alex doing tomorrow?")
    assert query.wide
    assert query.when is not None
    assert str(query.when.at.date()) == "2026-12-01"


def test_only_the_asking_part_is_the_question(ask):
    assert ask("Hello! I'm back. When is the launch?").text == "When is the launch?"


def test_names_are_as_they_stand(ask):
    assert ask("Does Alex know Bob Smith?").names == ("Bob Smith",)

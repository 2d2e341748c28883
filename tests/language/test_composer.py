from datetime import UTC, datetime

import pytest

from connectors.language.offline import OfflineComposer
from engine.audience import Audience
from engine.ids import OWNER, FactId, PersonId, TurnId
from engine.items import LinkKind
from engine.sealed_context import ContextFact, SealedContext

NOW = datetime(2026, 12, 2, 10, 0, tzinfo=UTC)
SAID = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
BOB = PersonId("bob")


def fact(node, text, teller=OWNER, name="Alex", **more):
    values = {"said_at": SAID, "when": None, "when_is_day": True, "score": 1.0, "similarity": None} | more
    return ContextFact(node, FactId(f"f{node}"), text, teller, name, **values)


def context(question, facts, edges=(), *, language="en", asker="Bob", to_owner=False):
    return SealedContext(
        TurnId("t"), language, "Alex", "Europe/Lisbon", NOW, asker, to_owner, question, tuple(facts), tuple(edges), (), (),
        Audience.of([BOB]), 1,
    )  # fmt: skip


LAUNCH = fact(1, "The Atlas launch moved to 12 May.", when=datetime(2027, 5, 12, tzinfo=UTC))
REASON = fact(2, "the vendor is late")
DENTIST = fact(
    3, "I'm at the dentist tomorrow at 4pm", when=datetime(2026, 12, 1, 16, 0, tzinfo=UTC), when_is_day=False
)
TEA = fact(4, "Carol likes tea", BOB, "Bob")
ALL = (LAUNCH, REASON, DENTIST, TEA)


def told(*args, **more):
    return OfflineComposer().compose(context(*args, **more))


def test_one_fact_is_quoted_with_its_teller_and_day():
    assert told("When is the Atlas launch?", ALL) == (
        "Alex told me on 30 Nov: “The Atlas launch moved to 12 May.”",
        ("f1",),
    )


def test_it_speaks_the_askers_language():
    assert told("Atlas 什么时候上线？", ALL, language="zh") == (
        "Alex在11月30日告诉我：“The Atlas launch moved to 12 May.”",
        ("f1",),
    )


def test_a_day_that_meant_another_day_when_it_was_said_is_named():
    text, _ = told("When is he at the dentist?", ALL)
    assert "tomorrow at 4pm” [Tue 1 Dec, 16:00]" in text


def test_a_surviving_because_joins_the_two():
    text, used = told("When is the Atlas launch?", ALL, [(1, LinkKind.BECAUSE, 2)])
    assert text == "Alex told me on 30 Nov: “The Atlas launch moved to 12 May”, because “the vendor is late”"
    assert used == ("f1", "f2")


def test_without_the_edge_the_reason_is_not_joined():
    assert "because" not in told("When is the Atlas launch?", ALL)[0]


def test_the_asker_is_told_what_they_told():
    assert told("Does Carol like tea?", ALL)[0] == "You told me on 30 Nov: “Carol likes tea”"


def test_to_the_owner_his_own_words_are_his():
    assert told("When is the Atlas launch?", ALL, asker="Alex", to_owner=True)[0].startswith(
        "You told me on 30 Nov"
    )


def test_a_teller_without_a_name_is_somebody():
    assert told("tea?", [fact(1, "Carol likes tea", BOB, "")], asker="")[0].startswith("Somebody told me")
    assert told("茶？", [fact(1, "卡罗尔喜欢茶", BOB, "")], asker="", language="zh")[0].startswith("有人在")


def test_several_facts_are_listed_in_the_order_of_the_story():
    text, used = told("What's new?", ALL)
    assert used == ("f1", "f2", "f3", "f4")
    assert text.splitlines()[0] == "I was told:"
    assert text.splitlines()[-1] == "• You, 30 Nov: “Carol likes tea”"


def test_one_teller_is_named_once():
    text, _ = told("What's new?", ALL[:3])
    assert text.splitlines()[0] == "Alex told me:"
    assert text.count("Alex") == 1


def test_a_wide_question_gets_the_latest_five():
    many = [fact(n, f"Note number {n} of the garden", said_at=SAID.replace(minute=n)) for n in range(1, 9)]
    assert told("What's new?", many)[1] == ("f4", "f5", "f6", "f7", "f8")


def test_a_wide_question_about_a_day_gets_that_day():
    assert told("What is Alex doing on 12 May 2027?", ALL)[1] == ("f1",)


def test_what_somebody_said_is_found_by_their_name():
    assert told("What did Bob say?", ALL, asker="Ana")[1] == ("f4",)


@pytest.mark.parametrize("question", ["Who is Zed?", "What is the weather in Oslo?", "奥斯陆天气怎么样？"])
def test_nothing_is_said_when_nothing_answers(question):
    assert told(question, ALL) == ("", ())


def test_an_empty_context_gives_nothing():
    assert told("What's new?", ()) == ("", ())


def test_it_never_speaks_of_how_much_there_is():
    for question in ("What's new?", "When is the Atlas launch?", "summarise everything"):
        text = told(question, ALL)[0].lower()
        assert not any(
            word in text for word in ("everything", "all i", "withheld", "not allowed", "can't tell", "only")
        )


def test_the_same_context_gives_the_same_bytes():
    assert told("What's new?", ALL) == told("What's new?", ALL)


def test_an_unknown_zone_is_read_as_utc():
    strange = context("When is the Atlas launch?", ALL)
    moved = SealedContext(
        **{name: getattr(strange, name) for name in strange.__slots__} | {"zone": "Nowhere/Land"}
    )
    assert OfflineComposer().compose(moved)[1] == ("f1",)

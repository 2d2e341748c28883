"""From readings to facts: what a message states, who told it, and what may follow from that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.annotation import (
    Act,
    Reading,
    Request,
    Statement,
    When,
    categorise,
    fact_id,
    is_first_hand,
    keep_owner_marks,
    make_facts,
    mentioned,
    requested,
    same_event,
    told_again,
)
from engine.audience import OWNER_ONLY, Audience
from engine.ids import OWNER, STRANGER, CategoryName, FactId, MessageId
from engine.items import Basis, Colour, Confidence, ListEntry, Origin, Suggestion
from engine.people import People
from tests.strategies import ANA, BOB, CAROL, MESSAGE, T0, a_fact

WORK, FAMILY = CategoryName("work"), CategoryName("family")
PEOPLE = People(names={BOB: ("Bob",), ANA: ("Ana",), CAROL: ("Ana",), OWNER: ("Olga",)})
PLAN = Statement(
    "The plan is ready.", when=When(T0, is_day=False, phrase="now"), names=("Bob",), sensitive=True
)


def reading(*statements, covers=()):
    return Reading(Act.STATEMENT, "en", statements, covers=covers)


def test_a_statement_becomes_a_fact_with_its_provenance():
    (fact,) = make_facts(MESSAGE, reading(PLAN), PEOPLE)
    assert fact.id == fact_id(MESSAGE, 0)
    assert (fact.sources, fact.teller, fact.audience) == ((MESSAGE.id,), OWNER, OWNER_ONLY)
    assert (fact.when, fact.when_is_day) == (T0, False)
    assert (fact.mentions, fact.sensitive, fact.secret) == ((BOB,), True, False)
    assert fact.first_hand
    assert fact.owner_typed
    assert fact.event.tellers == {OWNER}
    assert fact.category is None
    (bare,) = make_facts(MESSAGE, reading(Statement("So.")), PEOPLE)
    assert (bare.when, bare.when_is_day) == (None, True)


def test_ids_are_the_same_each_time_and_hold_no_words():
    again = replace(MESSAGE, text="other words")
    assert fact_id(again, 0) == fact_id(MESSAGE, 0) != fact_id(MESSAGE, 1)


def test_a_cover_story_is_a_fact_apart_and_what_stands_beside_it_is_confidential():
    truth, cover = make_facts(MESSAGE, reading(PLAN, covers=(Statement("I am at the dentist."),)), PEOPLE)
    assert (truth.cover, truth.confidential) == (False, True)
    assert (cover.cover, cover.confidential) == (True, False)
    assert truth.id != cover.id


@pytest.mark.parametrize(
    "change",
    [
        {"alone": False},
        {"audience": Audience.of([BOB])},
        {"unresolved": True},
        {"sender": BOB},
        {"text": "He wrote:\n  > the plan is ready"},
        {"text": "＞ 计划好了"},
        *({"origin": origin} for origin in Origin if origin is not Origin.TYPED),
    ],
)
def test_only_what_the_owner_typed_alone_is_first_hand(change):
    assert is_first_hand(MESSAGE)
    assert not is_first_hand(replace(MESSAGE, **change))
    (fact,) = make_facts(replace(MESSAGE, **change), reading(PLAN), PEOPLE)
    assert not fact.first_hand


def test_what_the_owner_quotes_or_forwards_counts_as_typed_by_nobody():
    (typed,) = make_facts(replace(MESSAGE, alone=False), reading(PLAN), PEOPLE)
    (quoted,) = make_facts(replace(MESSAGE, text="> the plan is ready"), reading(PLAN), PEOPLE)
    (forwarded,) = make_facts(replace(MESSAGE, origin=Origin.FORWARD), reading(PLAN), PEOPLE)
    assert [f.owner_typed for f in (typed, quoted, forwarded)] == [True, False, False]
    assert forwarded.teller == STRANGER
    assert forwarded.event.tellers == {STRANGER}


def test_a_name_of_nobody_or_of_several_mentions_nobody():
    assert mentioned(Statement("x", names=("Bob", "Ana", "妈妈", "bob")), PEOPLE) == (BOB,)


def suggestion(category, confidence, annotator=Confidence.EMBEDDING):
    return Suggestion(category, confidence, annotator)


def test_the_most_confident_suggestion_makes_the_category_and_none_makes_none():
    some = (suggestion(WORK, 0.4), suggestion(FAMILY, 0.6, Confidence.LEXICAL))
    fact = categorise(a_fact(category=None), some, None, frozenset({WORK, FAMILY}))
    assert (fact.category, fact.suggestions) == (FAMILY, some)
    assert categorise(a_fact(), (), None, frozenset()).category is None


def test_a_hint_counts_from_the_owner_alone_and_only_for_a_category_that_exists():
    known = frozenset({WORK})
    hinted = categorise(a_fact(category=None), (suggestion(FAMILY, 0.9),), WORK, known)
    assert hinted.category == WORK
    assert hinted.suggestions[0].annotator is Confidence.OWNER
    assert categorise(a_fact(teller=BOB), (), WORK, known).category is None
    assert categorise(a_fact(), (), FAMILY, known).category is None


# Annotating again only narrows

NEW = a_fact(category=FAMILY, suggestions=(suggestion(FAMILY, 0.9),), confirmed=None, settled=False)
SHARE = ListEntry(Colour.WHITE, BOB, Basis.GRANT, OWNER, T0)
BLOCK = ListEntry(Colour.BLACK, ANA, Basis.BLOCK, OWNER, T0)


def test_a_fact_annotated_for_the_first_time_is_as_annotated():
    assert keep_owner_marks(NEW, None) == NEW


def test_what_the_owner_confirmed_or_chose_keeps_its_category():
    confirmed = a_fact(category=WORK, suggestions=(suggestion(WORK, 0.5),))
    kept = keep_owner_marks(NEW, confirmed)
    assert (kept.category, kept.suggestions, kept.confirmed) == (WORK, confirmed.suggestions, T0)
    chosen = replace(confirmed, confirmed=None, suggestions=(suggestion(WORK, 1.0, Confidence.OWNER),))
    assert keep_owner_marks(NEW, chosen).category == WORK


def test_an_unsettled_fact_takes_its_new_category_and_a_settled_one_only_new_doubts():
    first = a_fact(category=WORK, suggestions=(suggestion(WORK, 0.5),), confirmed=None, settled=False)
    assert keep_owner_marks(NEW, first).category == FAMILY
    kept = keep_owner_marks(NEW, replace(first, settled=True))
    assert kept.category == WORK
    assert kept.suggestions == (suggestion(WORK, 0.5), suggestion(FAMILY, 0.9))
    firmer = replace(NEW, suggestions=(suggestion(WORK, 0.9),))
    assert keep_owner_marks(firmer, replace(first, settled=True)).suggestions == first.suggestions


@pytest.mark.parametrize("mark", ["secret", "sensitive", "cover", "confidential"])
def test_marks_that_narrow_stay(mark):
    assert getattr(keep_owner_marks(NEW, a_fact(**{mark: True})), mark)
    assert getattr(keep_owner_marks(replace(NEW, **{mark: True}), a_fact()), mark)


def test_other_words_lose_the_owners_yes_and_shares_but_no_bar():
    old = a_fact(text="other words", lists=(SHARE, BLOCK), kept_private=True)
    kept = keep_owner_marks(NEW, old)
    assert (kept.confirmed, kept.category, kept.lists, kept.kept_private) == (None, FAMILY, (BLOCK,), True)
    same = keep_owner_marks(NEW, replace(old, text=NEW.text))
    assert (same.confirmed, same.lists) == (T0, (SHARE, BLOCK))


def test_a_correction_and_the_event_stay():
    old = a_fact(superseded_by=FactId("f2"))
    assert keep_owner_marks(NEW, old).superseded_by == FactId("f2")
    assert keep_owner_marks(NEW, old).event == old.event


# Requests


def test_a_clear_request_blacklists_one_person_and_hushes_nothing_else():
    entries, unclear = requested(Request(("Bob",)), CAROL, T0, PEOPLE)
    assert entries == (ListEntry(Colour.BLACK, BOB, Basis.REQUEST, CAROL, T0),)
    assert not unclear


@pytest.mark.parametrize(
    ("names", "barred"), [((), []), (("妈妈",), []), (("Ana",), [ANA, CAROL]), (("Bob", "妈妈"), [BOB])]
)
def test_a_request_that_is_not_clear_bars_everybody_it_may_mean_and_is_confidential(names, barred):
    entries, unclear = requested(Request(names), BOB, T0, PEOPLE)
    assert [e.person for e in entries] == barred
    assert unclear


def test_nobody_can_ask_to_keep_something_from_the_owner():
    assert requested(Request(("Olga",)), BOB, T0, PEOPLE) == ((), False)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("doctor friday", "friday doctor nine", True),
        ("doctor friday", "doctor monday", False),
        ("a b c d e f", "a b x y z w", False),
        ("a b c d", "a b x y z w", True),
        ("", "", False),
    ],
)
def test_statements_that_share_half_their_terms_are_one_event(one, other, expected):
    assert same_event(one.split(), other.split()) is expected


def test_what_is_told_again_has_both_sources_and_what_narrows_of_both():
    one = a_fact(sources=(MessageId("m1"),), first_hand=True, owner_typed=True)
    other = replace(one, id=FactId("f_other"), sources=(MessageId("m2"),))
    assert told_again(one, other) == replace(one, sources=(MessageId("m1"), MessageId("m2")))
    for name in ("first_hand", "owner_typed"):
        assert not getattr(told_again(one, replace(other, **{name: False})), name)
    for name in ("unresolved", "confidential", "cover", "secret", "sensitive"):
        assert getattr(told_again(one, replace(other, **{name: True})), name)

"""Policies and cards keep every field, those that are added later included."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime

import pytest

from engine.audience import EVERYONE
from engine.cards import (
    Card,
    CardState,
    CategoryProposal,
    FactCard,
    ForgetProposal,
    LevelProposal,
    ProposalCard,
    RetentionProposal,
    ShareProposal,
)
from engine.errors import StoreFault
from engine.ids import CategoryName, ContainerId, FactId, MessageId, PersonId
from engine.labels import Label, Lattice
from engine.policy import Category, Holding, Policy, ReleaseSetting
from engine.retention import Period, Retention
from storage.card_text import card_of, text_of
from storage.json_values import from_plain, to_plain

THEN = datetime(2026, 5, 1, tzinfo=UTC)
CATEGORY = Category(
    CategoryName("工作"), (Label(1, "x"), Label(2, "y")), {"en": "work", "zh": "工作"}, {"en": ("a", "b")},
    ReleaseSetting.OWN, ((THEN, (Label(0),)),), ((THEN, ReleaseSetting.NEVER),),
)  # fmt: skip
POLICY = Policy(
    version=7,
    lattice=Lattice(5, ("x", "y")),
    categories=(CATEGORY,),
    contacts={PersonId("a"): (Holding(Label(1, "x"), THEN), Holding(Label(2, "y"))), PersonId("b"): ()},
    rho=0.25,
    unresolved="refuse",
    blacklist_scope="fact",
    covers_for=frozenset({PersonId("c")}),
    room_consents=frozenset({"r2", "r1"}),
    timezone="Asia/Shanghai",
    owner_name="Mei",
    lines={("greeting", "en"): "Hi", ("greeting", "zh"): "你好"},
    retention=Retention({ContainerId("r1"): 30}, {CategoryName("工作"): 365}),
)


def test_every_field_of_a_policy_comes_back():
    """With something in each: a field that was added and is not in here fails this test."""
    for value, plain in ((POLICY, Policy()), (CATEGORY, Category(CategoryName("x"), (Label(0),)))):
        assert [f.name for f in fields(value) if getattr(value, f.name) == getattr(plain, f.name)] == []
    assert from_plain(Policy, to_plain(POLICY)) == POLICY


def test_what_an_older_version_did_not_write_has_its_default():
    plain = to_plain(POLICY)
    del plain["rho"]
    assert from_plain(Policy, plain) == replace(POLICY, rho=Policy().rho)


def test_what_a_newer_version_wrote_is_refused():
    with pytest.raises(StoreFault, match=r"newer Tact.*Policy\.narrow"):
        from_plain(Policy, {**to_plain(POLICY), "narrow": True})


def test_what_has_no_plain_form_is_refused():
    @dataclass(frozen=True)
    class Odd:
        value: complex

    with pytest.raises(TypeError):
        to_plain(Odd(1j))
    with pytest.raises(TypeError):
        from_plain(complex, "1j")
    with pytest.raises(TypeError):
        from_plain(list[int], [1])


CARDS = [
    Card(
        "c", THEN, FactCard((FactId("f"),), {FactId("f"): EVERYONE}, (CategoryName("work"),)), CardState.KEPT
    ),
    *(
        Card("c", THEN, ProposalCard(proposal, "words"), nonce="n", deed="d")
        for proposal in (
            LevelProposal(PersonId("irc:bob"), Label(1, "work")),
            CategoryProposal(CategoryName("work"), (Label(4),), ReleaseSetting.ANY, {"zh": "工作"}),
            ShareProposal((FactId("f"),), (PersonId("irc:bob"),)),
            ForgetProposal((FactId("f"),), (MessageId("m"),)),
            RetentionProposal(Period(3, chat=ContainerId("irc:#a"))),
        )
    ),
]


@pytest.mark.parametrize("card", CARDS)
def test_a_card_is_read_as_it_was_written(card):
    assert card_of("c", THEN, text_of(card), done=False) == card


def test_a_card_of_a_newer_tact_is_refused():
    text = text_of(CARDS[1]).replace("LevelProposal", "NewProposal")
    with pytest.raises(StoreFault, match="newer Tact wrote this memory"):
        card_of("c", THEN, text, done=False)

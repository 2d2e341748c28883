"""Cards say what they ask."""

from __future__ import annotations

from datetime import UTC, datetime

from engine.cards import Card, CardKind, FactCard, ForgetProposal, ProposalCard
from engine.ids import FactId

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def test_a_card_of_facts_and_one_of_a_proposal_are_told_apart():
    assert Card("c", NOW, FactCard(())).kind is CardKind.FACT
    assert Card("c", NOW, ProposalCard(ForgetProposal((), ()), "")).kind is CardKind.WIDENING


def test_no_words_are_in_what_a_log_would_show():
    forget = ForgetProposal((FactId("f"),), ())
    assert "secret" not in repr(Card("c", NOW, ProposalCard(forget, "a secret"), nonce="secret"))

"""A card as JSON, and back: what it asks, how far it is, and what its buttons call it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from engine.cards import Card, CardState, FactCard, ProposalCard
from storage.json_values import from_plain, to_plain


@dataclass(frozen=True, slots=True)
class _Body:
    about: FactCard | ProposalCard
    state: CardState
    nonce: str
    deed: str


def text_of(card: Card) -> str:
    """What of a card can hold words, and every id that it speaks of."""
    body = _Body(card.about, card.state, card.nonce, card.deed)
    return json.dumps(to_plain(body), ensure_ascii=False)


def card_of(name: str, made_at: datetime, text: str, *, done: bool) -> Card:
    """The card again.

    Raises:
        StoreFault: if a newer Tact wrote it.
    """
    body: Any = from_plain(_Body, json.loads(text))
    return Card(name, made_at, body.about, body.state, body.nonce, body.deed, done)

"""Turns, cards and deliveries, in the twin."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Card, FactCard
from engine.ids import TurnId
from engine.mailroom import Sending
from engine.records import TurnTrace
from storage.card_text import text_of
from storage.twin.state import Part
from storage.word_copies import items_in, state_without_words, strings_in, wordless


class DeedsPart(Part):
    """See `engine.store.Transaction`."""

    async def put_turn(self, trace: TurnTrace) -> None:
        """Create or replace a trace."""
        old = self._state.turns.get(trace.id)
        gone = (old is not None and old.forgotten) or bool(items_in(trace) & self._state.tombstones)
        self._state.turns[trace.id] = wordless(trace) if gone else trace

    async def turn(self, turn: TurnId) -> TurnTrace | None:
        """One trace."""
        return self._state.turns.get(turn)

    async def turns(self, limit: int) -> list[TurnTrace]:
        """The newest traces."""
        arrived = list(self._state.turns.values())[::-1]
        return sorted(arrived, key=lambda t: t.at, reverse=True)[: max(0, limit)]

    async def put_card(self, card: Card) -> None:
        """Create or replace a card."""
        gone = card.id in self._state.blank or strings_in(text_of(card)) & self._state.tombstones
        self._state.cards[card.id] = self._erased(card) if gone else card

    def _erased(self, card: Card) -> Card:
        self._state.blank.add(card.id)
        return replace(card, about=FactCard(()), done=True)

    async def cards(self) -> list[Card]:
        """Cards not done."""
        waiting = [c for c in self._state.cards.values() if not c.done][::-1]
        return sorted(waiting, key=lambda c: c.made_at, reverse=True)

    async def put_sending(self, sending: Sending) -> bool:
        """Create or update a delivery."""
        s = self._state
        if sending.state == "pending" and sending.key in s.outbox:
            return False
        gone = sending.key in s.blank or bool(set(sending.used) & s.tombstones)
        s.outbox[sending.key] = self._unsaid(sending) if gone else sending
        return True

    def _unsaid(self, sending: Sending) -> Sending:
        self._state.blank.add(sending.key)
        return replace(sending, text="", state=state_without_words(sending.state))

    async def sendings(self, state: str) -> list[Sending]:
        """Deliveries in this state."""
        return [s for s in self._state.outbox.values() if s.state == state]

"""Turns, cards and deliveries, in the twin; forgetting and counting."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from engine.ids import FactId, MessageId, TurnId
from engine.items import Origin
from engine.mailroom import Sending
from engine.store import Card, Forgotten, TurnTrace
from storage.erasing import ERASED_CARD, Words, items_in, state_without_words, strings_in, wordless
from storage.twin.state import Part


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
        gone = card.id in self._state.blank or strings_in(card.body) & self._state.tombstones
        self._state.cards[card.id] = self._erased(card) if gone else card

    def _erased(self, card: Card) -> Card:
        self._state.blank.add(card.id)
        return replace(card, body=ERASED_CARD, done=True)

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

    async def forget(
        self, *, facts: Iterable[FactId] = (), messages: Iterable[MessageId] = (), at: datetime
    ) -> Forgotten:
        """Erase facts with their sources, messages with their facts, and every copy of their words."""
        del at
        s = self._state
        asked = set(facts)
        sources = set(messages) | {m for i in asked & set(s.facts) for m in s.facts[i].fact.sources}
        gone_facts = {i for i, n in s.facts.items() if i in asked or sources & set(n.fact.sources)}
        gone_messages = sources & set(s.messages)
        words = Words(s.messages[m].text for m in gone_messages)
        for fact in gone_facts:
            words.add(s.facts[fact].fact.text)
        asked_messages = set(gone_messages)
        for reply in [m for m in s.messages.values() if m.origin is Origin.TACT]:
            told = bool(gone_facts & set(reply.used)) or words.repeated_in(reply.text)
            if told:
                words.add_reply(reply.text)
            if told or reply.reply_to in asked_messages:
                gone_messages.add(reply.id)
        s.tombstones |= gone_facts | asked | gone_messages | sources
        self._drop(gone_facts, gone_messages)
        turns = self._wipe({*gone_facts, *gone_messages}, words)
        return Forgotten(len(gone_facts), len(gone_messages), turns)

    def _drop(self, facts: set[FactId], messages: set[MessageId]) -> None:
        s = self._state
        for message in messages:
            del s.messages[message], s.raws[message]
        for fact in facts:
            del s.facts[fact]
            s.fact_lists.pop(fact, None)
        s.edges = [e for e in s.edges if e.fact not in facts]
        for i, (_, link) in list(s.links.items()):
            if {link.left, link.right} & facts or link.message in messages:
                del s.links[i]

    def _wipe(self, ids: set[str], words: Words) -> int:
        """Erase the words of traces, cards and deliveries that hold any of these; returns how many traces."""
        s, turns = self._state, 0
        for trace in [t for t in s.turns.values() if not t.forgotten]:
            if (items_in(trace) - {trace.message}) & ids:
                words.add_reply(trace.reply)
            kept = (trace.question, trace.payload.decode(errors="replace"), trace.reply)
            if items_in(trace) & ids or any(words.repeated_in(text) for text in kept):
                s.turns[trace.id] = wordless(trace)
                turns += 1
        for card in list(s.cards.values()):
            if any(i in card.body for i in ids) or words.repeated_in(card.body):
                s.cards[card.id] = self._erased(card)
        for sending in list(s.outbox.values()):
            if set(sending.used) & ids or words.repeated_in(sending.text):
                s.outbox[sending.key] = self._unsaid(sending)
        return turns

    async def counts(self) -> dict[str, int]:
        """How much there is of everything."""
        s = self._state
        return {
            "accounts": len(set(s.seen) | set(s.owners)), "chats": len(s.chats), "messages": len(s.messages),
            "sessions": len(s.sessions), "facts": len(s.facts), "edges": len(s.edges), "links": len(s.links),
            "policy versions": len(s.policies), "turns": len(s.turns),
            "cards": sum(not c.done for c in s.cards.values()),
            "pending": sum(d.state == "pending" for d in s.outbox.values()), "tombstones": len(s.tombstones),
        }  # fmt: skip

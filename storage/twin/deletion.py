"""Forgetting and counting, in the twin."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from engine.ids import CategoryName, ContainerId, FactId, MessageId
from engine.items import Origin
from engine.mailroom import State
from engine.records import Forgotten, Posted
from engine.store import Progress, unwatched
from storage.card_text import text_of
from storage.twin.deeds import DeedsPart
from storage.word_copies import Words, items_in, starts_of, strings_in, wordless

_PLATFORMS_MAY_HAVE = {State.SENT, State.UNCERTAIN, State.SENDING}


class ForgettingPart(DeedsPart):
    """See `engine.store.Transaction`."""

    async def forget(
        self,
        *,
        facts: Iterable[FactId] = (),
        messages: Iterable[MessageId] = (),
        at: datetime,
        progress: Progress = unwatched,
    ) -> Forgotten:
        """Erase facts with their sources, messages with their facts, and every copy of their words."""
        del at
        s = self._state
        asked = set(facts)
        sources = set(messages) | {m for i in asked & set(s.facts) for m in s.facts[i].fact.sources}
        gone_facts = {i for i, n in s.facts.items() if i in asked or sources & set(n.fact.sources)}
        gone_messages = sources & set(s.messages)
        raws = [
            Posted(s.messages[m].container, sender=s.messages[m].sender, raw=s.raws[m])
            for m in sorted(gone_messages)
            if s.raws[m]
        ]
        words = Words(s.messages[m].text for m in gone_messages)
        for fact in gone_facts:
            words.add(s.facts[fact].fact.text)
        retold = self._retold(gone_facts, gone_messages, words)
        answered = {s.messages[reply].reply_to for reply in retold}
        telling = {str(turn.id) for turn in s.turns.values() if turn.message in answered}
        gone_messages |= retold
        s.tombstones |= gone_facts | asked | gone_messages | sources
        self._drop(gone_facts, gone_messages)
        turns, told = self._wipe({*gone_facts, *gone_messages}, telling, words)
        self._wipe_arrivals({posted.raw for posted in raws})
        progress(1)
        return Forgotten(len(gone_facts), len(gone_messages), turns, (*told, *raws))

    def _retold(self, facts: set[FactId], asked: set[MessageId], words: Words) -> set[MessageId]:
        """Replies of Tact's that told any of it, answered these messages or repeat their words."""
        found = set()
        for reply in [m for m in self._state.messages.values() if m.origin is Origin.TACT]:
            by_id = facts & set(reply.used) or asked & set(self._state.heard[reply.id])
            told = bool(by_id) or reply.id in asked or words.repeated_in(reply.text)
            if told:
                words.add_reply(reply.text)
            if told or reply.reply_to in asked:
                found.add(reply.id)
        return found

    def _drop(self, facts: set[FactId], messages: set[MessageId]) -> None:
        s = self._state
        for message in messages:
            del s.messages[message], s.raws[message], s.heard[message]
        for fact in facts:
            del s.facts[fact]
            s.fact_lists.pop(fact, None)
        s.edges = [e for e in s.edges if e.fact not in facts]
        for i, (_, link) in list(s.links.items()):
            if {link.left, link.right} & facts or link.message in messages:
                del s.links[i]

    def _wipe(self, ids: set[str], telling: set[str], words: Words) -> tuple[int, list[Posted]]:
        """Erase the words of traces, cards and deliveries that hold any of these.

        Returns:
            How many traces, and the deliveries that a platform may have.
        """
        s, turns = self._state, 0
        own = {str(turn.id) for turn in s.turns.values() if turn.message in ids}
        for trace in [t for t in s.turns.values() if not t.forgotten]:
            if (items_in(trace) - {trace.message}) & ids:
                words.add_reply(trace.reply)
            kept = (trace.reply, trace.question, trace.payload.decode(errors="replace"))
            if items_in(trace) & ids or any(words.repeated_in(text) for text in kept):
                s.turns[trace.id] = wordless(trace)
                turns += 1
        for card in list(s.cards.values()):
            text = text_of(card)
            if strings_in(text) & ids or words.repeated_in(text):
                s.cards[card.id] = self._erased(card)
        return turns, self._wipe_outbox(ids, own | {f"{turn}/reply" for turn in telling}, words)

    def _wipe_outbox(self, ids: set[str], starts: set[str], words: Words) -> list[Posted]:
        s, told = self._state, []
        starts = starts | {d.key for d in s.outbox.values() if set(d.used) & ids}
        for sending in [d for d in s.outbox.values() if d.key not in s.blank]:
            by_id = set(sending.used) & ids or starts_of(sending.key, sending.about) & starts
            if by_id or words.repeated_in(sending.text):
                s.outbox[sending.key] = self._unsaid(sending)
                if sending.state in _PLATFORMS_MAY_HAVE:
                    told.append(Posted(sending.container, sending.key))
        return sorted(told, key=lambda posted: posted.key)

    def _wipe_arrivals(self, raws: set[str]) -> None:
        """Raw events of forgotten messages that are not finished; nothing more is to come of them."""
        for key, arrival in self._state.arrivals.items():
            if arrival is not None and arrival.payload in raws:
                self._state.arrivals[key] = None

    async def messages_before(
        self, moment: datetime, container: ContainerId, limit: int
    ) -> list[tuple[MessageId, datetime]]:
        """A container's messages sent before this moment, oldest first."""
        old = [m for m in self._state.messages.values() if m.container == container and m.sent_at < moment]
        return [(m.id, m.sent_at) for m in sorted(old, key=lambda m: m.sent_at)][: max(0, limit)]

    async def facts_before(
        self, moment: datetime, category: CategoryName, limit: int
    ) -> list[tuple[FactId, datetime]]:
        """A category's facts said before this moment, oldest first."""
        every = [new.fact for new in self._state.facts.values()]
        old = [(f.id, f.said_at) for f in every if f.category == category and f.said_at < moment]
        return sorted(old, key=lambda found: (found[1], found[0]))[: max(0, limit)]

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

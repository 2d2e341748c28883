"""Turns, cards and deliveries: what Tact did, and what it is about to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from sqlalchemy import delete, insert, select, update
from sqlalchemy.sql import Select

from engine.audience import Audience
from engine.cards import Card
from engine.ids import ContainerId, FactId, MessageId, PersonId, TurnId
from engine.mailroom import Sending, SendingKind
from engine.records import Outcome, TurnTrace
from storage.card_text import card_of, text_of
from storage.repositories.base import Unit
from storage.tables import cards, outbox, outbox_facts, turn_items, turns
from storage.word_copies import ERASED_CARD, items_in, state_without_words, strings_in, wordless


class DeedRepository(Unit):
    """See `engine.store.Transaction`. What was forgotten meanwhile is stored without its words."""

    async def put_turn(self, trace: TurnTrace) -> None:
        """Create or replace a trace."""
        wanted = select(turns.c.seq, turns.c.forgotten).where(turns.c.id == trace.id)
        old = (await self._run(wanted)).first()
        if (old is not None and old.forgotten) or await self._gone(items_in(trace)):
            trace = wordless(trace)
        values = await self._turn_values(trace)
        if old is None:
            await self._run(insert(turns).values(values))
        else:
            await self._run(update(turns).where(turns.c.id == trace.id).values(values))
            await self._run(delete(turn_items).where(turn_items.c.turn_id == trace.id))
        await self._insert(turn_items, _items(trace))

    async def _turn_values(self, trace: TurnTrace) -> dict[str, object]:
        seal = self._vault.seal
        return {
            "id": trace.id,
            "message_id": trace.message,
            "container_id": trace.container,
            "asker": trace.asker,
            "at": trace.at,
            "audience_id": await self._number(trace.upper),
            "policy_version": trace.policy_version,
            "outcome": str(trace.outcome),
            "digest": trace.digest,
            "forgotten": trace.forgotten,
            "viewers": seal("turns", "viewers", trace.id, trace.viewers.encode()),
            "question": seal("turns", "question", trace.id, trace.question.encode()),
            "payload": seal("turns", "payload", trace.id, trace.payload),
            "reply": seal("turns", "reply", trace.id, trace.reply.encode()),
        }

    async def turn(self, turn: TurnId) -> TurnTrace | None:
        """One trace."""
        return next(iter(await self._turns(select(turns).where(turns.c.id == turn))), None)

    async def turns(self, limit: int) -> list[TurnTrace]:
        """The newest traces, newest first."""
        newest = select(turns).order_by(turns.c.at.desc(), turns.c.seq.desc()).limit(max(0, limit))
        return await self._turns(newest)

    async def _turns(self, wanted: Select[Any]) -> list[TurnTrace]:
        rows = await self._rows(wanted)
        known = await self._audiences({row.audience_id for row in rows})
        items: dict[str, list[Any]] = {row.id: [] for row in rows}
        order = select(turn_items).order_by(turn_items.c.turn_id, turn_items.c.role, turn_items.c.position)
        for item in await self._in_chunks(order, turn_items.c.turn_id, items):
            items[item.turn_id].append(item)
        return [self._trace(row, known[row.audience_id], items[row.id]) for row in rows]

    def _trace(self, row: Any, upper: Audience, items: Iterable[Any]) -> TurnTrace:
        by_role: dict[str, list[Any]] = {"decision": [], "withheld": [], "used": []}
        for item in items:
            by_role[item.role].append(item)
        decided, withheld = (
            tuple((i.item_id, i.allowed, i.reason, i.viewer) for i in by_role[role])
            for role in ("decision", "withheld")
        )
        return TurnTrace(
            id=TurnId(row.id),
            message=MessageId(row.message_id),
            container=ContainerId(row.container_id),
            asker=PersonId(row.asker),
            at=row.at,
            viewers=self._vault.open_text(row.viewers, row.id),
            upper=upper,
            policy_version=row.policy_version,
            outcome=Outcome(row.outcome),
            decisions=decided,
            withheld=withheld,
            digest=row.digest,
            used=tuple(FactId(item.item_id) for item in by_role["used"]),
            question=self._vault.open_text(row.question, row.id),
            payload=self._vault.open(row.payload, row.id),
            reply=self._vault.open_text(row.reply, row.id),
            forgotten=row.forgotten,
        )

    async def put_card(self, card: Card) -> None:
        """Create or replace a card."""
        old = (await self._run(select(cards.c.forgotten).where(cards.c.id == card.id))).first()
        gone = (old is not None and old.forgotten) or bool(await self._gone(strings_in(text_of(card))))
        values = {
            "id": card.id,
            "kind": str(card.kind),
            "made_at": card.made_at,
            "done": card.done or gone,
            "forgotten": gone,
            "body": self._vault.seal_text("cards", "body", card.id, ERASED_CARD if gone else text_of(card)),
        }
        if old is None:
            await self._run(insert(cards).values(values))
        else:
            await self._run(update(cards).where(cards.c.id == card.id).values(values))

    async def cards(self) -> list[Card]:
        """Cards not done, newest first."""
        waiting = select(cards).where(cards.c.done.is_(False))
        rows = await self._rows(waiting.order_by(cards.c.made_at.desc(), cards.c.seq.desc()))
        return [
            card_of(row.id, row.made_at, self._vault.open_text(row.body, row.id), done=row.done)
            for row in rows
        ]

    async def put_sending(self, sending: Sending) -> bool:
        """Create or update a delivery."""
        old = (await self._run(select(outbox.c.forgotten).where(outbox.c.key == sending.key))).first()
        if old is not None and sending.state == "pending":
            return False
        gone = (old is not None and old.forgotten) or bool(await self._gone(sending.used))
        sending = _unsaid(sending) if gone else sending
        values = {
            "key": sending.key,
            "container_id": sending.container,
            "state": sending.state,
            "kind": str(sending.kind),
            "about": sending.about or None,
            "message": sending.message or None,
            "sent_at": sending.sent_at,
            "forgotten": gone,
            "text": self._vault.seal_text("outbox", "text", sending.key, sending.text),
        }
        if old is None:
            await self._run(insert(outbox).values(values))
        else:
            await self._run(update(outbox).where(outbox.c.key == sending.key).values(values))
            await self._run(delete(outbox_facts).where(outbox_facts.c.key == sending.key))
        used: list[dict[str, object]] = [
            {"key": sending.key, "position": place, "fact_id": fact}
            for place, fact in enumerate(sending.used)
        ]
        await self._insert(outbox_facts, used)
        return True

    async def sendings(self, state: str) -> list[Sending]:
        """Deliveries in this state, in order of arrival."""
        return await self._sendings(select(outbox).where(outbox.c.state == state))

    async def _sendings(self, wanted: Select[Any]) -> list[Sending]:
        rows = await self._rows(wanted.order_by(outbox.c.seq))
        used: dict[str, list[FactId]] = {}
        order = select(outbox_facts).order_by(outbox_facts.c.key, outbox_facts.c.position)
        for row in await self._in_chunks(order, outbox_facts.c.key, [row.key for row in rows]):
            used.setdefault(row.key, []).append(FactId(row.fact_id))
        return [
            Sending(
                row.key, ContainerId(row.container_id), self._vault.open_text(row.text, row.key), row.state,
                tuple(used.get(row.key, ())), SendingKind(row.kind), row.about or "", row.message or "", row.sent_at,
            )
            for row in rows
        ]  # fmt: skip


def _unsaid(sending: Sending) -> Sending:
    return replace(sending, text="", state=state_without_words(sending.state))


def _items(trace: TurnTrace) -> list[dict[str, object]]:
    every = [("decision", *decision) for decision in trace.decisions]
    every += [("withheld", *decision) for decision in trace.withheld]
    every += [("used", str(fact), True, "", "") for fact in trace.used]
    places: dict[str, int] = {}
    rows: list[dict[str, object]] = []
    for role, item, allowed, reason, viewer in every:
        place = places[role] = places.get(role, -1) + 1
        rows.append(
            {
                "turn_id": trace.id,
                "role": role,
                "position": place,
                "item_id": item,
                "allowed": allowed,
                "reason": reason,
                "viewer": viewer,
            }
        )
    return rows

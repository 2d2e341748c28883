"""`/forget`: facts with their sources, messages with their facts, and every copy of their words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import delete, func, or_, select, update

from engine.failpoints import reach
from engine.ids import FactId, MessageId
from engine.items import Origin
from engine.store import Forgotten
from storage.erasing import ERASED_CARD, Words, state_without_words
from storage.repositories.deeds import DeedRepository
from storage.repositories.recall import RecallRepository
from storage.repositories.unit import chunks
from storage.tables import (
    accounts,
    cards,
    containers,
    edges,
    fact_sources,
    facts,
    links,
    messages,
    outbox,
    policy_versions,
    sessions,
    tellings,
    tombstones,
    turn_items,
    turns,
)

_PAGE = 200


class ForgettingRepository(RecallRepository, DeedRepository):
    """See `engine.store.Transaction`."""

    async def forget(
        self, *, facts: Iterable[FactId] = (), messages: Iterable[MessageId] = (), at: datetime
    ) -> Forgotten:
        """Erase facts with their sources, messages with their facts, and every copy of their words."""
        asked = set(facts)
        sources = await self._in_chunks(select(fact_sources.c.message_id), fact_sources.c.fact_id, asked)
        wanted = set(messages) | {MessageId(row.message_id) for row in sources}
        gone_facts, gone_messages, words = await self._meant(asked, wanted)
        gone_messages |= await self._retold(gone_facts, gone_messages, words)
        await self._bury("fact", gone_facts | asked, at)
        await self._bury("message", gone_messages | wanted, at)
        await self._erase(gone_facts, gone_messages)
        reach("forgetting")
        ids: set[str] = {*gone_facts, *gone_messages}
        wiped = await self._wipe_turns(ids, words)
        await self._wipe_cards(ids, words)
        await self._wipe_outbox(gone_facts, words)
        return Forgotten(len(gone_facts), len(gone_messages), wiped, pending=True)

    async def _meant(
        self, asked: set[FactId], wanted: set[MessageId]
    ) -> tuple[set[FactId], set[MessageId], Words]:
        """What is to be erased: these facts and messages, the facts made from these messages, the words of all."""
        columns = select(messages.c.id, messages.c.text)
        told = await self._in_chunks(columns, messages.c.id, wanted)
        derived = await self._in_chunks(select(fact_sources.c.fact_id), fact_sources.c.message_id, wanted)
        ids = asked | {FactId(row.fact_id) for row in derived}
        stated = await self._in_chunks(select(facts.c.id, facts.c.text), facts.c.id, ids)
        words = Words(self._vault.open_text(row.text, row.id) for row in (*told, *stated))
        return {FactId(row.id) for row in stated}, {MessageId(row.id) for row in told}, words

    async def _retold(self, gone: set[FactId], told: set[MessageId], words: Words) -> set[MessageId]:
        """Replies of Tact's that told these facts, answered these messages or repeat their words."""
        users = await self._in_chunks(select(tellings.c.message_id), tellings.c.fact_id, gone)
        telling = {row.message_id for row in users}
        found: set[MessageId] = set()
        columns = select(messages.c.id, messages.c.text, messages.c.reply_to)
        for row in await self._rows(
            columns.where(messages.c.origin == str(Origin.TACT)).order_by(messages.c.seq)
        ):
            text = self._vault.open_text(row.text, row.id)
            told_it = row.id in telling or words.repeated_in(text)
            if told_it:
                words.add_reply(text)
            if told_it or row.reply_to in told:
                found.add(MessageId(row.id))
        return found

    async def _bury(self, kind: str, ids: Iterable[str], at: datetime) -> None:
        every = set(ids)
        known = await self._in_chunks(
            select(tombstones.c.id).where(tombstones.c.kind == kind), tombstones.c.id, every
        )
        new = every - {row.id for row in known}
        await self._insert(tombstones, [{"kind": kind, "id": i, "at": at} for i in sorted(new)])

    async def _erase(self, gone_facts: set[FactId], gone_messages: set[MessageId]) -> None:
        for part in chunks(gone_facts):
            await self._run(delete(links).where(or_(links.c.left_id.in_(part), links.c.right_id.in_(part))))
            await self._run(delete(facts).where(facts.c.id.in_(part)))
        for part in chunks(gone_messages):
            await self._run(delete(links).where(links.c.message_id.in_(part)))
            await self._run(delete(messages).where(messages.c.id.in_(part)))
        for fact in gone_facts:
            self._changed("fact", fact)

    async def _wipe_turns(self, ids: set[str], words: Words) -> int:
        """Erase the words of traces that hold any of it; returns how many."""
        held = turn_items.c.role.in_(("decision", "used")) & turn_items.c.allowed.is_(True)
        holding = await self._in_chunks(select(turn_items.c.turn_id).where(held), turn_items.c.item_id, ids)
        own = await self._in_chunks(select(turns.c.id), turns.c.message_id, ids)
        told = {row.turn_id for row in holding}
        known = told | {row.id for row in own}
        wiped, last = 0, 0
        pages = select(turns).where(turns.c.forgotten.is_(False)).order_by(turns.c.seq).limit(_PAGE)
        while page := await self._rows(pages.where(turns.c.seq > last)):
            last = page[-1].seq
            for row in page:
                sealed = (row.question, row.payload, row.reply)
                kept = [self._vault.open(w, row.id).decode(errors="replace") for w in sealed]
                if row.id in told:
                    words.add_reply(kept[-1])
                if row.id in known or any(words.repeated_in(text) for text in kept):
                    await self._wipe_turn(row.id)
                    wiped += 1
        return wiped

    async def _wipe_turn(self, turn: str) -> None:
        nothing = {c: self._vault.seal("turns", c, turn, b"") for c in ("question", "payload", "reply")}
        await self._run(update(turns).where(turns.c.id == turn).values(forgotten=True, **nothing))

    async def _wipe_cards(self, ids: set[str], words: Words) -> None:
        for row in await self._rows(select(cards.c.id, cards.c.body)):
            body = self._vault.open_text(row.body, row.id)
            if words.repeated_in(body) or any(i in body for i in ids):
                erased = self._vault.seal_text("cards", "body", row.id, ERASED_CARD)
                values = {"body": erased, "done": True, "forgotten": True}
                await self._run(update(cards).where(cards.c.id == row.id).values(values))

    async def _wipe_outbox(self, ids: set[FactId], words: Words) -> None:
        for sending in await self._sendings(select(outbox).where(outbox.c.forgotten.is_(False))):
            if ids & set(sending.used) or words.repeated_in(sending.text):
                state = state_without_words(sending.state)
                erased = self._vault.seal_text("outbox", "text", sending.key, "")
                values = {"text": erased, "state": state, "forgotten": True}
                await self._run(update(outbox).where(outbox.c.key == sending.key).values(values))

    async def counts(self) -> dict[str, int]:
        """How much there is of everything."""
        tables = {
            "accounts": accounts, "chats": containers, "messages": messages, "sessions": sessions, "facts": facts,
            "edges": edges, "links": links, "policy versions": policy_versions, "turns": turns,
            "tombstones": tombstones,
        }  # fmt: skip
        wanted = {name: select(func.count()).select_from(table) for name, table in tables.items()}
        wanted["cards"] = select(func.count()).select_from(cards).where(cards.c.done.is_(False))
        wanted["pending"] = select(func.count()).select_from(outbox).where(outbox.c.state == "pending")
        row = (await self._run(select(*(query.scalar_subquery() for query in wanted.values())))).one()
        return dict(zip(wanted, row, strict=True))

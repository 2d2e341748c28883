"""`/forget`: facts with their sources, messages with their facts, and every copy of their words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import delete, func, or_, select

from engine.failpoints import reach
from engine.ids import CategoryName, ContainerId, FactId, MessageId, PersonId
from engine.items import Origin
from engine.records import Forgotten, Posted
from engine.store import Progress, unwatched
from storage.prepared_reads import IDS, Prepared
from storage.repositories.base import chunks
from storage.repositories.search import RecallRepository
from storage.repositories.trace_erasure import WipingRepository
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
    turns,
)
from storage.word_copies import Words

_FILED = Prepared(select(facts.c.id, facts.c.said_at, facts.c.details).where(facts.c.id.in_(IDS)))


@dataclass(slots=True)
class _Meant:
    """What is to be erased."""

    facts: set[FactId] = field(default_factory=set)
    messages: set[MessageId] = field(default_factory=set)
    words: Words = field(default_factory=Words)
    raws: list[Posted] = field(default_factory=list)

    @property
    def ids(self) -> set[str]:
        """Of both kinds."""
        return {*self.facts, *self.messages}


class ForgettingRepository(RecallRepository, WipingRepository):
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
        asked = set(facts)
        sources = await self._in_chunks(select(fact_sources.c.message_id), fact_sources.c.fact_id, asked)
        wanted = set(messages) | {MessageId(row.message_id) for row in sources}
        meant = await self._meant(asked, wanted)
        progress(0.1)
        telling = await self._retold(meant)
        progress(0.2)
        await self._bury("fact", meant.facts | asked, at)
        await self._bury("message", meant.messages | wanted, at)
        await self._erase(meant.facts, meant.messages)
        reach("forgetting")
        progress(0.3)
        ids, words = meant.ids, meant.words
        wiped, own = await self._wipe_turns(ids, words, lambda done: progress(0.3 + 0.6 * done))
        await self._wipe_cards(ids, words)
        told = await self._wipe_outbox(ids, own | telling, words)
        await self._wipe_arrivals({posted.raw for posted in meant.raws})
        progress(1)
        return Forgotten(len(meant.facts), len(meant.messages), wiped, (*told, *meant.raws))

    async def _meant(self, asked: set[FactId], wanted: set[MessageId]) -> _Meant:
        """These facts and messages, the facts made from these messages, the words of all."""
        meant = _Meant()
        derived = await self._in_chunks(select(fact_sources.c.fact_id), fact_sources.c.message_id, wanted)
        for part in chunks(sorted(wanted)):
            for row in await self._rows(
                select(messages).where(messages.c.id.in_(part)).order_by(messages.c.id)
            ):
                meant.messages.add(MessageId(row.id))
                meant.words.add(self._vault.open_text(row.text, row.id))
                raw = self._vault.open_text(row.raw, row.id)
                if raw:
                    where, who = ContainerId(row.container_id), PersonId(row.sender)
                    meant.raws.append(Posted(where, sender=who, raw=raw))
        for part in chunks(asked | {FactId(row.fact_id) for row in derived}):
            for row in await self._rows(select(facts.c.id, facts.c.text).where(facts.c.id.in_(part))):
                meant.facts.add(FactId(row.id))
                meant.words.add(self._vault.open_text(row.text, row.id))
        return meant

    async def _retold(self, meant: _Meant) -> set[str]:
        """Add the replies of Tact's that told any of it, answered these messages or repeat their words.

        Everything said in the turn of a forgotten message told of it; of other turns their replies did: returns how the
        keys of these replies start.
        """
        users = await self._in_chunks(select(tellings.c.message_id), tellings.c.fact_id, meant.ids)
        telling = {
            row.message_id for row in users
        } | meant.messages  # one that is asked for itself, however short
        asked, answered = frozenset(meant.messages), set()
        columns = select(messages.c.seq, messages.c.id, messages.c.text, messages.c.reply_to)
        async for page in self._pages(columns.where(messages.c.origin == str(Origin.TACT)), messages.c.seq):
            for row in page:
                text = self._vault.open_text(row.text, row.id)
                told_it = row.id in telling or meant.words.repeated_in(text)
                if told_it:
                    meant.words.add_reply(text)
                if told_it or row.reply_to in asked:
                    meant.messages.add(MessageId(row.id))
                    answered.add(row.reply_to)
        rows = await self._in_chunks(select(turns.c.id), turns.c.message_id, answered - {None})
        return {f"{row.id}/reply" for row in rows}

    async def _bury(self, kind: str, ids: Iterable[str], at: datetime) -> None:
        every = set(ids)
        known = await self._in_chunks(
            select(tombstones.c.id).where(tombstones.c.kind == kind), tombstones.c.id, every
        )
        new = every - {row.id for row in known}
        for part in chunks(sorted(new)):
            await self._insert(tombstones, [{"kind": kind, "id": i, "at": at} for i in part])

    async def _erase(self, gone_facts: set[FactId], gone_messages: set[MessageId]) -> None:
        for part in chunks(gone_facts):
            await self._run(delete(links).where(or_(links.c.left_id.in_(part), links.c.right_id.in_(part))))
            await self._run(delete(facts).where(facts.c.id.in_(part)))
        for part in chunks(gone_messages):
            await self._run(delete(links).where(links.c.message_id.in_(part)))
            await self._run(delete(messages).where(messages.c.id.in_(part)))
        for fact in gone_facts:
            self._changed("fact", fact)

    async def messages_before(
        self, moment: datetime, container: ContainerId, limit: int
    ) -> list[tuple[MessageId, datetime]]:
        """A container's messages sent before this moment, oldest first."""
        wanted = select(messages.c.id, messages.c.sent_at).where(
            messages.c.container_id == container, messages.c.sent_at < moment
        )
        rows = await self._rows(wanted.order_by(messages.c.sent_at, messages.c.seq).limit(max(0, limit)))
        return [(MessageId(row.id), row.sent_at) for row in rows]

    async def facts_before(
        self, moment: datetime, category: CategoryName, limit: int
    ) -> list[tuple[FactId, datetime]]:
        """A category's facts said before this moment, oldest first.

        The category is sealed, and a digest of it in the table would tell which facts share one. The index has it open, in
        memory: it proposes, and what it proposes is opened once more.
        """
        found: list[tuple[FactId, datetime]] = []
        for part in chunks((await self._index()).filed_before(category, moment)):
            if len(found) >= limit:
                break
            rows = {row.id: row for row in await _FILED.read(self._connection, part)}
            there = (rows[i] for i in part if i in rows)
            found += [(FactId(r.id), r.said_at) for r in there if self._details(r)["category"] == category]
        return found[: max(0, limit)]

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

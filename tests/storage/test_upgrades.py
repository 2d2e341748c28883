"""Memories of each released revision: brought up to date they keep every row, and are of use; on both back ends."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import text

from engine.audience import EVERYONE, OWNER_ONLY, Audience
from engine.cards import (
    CardState,
    CategoryProposal,
    FactCard,
    ForgetProposal,
    LevelProposal,
    ProposalCard,
    RetentionProposal,
    ShareProposal,
)
from engine.errors import StoreFault
from engine.ids import CategoryName, PersonId
from engine.labels import Label
from engine.mailroom import Room, SendingKind
from engine.policy import ReleaseSetting
from engine.retention import Period
from engine.shown import Shown
from engine.store import Scope, Search
from storage import SqlStore, Vault
from storage.backups.archive import DATABASE, Archive
from storage.backups.copies import copies_of
from storage.backups.snapshot import Wanted, back_up
from storage.backups.table_copy import continue_numbers, copy_rows
from storage.engines import opened
from storage.migrate import HEAD, KNOWN, configured, references, upgrade

RELEASED = sorted(KNOWN - {HEAD})
ZONE, NOW = Scope(OWNER_ONLY), datetime(2026, 6, 1, tzinfo=UTC)


def test_there_is_a_memory_of_every_revision_before_this_one():
    dumps = {path.stem for path in (Path(__file__).parent / "filled").glob("*.sql")}
    assert set(RELEASED) <= dumps


@pytest.mark.parametrize("revision", RELEASED)
def test_every_table_of_a_released_memory_has_rows(filled, rows, revision):
    assert [table for table, found in rows(filled(revision)).items() if not found] == []


def _kept(old: dict, new: dict) -> None:
    """Every row that was there is there, with every value that it had; notes of lists are rows of their own now."""
    for table, rows in old.items():
        before = [row for row in rows if table != "notes" or "room:" not in row["name"]]
        if table == "cards":  # in the shape of their types now; one without its act asks for nothing any more
            before = [{"id": row["id"], "seq": row["seq"]} for row in rows]
        after = [{name: row[name] for name in before[0]} for row in new[table]]
        assert sorted(map(repr, after)) == sorted(map(repr, before)), table


async def _is_of_use(where: Path | str, vault) -> None:
    """The store finds, explains and forgets what an older Tact wrote."""
    store = await SqlStore.open(where, vault)
    async with store.transaction() as tx:
        assert (await tx.policy()).version == 2
        assert (await tx.people()).called("telegram:2") == "Bob"
        hits = await tx.search(Search(("borealis",)), ZONE, 5)
        assert hits[0].fact.text == "The Borealis launch is on Friday."
        assert hits[0].rank.score > hits[1].rank.score
        assert {entry.person for entry in hits[0].fact.lists} == {"telegram:2", "telegram:3"}
        bobs = await tx.search(Search((), wide=True), Scope(Audience.of(["telegram:2"])), 9)
        assert {hit.fact.id for hit in bobs} == {"f1", "f2", "f3"}  # the first was shared with him
        (turn,) = await tx.turns(5)
        assert (turn.question, turn.reply, turn.payload.decode()) == (
            "When is it?",
            "On Friday.",
            "sealed, 封",
        )
        assert not await tx.record((await tx.message("m1", ZONE)), event="event m1")
    async with store.transaction() as tx:
        done = await tx.forget(facts=["f1"], at=NOW)
        assert (done.facts, done.messages, done.turns) == (1, 2, 1)
    async with store.transaction() as tx:
        assert {hit.fact.id for hit in await tx.search(Search(("borealis",)), ZONE, 5)} == {"f2", "f3"}
        assert (await tx.turn("t1")).reply == ""
    await store.close()


@pytest.mark.parametrize("revision", RELEASED)
async def test_an_older_file_keeps_every_row_and_is_of_use(filled, rows, vault, revision):
    path = filled(revision)
    before = rows(path)
    await (await SqlStore.open(path, vault)).close()
    _kept(before, rows(path))
    await _is_of_use(path, vault)


def _with_notes(path: Path, vault, notes: dict[str, str], keys: tuple[str, ...] = ()) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        for name, value in notes.items():
            sealed = vault.seal_text("notes", "value", name, value).data
            database.execute("INSERT INTO notes VALUES (?, ?)", (name, sealed))
        for key in keys:
            text = vault.seal_text("outbox", "text", key, "words").data
            row = (key, "telegram:-100", "uncertain", False, text)
            database.execute(
                "INSERT INTO outbox (key, container_id, state, forgotten, text) VALUES (?, ?, ?, ?, ?)", row
            )


async def test_lists_in_notes_become_rows(filled, vault):
    """As versions 0.1 (a number alone) and after it (the whole id) wrote them; what is one thing stays a note."""
    path = filled("0003")
    moment = "2026-05-02T12:00:00+00:00"
    notes = {
        "telegram:room:-200": '{"known": ["telegram:2", 3], "bots": ["telegram:3"], "changes": 5, '
        f'"changed_at": "{moment}", "introduced": true}}',
        "versions:m1": "m8,m3",
        "edited:m8": "m1",
        "edited:m3": "m1,m8",
        "moved:telegram:-100": "telegram:-98 telegram:-99",
        "erasing:shown:telegram:-100:7": f'["telegram:-100", "{moment}", true, "t.me/7", false]',
        "left behind": '["m5", "m6"]',
        "telegram:at:t1/reply#0": "41 1777723200",
        "telegram:sent:-100:41": "t1/reply#0",
        "telegram:at:t1/reply#1": "telegram:-100:42 1777723200",
        "mode:telegram:-100": "never",
        "erasing:disk": f"{moment} {moment}",
    }
    _with_notes(path, vault, notes)
    store = await SqlStore.open(path, vault)
    at = datetime(2026, 5, 2, 12, tzinfo=UTC)
    async with store.transaction() as tx:
        both = frozenset({"telegram:2", "telegram:3"})
        assert await tx.rooms("telegram") == ["telegram:-100", "telegram:-200"]
        room = Room("telegram:-200", both, frozenset({"telegram:3"}), 5, at, introduced=True)
        assert await tx.room("telegram:-200") == room
        assert (await tx.room("telegram:-100")).known == both
        assert await tx.versions(["m3"]) == [("m1", "m8", "m3")]
        assert await tx.moved_from("telegram:-100") == ["telegram:-98", "telegram:-99"]
        assert await tx.still_shown() == [
            Shown("telegram:-100:7", "telegram:-100", at, mine=True, link="t.me/7")
        ]
        first, second = await tx.sending("t1/reply#0"), await tx.sending_of("telegram:-100:42")
        assert (first.message, first.sent_at, first.kind) == ("telegram:-100:41", at, SendingKind.OWNER)
        assert (second.key, second.sent_at) == ("t1/reply#1", at)
        assert set(await tx.notes("")) == {"claim:telegram", "mode:telegram:-100", "erasing:disk"}
    await store.close()
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT message_id FROM left_behind").fetchall() == [("m5",), ("m6",)]


CARDS = {
    "fact": '{"facts": ["f1"], "opens": {"f1": ["telegram:2"]}, "state": "open", "nonce": "n", "deed": "d", "names": ["work"]}',
    "everybody": '{"facts": ["f1"], "opens": {"f1": ["*"]}, "state": "confirmed", "nonce": "n", "deed": ""}',
    "level": '{"act": {"kind": "level", "person": "telegram:2", "label": "L1-work", "called": "Bob"}, "what": "w", '
    '"opens": {"f1": ["telegram:2"], "=work": ["telegram:2"]}, "state": "open", "earlier": true, "nonce": "n", "deed": "d"}',
    "category": '{"act": {"kind": "category", "name": "work", "labels": ["L1-work", "L4"], "release": "policy", '
    '"description": {"en": "words"}}, "what": "w", "opens": {}, "state": "open", "earlier": false}',
    "share": '{"act": {"kind": "share", "facts": ["f1"], "persons": ["*"]}, "what": "w", "opens": {}, "state": "open"}',
    "with Bob": '{"act": {"kind": "share", "facts": ["f1"], "persons": ["telegram:2"]}, "what": "w", "opens": {}, "state": "open"}',
    "forget": '{"act": {"kind": "forget", "facts": ["f1"], "messages": ["m1"]}, "what": "w", "opens": {}, "state": "open"}',
    "retention": '{"act": {"kind": "retention", "chat": "", "category": "work", "days": 30}, "what": "w", "opens": {}}',
    "again": '{"about": {"type": "FactCard", "facts": ["f1"], "opens": [], "choices": []}, "state": "open", "nonce": "", "deed": ""}',
    "odd": '{"act": {"kind": "level"}, "what": "w", "opens": {}, "state": "open"}',
    "broken": "no JSON",
}
WORK, BOB = CategoryName("work"), PersonId("telegram:2")
ABOUT = {
    "fact": FactCard(("f1",), {"f1": Audience.of([BOB])}, (WORK,)),
    "everybody": FactCard(("f1",), {"f1": EVERYONE}),
    "level": ProposalCard(
        LevelProposal(BOB, Label(1, "work"), "Bob"), "w", {WORK: (BOB,)}, {"f1": Audience.of([BOB])}
    ),
    "category": ProposalCard(
        CategoryProposal(WORK, (Label(1, "work"), Label(4)), ReleaseSetting.POLICY, {"en": "words"}), "w"
    ),
    "share": ProposalCard(ShareProposal(("f1",), everyone=True), "w"),
    "with Bob": ProposalCard(ShareProposal(("f1",), (BOB,)), "w"),
    "forget": ProposalCard(ForgetProposal(("f1",), ("m1",)), "w"),
    "retention": ProposalCard(RetentionProposal(Period(30, category=WORK)), "w"),
    "again": FactCard(("f1",)),
}


async def test_cards_that_wait_are_read_in_their_types(filled, vault):
    path = filled("0003")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM cards")
        for name, body in CARDS.items():
            sealed = vault.seal_text("cards", "body", name, body).data
            row = (name, "fact" if "facts" in json_or_nothing(body) else "widening", 0, False, False, sealed)
            database.execute(
                "INSERT INTO cards (id, kind, made_at, done, forgotten, body) VALUES (?, ?, ?, ?, ?, ?)", row
            )
    store = await SqlStore.open(path, vault)
    async with store.transaction() as tx:
        found = {card.id: card for card in await tx.cards()}
    await store.close()
    assert {name: card.about for name, card in found.items()} == ABOUT
    assert (found["fact"].state, found["fact"].nonce, found["fact"].deed) == (CardState.OPEN, "n", "d")
    assert found["everybody"].state is CardState.CONFIRMED


def json_or_nothing(text: str) -> dict:
    try:
        return json.loads(text)
    except ValueError:
        return {}


KINDS = {
    "t_1/reply": "reply",
    "t_1/reply#0": "reply",
    "t_1/reply#2!t_2": "reply",
    "t_1/line#0": "line",
    "t_1/hello#0!t_2#1": "line",
    "t_1/roll#0": "line",
    "hello/telegram:9#0": "line",
    "slow/telegram:4242:8:3#0": "line",
    "t_1/owner#0": "owner",
    "t_1/alarm#0": "owner",
    "failed/telegram:4242:8/reply#0": "owner",
    "failed/telegram:4242:8#0": "owner",
    "claim/telegram:4242:8:3#0": "owner",
    "doubt/t_1/line#0#0": "owner",
    "anything/new#0": "owner",
    "bare": "owner",
}


async def test_only_what_was_surely_a_reply_or_a_line_is_one(filled, vault):
    """Until now a delivery's key alone said what it was; what it does not say for certain follows the owner."""
    path = filled("0003")
    _with_notes(path, vault, {}, tuple(KINDS))
    store = await SqlStore.open(path, vault)
    async with store.transaction() as tx:
        found = {key: await tx.sending(key) for key in KINDS}
    await store.close()
    assert {key: str(sending.kind) for key, sending in found.items()} == KINDS
    assert found["doubt/t_1/line#0#0"].about == "t_1/line#0"
    assert {sending.about for key, sending in found.items() if not key.startswith("doubt")} == {""}


@pytest.mark.slow
@pytest.mark.parametrize("revision", RELEASED)
async def test_an_older_database_on_postgresql_keeps_every_row_and_is_of_use(
    postgres_empty, filled, rows, vault, tmp_path, revision
):
    path, url = filled(revision), postgres_empty
    await upgrade(url, to=revision)
    async with (
        opened(str(path)) as file,
        opened(url) as server,
        file.connect() as source,
        server.begin() as target,
    ):
        await copy_rows(source, target, lambda _done, _total: None)
        await continue_numbers(target)
    before = rows(path)
    await (await SqlStore.open(url, vault)).close()
    await back_up(Wanted(url, b"", "1", NOW), vault, tmp_path / "backup")
    Archive(tmp_path / "backup", vault).unpack(DATABASE, tmp_path / "unpacked.db")
    _kept(before, rows(tmp_path / "unpacked.db"))
    await _is_of_use(url, vault)


async def test_alembic_finds_nothing_to_add(empty_place):
    """`alembic check`: the tables of the code are those that the migrations make."""
    await upgrade(empty_place, to="0001")
    await upgrade(empty_place)
    async with opened(empty_place) as engine, engine.connect() as connection:
        await connection.run_sync(lambda plain: command.check(configured(plain)))


async def test_a_memory_of_a_newer_tact_is_refused_and_left_alone(empty_place, vault):
    await (await SqlStore.open(empty_place, vault)).close()
    async with opened(empty_place) as engine, engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreFault, match="newer Tact") as caught:
        await SqlStore.open(empty_place, vault)
    assert "\n" not in str(caught.value)
    async with opened(empty_place) as engine, engine.connect() as connection:
        found = (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalars().all()
    assert found == ["9999"]


async def test_a_copy_is_made_before_the_tables_change_and_goes_when_something_is_forgotten(
    filled, rows, vault
):
    path = filled("0001", "tact.db")
    before = rows(path)
    store = await SqlStore.open(path, vault)
    (copy,) = copies_of(path)
    assert copy.name == f"tact.db.before-{HEAD}"
    assert copy.stat().st_mode & 0o777 == 0o600
    assert rows(copy) == before
    await store.finish_forgetting()
    assert copies_of(path) == [copy]
    async with store.transaction() as tx:
        await tx.forget(facts=["f1"], at=NOW)
    await store.finish_forgetting()
    assert copies_of(path) == []
    await store.close()


async def test_no_copy_is_made_of_a_new_memory_or_one_that_is_up_to_date(path, vault):
    await (await SqlStore.open(path, vault)).close()
    await (await SqlStore.open(path, vault)).close()
    assert copies_of(path) == []


async def test_a_migration_that_fails_changes_nothing(filled, rows, vault):
    path = filled("0001", "tact.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE notes (in_the_way INTEGER)")
    before = rows(path)
    with pytest.raises(StoreFault, match="notes already exists"):
        await SqlStore.open(path, vault)
    assert rows(path) == before
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
    assert copies_of(path) == []


async def test_the_wrong_key_neither_copies_nor_migrates(filled, rows):
    path = filled("0001", "tact.db")
    before = path.read_bytes()
    with pytest.raises(StoreFault, match="not the key"):
        await SqlStore.open(path, Vault(bytes(32)))
    assert copies_of(path) == []
    assert rows(path) == rows(filled("0001"))
    assert len(before) == path.stat().st_size


SMALL_DISK = """
import asyncio, resource, sys
from pathlib import Path
from engine.errors import TactError
from storage import SqlStore, Vault

path = Path(sys.argv[1])
limit = path.stat().st_size // 2
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    asyncio.run(SqlStore.open(path, Vault(bytes(range(32)))))
except TactError as error:
    print(error)
"""


def test_without_room_for_the_copy_nothing_is_changed(filled, rows):
    path = filled("0001", "tact.db")
    before = rows(path)
    done = subprocess.run(
        [sys.executable, "-c", SMALL_DISK, path], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("no copy could be made, so nothing was changed: ")
    assert done.stdout.count("\n") == 1
    assert rows(path) == before
    assert copies_of(path) == []


@pytest.mark.parametrize("on", [False, True])
async def test_a_table_that_is_made_afresh_keeps_its_childrens_rows_because_references_are_off(
    memory, rows, on
):
    """What a migration of a table does on SQLite: a new table, the rows copied, the old one dropped."""
    before = rows(memory)
    async with opened(str(memory)) as engine, engine.connect() as connection:
        await references(connection, on=on)
        await connection.run_sync(_made_afresh)
        await connection.commit()
    after = rows(memory)
    assert after["facts"] == before["facts"]
    assert (after["fact_sources"] == before["fact_sources"]) is not on


def _made_afresh(connection) -> None:
    with Operations(MigrationContext.configure(connection)).batch_alter_table(
        "facts", recreate="always"
    ) as facts:
        facts.alter_column("teller", nullable=False)

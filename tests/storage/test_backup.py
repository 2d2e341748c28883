"""A backup is a memory at one moment, from either back end to either; what is not as it was made is refused."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import sqlite3
import stat
import tracemalloc
import zipfile
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.audience import OWNER_ONLY
from engine.errors import BadInput, StoreFault
from engine.items import EventState, RawFact, RawMessage
from engine.store import NewFact
from storage import SqlStore, Vault
from storage.backups.archive import DATABASE, KEY_CHECK, MANIFEST, SEAL, Archive, Manifest, digest_of, pack
from storage.backups.placement import put_in_place
from storage.backups.restore import settings_in, unpack
from storage.backups.snapshot import SETTINGS, Wanted, back_up
from storage.migrate import HEAD
from tests.storage.conftest import filled_server

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def wanted(url: Path | str, settings: bytes = b"") -> Wanted:
    return Wanted(str(url), settings, "0.1", NOW)


def unheard(_done: int, _total: int) -> None:
    """Nobody watches."""


@pytest.fixture
def server(postgres_memory) -> str:
    """The URL of a memory with tables and nothing in it."""
    return postgres_memory


async def _restored(file: Path, vault: Vault, work: Path, url: Path | str) -> None:
    _new(work)
    database = await unpack(Archive(file, vault), vault, work)
    await put_in_place(database, vault, str(url), unheard)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("sqlite", "sqlite"),
        pytest.param("sqlite", "postgresql", marks=pytest.mark.slow),
        pytest.param("postgresql", "sqlite", marks=pytest.mark.slow),
        pytest.param("postgresql", "postgresql", marks=pytest.mark.slow),
    ],
)
async def test_every_row_comes_back_from_either_to_either(
    memory, server, postgres_empty, vault, rows, tmp_path, source, target
):
    if source == "postgresql":
        await filled_server(memory, server)
    file = tmp_path / "backup"
    made = await back_up(wanted(memory if source == "sqlite" else server), vault, file)
    assert made.source == source
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.stat().st_size < made.files[DATABASE].bytes / 2  # ids and free space are packed
    place: Path | str = tmp_path / "new" / "tact.db" if target == "sqlite" else postgres_empty
    (tmp_path / "new").mkdir()
    await _restored(file, vault, tmp_path / "work", place)
    again = tmp_path / "again"
    await back_up(wanted(place), vault, again)
    Archive(again, vault).unpack(DATABASE, tmp_path / "again.db")
    assert rows(tmp_path / "again.db") == rows(memory)
    assert made.counts == {table: len(found) for table, found in rows(memory).items()}
    await _goes_on(place, vault)


async def _goes_on(place: Path | str, vault: Vault) -> None:
    """What is written after a restore is numbered after what was there."""
    store = await SqlStore.open(place, vault)
    async with store.transaction() as tx:
        message = RawMessage("new", "room", "s9", "o", "a:o", "words", NOW, OWNER_ONLY)
        assert await tx.record(message, event="new")
        assert [m.id for m in await tx.recent("room", _zone(), 5)] == ["new"]
        assert not await tx.record(message, event="event m1")
    await store.close()


def _zone():
    from engine.store import Scope  # noqa: PLC0415

    return Scope(OWNER_ONLY)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Where a memory of its own is, on each back end."""
    return tmp_path / "tact.db" if request.param == "sqlite" else request.getfixturevalue("server")


def _fact(number: int, session: str) -> RawFact:
    state = EventState(f"e{number}")
    return RawFact(f"f{number}", state, session, "room", (f"m{number}",), "words " * 20, "o", NOW, OWNER_ONLY)


async def test_a_backup_made_while_somebody_writes_holds_whole_transactions(place, vault, tmp_path):
    """Each transaction writes a message and a fact, and rewrites facts before it; a backup sees all of it or none."""
    store = await SqlStore.open(place, vault)
    written = 0

    async def write() -> None:
        nonlocal written
        while True:
            number = written
            session, first = f"s{number // 5}", number - number % 5
            facts = [_fact(i, session) for i in range(first, number + 1)]
            async with store.transaction() as tx:
                said = RawMessage(f"m{number}", "room", session, "o", "a:o", "words " * 200, NOW, OWNER_ONLY)
                await tx.record(said, event=f"e{number}")
                await tx.put_facts(session, [NewFact(fact, ("words",)) for fact in facts], [], [])
            written += 1

    writing = asyncio.ensure_future(write())
    seen = []
    for number in range(3):
        while written < (seen[-1] if seen else 0) + 3:  # noqa: ASYNC110 - whoever writes knows nothing of us
            await asyncio.sleep(0.01)
        made = await back_up(wanted(place), vault, tmp_path / f"backup{number}")
        seen.append(made.counts["messages"])
        assert made.counts["messages"] == made.counts["facts"] == made.counts["fact_sources"] > 0
        await unpack(Archive(tmp_path / f"backup{number}", vault), vault, _new(tmp_path / f"work{number}"))
    writing.cancel()
    with suppress(asyncio.CancelledError):
        await writing
    await store.close()
    assert seen == sorted(set(seen))


def _new(folder: Path) -> Path:
    folder.mkdir()
    return folder


async def test_a_file_that_is_there_is_overwritten_only_if_asked(memory, vault, tmp_path):
    file = tmp_path / "backup"
    await back_up(wanted(memory), vault, file)
    first = file.read_bytes()
    with pytest.raises(BadInput, match="there already"):
        await back_up(wanted(memory), vault, file)
    assert file.read_bytes() == first
    await back_up(wanted(memory), vault, file, force=True)
    assert file.read_bytes() != first
    assert sorted(p.name for p in tmp_path.iterdir()) == ["backup", "tact.db"]


async def test_a_backup_that_fails_leaves_the_old_one_and_nothing_else(memory, vault, tmp_path):
    file = tmp_path / "backup"
    await back_up(wanted(memory), vault, file)
    first = file.read_bytes()
    with pytest.raises(StoreFault, match="not the key"):
        await back_up(wanted(memory), Vault(bytes(32)), file, force=True)
    with closing(sqlite3.connect(memory)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET rootpage = 2 WHERE name = 'messages'")
        connection.commit()
    with pytest.raises(StoreFault):
        await back_up(wanted(memory), vault, file, force=True)
    assert file.read_bytes() == first
    assert sorted(p.name for p in tmp_path.iterdir()) == ["backup", "tact.db"]


async def test_a_disk_without_room_for_the_settings_is_told_in_one_line(memory, vault, tmp_path, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(BadInput, match="No space left on device"):
        await back_up(wanted(memory, b"x = 1"), vault, tmp_path / "backup")
    assert [p.name for p in tmp_path.iterdir()] == ["tact.db"]


async def test_neither_words_nor_key_lie_open_in_it(memory, vault, tmp_path):
    file = tmp_path / "backup"
    await back_up(wanted(memory, b'owner_name = "Mia Canary"'), vault, file)
    with zipfile.ZipFile(file) as archive:
        inside = b"".join(archive.read(name) for name in archive.namelist())
    for needle in (b"Borealis", "红茶".encode(), b"Canary", b"On Friday", bytes(range(32)), b"Bobby"):
        assert needle not in inside
    assert b"telegram:2" in inside  # ids lie open, as in the memory itself
    assert settings_in(Archive(file, vault), vault, tmp_path) == b'owner_name = "Mia Canary"'


async def test_another_key_is_told_from_damage(memory, vault, tmp_path):
    file = tmp_path / "backup"
    await back_up(wanted(memory), vault, file)
    with pytest.raises(BadInput, match="not the key that the backup was made with"):
        Archive(file, Vault(bytes(32)))


async def test_a_file_that_was_cut_off_is_refused_at_any_length(memory, vault, tmp_path):
    file = tmp_path / "backup"
    await back_up(wanted(memory), vault, file)
    whole = file.read_bytes()
    for length in [0, 1, 100, *range(1000, len(whole), 7919), len(whole) - 1]:
        file.write_bytes(whole[:length])
        with pytest.raises(BadInput) as caught:
            Archive(file, vault).unpack(DATABASE, tmp_path / f"out{length}")
        assert "\n" not in str(caught.value)


async def test_a_byte_that_was_changed_anywhere_is_noticed_or_changes_nothing(memory, vault, tmp_path):
    file = tmp_path / "backup"
    await back_up(wanted(memory), vault, file)
    whole = file.read_bytes()
    Archive(file, vault).unpack(DATABASE, tmp_path / "good")
    good = digest_of(tmp_path / "good")
    noticed = 0
    for place in range(0, len(whole), 301):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
        out = tmp_path / "out"
        out.unlink(missing_ok=True)
        try:
            Archive(file, vault).unpack(DATABASE, out)
        except BadInput:
            noticed += 1
        else:
            assert digest_of(out) == good
    assert noticed > len(whole) // 301 * 0.9


async def _changed(file: Path, change: str, work: Path, vault: Vault) -> None:
    """Somebody without the key changes what lies open in a backup, and the digests with it."""
    database = work / "changed.db"
    Archive(file, vault).unpack(DATABASE, database)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(change)
        connection.commit()
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in (MANIFEST, SEAL, KEY_CHECK)}
    manifest = json.loads(parts[MANIFEST])
    manifest["files"][DATABASE] = {"bytes": database.stat().st_size, "sha256": digest_of(database).sha256}
    parts[MANIFEST] = json.dumps(manifest).encode()
    with zipfile.ZipFile(file, "w") as archive:
        for name, body in parts.items():
            archive.writestr(name, body)
        archive.write(database, DATABASE)


async def test_who_may_hear_what_cannot_be_changed_in_a_backup_without_the_key(memory, vault, tmp_path):
    file = tmp_path / "backup"
    await back_up(wanted(memory), vault, file)
    await _changed(
        file, "INSERT INTO audience_members SELECT id, 'telegram:666' FROM audiences", tmp_path, vault
    )
    with pytest.raises(BadInput, match="changed after it was made"):
        Archive(file, vault)


async def test_a_part_that_is_larger_than_it_says_is_not_written_out(memory, vault, tmp_path):
    file = tmp_path / "backup"
    await back_up(wanted(memory), vault, file)
    with zipfile.ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in (MANIFEST, SEAL, KEY_CHECK)}
        size = archive.getinfo(DATABASE).file_size
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in parts.items():
            archive.writestr(name, body)
        archive.writestr(DATABASE, bytes(size + 50_000_000))
    with pytest.raises(BadInput, match="damaged"):
        Archive(file, vault).unpack(DATABASE, tmp_path / "out")
    assert (tmp_path / "out").stat().st_size <= size


@pytest.mark.parametrize("name", [MANIFEST, DATABASE])
@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
async def test_a_part_that_unpacks_to_much_more_than_it_says_is_never_held_in_memory(
    memory, vault, tmp_path, name, method
):
    """A file of some kilobytes, written by somebody without the key."""
    whole, file = tmp_path / "whole", tmp_path / "backup"
    await back_up(wanted(memory), vault, whole)
    with zipfile.ZipFile(whole) as archive, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as changed:
        for part in archive.infolist():
            if part.filename != name:
                changed.writestr(part.filename, archive.read(part))
        changed.writestr(name, bytes(120_000_000), compress_type=method)
        changed.getinfo(name).file_size = archive.getinfo(name).file_size
    tracemalloc.start()
    try:
        with pytest.raises(BadInput, match=r"damaged|no backup"):
            Archive(file, vault).unpack(DATABASE, tmp_path / "out")
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()


async def test_a_backup_of_a_newer_tact_is_refused(memory, vault, tmp_path):
    with closing(sqlite3.connect(memory)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    with pytest.raises(StoreFault, match="newer Tact"):
        await back_up(wanted(memory), vault, tmp_path / "none")
    pack(tmp_path / "backup", Manifest("9.0", "9999", "2030", "sqlite", {}), {DATABASE: memory}, vault)
    with pytest.raises(BadInput, match="newer Tact"):
        await unpack(Archive(tmp_path / "backup", vault), vault, _new(tmp_path / "work"))
    pack(
        tmp_path / "later", Manifest("9.0", "9999", "2030", "sqlite", {}, format=2), {DATABASE: memory}, vault
    )
    with pytest.raises(BadInput, match=r"a newer Tact \(9.0\) made this backup"):
        Archive(tmp_path / "later", vault)


@pytest.mark.parametrize("revision", ["0001", "0002"])
async def test_a_backup_of_an_older_memory_is_made_as_it_is_and_brought_up_to_date_when_restored(
    filled, rows, vault, tmp_path, revision
):
    old = filled(revision, "tact.db")
    before = old.read_bytes()
    made = await back_up(wanted(old), vault, tmp_path / "backup")
    assert (made.schema, old.read_bytes()) == (revision, before)
    (tmp_path / "new").mkdir()
    await _restored(tmp_path / "backup", vault, tmp_path / "work", tmp_path / "new" / "tact.db")
    await (await SqlStore.open(old, vault)).close()
    assert _without_seals(rows(tmp_path / "new" / "tact.db")) == _without_seals(rows(old))


def _without_seals(tables: dict) -> dict:
    """What was sealed anew on the way has other bytes each time."""
    cards = [{name: value for name, value in row.items() if name != "body"} for row in tables["cards"]]
    return {**tables, "cards": cards}


async def test_what_a_killed_backup_left_is_cleared_away_by_the_next(memory, vault, tmp_path):
    left = tmp_path / ".tact-unfinished-abc"
    left.mkdir()
    (left / "memory.db").write_bytes(b"half")
    await back_up(wanted(memory), vault, tmp_path / "backup")
    assert not left.exists()


async def test_places_that_cannot_be_written_to_are_said_plainly(memory, vault, tmp_path):
    for target, said in ((tmp_path / "no" / "backup", "no such folder"), (tmp_path, "this is a folder")):
        with pytest.raises(BadInput, match=said):
            await back_up(wanted(memory), vault, target)
    with pytest.raises(BadInput, match="cannot be read"):
        Archive(tmp_path / "none", vault)
    with pytest.raises(BadInput, match="this is a folder"):
        Archive(tmp_path, vault)
    os.mkfifo(tmp_path / "odd")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(BadInput, match="no backup of Tact's"):
        Archive(tmp_path / "text", vault)


async def test_the_restored_memory_is_of_this_version(memory, vault, tmp_path):
    made = await back_up(wanted(memory), vault, tmp_path / "backup")
    assert made.schema == HEAD
    assert SETTINGS not in made.files

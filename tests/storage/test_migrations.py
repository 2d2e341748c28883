"""The tables are what the migrations make; memories of other keys, versions and kinds are refused in one line."""

from __future__ import annotations

import re
import sqlite3
import stat
import subprocess
import sys
import time

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from engine.errors import BadInput, StoreFault
from storage import SqlStore, Vault
from storage.migrate import FOLDER, HEAD, KNOWN, upgrade
from storage.sqlite import url_of
from storage.tables import metadata


async def _by_revisions(path) -> None:
    """An empty database through every revision there was; a new memory gets the newest tables at once."""
    await upgrade(url_of(path), to="0001")
    await upgrade(url_of(path))


async def test_migrations_make_exactly_these_tables(path):
    await _by_revisions(path)
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def _schema(path) -> dict[str, str]:
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    connection.close()
    plain = {name: re.sub(r"\s+", " ", sql).replace('"', "") for name, sql in rows}
    return {name: sql for name, sql in plain.items() if "sqlite_" not in name}


async def test_keys_indexes_and_cascades_are_the_same_too(path, tmp_path):
    await _by_revisions(path)
    made = tmp_path / "made.db"
    await upgrade(url_of(made))
    left, right = _schema(path), _schema(made)
    assert left.keys() == right.keys()
    for name, sql in left.items():
        assert sorted(re.split(r", (?=[A-Za-z])|\( ?| ?\)", sql)) == sorted(
            re.split(r", (?=[A-Za-z])|\( ?| ?\)", right[name])
        )


def test_the_known_revisions_are_those_in_the_folder():
    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_heads() == [HEAD]
    assert {script.revision for script in scripts.walk_revisions()} == KNOWN


async def test_upgrading_twice_changes_nothing(path):
    await upgrade(url_of(path))
    before = _schema(path)
    await upgrade(url_of(path))
    assert _schema(path) == before


async def test_opening_makes_a_private_file_and_keeps_what_is_in_it(path, vault):
    store = await SqlStore.open(path, vault)
    async with store.transaction() as tx:
        await tx.call("console:bob", "Bob")
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    await store.close()
    store = await SqlStore.open(url_of(path), vault)
    async with store.transaction() as tx:
        assert (await tx.people()).called("console:bob") == "Bob"
    await store.close()


async def test_the_wrong_key_is_one_line_and_writes_nothing(path, vault):
    await (await SqlStore.open(path, vault)).close()
    before = path.read_bytes()
    with pytest.raises(StoreFault, match="not the key") as caught:
        await SqlStore.open(path, Vault(bytes(32)))
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before


async def test_a_memory_of_a_newer_tact_is_refused_and_left_alone(path, vault):
    await (await SqlStore.open(path, vault)).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreFault, match="newer Tact") as caught:
        await SqlStore.open(path, vault)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before


async def test_a_file_that_is_no_database_is_refused(path, vault):
    path.write_bytes(b"not a database at all" * 99)
    with pytest.raises(StoreFault, match="not a database"):
        await SqlStore.open(path, vault)


async def test_a_folder_that_is_not_there_is_said_plainly(path, vault):
    with pytest.raises(BadInput, match="cannot be opened"):
        await SqlStore.open(path.parent / "no" / "tact.db", vault)


def _printed(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()


async def test_a_memory_that_is_up_to_date_opens_at_once_and_without_alembic(path, vault):
    await (await SqlStore.open(path, vault)).close()
    program = (
        "import asyncio, sys; from storage import SqlStore, Vault\n"
        "async def main():\n"
        f"    await (await SqlStore.open({str(path)!r}, Vault(bytes(range(32))))).close()\n"
        "asyncio.run(main())\n"
        "print([m for m in ('alembic', 'numpy') if m in sys.modules])"
    )
    assert _printed(program) == "[]"
    start = time.perf_counter()
    await (await SqlStore.open(path, vault)).close()
    assert time.perf_counter() - start < 1


def test_importing_the_package_loads_nothing_heavy():
    program = (
        "import sys, storage; print([m for m in ('sqlalchemy', 'numpy', 'cryptography') if m in sys.modules])"
    )
    assert _printed(program) == "[]"


def test_only_one_module_speaks_sqlites_dialect():
    word = re.compile(
        r"PRAGMA|BEGIN IMMEDIATE|wal_checkpoint|sqlite_master|INSERT OR|dialects\.sqlite", re.IGNORECASE
    )
    package = FOLDER.parent
    speaking = [str(p.relative_to(package)) for p in package.rglob("*.py") if word.search(p.read_text())]
    assert speaking == ["sqlite.py"]

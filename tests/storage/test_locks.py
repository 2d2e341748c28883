"""Locks on a SQLite file belong to the process: whatever closes the file takes all of them away."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from storage import SqlStore, Vault

KEY = bytes(range(32))
LOOK = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT count(*) FROM meta').fetchone(); c.close()"


async def test_a_memory_opened_twice_in_a_process_keeps_its_locks(tmp_path: Path):
    """Without them another process would take itself for the last one, and remove the log that is in use here."""
    path = tmp_path / "tact.db"
    log = path.with_name("tact.db-wal")
    first = await SqlStore.open(path, Vault(KEY))
    second = await SqlStore.open(path, Vault(KEY))
    used = log.stat().st_ino
    await asyncio.to_thread(subprocess.run, [sys.executable, "-c", LOOK, str(path)], check=True)
    assert log.stat().st_ino == used
    await second.close()
    await first.close()


async def test_another_process_may_hold_the_memory_as_long_as_a_great_erasure_takes(tmp_path: Path):
    """Ten thousand facts are forgotten in one transaction, of up to a minute; a Tact that runs must not end for that."""
    store = await SqlStore.open(tmp_path / "tact.db", Vault(KEY))
    for _ in range(2):
        async with store._engine.connect() as connection:
            (waits,) = (await connection.exec_driver_sql("PRAGMA busy_timeout")).one()
        assert waits >= 120_000
        await store.finish_forgetting()  # waits for nobody, and leaves the connection as it was
    await store.close()

"""Another process that reads a SQLite memory, and so is in the way of whoever erases."""

from __future__ import annotations

READER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("BEGIN")
db.execute("SELECT count(*) FROM messages").fetchone()
print("reading", flush=True)
sys.stdin.readline()
"""

"""Where the memory is: nothing for SQLite in the data folder, else the URL of a database. It may hold a password."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qsl, urlencode

KINDS: Final = ("postgresql", "postgres", "postgresql+asyncpg", "sqlite", "sqlite+aiosqlite")
_SCHEME = re.compile(r"[a-z][a-z0-9+]{0,30}")
_SECRETS = frozenset({"password", "sslpassword"})


def checked(url: str) -> str:
    """The URL, if Tact can keep a memory there.

    Raises:
        ValueError: says what to write instead, and nothing of what was written but the kind of database.
    """
    url = url.strip()
    kind, found, _ = url.partition("://")
    if not url or (found and kind.lower() in KINDS):
        return url
    named = (
        f"Tact keeps no memory in {kind}" if found and _SCHEME.fullmatch(kind.lower()) else "this is no URL"
    )
    raise ValueError(f"{named}; write postgresql://user@host/database, or leave it empty for SQLite")


def without_password(url: str) -> str:
    """The same URL without any password in it."""
    start, found, rest = url.partition("://")
    if not start.lower().startswith("postgres"):
        return url
    address, asked, options = rest.partition("?")
    credentials, at, hosts = address.rpartition("@")
    kept = [(name, value) for name, value in parse_qsl(options) if name not in _SECRETS]
    shown = start + found + credentials.partition(":")[0] + at + hosts
    return f"{shown}{asked}{urlencode(kept)}" if kept else shown

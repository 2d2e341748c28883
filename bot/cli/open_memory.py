"""An existing memory, opened for a command that looks after it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.bootstrap import open_store
from config.data_folder import data_folder
from config.settings import Settings, load_settings
from engine.errors import BadInput
from engine.store import Store


def exists(settings: Settings) -> bool:
    """Whether `tact init` has been here."""
    return bool(settings.database_url) or (settings.data / "tact.db").exists()


@asynccontextmanager
async def open_memory(chosen: Path | None) -> AsyncIterator[tuple[Settings, Store]]:
    """Open the memory of a folder, and close it at the end.

    Raises:
        BadInput: if there is none.
        StoreFault: if it cannot be used.
    """
    settings = load_settings(chosen)
    if not exists(settings):
        raise BadInput("there is no memory here", where=str(settings.data), fix="tact init makes one")
    store = await open_store(settings)
    try:
        yield settings, store
    finally:
        await store.close()


def command(settings: Settings, what: str) -> str:
    """A command as it has to be typed for this folder."""
    return f"tact {what}" + ("" if data_folder() == settings.data else f" --data {settings.data}")

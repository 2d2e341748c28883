"""A memory that is there already: its settings, opening it, and the commands that a person types for it."""

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


def settings_of_memory(chosen: Path | None) -> Settings:
    """The settings of a folder that has a memory.

    Raises:
        BadInput: it has none.
    """
    settings = load_settings(chosen)
    if not exists(settings):
        raise BadInput("there is no memory here", where=str(settings.data), fix="tact init makes one")
    return settings


@asynccontextmanager
async def open_memory(chosen: Path | None) -> AsyncIterator[tuple[Settings, Store]]:
    """Open the memory of a folder, and close it at the end.

    Raises:
        BadInput: if there is none.
        StoreFault: if it cannot be used.
    """
    settings = settings_of_memory(chosen)
    store = await open_store(settings)
    try:
        yield settings, store
    finally:
        await store.close()


def command(settings: Settings, what: str) -> str:
    """A command as it has to be typed for this folder."""
    return f"tact {what}" + ("" if data_folder() == settings.data else f" --data {settings.data}")

"""The stage of `tests/stage.py` on both stores."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from storage import MemoryStore, SqlStore, Vault
from tests.stage import KEY, Stage, open_stage


@pytest.fixture(params=["memory", "sql"])
async def stage(request: pytest.FixtureRequest, tmp_path: Path, empty_memory: Path) -> AsyncIterator[Stage]:
    """The same behaviour on both stores."""
    if request.param == "memory":
        yield await open_stage(MemoryStore(), tmp_path)
        return
    shutil.copy(empty_memory, tmp_path / "tact.db")
    store = await SqlStore.open(tmp_path / "tact.db", Vault(KEY))
    yield await open_stage(store, tmp_path)
    await store.close()


@pytest.fixture
async def open_memory(tmp_path: Path) -> Callable[..., Any]:
    """A maker of stages in memory."""

    async def make(language: str = "en") -> Stage:
        return await open_stage(MemoryStore(), tmp_path, language)

    return make

"""The stage of the command tests, in memory: everybody can speak, and each attack goes through the whole turn."""

from __future__ import annotations

import pytest

from storage import MemoryStore
from tests.stage import Stage, open_stage


@pytest.fixture
async def stage(tmp_path) -> Stage:
    return await open_stage(MemoryStore(), tmp_path)


@pytest.fixture
async def chinese(tmp_path) -> Stage:
    return await open_stage(MemoryStore(), tmp_path, "zh")

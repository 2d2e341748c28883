"""A key, and a fresh place for a memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from storage import Vault


@pytest.fixture
def vault() -> Vault:
    return Vault(bytes(range(32)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tact.db"

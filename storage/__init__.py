"""The memory: what Tact was told, by whom and before whom. Knows the engine and nothing else of Tact.

Names are loaded on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from storage.memory import MemoryStore
    from storage.sql import SqlStore
    from storage.vault import Vault

_HOMES = {
    "MemoryStore": "storage.memory",
    "SqlStore": "storage.sql",
    "Vault": "storage.vault",
}

__all__ = ["MemoryStore", "SqlStore", "Vault"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)

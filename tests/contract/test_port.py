"""The suite speaks of the whole port."""

from __future__ import annotations

import inspect
from pathlib import Path

from engine.store import Store, Transaction


def test_every_method_of_the_port_is_called_in_this_suite():
    text = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    methods = [
        name
        for port in (Transaction, Store)
        for name, _ in inspect.getmembers(port, inspect.isfunction)
        if not name.startswith("_")
    ]
    assert len(methods) > 35
    assert [name for name in methods if f".{name}(" not in text] == []

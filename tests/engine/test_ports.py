"""The ports are Protocols: importing them is all there is to run. Their values show no words."""

from __future__ import annotations

import dataclasses
import inspect

import pytest

from engine import items, ports, store
from engine.audience import OWNER_ONLY
from engine.ids import ContainerId
from engine.store import Scope, Sending

PROTOCOLS = [
    ports.Clock,
    ports.Embedder,
    ports.Reader,
    ports.Categoriser,
    ports.Composer,
    ports.Writer,
    ports.Lines,
]


@pytest.mark.parametrize("port", [*PROTOCOLS, store.Transaction, store.Store])
def test_every_port_says_what_it_promises(port):
    assert port._is_protocol
    methods = [m for name, m in inspect.getmembers(port) if not name.startswith("_")]
    assert methods
    assert all(inspect.getdoc(m) for m in methods)


def test_a_scope_has_no_default():
    assert dataclasses.fields(Scope)[0].default is dataclasses.MISSING
    assert not Scope(OWNER_ONLY).nothing


def test_every_read_that_can_feed_a_prompt_takes_a_scope_without_a_default():
    reads = [
        "message",
        "recent",
        "session_messages",
        "facts",
        "session_facts",
        "facts_behind",
        "search",
        "edges",
        "links",
    ]
    for name in reads:
        scope = inspect.signature(getattr(store.Transaction, name)).parameters["scope"]
        assert scope.default is inspect.Parameter.empty, name


def test_a_delivery_shows_no_words():
    assert "secret" not in repr(Sending("k", ContainerId("c"), "a secret"))


@pytest.mark.parametrize("kind", [items.InboundMessage, items.RawMessage, items.RawFact])
def test_raw_items_hide_their_words(kind):
    hidden = {f.name for f in dataclasses.fields(kind) if not f.repr}
    assert "text" in hidden

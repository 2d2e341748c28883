"""Reader, categoriser and embedder as the ports want them: awaited, and beside the event loop where they take long."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime, tzinfo

from connectors.language.offline.categoriser import OfflineCategoriser
from connectors.language.offline.embedder import Vectors
from connectors.language.offline.reader import OfflineReader
from engine.annotation import Query, Reading
from engine.items import Suggestion
from engine.policy import Category

_LONG = 2000
"""Signs from which a text is read in a thread of its own."""


class RulesReader:
    """See `engine.ports.Reader`."""

    def __init__(self, rules: OfflineReader) -> None:
        """`rules` does the reading."""
        self._rules = rules

    async def read(
        self, text: str, said_at: datetime, zone: tzinfo, owner_names: Sequence[str] = ()
    ) -> Reading:
        """Read one message."""
        if len(text) < _LONG:
            return self._rules.read(text, said_at, zone, owner_names)
        return await asyncio.to_thread(self._rules.read, text, said_at, zone, owner_names)

    async def ask(self, text: str, said_at: datetime, zone: tzinfo, owner_names: Sequence[str] = ()) -> Query:
        """Cut a question into units."""
        if len(text) < _LONG:
            return self._rules.ask(text, said_at, zone, owner_names)
        return await asyncio.to_thread(self._rules.ask, text, said_at, zone, owner_names)

    def tokens(self, text: str) -> tuple[str, ...]:
        """Index terms of a text."""
        return self._rules.tokens(text)


class RulesCategoriser:
    """See `engine.ports.Categoriser`."""

    def __init__(self, rules: OfflineCategoriser) -> None:
        """`rules` does the sorting."""
        self._rules = rules

    async def suggest(
        self, texts: Sequence[str], categories: Sequence[Category]
    ) -> list[tuple[Suggestion, ...]]:
        """Opinions on each text."""
        return await asyncio.to_thread(self._rules.suggest, texts, categories)


class ThreadedEmbedder:
    """See `engine.ports.Embedder`."""

    def __init__(self, vectors: Vectors) -> None:
        """`vectors` makes them."""
        self._vectors = vectors
        self.name, self.dimension = vectors.name, vectors.dimension

    async def query(self, text: str) -> bytes:
        """The vector of a question."""
        return await asyncio.to_thread(self._vectors.query, text) if self.dimension else b""

    async def passages(self, texts: Sequence[str]) -> list[bytes]:
        """Vectors of stored texts, one each."""
        return await asyncio.to_thread(self._vectors.passages, texts)

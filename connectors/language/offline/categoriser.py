"""Rough first cut: replaced by the calibrated annotators."""

from __future__ import annotations

from collections.abc import Sequence

from engine.items import Suggestion
from engine.policy import Category
from engine.ports import Embedder


class OfflineCategoriser:
    """`engine.ports.Categoriser` over centroids and words."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def suggest(self, texts: Sequence[str], categories: Sequence[Category]) -> list[tuple[Suggestion, ...]]:
        """Opinions on each text."""
        return [() for _ in texts]

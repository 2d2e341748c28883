"""The part of the memory's port that another embedding model needs, to take the place of the one before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from engine.ids import FactId
from engine.items import RawFact

if TYPE_CHECKING:
    from engine.store import Scope


class Embeddings(Protocol):
    """Vectors of two models are never compared: until it has a vector of the model in use, a fact is found by words."""

    async def without_vector(self, model: str) -> int:
        """How many facts have no vector of this model, for the owner's view."""
        ...

    async def facts_without_vector(
        self, model: str, scope: Scope, after: FactId | None, limit: int
    ) -> list[RawFact]:
        """The next of them in scope, in order of their ids."""
        ...

    async def put_vectors(self, model: str, vectors: Sequence[tuple[RawFact, bytes]]) -> int:
        """Give facts vectors of this model.

        Returns:
            How many: those that are gone by now, or have other words than these, stay as they are.
        """
        ...

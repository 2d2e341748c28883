"""Vectors as the tables hold them: for what lies elsewhere to be made again, and for another model to take over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from engine.ids import FactId
from storage.repositories.loading import IndexLoading
from storage.tables import facts, tombstones

if TYPE_CHECKING:
    from storage.vectors.port import Vector

_COLUMNS = (facts.c.id, facts.c.vector, facts.c.vector_model)


class EmbeddingRepository(IndexLoading):
    """See `storage.vectors.keeping.Tables`."""

    async def index_in_step(self) -> None:
        """Read the index, or what changed of it."""
        await self._index()

    async def forgotten_until(self) -> str:
        """Something that is another whenever more was forgotten."""
        row = (await self._run(select(func.count(), func.max(tombstones.c.at)).select_from(tombstones))).one()
        return f"{row[0]}@{row[1]}"

    async def vectors_counted(self) -> int:
        """How many facts have a vector."""
        counted = select(func.count()).select_from(facts).where(facts.c.vector.is_not(None))
        return int((await self._run(counted)).scalar_one())

    async def vectors_after(self, fact: str, limit: int) -> Sequence[tuple[FactId, Vector]]:
        """The next facts with a vector, in order of their ids."""
        page: Any = (
            select(*_COLUMNS)
            .where(facts.c.vector.is_not(None), facts.c.id > fact)
            .order_by(facts.c.id)
            .limit(limit)
        )
        return [(FactId(row.id), self._vector(row)) for row in await self._rows(page)]

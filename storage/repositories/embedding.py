"""Vectors as the tables hold them: for what lies elsewhere to be made again, and for another model to take over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, or_, select, update

from engine.ids import FactId
from engine.items import RawFact
from engine.store import Scope
from storage.repositories.index_sync import IndexLoading
from storage.tables import facts, tombstones

if TYPE_CHECKING:
    from storage.vectors.port import Vector

_COLUMNS = (facts.c.id, facts.c.vector, facts.c.vector_model)


class EmbeddingRepository(IndexLoading):
    """See `storage.vectors.chroma_sync.Tables` and `engine.embedding.Embeddings`."""

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

    async def without_vector(self, model: str) -> int:
        """How many facts have no vector of this model."""
        counted = select(func.count()).select_from(facts).where(_not_of(model))
        return int((await self._run(counted)).scalar_one())

    async def facts_without_vector(
        self, model: str, scope: Scope, after: FactId | None, limit: int
    ) -> list[RawFact]:
        """The next of them in scope, in order of their ids."""
        found: list[RawFact] = []
        last = after or FactId("")
        while len(found) < limit:
            page = (
                select(facts.c.id).where(_not_of(model), facts.c.id > last).order_by(facts.c.id).limit(limit)
            )
            ids = [FactId(row.id) for row in await self._rows(page)]
            if not ids:
                break
            inside = await self._scoped(ids, scope)
            found += [inside[i] for i in ids if i in inside]
            last = ids[-1]
        return found[:limit]

    async def put_vectors(self, model: str, vectors: Sequence[tuple[RawFact, bytes]]) -> int:
        """Give facts vectors of this model, as far as they still have these words."""
        now = await self._whole_facts(fact.id for fact, _ in vectors)
        same = [(f.id, v) for f, v in vectors if f.id in now and now[f.id].text == f.text]
        for fact, vector in same:
            sealed = self._vault.seal("facts", "vector", fact, vector) if vector else None
            values = {"vector": sealed, "vector_model": model if vector else None}
            await self._run(update(facts).where(facts.c.id == fact).values(values))
            self._changed("fact", fact)
        return len(same)


def _not_of(model: str) -> Any:
    return or_(facts.c.vector_model.is_(None), facts.c.vector_model != model)

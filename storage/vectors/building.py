"""Collections in a generation, and a generation that is filled before it is used."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.ids import FactId
from storage.vectors.clients import translated
from storage.vectors.places import Place
from storage.vectors.port import Vector
from storage.vectors.shelf import SPACE, Kind, collection_name, name_of, upsert

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection


def made(place: Place, generation: str, kind: Kind) -> Collection:
    """A kind's collection in a generation, made if there is none."""
    client = place.client(generation)
    with translated(place.where):
        return client.get_or_create_collection(
            collection_name(place.prefix(generation), kind),
            metadata={"model": kind[0], "dimension": kind[1]},
            configuration={"hnsw": {"space": SPACE}},
            embedding_function=None,
        )


def delete(collection: Collection, names: list[str], where: str) -> None:
    """Take vectors out, by name."""
    with translated(where):
        collection.delete(ids=names)


class Building:
    """A generation that is being filled. If somebody removes it meanwhile, that is `VectorsLost`: it is not begun again."""

    def __init__(self, place: Place, generation: str) -> None:
        self.generation = generation
        self.last = ""
        """The fact of the last vector that was put."""

        self._place = place
        self._collections: dict[Kind, Collection] = {}

    async def put(self, vectors: Sequence[tuple[FactId, Vector]]) -> None:
        """Put a page of vectors into it."""
        by_kind: dict[Kind, dict[str, bytes]] = {}
        for fact, vector in vectors:
            by_kind.setdefault(vector.kind, {})[name_of(fact, vector.data)] = vector.data
        for kind, batch in by_kind.items():
            await asyncio.to_thread(self._put, kind, batch)
        self.last = vectors[-1][0]

    def _put(self, kind: Kind, batch: dict[str, bytes]) -> None:
        if kind not in self._collections:
            self._collections[kind] = made(self._place, self.generation, kind)
        upsert(self._collections[kind], batch, self._place.where)

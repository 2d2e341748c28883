"""The vectors of one kind in Chroma: which are there, which are to go there, and which are to leave.

A vector lies there under a name made of its fact's id and of a digest of its own. So whatever is found under a name is
the vector that was meant, after a crash, a restored backup or another process's work too; there is nothing to be in
step with but the set of names.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.ids import FactId
from storage.ranking import STEPS, Floats, Rows, whole_steps
from storage.vectors.chroma_client import translated
from storage.vectors.chroma_faults import VectorsDown, VectorsLost
from storage.vectors.generations import Place
from storage.vectors.port import NOTHING_NEAR, Near, Vector, Within

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

BATCH: Final = 1000
GATHERED: Final = 256
"""So few vectors are fetched and compared here: quicker than a query."""

SPACE: Final = "ip"
"""Inner products of whole steps: whole numbers below 2²⁴, so that Chroma's float32 distances are exact."""

Kind = tuple[str, int]


def name_of(fact: FactId, data: bytes) -> str:
    """What a vector lies under."""
    return f"{fact}.{sha256(data).hexdigest()[:16]}"


def collection_name(prefix: str, kind: Kind) -> str:
    """What the collection of a kind is called; its metadata says the kind in full."""
    model, dimension = kind
    return f"{prefix}{sha256(model.encode()).hexdigest()[:12]}-{dimension}"


def kind_of(collection: Collection) -> Kind:
    """The kind that a collection holds."""
    kept: Mapping[str, Any] = collection.metadata or {}
    return str(kept.get("model", "")), int(kept.get("dimension", 0))


def upsert(collection: Collection, batch: Mapping[str, bytes], where: str) -> None:
    """Put vectors under their names; doing it again changes nothing."""
    rows = np.stack([whole_steps(data) for data in batch.values()])
    with translated(where):
        collection.upsert(ids=list(batch), embeddings=rows)


def names_in(collection: Collection, where: str) -> set[str]:
    """Every name there."""
    with translated(where):
        return set(collection.get(include=[])["ids"])


def count_in(collection: Collection, where: str) -> int:
    """How many there are."""
    with translated(where):
        return collection.count()


class Shelf:
    """One kind's names. What it does is done in the event loop; the calls that take a while are `ask` and functions.

    Args:
        there: the names in the collection.
    """

    def __init__(self, there: Iterable[str] = ()) -> None:
        self.there = set(there)
        self.waiting: dict[str, bytes] = {}
        self.leaving: set[str] = set()
        self._names: dict[int, str] = {}

    def put(self, row: int, fact: FactId, data: bytes) -> None:
        """A row's vector: it waits if it is not there already."""
        name = self._names[row] = name_of(fact, data)
        self.leaving.discard(name)
        if name not in self.there:
            self.waiting[name] = data

    def drop(self, row: int) -> None:
        """A row has no vector any more: its name leaves."""
        name = self._names.pop(row, None)
        if name is not None:
            self.waiting.pop(name, None)
            self.leaving.add(name)

    def only_these(self) -> None:
        """Every row was put: whatever else is there leaves."""
        self.leaving |= self.there - set(self._names.values())

    def next_to_come(self) -> dict[str, bytes]:
        """A batch that waits."""
        return dict(islice(self.waiting.items(), BATCH))

    def came(self, batch: Iterable[str]) -> None:
        """They are there now."""
        for name in batch:
            self.waiting.pop(name, None)
            self.there.add(name)

    def next_to_leave(self) -> list[str]:
        """A batch that leaves; from now on it does not count as there."""
        batch = list(islice(self.leaving, BATCH))
        self.there.difference_update(batch)
        return batch

    def left(self, batch: Iterable[str]) -> None:
        """They are gone."""
        self.leaving.difference_update(batch)

    def within(self, within: Within) -> tuple[Rows, list[str]]:
        """Positions that have a vector of this kind, and their names."""
        named = [self._names.get(row) for row in within.rows.tolist()]
        places = np.array([place for place, name in enumerate(named) if name is not None], dtype=np.int64)
        return places, [name for name in named if name is not None]

    def here(self, names: Sequence[str], query: bytes) -> dict[str, float]:
        """Products with those that still wait."""
        wanted = whole_steps(query)
        return {
            n: float(whole_steps(data) @ wanted) for n in names if (data := self.waiting.get(n)) is not None
        }


def near(places: Rows, names: Sequence[str], products: Mapping[str, float]) -> Near:
    """Cosines out of products of whole steps."""
    if not len(places):
        return NOTHING_NEAR
    values: Floats = np.array([products[name] for name in names], dtype=np.float64) / (STEPS * STEPS)
    return Near(places, values)


def ask(collection: Collection, names: list[str], query: bytes, where: str) -> dict[str, float]:
    """Products of the query with the vectors under these names, all of them.

    The names are pushed into the query. Its graph does not reach every vector; those that it missed are fetched.

    Raises:
        VectorsLost: if one of them is not there.
        VectorsDown: if Chroma cannot be used.
    """
    wanted = whole_steps(query)
    found = _queried(collection, names, wanted, where) if len(names) > GATHERED else {}
    missed = [name for name in names if name not in found]
    with translated(where):
        for start in range(0, len(missed), BATCH):
            got = collection.get(ids=missed[start : start + BATCH], include=["embeddings"])
            rows = np.asarray(got["embeddings"], dtype=np.float32).reshape(-1, len(wanted))
            found.update(zip(got["ids"], (rows @ wanted).astype(float).tolist(), strict=True))
    if len(found) < len(names):
        raise VectorsLost(f"vectors are missing at {where}")
    return found


def _queried(
    collection: Collection, names: list[str], wanted: NDArray[np.float32], where: str
) -> dict[str, float]:
    """What Chroma's graph reaches of them. It refuses to look for names of which one is not there."""
    from chromadb.errors import ChromaError  # noqa: PLC0415

    try:
        with translated(where):
            answer = collection.query(
                query_embeddings=wanted.reshape(1, -1), ids=names, n_results=len(names), include=["distances"]
            )
    except VectorsDown as fault:
        if isinstance(fault.__cause__, ChromaError) and not names_in(collection, where).issuperset(names):
            raise VectorsLost(f"vectors are missing at {where}") from None
        raise
    distances = (answer["distances"] or [[]])[0]
    return {n: float(round(1 - d)) for n, d in zip(answer["ids"][0], distances, strict=True)}


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

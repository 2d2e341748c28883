"""Vectors in Chroma: this process holds their names, and asks for the products with a query when it needs them.

INVARIANT: a search asks for exactly the rows within its scope and gets all of them, or an error. What is not yet in
Chroma is compared here; what is there and in no row is never asked for.
"""

from __future__ import annotations

import asyncio
from asyncio import to_thread
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Final

from engine.failpoints import reach
from engine.ids import FactId
from storage.vectors.chroma_collections import (
    BATCH,
    Building,
    Kind,
    Shelf,
    ask,
    count_in,
    delete,
    kind_of,
    made,
    names_in,
    near,
    upsert,
)
from storage.vectors.chroma_faults import VectorsDown, VectorsLost
from storage.vectors.generations import Place, State, collections_of, new_generation
from storage.vectors.port import NOTHING_NEAR, Near, Vector, Within

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

_REST_S: Final = 15.0
"""So long nobody asks a Chroma that could not be used."""

PILE: Final = 4 * BATCH
"""So many vectors wait in memory at most while an index is read whole."""


class ChromaVectors:
    """Implements `storage.vectors.port.Vectors`.

    Args:
        place: held by this process.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._state: State | None = None
        self._filling = ""
        self._shelves: dict[Kind, Shelf] = {}
        self._collections: dict[Kind, Collection] = {}
        self._writing = asyncio.Lock()
        self._last: tuple[Vector, bytes, Near] | None = None
        self._down_since: float | None = None
        self._whole = False
        self._behind = False

    @property
    def behind(self) -> bool:
        """Whether so much is missing in Chroma that it is better filled anew, in small transactions, than now."""
        return self._behind

    @property
    def whole(self) -> bool:
        """Whether an index was read into this, to its end: then what is in no row is known."""
        return self._whole

    @property
    def down(self) -> bool:
        """Whether the index was read without its vectors, because Chroma could not be used, and it is time to try again."""
        return self._behind or (self._down_since is not None and not self._resting())

    @property
    def unwritten(self) -> bool:
        """Whether anything waits to go to Chroma or to leave it."""
        return any(shelf.waiting or shelf.leaving for shelf in self._shelves.values())

    # rows

    def put(self, row: int, fact: FactId, vector: Vector) -> None:
        """Take in a row's vector; it goes to Chroma later."""
        self._last = None
        if vector.data and self._down_since is None:
            self._shelves.setdefault(vector.kind, Shelf()).put(row, fact, vector.data)

    def drop(self, row: int) -> None:
        """Let go of a row's vector; it leaves Chroma later, and is not asked for from now on."""
        self._last = None
        for shelf in self._shelves.values():
            shelf.drop(row)

    async def cosines(self, query: Vector, within: Within) -> Near:
        """The cosine of each row within that has one; the last answer is kept for the next page of it.

        Raises:
            VectorsDown / VectorsLost: Chroma cannot be used, or could not a moment ago; something is gone from there.
        """
        if self._down_since is not None and query.data and len(within.rows):
            raise VectorsDown(f"Chroma could not be used at {self._place.where}")
        shelf = self._shelves.get(query.kind)
        if shelf is None or not query.data or not len(within.rows):
            return NOTHING_NEAR
        rows = within.rows.tobytes()
        if self._last is None or self._last[:2] != (query, rows):
            self._last = (query, rows, await self._asked(shelf, query, within))
        return self._last[2]

    async def _asked(self, shelf: Shelf, query: Vector, within: Within) -> Near:
        places, names = shelf.within(within)
        products = shelf.here(names, query.data)
        there = [name for name in names if name not in products]
        if there:
            collection = await self._collection(query.kind)
            try:
                products |= await to_thread(ask, collection, there, query.data, self._place.where)
            except VectorsDown:
                self._give_up()
                raise
        return near(places, names, products)

    # keeping in step

    async def begin(self) -> None:
        """A whole index follows: look at what is there, and forget which row is what.

        It is looked at before the tables are read: so whatever another process has put there is in them. If it cannot be
        looked at, the index is read without vectors, and `down` says so.
        """
        async with self._writing:
            self._forget_rows()
            self._down_since, self._behind = None, False
            try:
                await self._look()
            except (VectorsDown, VectorsLost):
                self._give_up()

    async def _look(self) -> None:
        state = self._state = await to_thread(self._place.state)
        if state is None:
            state = State(new_generation())
            await self._save(state)
        for collection in await to_thread(collections_of, self._place, state.generation):
            kind = kind_of(collection)
            self._collections[kind] = collection
            self._shelves[kind] = Shelf(await to_thread(names_in, collection, self._place.where))

    async def pause(self) -> None:
        """In the middle of an index: if far too much piles up it is read without vectors, until Chroma is filled anew."""
        if sum(len(shelf.waiting) for shelf in self._shelves.values()) >= PILE:
            self._give_up()
            self._behind = True

    def complete(self) -> None:
        """The index is whole: what no row has leaves."""
        self._whole = self._down_since is None
        for shelf in self._shelves.values():
            shelf.only_these()

    def _give_up(self) -> None:
        self._forget_rows()
        self._down_since = monotonic()

    def _forget_rows(self) -> None:
        self._last, self._whole = None, False
        self._shelves.clear()
        self._collections.clear()

    def _resting(self) -> bool:
        return self._down_since is not None and monotonic() - self._down_since < _REST_S

    async def flush(self) -> None:
        """Bring Chroma in step with the rows.

        Raises:
            VectorsDown / VectorsLost: what was not written is still to be.
        """
        async with self._writing:
            if self.unwritten:
                await self._confirmed()
            for kind, shelf in list(self._shelves.items()):
                await self._come(kind, shelf)
                reach("shelved")
                await self._leave(kind, shelf)

    async def _come(self, kind: Kind, shelf: Shelf) -> None:
        while batch := shelf.next_to_come():
            collection = await self._collection(kind)
            await to_thread(upsert, collection, batch, self._place.where)
            shelf.came(batch)

    async def _leave(self, kind: Kind, shelf: Shelf) -> None:
        while batch := shelf.next_to_leave():
            if self._state is not None and self._state.clean:  # known before anything is deleted
                await self._save(replace(self._state, clean=False))
            collection = await self._collection(kind)
            await to_thread(delete, collection, batch, self._place.where)
            shelf.left(batch)

    # forgetting

    async def tidy(self) -> None:
        """Remove what is not in use; not what this process is filling."""
        async with self._writing:
            await self._tidy()

    async def _tidy(self) -> None:
        state = await to_thread(self._place.state)  # another process may have changed it
        await to_thread(self._place.remove_others, state.generation if state else "", self._filling)

    async def look(self) -> State | None:
        """The generation in use; None if there is none yet."""
        return self._state or await to_thread(self._place.state)

    async def due(self, stamp: str) -> bool:
        """Whether a new generation is needed, because something was forgotten that lies in the files of this one.

        Args:
            stamp: up to where was forgotten by now; what it says is out of Chroma already, by its own interface.

        Raises:
            VectorsDown: that is not so.
        """
        async with self._writing:
            state = await self._confirmed()
            if state is not None and state.stamp != stamp and state.clean:
                if not self._whole or any(shelf.leaving for shelf in self._shelves.values()):
                    raise VectorsDown(f"not everything is known of what is at {self._place.where}")
                await self._tidy()
                state = replace(state, stamp=stamp)
                await self._save(state)
            return state is None or state.stamp != stamp

    def build(self) -> Building:
        """Begin a new generation, beside the one in use; `use` or `abandon` it."""
        self._filling = new_generation()
        return Building(self._place, self._filling)

    async def abandon(self) -> None:
        """Remove a generation that will not be used; a disk that was too small for it has room again."""
        async with self._writing:
            self._filling = ""
            await self._tidy()

    async def use(self, built: Building, stamp: str) -> None:
        """Put a generation in the other's place and remove that one. The index has to be read whole after this.

        INVARIANT: what was forgotten up to a stamp is in no generation by the time that the stamp is saved.
        """
        async with self._writing:
            before = self._state = await to_thread(self._place.state)
            left = before is not None and not self._place.erases and (before.left or not before.clean)
            state = State(built.generation, left=left)
            await self._save(state)
            self._filling = ""
            self._forget_rows()
            reach("turned")
            await self._tidy()
            if await to_thread(self._place.state) == state:  # else another process was as quick
                await self._save(replace(state, stamp=stamp))

    async def remove(self) -> None:
        """Remove everything; an index that is read after this begins with nothing."""
        async with self._writing:
            self._forget_rows()
            self._state = None
            await to_thread(self._place.remove_all)

    async def counted(self) -> int:
        """How many vectors are there, of whatever kind."""
        state = await self.look()
        found = await to_thread(collections_of, self._place, state.generation) if state else []
        return sum([await to_thread(count_in, collection, self._place.where) for collection in found])

    async def left(self) -> bool:
        """Whether files that Tact cannot delete may hold vectors which are not in use."""
        state = await self.look()
        return state is not None and state.left

    async def close(self) -> None:
        """Let go of files and connections."""
        async with self._writing:
            await to_thread(self._place.close)

    async def _confirmed(self) -> State | None:
        """The generation in use, looked up afresh.

        Raises:
            VectorsLost: it is another one than the index was read with: another process has put it there.
        """
        state = await to_thread(self._place.state)
        if self._state is not None and (state is None or state.generation != self._state.generation):
            self._state = None
            raise VectorsLost(f"other vectors are in use at {self._place.where}")
        self._state = state
        return state

    async def _save(self, state: State) -> None:
        """INVARIANT: only inside `_writing`, so that nobody's change of the state is lost."""
        await to_thread(self._place.save, state)
        self._state = state

    async def _collection(self, kind: Kind) -> Collection:
        if kind not in self._collections:
            state = self._state or State(new_generation())
            self._collections[kind] = await to_thread(made, self._place, state.generation, kind)
        return self._collections[kind]

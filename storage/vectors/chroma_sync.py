"""Keeps Chroma in step with the tables, beside the turns, and builds it anew where `/forget` must reach its files."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, suppress
from typing import Final, Protocol

from engine.errors import StoreFault
from engine.failpoints import reach
from engine.ids import FactId
from engine.store import Progress, unwatched
from storage.vectors.chroma import PILE, ChromaVectors
from storage.vectors.chroma_faults import VectorsDown, VectorsLost
from storage.vectors.exact import ExactVectors
from storage.vectors.generations import Place
from storage.vectors.port import Vector, Vectors

_log = logging.getLogger(__name__)
PAGE: Final = 1000


class Tables(Protocol):
    """What is asked of a transaction."""

    async def index_in_step(self) -> None:
        """Read the index, or what changed of it."""
        ...

    async def forgotten_until(self) -> str:
        """Something that is another whenever more was forgotten."""
        ...

    async def vectors_counted(self) -> int:
        """How many facts have a vector."""
        ...

    async def vectors_after(self, fact: str, limit: int) -> Sequence[tuple[FactId, Vector]]:
        """The next facts with a vector, in order of their ids."""
        ...


class Reader(Protocol):
    """What is asked of a store."""

    def tables(self) -> AbstractAsyncContextManager[Tables]:
        """One transaction."""
        ...

    def paused(self) -> AbstractAsyncContextManager[None]:
        """No transaction meanwhile; the index is read whole by the next one."""
        ...

    def has_stale_index(self) -> bool:
        """Whether there is an index that has something to read again."""
        ...


class VectorKeeping:
    """Chroma for one store.

    While another process holds the folder, vectors are compared in memory here, with the same results, and what is
    forgotten stays pending until the holder has built its folder anew.

    Args:
        place: where Chroma keeps them.
        progress: told how much of a new generation is done.
        patience: seconds that `finish` waits for a new generation which takes the place of another; None: as long as
            it takes. It is finished beside, and counts as pending until then.
    """

    def __init__(self, place: Place, progress: Progress = unwatched, patience: float | None = None) -> None:
        self._place = place
        self._progress = progress
        self._patience = patience
        self._renewal: asyncio.Task[int] | None = None
        self._chroma: ChromaVectors | None = None
        self._exact = ExactVectors()
        self._beside: asyncio.Task[None] | None = None
        self._building = asyncio.Lock()
        self._left = self._closing = False

    @property
    def vectors(self) -> Vectors:
        """What an index is to be read into."""
        return self._chroma or self._exact

    @property
    def left_at(self) -> str:
        """The server whose files may hold vectors of what was forgotten, for its operator to delete; else empty."""
        return self._place.where if self._left else ""

    async def open(self) -> None:
        """Take the place, if nobody else has it.

        Raises:
            VectorsDown: if Chroma cannot be used there.
        """
        if self._chroma is None and await asyncio.to_thread(self._place.hold):
            self._chroma = ChromaVectors(self._place)
            if not self._place.shared:
                await self._chroma.tidy()

    def wake(self, store: Reader) -> None:
        """After a commit: if there is something to do, it is done beside."""
        running = self._beside is not None and not self._beside.done()
        chroma = self._chroma
        if (
            chroma is not None
            and not running
            and (store.has_stale_index() or chroma.unwritten or chroma.down)
        ):
            self._beside = asyncio.create_task(self._catch_up(chroma, store))

    async def _catch_up(self, chroma: ChromaVectors, store: Reader) -> None:
        try:
            if chroma.behind:
                await self._build(chroma, store, None)
            elif chroma.down:
                await _read_anew(store)
            await self._build(chroma, store, await _in_step(chroma, store))
        except StoreFault as fault:  # the next commit tries again; searches know what was not written
            _log.warning("vectors.behind", extra={"state": type(fault).__name__})
            if isinstance(fault, VectorsLost):
                await _read_anew(store)

    async def finish(self, store: Reader) -> bool:
        """Drive what was forgotten out of Chroma's files.

        Returns:
            False if it is not done, or cannot be from here: another process holds the folder, or Chroma does not answer.
            What a server's own files may hold is another matter: see `left_at`.
        """
        try:
            try:
                return await self._finished(store)
            except VectorsLost:  # somebody removed them, or another process uses others by now
                await _read_anew(store)
                return await self._finished(store)
        except (VectorsDown, VectorsLost) as fault:
            _log.warning("vectors.pending", extra={"state": type(fault).__name__})
            return False

    async def _finished(self, store: Reader) -> bool:
        await self.open()
        async with store.tables() as tables:
            stamp = await tables.forgotten_until()
        if self._chroma is None:
            state = await asyncio.to_thread(self._place.state)
            return state is not None and state.stamp == stamp
        return await self._finish(self._chroma, store, stamp)

    async def _finish(self, chroma: ChromaVectors, store: Reader, stamp: str) -> bool:
        known = await chroma.look()
        if known is None or (not chroma.whole and await _is_far_behind(chroma, store)):
            await self._build(chroma, store, None)
        elif known.stamp != stamp:
            if not chroma.whole:
                await _read_anew(store)
            reached = await _in_step(chroma, store)
            if await chroma.due(reached) and not await self._renewed(chroma, store, reached):
                return False
        self._left = await chroma.left()
        return True

    async def _renewed(self, chroma: ChromaVectors, store: Reader, reached: str) -> bool:
        """Whether a new generation took the old one's place within patience; else it goes on beside."""
        if self._renewal is None or self._renewal.done():
            self._renewal = asyncio.create_task(self._build(chroma, store, reached))
        done, _ = await asyncio.wait({self._renewal}, timeout=self._patience)
        return bool(done) and self._renewal.result() >= 0

    async def rebuild(self, store: Reader) -> int:
        """Build everything anew, whether it is due or not; returns the number of vectors.

        Raises:
            StoreFault: another process holds the folder.
            VectorsDown: Chroma cannot be used.
        """
        await self.open()
        if self._chroma is None:
            raise StoreFault(f"another Tact holds {self._place.where}: end it, then say this again")
        try:
            return await self._build(self._chroma, store, None)
        except VectorsLost:  # another process was ready first
            await _read_anew(store)
            return await self._build(self._chroma, store, None)

    async def remove(self) -> None:
        """Take everything of this memory out of Chroma.

        Raises:
            StoreFault / VectorsDown: as `rebuild`.
        """
        await self.open()
        if self._chroma is None:
            raise StoreFault(f"another Tact holds {self._place.where}: end it, then say this again")
        await self._chroma.remove()

    async def _build(self, chroma: ChromaVectors, store: Reader, reached: str | None) -> int:
        """A new generation; whatever is committed meanwhile comes and goes with the index that is read after it.

        Args:
            chroma: what it is for.
            store: the memory.
            reached: up to where was forgotten when Chroma was last in step: only if that makes it due. None: anyway.
        """
        async with self._building:
            if reached is not None and not await chroma.due(reached):
                return 0
            async with store.tables() as tables:
                stamp, total = await tables.forgotten_until(), await tables.vectors_counted()
            done = await self._filled(chroma, store, stamp, total)
        await _in_step(chroma, store)
        return done

    async def _filled(self, chroma: ChromaVectors, store: Reader, stamp: str, total: int) -> int:
        building, done = chroma.build(), 0
        try:
            while page := await self._page(store, building.last):
                await building.put(page)
                done += len(page)
                self._progress(min(1.0, done / max(1, total)))
            reach("built")
            async with store.paused():
                await chroma.use(building, stamp)
        except BaseException:
            with suppress(StoreFault):
                await chroma.abandon()
            raise
        return done

    async def _page(self, store: Reader, after: str) -> Sequence[tuple[FactId, Vector]]:
        """A page, in a transaction of its own, so that turns go on in between."""
        if self._closing:
            raise VectorsDown("closed before it was done: the next start begins again")
        async with store.tables() as tables:
            return await tables.vectors_after(after, PAGE)

    async def close(self) -> None:
        """Let go of the place. What is being written comes to its end, a new generation does not."""
        self._closing = True
        for task in (self._beside, self._renewal):
            if task is not None:
                with suppress(StoreFault):
                    await task
        if self._chroma is not None:
            await self._chroma.close()


async def _read_anew(store: Reader) -> None:
    """Let the next transaction read the index whole, over what is in Chroma now."""
    async with store.paused():
        pass


async def _in_step(chroma: ChromaVectors, store: Reader) -> str:
    """Bring Chroma in step with what is committed; returns up to where was forgotten by then."""
    async with store.tables() as tables:
        await tables.index_in_step()
        reached = await tables.forgotten_until()
    await chroma.flush()
    return reached


async def _is_far_behind(chroma: ChromaVectors, store: Reader) -> bool:
    """Whether Chroma lacks, or has, so many vectors that it is better filled anew before anything is asked."""
    async with store.tables() as tables:
        wanted = await tables.vectors_counted()
    return abs(wanted - await chroma.counted()) > PILE

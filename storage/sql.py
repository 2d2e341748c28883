"""The memory in a database: SQLite by default, another by URL. Implements `engine.store.Store`."""

from __future__ import annotations

from asyncio import to_thread, wait_for
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from sqlalchemy import insert, select
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from engine.errors import BadInput, StoreFault
from engine.ids import AccountId
from engine.store import Transaction
from storage import postgres, sqlite
from storage.audit import AuditRepository
from storage.backups.copies import remove_outlived
from storage.caches import Caches
from storage.compaction import Compacted, compact, keep_words_out_of_statistics
from storage.migrate import references, upgrade_connection
from storage.postgres_faults import failed, lost
from storage.repositories.deletion import ForgettingRepository
from storage.repositories.mailroom import MailroomRepository
from storage.repositories.talk import TalkRepository
from storage.tables import meta
from storage.transaction_lock import OneAtATime, whole
from storage.vault import Vault

if TYPE_CHECKING:  # numpy is loaded with the first search
    from storage.vectors.chroma_sync import VectorKeeping

_CHECK = "key check"
_CLOSE_S = 10


class SqlTransaction(ForgettingRepository, TalkRepository, MailroomRepository, AuditRepository):
    """One unit of work."""


class SqlStore:
    """One owner's memory. Open it with `SqlStore.open`; one transaction at a time in a process, and in all of them."""

    def __init__(self, engine: AsyncEngine, address: postgres.Address | None, vault: Vault) -> None:
        """Keep the parts. `address`: of a PostgreSQL database; None for SQLite."""
        self._engine = engine
        self._vault = vault
        self._address = address
        self._caches = Caches()
        self._turn = OneAtATime()
        self._keeping: VectorKeeping | None = None
        self._unused: Path | None = None

    @classmethod
    async def open(
        cls,
        where: str | Path,
        vault: Vault,
        owners: Iterable[AccountId] | None = None,
        *,
        alone: bool = False,
        vectors: VectorKeeping | None = None,
        unused: Path | None = None,
    ) -> Self:
        """Open a memory, making it or bringing its tables up to date first.

        Args:
            where: a file, or the URL of a database.
            vault: made with the key that the memory was made with.
            owners: the owner's accounts as configured: exactly these are from now on. None leaves them as they are.
            alone: claim the memory: nobody else may claim it as long as this process lives. A file is claimed by its
                folder, which is not seen to here.
            vectors: where they are looked for, if not in this process; the store closes it.
            unused: a folder where they may lie from before, when they were looked for there.

        Raises:
            BadInput: if the file cannot be made, the URL is no database's that Tact knows, or another process has
                claimed the memory.
            StoreFault: for the wrong key, tables of a newer Tact, or a file that is no database.
        """
        store = cls(*_engine(where, alone=alone), vault)
        store._keeping = store._caches.keeping = vectors
        store._unused = unused
        try:
            if vectors is not None:
                await vectors.open()
            await store._begin_work(owners)
        except BaseException:
            await store._engine.dispose()
            if vectors is not None:
                await vectors.close()
            raise
        return store

    async def _begin_work(self, owners: Iterable[AccountId] | None) -> None:
        async with self._translated():
            await (self._set_up_file() if self._address is None else self._set_up_server())
        if owners is None:
            return
        wanted = set(owners)
        async with self._unit() as unit:
            people = await unit.people()
            for account in sorted(people.owners | wanted):
                await unit.set_owner(account, owner=account in wanted)

    async def _set_up_file(self) -> None:
        async with self._engine.connect() as connection:
            await references(connection, on=False)
            async with connection.begin():
                await self._tables(connection)
            await references(connection, on=True)

    async def _set_up_server(self) -> None:
        async with postgres.turn(self._engine, patience=0) as connection:
            await self._tables(connection)
            await keep_words_out_of_statistics(connection)
            await connection.commit()

    async def _tables(self, connection: AsyncConnection) -> None:
        """Tables of this version, of the memory of this key."""
        first = partial(self._check_key, connection)
        await upgrade_connection(connection, self._file, first=first, vault=self._vault)
        await self._check_key(connection)

    async def _check_key(self, connection: AsyncConnection) -> None:
        """Refuse another key than the one the memory was made with, before anything is read or written."""
        kept = (await connection.execute(select(meta.c.value).where(meta.c.name == _CHECK))).scalar()
        if kept is None:
            sealed = self._vault.seal("meta", "value", _CHECK, _CHECK.encode())
            await connection.execute(insert(meta).values(name=_CHECK, value=sealed))
            return
        try:
            self._vault.open(kept, _CHECK)
        except StoreFault:
            raise StoreFault("this is not the key that the memory was made with: restore that one") from None

    @property
    def _file(self) -> Path | None:
        """The database's own file; None for PostgreSQL."""
        return sqlite.file_of(str(self._engine.url.database)) if self._address is None else None

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """Begin a unit of work; it is committed at the end, or rolled back if anything is raised.

        Raises:
            RuntimeError: if the same task is inside a transaction already.
            StoreFault: if the database cannot be used.
        """
        return self._unit()

    @asynccontextmanager
    async def _unit(self) -> AsyncIterator[SqlTransaction]:
        async with self._turn, self._translated(), self._begun(postgres.PATIENCE_S) as connection:
            unit = SqlTransaction(connection, self._vault, self._caches)
            try:
                if self._address is not None and postgres.is_new(connection):
                    self._caches.drop()
                await whole(unit.begin())
                yield unit
                await unit.finish()
                await whole(connection.commit())
            except BaseException:
                unit.undone()
                await whole(connection.rollback())
                raise
            else:
                unit.kept()
        if self._keeping is not None:
            self._keeping.wake(self)

    def _begun(self, patience: float) -> AbstractAsyncContextManager[AsyncConnection]:
        """A connection whose transaction no other one meets: SQLite's BEGIN sees to it itself."""
        return self._engine.connect() if self._address is None else postgres.turn(self._engine, patience)

    @asynccontextmanager
    async def _translated(self) -> AsyncIterator[None]:
        """The driver's errors in one line, without a statement and without values."""
        try:
            yield
        except DBAPIError as error:
            if self._address is not None:
                raise failed(error, self._address.where) from error
            raise StoreFault(f"the memory cannot be used: {error.orig}") from error
        except SQLAlchemyError as error:
            if isinstance(error.__cause__, TypeError | ValueError):
                raise error.__cause__ from None
            raise
        except ConnectionError as error:  # asyncpg's own, when the network breaks under a statement
            if self._address is None:
                raise
            raise lost(self._address.where) from error

    @property
    def compacted_by_hand(self) -> bool:
        """Whether erased bytes leave the disk only when the owner runs `tact forget --compact`."""
        return self._address is not None

    @property
    def left_at(self) -> str:
        """The server whose files may hold vectors of what was forgotten; empty if there is none."""
        return self._keeping.left_at if self._keeping is not None else ""

    async def finish_forgetting(self) -> bool:
        """Drive erased bytes off the disk; False while a reader is in the way."""
        swept = await self._swept()
        if self._address is not None:
            return False
        async with self._turn, self._translated(), self._engine.connect() as connection:
            if self._file:
                remove_outlived(self._file)
            return await sqlite.checkpoint(connection) and swept

    async def _swept(self) -> bool:
        """Whether nothing of what was forgotten is left in Chroma, in use or not."""
        kept = self._keeping is None or await self._keeping.finish(self)
        if self._unused is None or not self._unused.is_dir():
            return kept
        from storage.vectors.chroma_folder import swept  # noqa: PLC0415 - Chroma's client comes with it

        async with self._unit() as unit:
            stamp = await unit.forgotten_until()
        return await to_thread(swept, self._unused, stamp) and kept

    async def compact(self, progress: Callable[[int, int], None]) -> Compacted:
        """Drive erased bytes off the disk, also where that takes long and keeps others waiting.

        Args:
            progress: told how many steps of how many are done.
        """
        if self._address is None:
            return Compacted.DONE if await self.finish_forgetting() else Compacted.HELD
        swept = await self._swept()
        async with self._turn, self._translated(), self._engine.connect() as connection:
            ended = await compact(connection, self._address.where, progress)
        return ended if swept or ended is Compacted.HELD else Compacted.VECTORS

    async def rebuild_vectors(self) -> int:
        """Put all vectors into Chroma anew; returns how many.

        Raises:
            StoreFault: Chroma cannot be used, or another process holds its folder.
        """
        return await self._keeping.rebuild(self) if self._keeping is not None else 0

    async def remove_vectors(self) -> None:
        """Take all vectors out of Chroma; `StoreFault` as above."""
        if self._keeping is not None:
            await self._keeping.remove()

    # what keeps vectors in step asks for these: `storage.vectors.chroma_sync.Reader`

    def tables(self) -> AbstractAsyncContextManager[SqlTransaction]:
        """One transaction."""
        return self._unit()

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """No transaction meanwhile; the index is read whole by the next one."""
        async with self._turn:
            try:
                yield
            finally:
                self._caches.index = None

    def has_stale_index(self) -> bool:
        """Whether there is an index that has something to read again."""
        caches = self._caches
        return caches.index is not None and bool(caches.stale_facts or caches.stale_events)

    async def close(self) -> None:
        """Let go of files and connections."""
        if self._keeping is not None:
            await self._keeping.close()
        async with self._turn:
            with suppress(SQLAlchemyError, TimeoutError):  # a server that is gone does not say goodbye
                await wait_for(self._engine.dispose(), _CLOSE_S)


def _engine(where: str | Path, *, alone: bool) -> tuple[AsyncEngine, postgres.Address | None]:
    """The engine of a file or URL, and the address of a PostgreSQL database."""
    url = str(where)
    if postgres.is_address(url):
        address = postgres.address_of(url)
        return postgres.engine_of(address, alone=alone), address
    file = sqlite.file_of(url)
    if file is None or file.name == ":memory:":
        raise BadInput(
            f"Tact keeps no memory in {url.partition('://')[0]}" if file is None else "a memory has to last",
            where="database_url",
            fix="postgresql://user@host/database, or nothing for SQLite",
        )
    sqlite.make_file(file)
    engine = create_async_engine(sqlite.url_of(file), hide_parameters=True, pool_size=1, max_overflow=0)
    sqlite.prepare(engine)
    return engine, None

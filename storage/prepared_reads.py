"""Reads that every turn makes: each compiled once; of SQLite, small ones without a trip to its thread.

SQLAlchemy works on each statement afresh and goes to the driver's thread four times for it, which is nearly all that a
small read costs. Other databases are asked the usual way.
"""

from __future__ import annotations

import sqlite3
from collections import namedtuple
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import BindParameter, Select, bindparam
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.asyncio import AsyncConnection

from engine.errors import StoreFault
from storage.transaction_lock import whole

_SIZES = (1, 12, 64, 500)
"""Statements are compiled for so many ids; the places that are left over get the last id."""

_AT_HAND = 64
"""So many ids at most are read in the thread of the event loop: a few pages, and no lock to wait for inside a
transaction. Going to the driver's thread and back takes longer, and much longer on a busy machine."""

_SERIALISED = 3
_SHARED = sqlite3.threadsafety == _SERIALISED
"""Whether threads may share a connection (its calls then take turns); nearly every build of SQLite."""

IDS: BindParameter[Any] = bindparam("ids", expanding=True)
"""Where the ids go."""


class Prepared:
    """A select that takes `IDS` and nothing else, or nothing at all.

    Args:
        statement: what to read; its columns have names of their own. With `IDS` it promises no order.
    """

    def __init__(self, statement: Select[Any]) -> None:
        columns = list(statement.selected_columns)
        self._statement = statement
        self._types = [column.type for column in columns]
        made: Callable[..., Any] = namedtuple  # noqa: PYI024 - the fields are the statement's
        self._make: Callable[[Iterable[Any]], Any] = made("Row", [column.name for column in columns])._make
        self._texts: dict[int, str] = {}
        self._processes: list[tuple[int, Callable[[Any], Any]]] = []

    async def read(self, connection: AsyncConnection, ids: Iterable[str | int]) -> list[Any]:
        """The rows of these ids, however many.

        Raises:
            StoreFault: if the database cannot be used.
        """
        found: list[Any] = []
        for some in _parts(list(dict.fromkeys(ids))):
            if connection.dialect.name == "sqlite":
                found += await self._at_once(connection, some)
            else:
                read = connection.execute(self._statement, {IDS.key: filled(some)})
                found += (await whole(read)).all()
        return found

    async def read_all(self, connection: AsyncConnection) -> list[Any]:
        """The few rows of a select without `IDS`; `StoreFault` as `read`."""
        if connection.dialect.name == "sqlite":
            return await self._at_once(connection, ())
        return list((await whole(connection.execute(self._statement))).all())

    async def _at_once(self, connection: AsyncConnection, ids: Sequence[str | int]) -> list[Any]:
        size = next(s for s in _SIZES if len(ids) <= s) if ids else 0
        if size not in self._texts:
            self._compile(connection.dialect, size)
        values = {f"{IDS.key}_{n}": ids[min(n, len(ids)) - 1] for n in range(1, size + 1)}
        if not connection.in_transaction():
            await connection.begin()
        known: Any = connection.sync_connection  # there is one in a transaction
        driver = known.connection.driver_connection
        text = self._texts[size]
        try:
            if _SHARED and size <= _AT_HAND:
                rows = driver._conn.execute(text, values).fetchall()  # noqa: SLF001 - what `driver` itself goes by
            else:
                rows = await driver.execute_fetchall(text, values)
        except sqlite3.Error as error:
            raise StoreFault(f"the memory cannot be used: {error}") from error
        return self._made(rows)

    def _made(self, rows: Sequence[Sequence[Any]]) -> list[Any]:
        """What the driver read, a column at a time, as values of the columns' types."""
        columns: list[Iterable[Any]] = list(zip(*rows, strict=True))
        if columns:
            for place, process in self._processes:
                columns[place] = map(process, columns[place])
        return [self._make(values) for values in zip(*columns, strict=True)]

    def _compile(self, dialect: Dialect, size: int) -> None:
        kind: Any = type(dialect)
        named = kind(paramstyle="named")
        filled = self._statement.params({IDS.key: [""] * size}) if size else self._statement
        self._texts[size] = str(filled.compile(dialect=named, compile_kwargs={"render_postcompile": True}))
        made = [t.dialect_impl(dialect).result_processor(dialect, None) for t in self._types]
        self._processes = [(place, process) for place, process in enumerate(made) if process is not None]


def _parts(every: list[str | int]) -> Iterator[list[str | int]]:
    for start in range(0, len(every), _SIZES[-1]):
        yield every[start : start + _SIZES[-1]]


def filled(some: list[Any]) -> list[Any]:
    """At most 500 values brought to one of few lengths, by the last one again: a server prepares one statement a length."""
    size = next(s for s in _SIZES if len(some) <= s)
    return [*some, *[some[-1]] * (size - len(some))]

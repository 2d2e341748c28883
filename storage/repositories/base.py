"""The base of every repository: one connection in one transaction, the vault, the caches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Table, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql import Executable, Select

from engine.audience import Audience
from engine.failpoints import reach
from engine.ids import OWNER, PersonId
from engine.store import Scope
from storage.caches import Caches
from storage.mapping import digest_of
from storage.prepared_reads import IDS, Prepared, filled
from storage.tables import audience_members, audiences, changes, policy_versions, tombstones
from storage.transaction_lock import whole
from storage.vault import Vault

CHUNK = 500
"""So many values in one IN list."""

_NEWEST = Prepared(
    select(
        select(func.max(changes.c.seq)).scalar_subquery().label("change"),
        select(func.max(policy_versions.c.version)).scalar_subquery().label("version"),
    )
)
_INTERNED = Prepared(select(audiences.c.id).where(audiences.c.digest.in_(IDS)))
_PRESENT = Prepared(
    select(audiences.c.id, audiences.c.everyone, audience_members.c.person_id)
    .select_from(audiences.join(audience_members, audience_members.c.audience_id == audiences.c.id))
    .where(audiences.c.id.in_(IDS))
)
_GONE = Prepared(select(tombstones.c.id).where(tombstones.c.id.in_(IDS)))


class Unit:
    """One transaction. `begin` first; then `finish` before the commit, and `kept` or `undone` after it."""

    def __init__(self, connection: AsyncConnection, vault: Vault, caches: Caches) -> None:
        self._connection = connection
        self._vault = vault
        self._caches = caches
        self._version = 0
        self._seq = 0
        self._written: dict[tuple[str, str], None] = {}
        self._new_audiences: list[Audience] = []
        self._new_policies: list[int] = []

    # life

    async def begin(self) -> None:
        """Read policy version and change counter, and mark what others changed as stale.

        Numbers only ever grow. Where they did not, an operator has put a dump in the place of the memory, and what was
        read before belongs to another past.
        """
        (row,) = await _NEWEST.read_all(self._connection)
        self._seq, self._version = row.change or 0, row.version or 0
        if self._seq < self._caches.seq or self._version < self._caches.newest_policy:
            self._caches.drop()
        if self._seq > self._caches.seq:
            new = select(changes.c.kind, changes.c.id).where(changes.c.seq > self._caches.seq).distinct()
            for kind, name in await self._rows(new):
                self._caches.changed(kind, name)
            self._caches.seq = self._seq

    async def finish(self) -> None:
        """Write down what changed, for other processes; part of the transaction."""
        if self._written:
            await self._insert(changes, [{"kind": kind, "id": name} for kind, name in self._written])
            self._seq = (await self._run(select(func.max(changes.c.seq)))).scalar_one()
        reach("committing")

    def kept(self) -> None:
        """It was committed: the caches know these changes already."""
        reach("committed")
        self._caches.seq = self._seq

    def undone(self) -> None:
        """It was rolled back, or may have been: forget what the caches learnt in it."""
        for kind, name in self._written:
            self._caches.changed(kind, name)
        for audience in self._new_audiences:
            self._caches.audiences.pop(self._caches.numbers.pop(audience, 0), None)
        for version in self._new_policies:
            self._caches.policies.pop(version, None)

    def _changed(self, kind: str, name: str) -> None:
        self._written[kind, name] = None
        self._caches.changed(kind, name)

    # statements

    async def _run(self, statement: Executable) -> Any:
        return await whole(self._connection.execute(statement))

    async def _rows(self, statement: Executable) -> list[Any]:
        return list((await whole(self._connection.execute(statement))).all())

    async def _insert(self, table: Table, values: Sequence[dict[str, object]]) -> None:
        """Many rows in one round."""
        if values:
            await whole(self._connection.execute(insert(table), list(values)))

    async def _in_chunks(self, statement: Select[Any], column: Any, values: Iterable[Any]) -> list[Any]:
        """The rows whose column is one of these values, however many."""
        found: list[Any] = []
        for part in chunks(values):
            found += await self._rows(statement.where(column.in_(filled(part))))
        return found

    # audiences

    async def _number(self, audience: Audience) -> int:
        """An audience's number; interned if it is new."""
        known = self._caches.numbers.get(audience)
        if known is not None:
            return known
        digest = digest_of(audience)
        found = await _INTERNED.read(self._connection, [digest])
        number = found[0].id if found else None
        if number is None:
            row = {"digest": digest, "everyone": audience.everyone}
            number = (await self._run(insert(audiences).values(row))).inserted_primary_key[0]
            members = [{"audience_id": number, "person_id": p} for p in sorted(audience.members)]
            await self._insert(audience_members, members)
        self._new_audiences.append(audience)
        self._caches.know(number, audience)
        return int(number)

    async def _audiences(self, numbers: Iterable[int]) -> dict[int, Audience]:
        """The audiences of these numbers."""
        missing = {n for n in numbers if n not in self._caches.audiences}
        if missing:
            members: dict[int, list[PersonId]] = {}
            everyone: dict[int, bool] = {}
            for number, everybody, person in await _PRESENT.read(self._connection, missing):
                members.setdefault(number, []).append(PersonId(person))
                everyone[number] = everybody
            for number, persons in members.items():
                self._caches.know(number, Audience(frozenset(persons), everyone[number]))
                self._new_audiences.append(self._caches.audiences[number])
        return self._caches.audiences

    # tombstones

    async def _gone(self, ids: Iterable[str]) -> set[str]:
        """Which of these were forgotten."""
        return {row.id for row in await _GONE.read(self._connection, ids)}


def in_scope(column: Any, scope: Scope) -> Any:
    """The condition that an audience covers a scope's viewers. INVARIANT: `nothing` matches no row."""
    if scope.nothing:
        return column.in_([])
    everybody = select(audiences.c.id).where(audiences.c.everyone.is_(True))
    if scope.viewers.everyone:
        return column.in_(everybody)
    viewers = sorted(scope.viewers.members - {OWNER})  # the owner is in every audience
    if not viewers:
        return column.is_not(None)
    members = audience_members.c
    all_of_them = (
        select(members.audience_id)
        .where(members.person_id.in_(viewers))
        .group_by(members.audience_id)
        .having(func.count() == len(viewers))
    )
    return column.in_(everybody.union_all(all_of_them))


def chunks(values: Iterable[Any]) -> Iterator[list[Any]]:
    """In parts that fit into one IN list, each value once."""
    every = list(dict.fromkeys(values))
    for start in range(0, len(every), CHUNK):
        yield every[start : start + CHUNK]

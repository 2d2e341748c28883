"""Whether the tables hold together: what a crash, a fault in Tact or a foreign hand could have torn.

Everything here only reads. What is found is told by table and id, never by words.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Column, Table, exists, func, select, text
from sqlalchemy.sql import Select

from engine.errors import StoreFault
from engine.items import Origin, RawSession
from engine.mailroom import SendingKind, State
from engine.policy import Policy
from storage import sqlite
from storage import tables as t
from storage.json_values import from_plain
from storage.mapping import session_of
from storage.migrate import HEAD
from storage.repositories.base import Unit
from storage.types import EncryptedText


class Harm(StrEnum):
    """What is wrong with something."""

    DOUBLED = "doubled"  # there twice
    HALF = "half_annotated"  # an annotation of which a part is there
    ORPHANED = "orphaned"  # belongs to something that is not there
    RETURNED = "returned"  # was forgotten, and is there
    STEP = "out_of_step"  # the index says something else than the tables
    DAMAGED = "damaged"  # does not open, or contradicts itself


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One thing that is wrong: what, in which table, about which id."""

    harm: Harm
    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.harm}: {self.where}: {self.what}"


@dataclass(frozen=True, slots=True)
class _Belongs:
    """A column whose values are found in another one; `buried`: or among the tombstones of this kind, or left behind."""

    column: Column[Any]
    parent: Column[Any]
    harm: Harm = Harm.ORPHANED
    buried: str = ""


_BELONGS = (
    *(_Belongs(c, t.facts.c.id, Harm.HALF) for c in (t.fact_sources.c.fact_id, t.edges.c.fact_id)),
    *(_Belongs(c, t.facts.c.id, Harm.HALF) for c in (t.list_entries.c.fact_id, t.links.c.left_id)),
    _Belongs(t.links.c.right_id, t.facts.c.id, Harm.HALF),
    _Belongs(t.facts.c.id, t.fact_sources.c.fact_id, Harm.HALF),
    *(_Belongs(c, t.messages.c.id, Harm.HALF) for c in (t.fact_sources.c.message_id, t.links.c.message_id)),
    *(_Belongs(c, t.sessions.c.id, Harm.HALF) for c in (t.facts.c.session_id, t.links.c.session_id)),
    _Belongs(t.inbox.c.message_id, t.messages.c.id, buried="message"),
    _Belongs(t.messages.c.id, t.inbox.c.message_id, Harm.DOUBLED),
    _Belongs(t.messages.c.session_id, t.sessions.c.id),
    *(_Belongs(x.c.container_id, t.containers.c.id) for x in (t.messages, t.facts, t.sessions)),
    _Belongs(t.tellings.c.message_id, t.messages.c.id),
    *(
        _Belongs(x.c.audience_id, t.audiences.c.id)
        for x in (t.messages, t.facts, t.sessions, t.links, t.turns)
    ),
    _Belongs(t.audience_members.c.audience_id, t.audiences.c.id),
    _Belongs(t.audiences.c.id, t.audience_members.c.audience_id),
    _Belongs(t.sightings.c.account_id, t.accounts.c.id),
    _Belongs(t.turn_items.c.turn_id, t.turns.c.id),
    _Belongs(t.outbox_facts.c.key, t.outbox.c.key),
    _Belongs(t.room_accounts.c.container_id, t.rooms.c.container_id),
)
_ORDERED = (
    (t.fact_sources.c.position, (t.fact_sources.c.fact_id,), Harm.HALF),
    (t.edges.c.position, (t.edges.c.fact_id,), Harm.HALF),
    (t.tellings.c.position, (t.tellings.c.message_id,), Harm.ORPHANED),
    (t.names.c.position, (t.names.c.person_id,), Harm.ORPHANED),
    (t.sightings.c.position, (t.sightings.c.account_id,), Harm.ORPHANED),
    (t.turn_items.c.position, (t.turn_items.c.turn_id, t.turn_items.c.role), Harm.ORPHANED),
    (t.outbox_facts.c.position, (t.outbox_facts.c.key,), Harm.ORPHANED),
    (t.message_versions.c.position, (t.message_versions.c.first,), Harm.ORPHANED),
    (t.moved_chats.c.position, (t.moved_chats.c.container_id,), Harm.ORPHANED),
)
_ROWS = {"edges": ("fact_id", "position"), "names": ("person_id", "position")}
"""What a sealed value is bound to, where that is not the first of these columns."""
_ROW = ("id", "key", "name", "version")


class TableAudit(Unit):
    """Reads every table, and says what does not fit."""

    async def table_faults(self) -> AsyncIterator[Fault]:
        """Everything that is wrong in the tables."""
        for found in (self._database, self._strays, self._gaps, self._doubles, self._returned, self._states):
            async for fault in found():
                yield fault
        for table in t.metadata.sorted_tables:
            async for fault in self._sealed(table):
                yield fault

    async def annotated(self) -> list[RawSession]:
        """Sessions that count as annotated."""
        rows = await self._rows(select(t.sessions).where(t.sessions.c.annotated.is_(True)))
        known = await self._audiences({row.audience_id for row in rows})
        return [session_of(row, known[row.audience_id]) for row in rows]

    async def _database(self) -> AsyncIterator[Fault]:
        """What the database says of itself, and whose tables they are."""
        revision = (await self._run(text("SELECT version_num FROM alembic_version"))).scalar()
        if revision != HEAD:
            yield Fault(Harm.DAMAGED, "alembic_version", f"{revision}, not {HEAD}")
        if self._connection.dialect.name != "sqlite":
            return
        for what in await sqlite.damage(self._connection):
            yield Fault(Harm.DAMAGED, "integrity_check", what)
        for table, row, parent in await sqlite.strays(self._connection):
            yield Fault(Harm.ORPHANED, table, f"row {row}: no {parent}")

    async def _strays(self) -> AsyncIterator[Fault]:
        left = {name for (name,) in await self._rows(select(t.left_behind.c.message_id))}
        for rule in _BELONGS:
            missing = ~exists().where(rule.parent == rule.column).correlate(rule.column.table)
            wanted = select(rule.column).where(rule.column.is_not(None), missing).distinct()
            if rule.buried:
                same = (t.tombstones.c.kind == rule.buried) & (t.tombstones.c.id == rule.column)
                wanted = wanted.where(~exists().where(same).correlate(rule.column.table))
            for (name,) in await self._rows(wanted):
                where = f"{rule.column.table.name}.{rule.column.name}"
                if not (rule.buried and name in left):
                    yield Fault(rule.harm, where, f"{name} is not in {rule.parent.table.name}")

    async def _gaps(self) -> AsyncIterator[Fault]:
        """Rows that are counted from 0, and of which one is missing."""
        for position, of, harm in _ORDERED:
            # what a reply heard has the places before the first (`TalkRepository.record`)
            whole = (func.max(position) - func.min(position) == func.count() - 1) & (func.min(position) <= 0)
            for row in await self._rows(select(*of).group_by(*of).having(~whole)):
                yield Fault(harm, position.table.name, f"{row[0]}: a row is missing")
        versions = [n for (n,) in await self._rows(select(t.policy_versions.c.version))]
        if sorted(versions) != list(range(1, len(versions) + 1)):
            yield Fault(Harm.DAMAGED, "policy_versions", "a version is missing")

    async def _doubles(self) -> AsyncIterator[Fault]:
        """A message under two events, or the same words twice by one teller in a session."""
        message = t.inbox.c.message_id
        for (name,) in await self._rows(select(message).group_by(message).having(func.count() > 1)):
            yield Fault(Harm.DOUBLED, "inbox", f"{name} came twice")
        told: set[tuple[str, ...]] = set()
        f = t.facts.c
        for row in await self._rows(select(f.id, f.session_id, f.teller, f.text).order_by(f.id)):
            try:
                words = " ".join(self._vault.open_text(row.text, row.id).split())
            except StoreFault:
                continue  # `_sealed` tells of it
            if (row.session_id, row.teller, words) in told:
                yield Fault(Harm.DOUBLED, "facts", f"{row.id} is told twice in {row.session_id}")
            told.add((row.session_id, row.teller, words))

    async def _returned(self) -> AsyncIterator[Fault]:
        for kind, column in (("fact", t.facts.c.id), ("message", t.messages.c.id)):
            buried = exists().where(t.tombstones.c.id == column, t.tombstones.c.kind == kind)
            for (name,) in await self._rows(select(column).where(buried)):
                yield Fault(Harm.RETURNED, column.table.name, f"{name} was forgotten")

    async def _states(self) -> AsyncIterator[Fault]:
        """What says two things at once."""
        for column, known in ((t.outbox.c.state, State), (t.outbox.c.kind, SendingKind)):
            for row in await self._rows(select(t.outbox.c.key).where(column.not_in(list(map(str, known))))):
                yield Fault(Harm.DAMAGED, "outbox", f"{row.key}: no such {column.name}")
        unlike = t.arrivals.c.done.is_(True) == t.arrivals.c.payload.is_not(None)
        for row in await self._rows(select(t.arrivals.c.key).where(unlike)):
            yield Fault(Harm.DAMAGED, "arrivals", f"{row.key}: finished and kept, or neither")
        said = t.messages.c.origin != str(Origin.TACT)
        count = func.count(t.messages.c.id)
        joined = t.sessions.join(t.messages, t.messages.c.session_id == t.sessions.c.id)
        more: Select[Any] = select(t.sessions.c.id).select_from(joined).where(said)
        more = more.group_by(t.sessions.c.id, t.sessions.c.messages).having(count > t.sessions.c.messages)
        for row in await self._rows(more):
            yield Fault(Harm.DAMAGED, "sessions", f"{row.id}: more messages than it counts")

    async def _sealed(self, table: Table) -> AsyncIterator[Fault]:
        """Values that do not open; the newest policy is read whole."""
        sealed = [c for c in table.c if isinstance(c.type, EncryptedText)]
        if not sealed:
            return
        names = _ROWS.get(table.name) or next((n,) for n in _ROW if n in table.c)
        for row in await self._rows(select(*(table.c[n] for n in names), *sealed)):
            place = "/".join(str(part) for part in row[: len(names)])
            for value in row[len(names) :]:
                try:
                    plain = None if value is None else self._vault.open(value, place)
                    if table is t.policy_versions and plain is not None:
                        from_plain(Policy, self._vault.open_json(value, place))
                except (StoreFault, ValueError, KeyError, TypeError) as error:
                    what = str(error) if isinstance(error, StoreFault) else f"{place} cannot be read"
                    yield Fault(Harm.DAMAGED, table.name, what)

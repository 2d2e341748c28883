"""What must outlive a restore, whichever memory counts: what was forgotten, what was handled, and what went out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Table, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from engine.cards import CardKind
from engine.mailroom import State
from storage.tables import (
    arrivals,
    cards,
    inbox,
    left_behind,
    message_versions,
    messages,
    moved_chats,
    notes,
    outbox,
    outbox_facts,
    room_accounts,
    rooms,
    shown,
    tombstones,
    turns,
)

_CHUNK: Final = 500
_OPEN: Final = (State.PENDING, State.WAITING, State.SENDING)
_SEEN: Final = (
    (notes, notes.c.name),
    (message_versions, message_versions.c.first),
    (rooms, rooms.c.container_id),
    (room_accounts, room_accounts.c.container_id),
    (moved_chats, moved_chats.c.container_id),
    (shown, shown.c.name),
)
"""What is known of platforms, and what counts as one thing of it."""


@dataclass(frozen=True, slots=True)
class Mail:
    """What became of deliveries and events that were under way when the backup was made, by count."""

    uncertain: int = 0
    unhandled: int = 0


async def rows_of(connection: AsyncConnection, table: Table) -> list[Any]:
    """A whole table, in the order of its keys."""
    return list((await connection.execute(select(table).order_by(*table.primary_key.columns))).all())


async def add(connection: AsyncConnection, table: Table, rows: Sequence[Any], *, without: str = "") -> None:
    """Insert rows that were read from the same table elsewhere; `without` a column that numbers them anew."""
    values = [{name: v for name, v in row._mapping.items() if name != without} for row in rows]  # noqa: SLF001 - SQLAlchemy's public name
    for start in range(0, len(values), _CHUNK):
        await connection.execute(insert(table), values[start : start + _CHUNK])


async def remove(connection: AsyncConnection, column: Any, values: Collection[Any]) -> None:
    """Delete the rows whose column is one of these values."""
    every = list(values)
    for start in range(0, len(every), _CHUNK):
        await connection.execute(delete(column.table).where(column.in_(every[start : start + _CHUNK])))


async def doubt(restored: AsyncConnection, dead_notes: Sequence[str]) -> Mail:
    """Nothing that was under way is done again: it may have been done since. What may not have gone out is uncertain.

    Args:
        restored: the restored memory.
        dead_notes: beginnings of names of documents that are good for one moment only, such as a one-time code.
    """
    sent = await restored.execute(
        update(outbox).where(outbox.c.state.in_(_OPEN)).values(state=str(State.UNCERTAIN))
    )
    waiting = await restored.execute(
        update(arrivals).where(arrivals.c.done.is_(False)).values(done=True, payload=None)
    )
    await restored.execute(
        update(cards).where(cards.c.kind == str(CardKind.WIDENING), cards.c.done.is_(False)).values(done=True)
    )
    await drop_notes(restored, dead_notes)
    return Mail(sent.rowcount, waiting.rowcount)


async def drop_notes(restored: AsyncConnection, beginnings: Sequence[str]) -> None:
    """Take documents away by the beginnings of their names."""
    for beginning in beginnings:
        await restored.execute(delete(notes).where(notes.c.name.startswith(beginning, autoescape=True)))


async def carry_over(
    restored: AsyncConnection,
    present: AsyncConnection,
    dead_notes: Sequence[str],
    *,
    newer_notes: bool,
) -> Mail:
    """Take from the present memory what it has handled, sent and forgotten; what it does not know of is in doubt.

    Args:
        restored: the restored memory, changed here.
        present: the memory that it takes the place of.
        dead_notes: as in `doubt`.
        newer_notes: whether the present memory's documents, and what it knows of platforms, are the newer ones.
    """
    pending = {row.key for row in await rows_of(restored, arrivals) if not row.done}
    open_ = {row.key for row in await rows_of(restored, outbox) if row.state in _OPEN}
    await doubt(restored, dead_notes)
    await _replace(restored, present, outbox, outbox.c.key, without="seq")
    await _replace(restored, present, arrivals, arrivals.c.key, without="seq")
    await _replace(restored, present, cards, cards.c.id, without="seq")
    await _facts_of_sendings(restored, present)
    left = {row.message_id for both in (restored, present) for row in await rows_of(both, left_behind)}
    left |= {row.message_id for row in await _missing(restored, present, inbox, inbox.c.event)}
    await _forgotten_turns(restored, present)
    for table, key in _SEEN:
        await (_replace if newer_notes else _missing)(restored, present, table, key)
    await _keep_left_behind(restored, left)
    await drop_notes(restored, dead_notes)
    sent, handled = await rows_of(present, outbox), await rows_of(present, arrivals)
    return Mail(len(open_ - {row.key for row in sent}), len(pending - {row.key for row in handled}))


async def _replace(
    restored: AsyncConnection, present: AsyncConnection, table: Table, key: Any, *, without: str = ""
) -> None:
    rows = await rows_of(present, table)
    await remove(restored, key, {row._mapping[key] for row in rows})  # noqa: SLF001
    await add(restored, table, rows, without=without)


async def _missing(restored: AsyncConnection, present: AsyncConnection, table: Table, key: Any) -> list[Any]:
    """Add the rows that only the present memory has, and return them."""
    known = {row._mapping[key] for row in await rows_of(restored, table)}  # noqa: SLF001
    new = [row for row in await rows_of(present, table) if row._mapping[key] not in known]  # noqa: SLF001
    await add(restored, table, new)
    return new


async def _keep_left_behind(restored: AsyncConnection, left: set[str]) -> None:
    """Keep which messages are known as handled and are not there, so that nobody takes that for damage."""
    await restored.execute(delete(left_behind))
    names = left - {name for (name,) in (await restored.execute(select(messages.c.id))).all()}
    if names:
        await restored.execute(insert(left_behind), [{"message_id": name} for name in sorted(names)])


async def _facts_of_sendings(restored: AsyncConnection, present: AsyncConnection) -> None:
    rows = await rows_of(present, outbox_facts)
    await remove(restored, outbox_facts.c.key, {row.key for row in await rows_of(present, outbox)})
    await add(restored, outbox_facts, rows)


async def _forgotten_turns(restored: AsyncConnection, present: AsyncConnection) -> None:
    """Traces whose words the present memory has erased are without words here, too."""
    erased = select(turns).where(turns.c.forgotten.is_(True))
    for row in (await present.execute(erased)).all():
        words = {name: row._mapping[turns.c[name]] for name in ("question", "payload", "reply")}  # noqa: SLF001
        await restored.execute(update(turns).where(turns.c.id == row.id).values(forgotten=True, **words))


async def tombstones_of(connection: AsyncConnection) -> dict[tuple[str, str], Any]:
    """When what was forgotten, by kind and id."""
    return {(row.kind, row.id): row.at for row in await rows_of(connection, tombstones)}

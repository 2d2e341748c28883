"""The owner's decisions that stand when an older memory is restored: nothing that was closed since is opened by it.

Policy, people, marks and lists of the present memory count. What the present memory has given up opens nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from engine.items import Colour
from storage.backups.carried_mail import add, remove, rows_of
from storage.repositories.fact_rows import MARKS
from storage.tables import (
    accounts,
    audiences,
    fact_sources,
    facts,
    list_entries,
    messages,
    names,
    policy_versions,
    sightings,
)
from storage.vault import Vault

_CLOSING: Final = ("unresolved", "confidential", "cover", "secret", "sensitive", "kept_private")
_OPENING: Final = ("first_hand", "owner_typed")
_FACT: Final = (facts.c.id, facts.c.event_id, facts.c.audience_id, facts.c.text, facts.c.details)


@dataclass(frozen=True, slots=True)
class _Facts:
    """A memory's facts with what has been decided about each."""

    rows: Mapping[str, Any]
    audiences: Mapping[int, str]
    sources: Mapping[str, frozenset[str]]


@dataclass(slots=True)
class _Fate:
    """What becomes of the lists of the restored memory's facts: whose own count, and whose let nobody in any more."""

    same: set[str] = field(default_factory=set)
    closed: set[str] = field(default_factory=set)


async def let_stand(restored: AsyncConnection, present: AsyncConnection, vault: Vault) -> int:
    """Let the present memory's decisions count in the restored one; returns how many facts open less than in the backup.

    The policy itself is the caller's business.
    """
    ours, theirs = await _facts(restored), await _facts(present)
    heard = {row.id for row in (await present.execute(select(messages.c.id))).all()}
    fate, narrowed = _Fate(), 0
    for name, row in ours.rows.items():
        values = _judged(row, ours, theirs, heard, vault, fate)
        changed = {key: value for key, value in values.items() if row._mapping[facts.c[key]] != value}  # noqa: SLF001
        if changed:
            narrowed += 1
            await restored.execute(update(facts).where(facts.c.id == name).values(changed))
    await _lists(restored, present, fate)
    await _people(restored, present)
    return narrowed


async def _facts(connection: AsyncConnection) -> _Facts:
    marks = [facts.c[name] for name in MARKS]
    rows = (await connection.execute(select(*_FACT, *marks))).all()
    sources: dict[str, set[str]] = defaultdict(set)
    for row in await rows_of(connection, fact_sources):
        sources[row.fact_id].add(row.message_id)
    who = {row.id: row.digest for row in await rows_of(connection, audiences)}
    return _Facts({row.id: row for row in rows}, who, {name: frozenset(ids) for name, ids in sources.items()})


def _judged(
    row: Any, ours: _Facts, theirs: _Facts, heard: set[str], vault: Vault, fate: _Fate
) -> dict[str, Any]:
    """What a fact's marks are from now on."""
    there = theirs.rows.get(row.id)
    if there is None:
        if not ours.sources.get(row.id, frozenset()) & heard:
            return {}  # the present memory never knew of it
        fate.closed.add(row.id)
        return {"confirmed": None, "settled": False}
    same_words = vault.open_text(row.text, row.id) == vault.open_text(there.text, row.id)
    same_people = ours.audiences[row.audience_id] == theirs.audiences[there.audience_id]
    closing = {name: getattr(row, name) or getattr(there, name) for name in _CLOSING}
    if not (same_words and same_people):
        fate.closed.add(row.id)
        return {**closing, "confirmed": None, "settled": False}
    fate.same.add(row.id)
    opening = {name: getattr(row, name) and getattr(there, name) for name in _OPENING}
    marks = {name: getattr(there, name) for name in MARKS}
    unresolved = row.unresolved or there.unresolved
    kept = {**marks, **opening, "unresolved": unresolved, "event_id": there.event_id}
    return kept | _category(row, there, vault)


def _category(row: Any, there: Any, vault: Vault) -> dict[str, Any]:
    """The present memory's category and what else can be changed in a fact's details."""
    same = vault.open_json(row.details, row.id) == vault.open_json(there.details, row.id)
    return {} if same else {"details": there.details}


async def _lists(restored: AsyncConnection, present: AsyncConnection, fate: _Fate) -> None:
    """The lists that count: of facts in both memories the present ones; what bars somebody in either stays."""
    known = {
        row.id: row.event_id for row in (await restored.execute(select(facts.c.id, facts.c.event_id))).all()
    }
    events = {known[name] for name in fate.same}
    ours, theirs = await rows_of(restored, list_entries), await rows_of(present, list_entries)
    kept = [e for e in ours if e.colour == Colour.BLACK or not _is_closed(e, fate, events)]
    taken = [e for e in theirs if _applies(e, fate, events)]
    different = {tuple(e)[1:]: e for e in (*kept, *taken)}
    await restored.execute(delete(list_entries))
    await add(restored, list_entries, list(different.values()), without="id")


def _is_closed(entry: Any, fate: _Fate, events: set[str]) -> bool:
    """Whether an entry of the backup's that lets somebody in has no say."""
    if entry.fact_id is None:
        return entry.event_id in events
    return entry.fact_id in fate.same or entry.fact_id in fate.closed


def _applies(entry: Any, fate: _Fate, events: set[str]) -> bool:
    """Whether an entry of the present memory's counts in the restored one."""
    if entry.fact_id is None:
        return entry.event_id in events
    return entry.fact_id in fate.same or (entry.fact_id in fate.closed and entry.colour == Colour.BLACK)


async def _people(restored: AsyncConnection, present: AsyncConnection) -> None:
    """Who is who as the owner sees it now; accounts that only the backup knows are nobody's."""
    theirs, given = await rows_of(present, accounts), await rows_of(present, names)
    known = {row.id for row in theirs}
    await restored.execute(update(accounts).values(owner=False))
    await remove(restored, accounts.c.id, known)
    await add(restored, accounts, theirs)
    await remove(restored, sightings.c.account_id, known)
    await add(restored, sightings, await rows_of(present, sightings))
    await remove(restored, names.c.person_id, {*known, *(row.person_id for row in given)})
    await add(restored, names, given)


async def take_policies(restored: AsyncConnection, present: AsyncConnection) -> None:
    """The present memory's policy versions in place of the backup's."""
    await restored.execute(delete(policy_versions))
    await add(restored, policy_versions, await rows_of(present, policy_versions))

"""What a restored memory would tell to somebody who would not be told it now: shown before it takes its place."""

from __future__ import annotations

from pathlib import Path

from bot.owner.names import audience_in_words
from bot.owner.openings import every_fact
from bot.owner.queries.remembered import hearers
from bot.texts import say
from engine.audience import OWNER_ONLY, Audience
from engine.ids import FactId
from engine.items import RawFact
from engine.people import People
from engine.policy import Policy
from storage.backups.archive import Told
from storage.sql import SqlStore
from storage.vault import Vault

_SHOWN = 8


async def reopened(restored: Path, present: str, vault: Vault, language: str, told: Told) -> list[str]:
    """A line for each of the first few facts, with how many there are; none if nothing opens."""
    then, policy, people = await _known(str(restored), vault)
    now, before, known = await _known(present, vault)
    gains = []
    for number, (fact_id, fact) in enumerate(then.items(), 1):
        told(number, len(then))
        there = now.get(fact_id)
        old = OWNER_ONLY if there is None else hearers(there, before, known)
        new = hearers(fact, policy, people)
        if not old.covers(new):
            gains.append((fact, new if new.everyone else Audience(new.members - old.members)))
    lines = [say(language, "restore.opens", count=len(gains))] if gains else []
    for fact, who in gains[:_SHOWN]:
        names = audience_in_words(who, people, language)
        lines.append(say(language, "restore.opens_fact", who=names, text=fact.text))
    return [*lines, *([f"  … {len(gains) - _SHOWN}"] if len(gains) > _SHOWN else [])]


async def _known(where: str, vault: Vault) -> tuple[dict[FactId, RawFact], Policy, People]:
    store = await SqlStore.open(where, vault)
    try:
        async with store.transaction() as tx:
            facts = {fact.id: fact for fact in await every_fact(tx)}
            return facts, await tx.policy(), await tx.people()
    finally:
        await store.close()

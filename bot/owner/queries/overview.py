"""How things stand: counts, what waits, and the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.context import Context
from bot.memory.erasure import waits
from bot.owner.queries.values import Value
from engine.policy import Policy
from engine.ports import Spent
from engine.store import Transaction


@dataclass(frozen=True, slots=True)
class Overview(Value):
    """How things stand.

    Args:
        counts: how many rows of what there are.
        waiting: sessions that are to be annotated.
        erasing_since: since when something erased waits to leave the disk.
        shown: messages that platforms still show and that were erased here.
        embedder: the name of the embedding model; empty if there is none.
        model: what the model that words replies took, if there is one.
    """

    counts: Mapping[str, int]
    policy_version: int
    categories: int
    contacts: int
    waiting: int
    erasing_since: datetime | None
    compacted_by_hand: bool
    shown: int
    embedder: str
    model: Spent | None
    timezone: str
    folder: str


async def overview(tx: Transaction, context: Context, policy: Policy, folder: str) -> Overview:
    """How a memory stands that is in this folder."""
    return Overview(
        counts=await tx.counts(),
        policy_version=policy.version,
        categories=len(policy.categories),
        contacts=len(policy.contacts),
        waiting=len(await tx.sessions_to_do(context.clock.now())),
        erasing_since=await waits(tx),
        compacted_by_hand=context.store.compacted_by_hand,
        shown=len(await tx.still_shown()),
        embedder=context.embedder.name if context.embedder.dimension else "",
        model=context.writer.spent() if context.writer else None,
        timezone=policy.timezone,
        folder=folder,
    )

"""Chats: who can read one, on what evidence, and when Tact speaks up there."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from bot.context import ZONE, Channel
from bot.owner.queries.values import Value
from bot.turn.record import mode_note
from engine.audience import OWNER_ONLY, Audience
from engine.ids import ContainerId
from engine.people import People
from engine.platform import insiders
from engine.policy import Policy
from engine.store import Transaction
from engine.viewers import Viewers


@dataclass(frozen=True, slots=True)
class Room(Value):
    """A chat, and what it is called; a direct one has no name."""

    id: ContainerId
    title: str = field(repr=False)


async def room(tx: Transaction, container: ContainerId) -> Room:
    """The chat of this id."""
    titles = {chat.id: chat.title for chat in await tx.chats()}
    return Room(container, titles.get(container, ""))


@dataclass(frozen=True, slots=True)
class Mode(Value):
    """When Tact answers in a room: `mention`, `always` or `never`."""

    room: Room
    mode: str


async def mode_of(tx: Transaction, container: ContainerId) -> Mode:
    """When Tact answers in this room."""
    return Mode(await room(tx, container), await tx.note(mode_note(container)) or "mention")


@dataclass(frozen=True, slots=True)
class Readers(Value):
    """Who can read a room; `consented`: the owner accepted whoever joins it later."""

    room: Room
    viewers: Viewers
    consented: bool


async def readers(tx: Transaction, policy: Policy, container: ContainerId, seen: Viewers) -> Readers:
    """A room whose viewers were just seen."""
    return Readers(await room(tx, container), seen, container in policy.room_consents)


@dataclass(frozen=True, slots=True)
class LastHeard(Value):
    """A room, and for whom its newest message was recorded when."""

    room: Room
    audience: Audience
    at: datetime


@dataclass(frozen=True, slots=True)
class Rooms(Value):
    """Every chat in which somebody else than the owner heard the newest message."""

    rooms: tuple[LastHeard, ...]


async def rooms(tx: Transaction) -> Rooms:
    """Every chat, with those for whom its newest message was recorded."""
    found = []
    for chat in await tx.chats():
        newest = await tx.recent(chat.id, ZONE, 1)
        if newest and newest[-1].audience != OWNER_ONLY:
            last = newest[-1]
            found.append(LastHeard(Room(chat.id, chat.title), last.audience, last.sent_at))
    return Rooms(tuple(found))


@dataclass(frozen=True, slots=True)
class Census(Value):
    """Of how many people in a room Tact knows that they are there: None where nobody can tell; `fault`: why not asked."""

    known: int | None = None
    total: int = 0
    fault: str | None = None


async def census(channel: Channel, policy: Policy, people: People, container: ContainerId) -> Census | None:
    """Ask the platform; None where it gives a list that is complete by itself and needs no counting."""
    found = await channel.look(container, insiders(policy, people))
    if found.snapshot:
        return None
    if found.roster is None or found.reported_count is None:
        return Census()
    return Census(len(found.roster), found.reported_count)

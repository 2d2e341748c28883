"""Deliveries that may or may not have arrived, and what waits behind them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from bot.owner.queries.values import Value
from engine.ids import FactId
from engine.mailroom import Sending, State
from engine.store import Transaction

_LISTED = 10


@dataclass(frozen=True, slots=True)
class Delivery(Value):
    """One of them; `held`: it was not sent, for one before it may not have arrived."""

    key: str
    place: str = field(repr=False)
    text: str = field(repr=False)
    held: bool
    used: tuple[FactId, ...]


@dataclass(frozen=True, slots=True)
class Deliveries(Value):
    """The newest of them."""

    deliveries: tuple[Delivery, ...]

    @property
    def told(self) -> tuple[FactId, ...]:
        """What their words tell."""
        return tuple(fact for one in self.deliveries for fact in one.used)


class Again(StrEnum):
    """What became of sending something once more."""

    DONE = "done"
    NO_LONGER = "no longer"  # it may not be said there any more
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Resent(Value):
    """What became of it, and the platform's fault if it failed."""

    outcome: Again
    fault: str = ""


async def waiting(tx: Transaction) -> list[Sending]:
    """What is uncertain or held, in order; the words of others are forgotten."""
    kept = [s for state in (State.UNCERTAIN, State.HELD) for s in await tx.sendings(state)]
    return sorted((s for s in kept if s.text), key=_place)


async def deliveries(tx: Transaction) -> Deliveries:
    """What the owner can have sent once more."""
    titles = {chat.id: chat.title for chat in await tx.chats()}
    newest = (await waiting(tx))[-_LISTED:]
    return Deliveries(
        tuple(
            Delivery(s.key, titles.get(s.container, ""), s.text, s.state == State.HELD, s.used)
            for s in newest
        )
    )


async def held_behind(tx: Transaction, sending: Sending) -> list[Sending]:
    """The parts that wait behind one, in order."""
    key, number = _place(sending)
    held = [
        s for s in await tx.sendings(State.HELD) if s.text and _place(s)[0] == key and _place(s)[1] > number
    ]
    return sorted(held, key=_place)


def _place(sending: Sending) -> tuple[str, int]:
    """A delivery's key and the number of the part."""
    key, _, number = sending.key.rpartition("#")
    return key, int(number) if number.isdecimal() else 0

"""What the owner has laid down: kinds of facts, periods after which something is forgotten, lines of his own."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import product

from bot.memory.retention import ALL, chat_title, kept
from bot.owner.queries.values import Value
from config.languages import languages
from engine.audience import EVERYONE, Audience
from engine.policy import Category, Policy
from engine.ports import Lines
from engine.retention import Period
from engine.store import Transaction

_LINES = (
    "greeting", "thanks", "smalltalk", "about", "privacy", "noted", "deflection", "nothing", "command", "moved",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind(Value):
    """A category, and who holds a fitting label now, for what is said from now on."""

    category: Category
    hearers: Audience


@dataclass(frozen=True, slots=True)
class Kinds(Value):
    """All categories."""

    kinds: tuple[Kind, ...]


def kind(category: Category, policy: Policy, now: datetime) -> Kind:
    """A category, which the policy need not have yet."""
    if policy.lattice.public in category.labels:
        return Kind(category, EVERYONE)
    labels = category.labels
    found = (p for p in policy.contacts if any(policy.in_default_audience(p, n, now) for n in labels))
    return Kind(category, Audience.of(found))


def kinds(policy: Policy, now: datetime) -> Kinds:
    """Every category."""
    return Kinds(tuple(kind(category, policy, now) for category in policy.categories))


@dataclass(frozen=True, slots=True)
class Keeping(Value):
    """A period: what it is about (a chat of this title, or its category), how much of it there is, when the next goes."""

    period: Period
    place: str = field(repr=False)
    count: int
    next: datetime | None


@dataclass(frozen=True, slots=True)
class Keepings(Value):
    """All periods."""

    periods: tuple[Keeping, ...]


async def keepings(tx: Transaction, policy: Policy, now: datetime) -> Keepings:
    """Every period that is set."""
    found = []
    for period in policy.retention.periods():
        said = await kept(tx, period, now, ALL)
        goes = period.over(said[0]) if said else None
        found.append(Keeping(period, await chat_title(tx, period), len(said), goes))
    return Keepings(tuple(found))


@dataclass(frozen=True, slots=True)
class Line(Value):
    """A public line in one language; `own`: as the owner worded it."""

    name: str
    language: str
    text: str
    own: bool


@dataclass(frozen=True, slots=True)
class PublicLines(Value):
    """The public lines that this installation has."""

    lines: tuple[Line, ...]


def public_lines(lines: Lines, policy: Policy) -> PublicLines:
    """What each of them says now, in each language."""
    found = []
    for name, language in product(_LINES, languages()):
        with suppress(KeyError):  # this installation has no such line
            text = lines.line(name, language, policy.lines, policy.owner_name)
            found.append(Line(name, language, text, (name, language) in policy.lines))
    return PublicLines(tuple(found))

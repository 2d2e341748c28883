"""What an audience scenario is: who may read what, one turn, and (for judging only) what is due.

Nothing but the reader below makes these, so that a scenario that exists is one that can be run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.audience import EVERYONE, Audience
from engine.ids import OWNER, AccountId, PersonId
from engine.viewers import ChatKind, RosterEvidence

OWNER_NAME = "owner"
STORES = ("recent", "longterm", "graph")
MODES = ("owner_private", "exact_shared", "public_only")
REFUSED = "refused"
PUBLIC = "*"

Write = tuple[str, ...] | str
"""Whom an event was recorded for: names in order, `*` for everybody, or `refused`."""


def account_of(name: str) -> AccountId:
    """The account of somebody in a suite."""
    return AccountId(f"console:{name}")


def person_of(name: str) -> PersonId:
    """The person of somebody in a suite; nobody's accounts are joined here."""
    return OWNER if name == OWNER_NAME else PersonId(account_of(name))


def name_of(person: PersonId) -> str:
    """The name that a suite uses."""
    return OWNER_NAME if person == OWNER else str(person).removeprefix("console:")


def audience_of(names: frozenset[str]) -> Audience:
    """These people and the owner."""
    return Audience.of(person_of(name) for name in names)


def names_in(audience: Audience) -> Write:
    """An audience as a report writes it."""
    return PUBLIC if audience.everyone else tuple(sorted(name_of(p) for p in audience.members))


def marker(item: str) -> str:
    """What an item's text carries, so that it is found in the bytes of a context."""
    return f"@@fact:{item}@@"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the transport could find out. `claims` are what texts, titles and clients say; they never count."""

    kind: str = "unknown"
    roster: frozenset[str] | None = None
    observed: frozenset[str] = frozenset()
    roster_version: int = 0
    membership_version: int = 0
    claims: Mapping[str, object] = field(default_factory=dict)

    def as_roster(self, sender: str) -> RosterEvidence:
        """The same as a connector reports it: message and member list as of one moment.

        A kind that the suite's format does not have is an unknown kind.
        """
        kinds = {k.value: k for k in (ChatKind.PRIVATE, ChatKind.DIRECT, ChatKind.GROUP)}
        return RosterEvidence(
            kind=kinds.get(self.kind, ChatKind.UNKNOWN),
            sender=account_of(sender),
            roster=None if self.roster is None else frozenset(map(account_of, self.roster)),
            observed=frozenset(map(account_of, self.observed)),
            roster_version=self.roster_version,
            membership_version=self.membership_version,
            snapshot=True,
            claims=self.claims,
        )


@dataclass(frozen=True, slots=True)
class Seed:
    """Something remembered before the turn.

    `audience` None: it has only what its sources leave it. `edge` is the graph's own form of it, if the suite gives one.
    """

    id: str
    text: str = field(repr=False)
    store: str
    at: float
    audience: Audience | None
    derived_from: tuple[str, ...] = ()
    edge: tuple[str, str, str] | None = None

    @property
    def words(self) -> str:
        """The text without its marker: what indexes and embedders see."""
        return self.text.replace(marker(self.id), "").strip()


@dataclass(frozen=True, slots=True)
class Event:
    """A message that arrives and is to be recorded; `channel` None is the turn's."""

    id: str
    text: str = field(repr=False)
    sender: str
    at: float
    evidence: Evidence
    channel: str | None = None
    display_name: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """The one turn of a scenario."""

    channel: str
    sender: str
    evidence: Evidence
    at: float
    query: str = field(repr=False)
    display_name: str = ""


@dataclass(frozen=True, slots=True)
class Expected:
    """What is due. The run never sees it."""

    mode: str
    viewers: frozenset[str] | None
    required: tuple[str, ...]
    forbidden: tuple[str, ...]
    fail_closed: bool
    writes: Mapping[str, Write]


@dataclass(frozen=True, slots=True)
class Scenario:
    """One line of a suite. `where` is file and line."""

    id: str
    family: str
    seeds: tuple[Seed, ...]
    events: tuple[Event, ...]
    turn: Ask
    expected: Expected | None
    where: str

    @property
    def item_ids(self) -> tuple[str, ...]:
        """Every id that a context could hold."""
        return (*(seed.id for seed in self.seeds), *(event.id for event in self.events))

    def path_of(self, item: str) -> str:
        """The store that an item is in; what arrived as a message is in the recency buffer."""
        return next((seed.store for seed in self.seeds if seed.id == item), "recent")


def joint(given: Audience | None, sources: Audience) -> Audience:
    """The narrower of a derived item's own audience and its sources'."""
    return sources & (EVERYONE if given is None else given)

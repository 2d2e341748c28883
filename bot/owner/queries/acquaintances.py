"""Whom the owner knows: contacts, what is known of one of them, and who wrote and has no name from him."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.context import ZONE
from bot.owner.queries.values import Value
from config.contact_entries import accounts_of
from engine.ids import OWNER, TACT, AccountId, FactId, PersonId
from engine.items import RawEdge
from engine.labels import Label
from engine.people import People, Seen
from engine.policy import Holding, Policy
from engine.store import Transaction

_LOOK_BACK = 200
_STRANGERS = 20


@dataclass(frozen=True, slots=True)
class Contact(Value):
    """One person: the names that the owner gave, the accounts, the labels held."""

    person: PersonId
    names: tuple[str, ...] = field(repr=False)
    accounts: tuple[AccountId, ...]
    held: tuple[Holding, ...]


@dataclass(frozen=True, slots=True)
class Contacts(Value):
    """Several persons, and the labels that there are to hold."""

    contacts: tuple[Contact, ...]
    labels: tuple[Label, ...]


def contact(person: PersonId, policy: Policy, people: People) -> Contact:
    """One person, as the owner knows them."""
    names = people.names.get(person, ())
    return Contact(person, names, accounts_of(person, people), policy.contacts.get(person, ()))


def contacts(policy: Policy, people: People, persons: Iterable[PersonId] | None = None) -> Contacts:
    """These persons; None: everybody with a name or a label. By name."""
    wanted = {*policy.contacts, *people.names} - {OWNER} if persons is None else persons
    found = sorted(wanted, key=lambda p: ((people.called(p) or p).casefold(), p))
    return Contacts(tuple(contact(p, policy, people) for p in found), tuple(policy.lattice.labels()))


@dataclass(frozen=True, slots=True)
class Stranger(Value):
    """An account without a name from the owner: what it calls itself is a suggestion only.

    Args:
        rooms: the titles of the rooms in which it was seen.
    """

    account: AccountId
    calls: str = field(repr=False)
    since: datetime
    rooms: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Strangers(Value):
    """The newest of those who wrote and have no name, and how many there are."""

    newest: tuple[Stranger, ...]
    count: int


async def strangers(tx: Transaction, people: People) -> Strangers:
    """Whoever wrote and has no name from the owner, the newest first."""
    titles = {chat.id: chat.title for chat in await tx.chats()}
    seen = [s for a, s in people.seen.items() if _nameless(people.person(a), people)]
    seen.sort(key=lambda s: (s.first_at, s.account), reverse=True)
    newest = (
        Stranger(
            s.account, s.display_name, s.first_at, tuple(titles[c] for c in s.containers if titles.get(c))
        )
        for s in seen[:_STRANGERS]
    )
    return Strangers(tuple(newest), len(seen))


def _nameless(person: PersonId, people: People) -> bool:
    return person not in (OWNER, TACT) and not people.called(person)


def seen_of(person: PersonId, people: People) -> list[Seen]:
    """The accounts of a person that have shown up."""
    return [s for a, s in people.seen.items() if people.person(a) == person]


@dataclass(frozen=True, slots=True)
class Portrait(Value):
    """A person, and when they last wrote."""

    contact: Contact
    last: datetime | None


@dataclass(frozen=True, slots=True)
class Relation(Value):
    """An edge of the entity graph, and who stated it when."""

    edge: RawEdge
    teller: PersonId
    said_at: datetime


@dataclass(frozen=True, slots=True)
class Acquaintance(Value):
    """What is known of whoever has this name: the persons, and what the entity graph says of them."""

    name: str = field(repr=False)
    portraits: tuple[Portrait, ...]
    relations: tuple[Relation, ...]

    @property
    def told(self) -> tuple[FactId, ...]:
        """The facts that state the relations."""
        return tuple(relation.edge.fact for relation in self.relations)


async def acquaintance(
    tx: Transaction, policy: Policy, people: People, name: str, persons: Sequence[PersonId]
) -> Acquaintance:
    """Who is called that, these persons, and every relation that names one of them or the name itself."""
    named = [n for p in persons for n in (*people.names.get(p, ()), *accounts_of(p, people), p)]
    edges = await tx.edges(ZONE, naming=list(dict.fromkeys([name, *named])))
    sources = {f.id: f for f in await tx.facts([e.fact for e in edges], ZONE)}
    portraits = [Portrait(contact(p, policy, people), await _last(tx, people, p)) for p in persons]
    relations = (
        Relation(e, sources[e.fact].teller, sources[e.fact].said_at)
        for e in dict.fromkeys(edges)
        if e.fact in sources
    )
    return Acquaintance(name, tuple(portraits), tuple(relations))


async def _last(tx: Transaction, people: People, person: PersonId) -> datetime | None:
    places = {c for s in seen_of(person, people) for c in s.containers}
    times = [m.sent_at for c in places for m in await tx.recent(c, ZONE, _LOOK_BACK) if m.sender == person]
    return max(times, default=None)

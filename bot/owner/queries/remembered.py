"""What is remembered: facts in the owner's zone, with everything that decides about them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.context import ZONE, Context
from bot.owner.queries.values import Value
from engine.audience import EVERYONE, Audience
from engine.disclosure import fact_labels
from engine.ids import OWNER, STRANGER, ContainerId, FactId, PersonId
from engine.items import RawFact
from engine.labels import Label
from engine.people import People
from engine.policy import Policy, ReleaseSetting
from engine.release import Place, judge_fact, release_of
from engine.store import Search, Transaction
from engine.viewers import Known

_SHOWN = 12
_NEAR = 0.5


@dataclass(frozen=True, slots=True)
class Remembered(Value):
    """One fact, its labels, and who would be told it in a direct chat now."""

    fact: RawFact
    labels: tuple[Label, ...]
    hearers: Audience

    @property
    def told(self) -> tuple[FactId, ...]:
        """The fact."""
        return (self.fact.id,)


@dataclass(frozen=True, slots=True)
class Facts(Value):
    """Some facts, of how many, and the words they were found by."""

    facts: tuple[Remembered, ...]
    total: int
    query: str = field(default="", repr=False)

    @property
    def told(self) -> tuple[FactId, ...]:
        """All of them."""
        return tuple(found.fact.id for found in self.facts)


@dataclass(frozen=True, slots=True)
class Details(Value):
    """All about one fact.

    Args:
        place: the title of the chat it was told in.
        setting: when the standing policy releases it.
        released: whom it is released to.
    """

    remembered: Remembered
    place: str = field(repr=False)
    setting: ReleaseSetting
    released: Audience

    @property
    def told(self) -> tuple[FactId, ...]:
        """The fact."""
        return self.remembered.told


def direct_place(person: PersonId, container: ContainerId | None = None) -> Place:
    """A direct chat of this person with Tact."""
    return Place(Known(frozenset({OWNER, person})), container or ContainerId("preview"))


def hearers(fact: RawFact, policy: Policy, people: People) -> Audience:
    """Who would be told this fact in a direct chat now, both layers asked."""
    known = {*policy.contacts, *people.names, *fact.audience.members}
    known |= {e.person for e in fact.lists if e.person is not None}
    if judge_fact(fact, direct_place(STRANGER), policy).verdict.allowed:
        return EVERYONE
    persons = known - {OWNER}
    return Audience.of(p for p in persons if judge_fact(fact, direct_place(p), policy).verdict.allowed)


def remembered(facts: Iterable[RawFact], policy: Policy, people: People) -> tuple[Remembered, ...]:
    """These facts, judged by a policy."""
    return tuple(Remembered(f, fact_labels(f, policy), hearers(f, policy, people)) for f in facts)


async def newest(tx: Transaction, policy: Policy, people: People) -> Facts:
    """The newest facts."""
    hits = await tx.search(Search((), wide=True), ZONE, _SHOWN)
    total = (await tx.counts()).get("facts", len(hits))
    return Facts(remembered((hit.fact for hit in hits), policy, people), total)


async def best(tx: Transaction, context: Context, policy: Policy, people: People, query: str) -> Facts:
    """The best facts for some words; without an embedder those that hold at least one of them."""
    model = context.embedder
    vector = await model.query(query)
    search = Search(context.reader.tokens(query), vector, _NEAR if vector else 0.0, model=model.name)
    hits = [hit for hit in await tx.search(search, ZONE, _SHOWN) if hit.rank.score > 0]
    return Facts(remembered((hit.fact for hit in hits), policy, people), len(hits), query)


async def details(tx: Transaction, policy: Policy, people: People, fact: RawFact) -> Details:
    """All about one fact."""
    titles = {chat.id: chat.title for chat in await tx.chats()}
    category = policy.category(fact.category)
    return Details(
        remembered([fact], policy, people)[0],
        titles.get(fact.container, ""),
        category.release_for(fact.said_at) if category else ReleaseSetting.NEVER,
        release_of(fact, policy),
    )

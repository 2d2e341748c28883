"""What a change of policy opens: categories from now on, earlier facts, and to whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from bot.context import ZONE
from bot.owner.names import audience_in_words, labels_in_words, name_of
from bot.texts import say
from config.defaults import display_name
from engine.audience import Audience
from engine.cards import (
    CategoryProposal,
    ForgetProposal,
    LevelProposal,
    Proposal,
    ProposalCard,
    RetentionProposal,
    ShareProposal,
)
from engine.ids import STRANGER, CategoryName, PersonId
from engine.items import RawFact
from engine.people import People
from engine.policy import Category, Holding, Policy
from engine.release import release_of
from engine.store import Search, Transaction

_SHOWN = 8
_PAGE = 500


@dataclass(frozen=True, slots=True)
class Opened:
    """One earlier fact, and who would newly be able to hear it."""

    fact: RawFact
    people: Audience


def opened(facts: Iterable[RawFact], before: Policy, new: Policy) -> list[Opened]:
    """Which facts a change of policy releases to whom."""
    result = []
    for fact in facts:
        old = fact.audience | release_of(fact, before)
        gained = fact.audience | release_of(fact, new)
        if not old.covers(gained):
            result.append(Opened(fact, gained if gained.everyone else Audience(gained.members - old.members)))
    return result


async def every_fact(tx: Transaction) -> list[RawFact]:
    """All facts, newest first, in the owner's zone; read page by page, for nobody else waits for a long one."""
    found: list[RawFact] = []
    while page := await tx.search(Search((), wide=True), ZONE, _PAGE, len(found)):
        found += [hit.fact for hit in page]
    return found


@dataclass(frozen=True, slots=True)
class Opening:
    """What a change of policy opens: categories from now on, and earlier facts."""

    policy: Policy
    people: People
    future: Mapping[PersonId, Sequence[CategoryName]]
    earlier: Sequence[Opened]

    def on_card(self, proposal: Proposal, what: str) -> ProposalCard:
        """A card that says this: what it opens, and to whom."""
        categories: dict[CategoryName, tuple[PersonId, ...]] = {}
        for person, names in self.future.items():
            for name in names:
                categories[name] = (*categories.get(name, ()), person)
        return ProposalCard(proposal, what, categories, {one.fact.id: one.people for one in self.earlier})

    def in_words(self, language: str) -> list[str]:
        """For the owner."""
        return [
            *_future(self.future, self.people, language),
            *_earlier(self.earlier, self.policy, self.people, language),
        ]


def after(policy: Policy, proposal: Proposal, now: datetime, *, earlier: bool) -> Policy:
    """The policy once this act is done; an act that is not about the policy leaves it.

    Args:
        policy: as it is.
        proposal: the act.
        now: when it is done.
        earlier: what was said before counts as well.

    Raises:
        UnknownLabel: there is no such label any more.
        PolicyFault: the policy would contradict itself.
    """
    match proposal:
        case LevelProposal(person=person, label=label):
            holding = Holding(policy.lattice.parse(str(label)), None if earlier else now)
            held = tuple(h for h in policy.contacts.get(person, ()) if h.label != holding.label)
            return replace(policy, contacts={**policy.contacts, person: (*held, holding)})
        case CategoryProposal(name=name):
            old = policy.category(name) or Category(name, ())
            labels = tuple(policy.lattice.parse(str(label)) for label in proposal.labels)
            described = {**old.description, **proposal.description}
            new = replace(old, labels=labels, release=proposal.release, description=described)
            return policy.edited(new, now, earlier=earlier)
        case ShareProposal() | ForgetProposal() | RetentionProposal():
            return policy
        case _ as never:
            assert_never(never)


async def opening_of(tx: Transaction, proposal: LevelProposal | CategoryProposal, now: datetime) -> Opening:
    """What this act would open if it were done now, earlier facts included."""
    policy, people = await tx.policy(), await tx.people()
    if isinstance(proposal, LevelProposal) and proposal.called:
        people = replace(people, names={**people.names, proposal.person: (proposal.called,)})
    new = after(policy, proposal, now, earlier=True)
    gains = opened(await every_fact(tx), policy, new)
    return Opening(new, people, _gained(policy, new, now), gains)


def _gained(old: Policy, new: Policy, now: datetime) -> dict[PersonId, list[CategoryName]]:
    """Who will hear more of which categories from now on."""
    gains: dict[PersonId, list[CategoryName]] = {}
    for person in (STRANGER, *new.contacts):
        for category in new.categories:
            before = old.category(category.name)
            had = before is not None and any(old.in_default_audience(person, x, now) for x in before.labels)
            has = any(new.in_default_audience(person, x, now) for x in category.labels)
            if has and not had:
                gains.setdefault(person, []).append(category.name)
    return gains


def _future(gains: Mapping[PersonId, Sequence[CategoryName]], people: People, language: str) -> list[str]:
    return [
        say(
            language,
            "wide.future",
            people=name_of(p, people, language),
            categories=", ".join(display_name(name, language) for name in names),
        )
        for p, names in gains.items()
    ]


def _earlier(gains: Sequence[Opened], policy: Policy, people: People, language: str) -> list[str]:
    if not gains:
        return [say(language, "wide.nothing_earlier")]
    lines = [say(language, "wide.earlier", count=len(gains))]
    for gain in gains[:_SHOWN]:
        who = audience_in_words(gain.people, people, language)
        kind = f"{display_name(gain.fact.category, language)}, {labels_in_words(gain.fact, policy)}"
        lines.append(say(language, "wide.earlier_line", people=who, text=gain.fact.text, category=kind))
    if len(gains) > _SHOWN:
        lines.append(say(language, "wide.more", count=len(gains) - _SHOWN))
    return lines

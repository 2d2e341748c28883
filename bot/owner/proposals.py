"""Widening acts: shown to the owner first, with what they open to whom, and done only when he confirms.

Facts told before an act are opened only if the owner says so (`confirm earlier`). Narrowing never passes through here: it
counts at once. What cannot be taken back, erasing, is shown first too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import assert_never

from bot.context import Context, OwnerAct
from bot.memory.erasure import carry_out_forgetting
from bot.memory.retention import carry_out_retention
from bot.owner.buttons import new_card
from bot.owner.openings import after, opening_of
from bot.texts import say
from engine.audience import OWNER_ONLY
from engine.cards import (
    Card,
    CardState,
    CategoryProposal,
    ForgetProposal,
    LevelProposal,
    Proposal,
    ProposalCard,
    RetentionProposal,
    ShareProposal,
)
from engine.errors import BadInput
from engine.ids import OWNER, CategoryName, FactId, PersonId
from engine.items import Basis, Colour, ListEntry
from engine.store import Transaction

_SHOWN = 8


async def propose(
    tx: Transaction,
    context: Context,
    act: OwnerAct,
    proposal: Proposal,
    what: str,
    details: Sequence[str] = (),
) -> str:
    """Make the card of a proposal, and return its words.

    Args:
        tx: the memory.
        context: what a turn is made with.
        act: the owner's act, which is told which facts' words the card has.
        proposal: what is done on `confirm`.
        what: the act in words, in the owner's language.
        details: lines that say more, for acts that are not about the policy.
    """
    language, about, lines = context.language, ProposalCard(proposal, what), list(details)
    if isinstance(proposal, LevelProposal | CategoryProposal):
        opening = await opening_of(tx, proposal, context.clock.now())
        about, lines = opening.on_card(proposal, what), opening.in_words(language)
    erases = isinstance(proposal, ForgetProposal | RetentionProposal)
    title = say(language, "erase.title" if erases else "wide.title", what=what)
    act.told.extend(_told(about))
    await tx.put_card(new_card(context, act, about))
    taps = "wide.taps_earlier" if about.facts else "wide.taps"
    return "\n".join([title, *lines, say(language, taps)])


def _told(about: ProposalCard) -> list[FactId]:
    """The facts whose words a card shows."""
    named = about.proposal.facts if isinstance(about.proposal, ShareProposal) else ()
    return [*named, *about.facts][:_SHOWN]


async def carry_out(
    tx: Transaction, context: Context, act: OwnerAct, card: Card, about: ProposalCard, *, earlier: bool
) -> str:
    """Do what a confirmed card says, unless it would open more by now than the card showed.

    Args:
        tx: the memory.
        context: what a turn is made with.
        act: the owner's act.
        card: the card.
        about: what it asks.
        earlier: the owner said that facts told before count as well.

    Raises:
        BadInput: the name that the act gives means somebody else by now.
    """
    proposal, now, language = about.proposal, context.clock.now(), context.language
    match proposal:
        case ForgetProposal():
            await tx.put_card(closed(card, CardState.DONE))
            return await carry_out_forgetting(tx, context, act, proposal)
        case RetentionProposal():
            await tx.put_card(closed(card, CardState.DONE))
            return await carry_out_retention(tx, context, act, proposal)
        case ShareProposal():
            act.told.extend(_told(replace(about, facts={})))
            await _share(tx, proposal, now)
        case LevelProposal() | CategoryProposal():
            now_open = (await opening_of(tx, proposal, now)).on_card(proposal, about.what)
            if not _covers(about, now_open, earlier=earlier):
                await tx.put_card(closed(card, CardState.STALE))
                again = await propose(tx, context, act, proposal, about.what)
                return say(language, "card.changed") + "\n" + again
            await tx.save_policy(after(await tx.policy(), proposal, now, earlier=earlier), now)
            if isinstance(proposal, LevelProposal) and proposal.called:
                await _name(tx, context, proposal)
        case _ as never:
            assert_never(never)
    await tx.put_card(closed(card, CardState.DONE))
    return say(language, "wide.done_earlier" if earlier else "wide.done", what=about.what)


def _covers(shown: ProposalCard, opens: ProposalCard, *, earlier: bool) -> bool:
    """Whether everything that would open now was on the card; earlier facts matter only if they are included."""
    future = all(set(who) <= set(shown.categories.get(name, ())) for name, who in opens.categories.items())
    facts = opens.facts.items() if earlier else ()
    return future and all(shown.facts.get(fact, OWNER_ONLY).covers(who) for fact, who in facts)


def closed(card: Card, state: CardState) -> Card:
    """The card once nothing can be answered any more."""
    return replace(card, state=state, done=True)


async def _name(tx: Transaction, context: Context, proposal: LevelProposal) -> None:
    """The name that an act gives in passing, if it still means nobody else."""
    if set((await tx.people()).resolve(proposal.called)) - {proposal.person}:
        raise BadInput(say(context.language, "people.taken", name=proposal.called))
    await tx.call(proposal.person, proposal.called)


async def withdraw(
    tx: Transaction, persons: Iterable[PersonId] = (), category: CategoryName | None = None
) -> int:
    """Take back the cards that wait to open something to these persons, or this category: what narrowed stays narrow."""
    shut, count = set(persons), 0
    for card in await tx.cards():
        about = card.about
        if card.state is not CardState.OPEN or not isinstance(about, ProposalCard):
            continue
        if _would_open(about.proposal, shut, category):
            await tx.put_card(closed(card, CardState.WITHDRAWN))
            count += 1
    return count


def _would_open(proposal: Proposal, persons: Collection[PersonId], category: CategoryName | None) -> bool:
    """Whether an act opens something to one of these persons, or is about this category."""
    match proposal:
        case LevelProposal(person=person):
            return person in persons
        case CategoryProposal(name=name):
            return name == category
        case ShareProposal(persons=named):
            return not set(named).isdisjoint(persons)
        case ForgetProposal() | RetentionProposal():
            return False
        case _ as never:
            assert_never(never)


async def _share(tx: Transaction, proposal: ShareProposal, now: datetime) -> None:
    """An explicit grant: into `W` and `Rel`, out of `B`."""
    for fact in proposal.facts:
        for who in (None,) if proposal.everyone else proposal.persons:
            await tx.list_person(ListEntry(Colour.WHITE, who, Basis.GRANT, OWNER, now), fact=fact)

"""Cards: what the owner is shown after he told Tact something, and what his taps do.

A fact's card says what was understood, its date, category and labels, and who could hear it; nothing is released before
he taps `confirm`. Taps are words in the owner's direct chat (buttons, where a platform has them).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from bot.context import ZONE, Context, OwnerAct, zone_of
from bot.memory.edits import retired_by
from bot.memory.erasure import erase_for
from bot.owner.buttons import new_card
from bot.owner.names import audience_in_words, labels_in_words, time_in_words
from bot.owner.proposals import carry_out, closed
from bot.owner.taps import Answer, Tap
from bot.texts import languages, say
from config.defaults import display_name
from config.defaults import find_category as category_called
from engine.audience import OWNER_ONLY, Audience
from engine.cards import Card, CardState, FactCard, ProposalCard
from engine.ids import CategoryName, FactId
from engine.items import Confidence, RawFact, Suggestion
from engine.people import People, folded
from engine.policy import UNAUTHORISED, Category, Policy
from engine.release import release_of
from engine.store import Transaction


async def fact_card(tx: Transaction, context: Context, act: OwnerAct, facts: Sequence[RawFact]) -> str:
    """Put a card about new facts of one message and return its words."""
    policy, people = await tx.policy(), await tx.people()
    act.told.extend(fact.id for fact in facts)
    old = {fact.id: await retired_by(tx, context, fact) for fact in facts}
    await _set_aside(tx, {fact.id for retired in old.values() for fact in retired})
    opens = {fact.id: _if_confirmed(fact, policy, context) for fact in facts}
    await tx.put_card(new_card(context, act, FactCard(tuple(opens), opens)))
    blocks = [
        "\n".join(
            [
                _words(context, fact, opens[fact.id], policy, people),
                *(_replaces(context, retired, policy, people) for retired in old[fact.id]),
            ]
        )
        for fact in facts
    ]
    return "\n".join([*blocks, say(context.language, "card.taps")])


async def _set_aside(tx: Transaction, retired: set[FactId]) -> None:
    """Cards that wait for nothing but facts which a newer one has replaced ask for nothing any more."""
    for card in await tx.cards():
        about = set(card.about.facts) if isinstance(card.about, FactCard) else set()
        if card.state is CardState.OPEN and about and about <= retired:
            await tx.put_card(closed(card, CardState.STALE))


def _replaces(context: Context, old: RawFact, policy: Policy, people: People) -> str:
    """What a new fact takes the place of, and who still holds the old one."""
    holders = audience_in_words(old.audience | release_of(old, policy), people, context.language)
    if not holders:
        return say(context.language, "card.replaces", text=old.text)
    return say(context.language, "card.corrects", text=old.text, people=holders)


def _if_confirmed(fact: RawFact, policy: Policy, context: Context) -> Audience:
    """Who the fact would be released to once the owner confirms it."""
    return release_of(replace(fact, confirmed=context.clock.now(), kept_private=False), policy)


def _words(context: Context, fact: RawFact, opens: Audience, policy: Policy, people: People) -> str:
    language, zone = context.language, zone_of(policy)
    when = ""
    if fact.when is not None:
        day = time_in_words(fact.when, zone, day_only=fact.when_is_day)
        when = say(language, "card.when", when=day)
    lines = [say(language, "card.noted", text=fact.text, when=when)]
    category = policy.category(fact.category)
    if category is None or category.name == UNAUTHORISED:
        lines.append(say(language, "card.no_category"))
    else:
        labels = labels_in_words(fact, policy)
        shown = display_name(category.name, language)
        lines.append(say(language, "card.category", category=shown, labels=labels))
    now = audience_in_words(fact.audience | release_of(fact, policy), people, language)
    lines.append(say(language, "card.hear", people=now) if now else say(language, "card.hear_nobody"))
    marks = (
        ("card.secret", fact.secret),
        ("card.cover", fact.cover),
        ("card.confidential", fact.confidential),
    )
    held = [say(language, key) for key, holds in marks if holds]
    if held:
        return "\n".join(lines + held)
    to = audience_in_words(opens, people, language)
    lines.append(say(language, "card.if_confirmed", people=to) if to else say(language, "card.opens_nobody"))
    return "\n".join(lines)


async def tap(tx: Transaction, context: Context, act: OwnerAct, answer: Tap) -> str | None:
    """Carry out a tap on the newest card that waits; returns what the owner reads.

    None if no card has ever waited and the words may have been meant otherwise: then they were no tap.
    """
    cards = await tx.cards()
    waiting = [c for c in cards if c.state is CardState.OPEN]
    if answer.answer is Answer.UNDO and not waiting and cards:
        return await _undo_confirmed(tx, context, act, cards[0])
    if not waiting:
        return say(context.language, "card.none") if cards or answer.sure else None
    of_facts = [(c, c.about) for c in waiting if isinstance(c.about, FactCard)]
    if answer.answer is Answer.ALL and of_facts:
        one = Tap(Answer.CONFIRM)
        return "\n".join([await _tap_fact(tx, context, act, c, about, one) for c, about in of_facts])
    return await tap_card(tx, context, act, waiting[0], answer)


async def tap_card(tx: Transaction, context: Context, act: OwnerAct, card: Card, answer: Tap) -> str | None:
    """Carry out a tap on one card; None if it does not wait for this any more."""
    if card.state is CardState.CONFIRMED and answer.answer is Answer.UNDO and not card.done:
        return await _undo_confirmed(tx, context, act, card)
    if card.state is not CardState.OPEN:
        return None
    match card.about:
        case FactCard() as about:
            return await _tap_fact(tx, context, act, card, about, answer)
        case ProposalCard() as about:
            return await _tap_proposal(tx, context, act, card, about, answer)
        case _ as never:
            assert_never(never)


async def _tap_proposal(
    tx: Transaction, context: Context, act: OwnerAct, card: Card, about: ProposalCard, answer: Tap
) -> str:
    match answer.answer:
        case Answer.CONFIRM | Answer.EARLIER:
            earlier = answer.answer is Answer.EARLIER
            return await carry_out(tx, context, act, card, about, earlier=earlier)
        case Answer.UNDO | Answer.KEEP:
            await tx.put_card(closed(card, CardState.CANCELLED))
            return say(context.language, "card.undone_widening")
        case Answer.ALL | Answer.CHANGE:
            return say(context.language, "card.not_for_this", taps=say(context.language, "wide.taps"))
        case _ as never:
            assert_never(never)


async def _tap_fact(
    tx: Transaction, context: Context, act: OwnerAct, card: Card, about: FactCard, answer: Tap
) -> str:
    facts = await tx.facts(about.facts, ZONE)
    match answer.answer:
        case Answer.CONFIRM | Answer.EARLIER | Answer.ALL:
            return await _confirm(tx, context, act, card, about, facts)
        case Answer.KEEP:
            for fact in facts:
                await tx.change_fact(replace(fact, kept_private=True, confirmed=None))
            await tx.put_card(closed(card, CardState.KEPT))
            return say(context.language, "card.kept")
        case Answer.CHANGE:
            return await _change(tx, context, act, card, facts, answer.category)
        case Answer.UNDO:
            await erase_for(tx, context, act, facts=[f.id for f in facts])
            await tx.put_card(closed(card, CardState.UNDONE))
            return say(context.language, "card.undone_fact")
        case _ as never:
            assert_never(never)


async def _confirm(
    tx: Transaction,
    context: Context,
    act: OwnerAct,
    card: Card,
    about: FactCard,
    facts: Sequence[RawFact],
) -> str:
    """Release, unless it would open to somebody the card did not show."""
    policy, people = await tx.policy(), await tx.people()
    for fact in facts:
        if not about.opens.get(fact.id, OWNER_ONLY).covers(_if_confirmed(fact, policy, context)):
            await tx.put_card(closed(card, CardState.STALE))
            return say(context.language, "card.changed") + "\n" + await fact_card(tx, context, act, facts)
    hearers = OWNER_ONLY
    for fact in facts:
        await tx.change_fact(replace(fact, confirmed=context.clock.now(), kept_private=False))
        hearers = hearers | _if_confirmed(fact, policy, context)
    await _close_confirmed(tx)
    await tx.put_card(replace(card, state=CardState.CONFIRMED))
    who = audience_in_words(hearers, people, context.language)
    return (
        say(context.language, "card.confirmed", people=who)
        if who
        else say(context.language, "card.confirmed_nobody")
    )


async def _change(
    tx: Transaction, context: Context, act: OwnerAct, card: Card, facts: Sequence[RawFact], wanted: str
) -> str:
    policy = await tx.policy()
    category = find_category(policy, wanted)
    if category is None:
        names = ", ".join(display_name(c.name, context.language) for c in policy.categories)
        if not wanted:
            return say(context.language, "card.which_category", names=names)
        return say(context.language, "card.no_such_category", name=wanted, names=names)
    own = Suggestion(category.name, 1.0, Confidence.OWNER)
    for fact in facts:
        others = tuple(s for s in fact.suggestions if s.annotator is not Confidence.OWNER)
        changed = replace(fact, category=category.name, suggestions=(own, *others), confirmed=None)
        await tx.change_fact(changed)
    await tx.put_card(closed(card, CardState.CHANGED))
    return await fact_card(tx, context, act, await tx.facts([f.id for f in facts], ZONE))


def find_category(policy: Policy, wanted: str) -> Category | None:
    """The category of this name, whatever its case; a unique beginning is enough."""
    name = folded(wanted)
    exact = policy.category(CategoryName(name)) or category_called(policy.categories, wanted)
    begins = [c for c in policy.categories if name and any(folded(s).startswith(name) for s in _shown(c))]
    return exact or (begins[0] if len(begins) == 1 else None)


def _shown(category: Category) -> set[str]:
    return {category.name, *(display_name(category.name, language) for language in languages())}


async def _undo_confirmed(tx: Transaction, context: Context, act: OwnerAct, card: Card) -> str:
    facts = await tx.facts(card.about.facts if isinstance(card.about, FactCard) else (), ZONE)
    for fact in facts:
        await tx.change_fact(replace(fact, confirmed=None))
    await tx.put_card(closed(card, CardState.UNDONE))
    act.told.extend(fact.id for fact in facts)
    return "\n".join(say(context.language, "card.undone_confirm", text=fact.text) for fact in facts) or say(
        context.language, "card.none"
    )


async def _close_confirmed(tx: Transaction) -> None:
    """Only the newest confirmation can be undone by a bare `undo`."""
    for card in await tx.cards():
        if card.state is CardState.CONFIRMED:
            await tx.put_card(replace(card, done=True))

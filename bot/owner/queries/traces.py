"""Turns as the owner may look at them: who asked what, what was told, what was withheld from whom, and why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from bot.context import ZONE, Context, owner_names, zone_of
from bot.owner.queries.units import JudgedUnit, judged_units
from bot.owner.queries.values import Value
from bot.turn.wording import who_worded
from engine.audience import OWNER_ONLY, Audience
from engine.disclosure import Reason, case1
from engine.ids import OWNER, STRANGER, FactId, PersonId, TurnId
from engine.items import RawFact
from engine.policy import Policy
from engine.records import Outcome, TurnTrace
from engine.release import Place
from engine.store import Transaction
from engine.viewers import Known, Unknown


@dataclass(frozen=True, slots=True)
class Hearer(Value):
    """Somebody who could read an answer: why they might hear a fact in it; None if they might not any more."""

    person: PersonId
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class Told(Value):
    """A fact that was told, and to whom; no text: it is forgotten."""

    fact: FactId
    text: str | None = field(repr=False)
    hearers: tuple[Hearer, ...] = ()


@dataclass(frozen=True, slots=True)
class Withheld(Value):
    """An item that stayed back, the reason, and the viewer who decided it (None: nobody in particular).

    No text: it is a message, or forgotten.
    """

    item: str
    text: str | None = field(repr=False)
    reason: Reason
    viewer: PersonId | None


@dataclass(frozen=True, slots=True)
class Author(Value):
    """Which model was asked for a reply's words (empty: none), and whether they are its own, and without a part."""

    model: str
    by_model: bool
    left_out: bool


@dataclass(frozen=True, slots=True)
class Explained(Value):
    """One turn.

    Args:
        place: the title of the chat; a direct one has none.
        question: None if it is forgotten.
        viewers: who could read the answer, on the evidence of this kind (`known`, `open`, `unknown: why`).
        author: whose words the reply is, where a model could have been asked for them.
        units: the question in units, as they would be judged by the policy of that moment.
        policy_version: by which it was judged; `policy_now` is the one that holds.
        inside: the message and what was allowed into the context: the reply may have any of it in other words.
    """

    turn: TurnId
    asker: PersonId
    place: str = field(repr=False)
    at: datetime
    question: str | None = field(repr=False)
    viewers: Audience
    evidence: str
    outcome: Outcome
    reply: str = field(repr=False)
    told_facts: tuple[Told, ...]
    withheld: tuple[Withheld, ...]
    author: Author | None
    units: tuple[JudgedUnit, ...]
    policy_version: int
    policy_now: int
    inside: tuple[FactId, ...] = ()

    @property
    def told(self) -> tuple[FactId, ...]:
        """What the reply may hold, and the facts that are shown beside it."""
        beside = [one.fact for one in self.told_facts if one.text is not None]
        return (*self.inside, *beside, *shown_of(self.withheld))


async def owner_view(tx: Transaction, context: Context, limit: int = 200) -> list[Explained]:
    """Every question that memory was asked, oldest first, without its units."""
    asked = [t for t in await tx.turns(limit) if t.outcome in {Outcome.ANSWERED, Outcome.DEFLECTED}]
    return [await explain(tx, context, trace, units=False) for trace in reversed(asked)]


async def explain(tx: Transaction, context: Context, trace: TurnTrace, *, units: bool = True) -> Explained:
    """A turn from its recorded trace: question, place, viewers, outcome, what was told, and what was withheld and why."""
    now = await tx.policy()
    policy = await tx.policy_at(trace.policy_version) or now
    titles = {chat.id: chat.title for chat in await tx.chats()}
    allowed = [FactId(item) for item, passed, _, _ in trace.decisions if passed]
    return Explained(
        turn=trace.id,
        asker=trace.asker,
        place=titles.get(trace.container, ""),
        at=trace.at,
        question=await _question(tx, trace),
        viewers=trace.upper,
        evidence=trace.viewers,
        outcome=trace.outcome,
        reply=trace.reply,
        told_facts=await _told(tx, trace, policy),
        withheld=await withheld_items(tx, [(i, r, v) for i, passed, r, v in trace.withheld if not passed]),
        author=await _author(tx, context, trace),
        units=await _units(tx, context, trace, policy) if units else (),
        policy_version=trace.policy_version,
        policy_now=now.version,
        inside=() if trace.forgotten else (FactId(trace.message), *allowed),
    )


async def _question(tx: Transaction, trace: TurnTrace) -> str | None:
    """The words of the question; a trace that used no memory keeps none, so the message is asked."""
    if trace.forgotten or trace.question:
        return trace.question or None
    message = await tx.message(trace.message, ZONE)
    return message.text if message else None


async def _told(tx: Transaction, trace: TurnTrace, policy: Policy) -> tuple[Told, ...]:
    found = {f.id: f for f in await tx.facts(trace.used, ZONE)}
    return tuple(
        Told(item, found[item].text, _hearers(found[item], trace, policy))
        if item in found
        else Told(item, None)
        for item in trace.used
    )


def _hearers(fact: RawFact, trace: TurnTrace, policy: Policy) -> tuple[Hearer, ...]:
    """Why each of those who could read it might hear it, under the policy of that moment."""
    persons = [STRANGER] if trace.upper.everyone else sorted(trace.upper.members - {OWNER})
    verdicts = ((person, case1(fact, person, policy)) for person in persons)
    return tuple(Hearer(person, v.reason if v.allowed else None) for person, v in verdicts)


async def withheld_items(tx: Transaction, denied: Iterable[tuple[str, str, str]]) -> tuple[Withheld, ...]:
    """What stayed back, from (item, reason, viewer); the last verdict on an item counts."""
    items = {item: (Reason(reason), PersonId(viewer) if viewer else None) for item, reason, viewer in denied}
    texts = {str(f.id): f.text for f in await tx.facts(map(FactId, items), ZONE)}
    return tuple(Withheld(item, texts.get(item), *why) for item, why in items.items())


def shown_of(withheld: Iterable[Withheld]) -> tuple[FactId, ...]:
    """Those of which the words are shown."""
    return tuple(FactId(one.item) for one in withheld if one.text is not None)


async def _author(tx: Transaction, context: Context, trace: TurnTrace) -> Author | None:
    kept = await who_worded(tx, trace.id)
    if trace.outcome is not Outcome.ANSWERED or not (kept.asked or context.writer):
        return None
    return Author(kept.asked, kept.by_model, kept.left_out)


async def _units(
    tx: Transaction, context: Context, trace: TurnTrace, policy: Policy
) -> tuple[JudgedUnit, ...]:
    if trace.forgotten or not trace.question or trace.upper == OWNER_ONLY:
        return ()
    now = await tx.policy()
    names = owner_names(now, await tx.people())
    query = await context.reader.ask(trace.question, trace.at, zone_of(now), names)
    viewers = Unknown("") if trace.upper.everyone else Known(trace.upper.members)
    return await judged_units(tx, context, query, Place(viewers, trace.container), policy)

"""The gate: the only place that joins layers 1 and 2, and the only maker of `Released*` and `OwnerOnly` values.

INVARIANT: what is not built here cannot reach a prompt that words a reply, nor a room. A lint test checks that no
other module builds these types.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from engine.audience import EVERYONE, OWNER_ONLY, Audience, admissible
from engine.bundles import case2
from engine.disclosure import (
    Reason,
    Verdict,
    bars_somebody,
    blacklisted,
    case1,
    persons_to_ask,
    shared,
)
from engine.ids import OWNER, STRANGER, ContainerId, FactId, ItemId, MessageId, PersonId
from engine.items import Origin, RawEdge, RawFact, RawLink, RawMessage
from engine.policy import Policy
from engine.standing import speaks_for
from engine.viewers import FutureReaders, Viewers


@dataclass(frozen=True, slots=True)
class ReleasedFact:
    """A fact every viewer may hear."""

    id: FactId
    text: str = field(repr=False)
    teller: PersonId
    said_at: datetime
    when: datetime | None
    when_is_day: bool
    container: ContainerId
    reason: Reason


@dataclass(frozen=True, slots=True)
class ReleasedMessage:
    """A recent message every viewer may see again."""

    id: MessageId
    sender: PersonId
    text: str = field(repr=False)
    sent_at: datetime
    by_tact: bool


@dataclass(frozen=True, slots=True)
class ReleasedEdge:
    """An edge of the entity graph whose fact every viewer may hear."""

    fact: FactId
    subject: str = field(repr=False)
    predicate: str
    object: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ReleasedReply:
    """A worded reply for exactly these viewers; what a room sender accepts."""

    text: str = field(repr=False)
    viewers: Audience
    used: tuple[FactId, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class ReleasedLine:
    """A fixed public line: the same bytes whoever reads it, whatever the memory holds."""

    text: str


@dataclass(frozen=True, slots=True)
class OwnerOnly:
    """Words with `Aud = {o}`: command answers, cards, notices, errors. No room sender accepts it."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Decision:
    """What the gate said of one item, for the trace."""

    item: ItemId
    verdict: Verdict
    viewer: PersonId | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a turn happens: its viewers now, the container, and whether the owner accepted its later members."""

    viewers: Viewers
    container: ContainerId
    consented: bool = False

    @property
    def upper(self) -> Audience:
        """`V↑(C)`."""
        return self.viewers.upper


def release_of(fact: RawFact, policy: Policy) -> Audience:
    """`Rel(f)`: whom the owner released the fact to (privacy-model §2).

    Explicit grants always; the standing policy for first-hand facts only. `U` only when the owner shared it with
    everybody, or confirmed it as public and nobody is blacklisted.
    """
    granted = _granted(fact, policy)
    if granted.everyone or not speaks_for(fact, policy):
        return granted
    if not bars_somebody(fact) and case1(fact, STRANGER, policy, owner_set_only=True).allowed:
        return EVERYONE
    return granted | Audience.of(
        p for p in policy.contacts if case1(fact, p, policy, owner_set_only=True).allowed
    )


def _granted(fact: RawFact, policy: Policy) -> Audience:
    """Rule 1. What is shared with everybody but somebody opens to the persons the owner knows at this moment."""
    if shared(fact, STRANGER) and not bars_somebody(fact):
        return EVERYONE
    named = {e.person for e in fact.lists if e.by_owner}
    met = policy.contacts if None in named else ()
    return Audience.of(p for p in {*named, *met} if p not in (OWNER, None) and shared(fact, p))


def judge_fact(fact: RawFact, place: Place, policy: Policy) -> Decision:
    """One fact before one place: layer 1 for `V↑(C)`, then Case 1 for every viewer, then who may join later.

    Returns:
        The decision with the first reason that denied, or the last that allowed.
    """
    decision = _judge(fact, place.upper, policy)
    if not decision.verdict.allowed or _at_home(place, fact.container):
        return decision
    if _judge(fact, EVERYONE, policy).verdict.allowed:  # public
        return decision
    return Decision(decision.item, Verdict(False, Reason.LATER_MEMBERS))


def _judge(fact: RawFact, viewers: Audience, policy: Policy) -> Decision:
    item = ItemId(fact.id)
    released = OWNER_ONLY if fact.audience.covers(viewers) else release_of(fact, policy)
    if not admissible(viewers, fact.audience, released):
        missing = sorted(viewers.members - (fact.audience | released).members)
        return Decision(
            item, Verdict(False, Reason.NOT_PRESENT), STRANGER if viewers.everyone else missing[0]
        )
    if fact.cover and not _covers_on(viewers, policy):
        return Decision(item, Verdict(False, Reason.COVER))
    verdict = Verdict(True, Reason.OWNER)
    for person in persons_to_ask((fact,), viewers, policy):
        verdict = case1(fact, person, policy)
        if not verdict.allowed:
            return Decision(item, verdict, person)
    return Decision(item, verdict)


def _covers_on(viewers: Audience, policy: Policy) -> bool:
    """Whether the owner switched cover stories on for everybody here; whom this one was told is Case 1's question."""
    return not viewers.everyone and viewers.members <= {OWNER, *policy.covers_for}


def _at_home(place: Place, container: ContainerId) -> bool:
    """Nobody can read later what is said now, the item is this container's own, or the owner consented."""
    return place.viewers.future is FutureReaders.NONE or container == place.container or place.consented


def release_facts(
    facts: Iterable[RawFact], place: Place, policy: Policy
) -> tuple[tuple[ReleasedFact, ...], tuple[Decision, ...]]:
    """`M_auth` among these facts, with a decision for each.

    A fact that a correction retired is left out exactly where the correction itself passes.
    """
    every = tuple(facts)
    decided = {fact.id: judge_fact(fact, place, policy) for fact in every}
    passed = {fact_id for fact_id, d in decided.items() if d.verdict.allowed}
    for fact in every:
        if fact.id in passed and fact.superseded_by in passed:
            decided[fact.id] = Decision(ItemId(fact.id), Verdict(False, Reason.SUPERSEDED))
    released = tuple(_released(f, decided[f.id]) for f in every if decided[f.id].verdict.allowed)
    return released, tuple(decided[fact.id] for fact in every)


def _released(fact: RawFact, decision: Decision) -> ReleasedFact:
    return ReleasedFact(
        fact.id,
        fact.text,
        fact.teller,
        fact.said_at,
        fact.when,
        fact.when_is_day,
        fact.container,
        decision.verdict.reason,
    )


def release_messages(
    messages: Iterable[RawMessage], told: Sequence[RawFact], place: Place, policy: Policy
) -> tuple[tuple[ReleasedMessage, ...], tuple[Decision, ...]]:
    """The recency buffer for one place: layer 1, then drop every source or telling of a withheld fact.

    Args:
        messages: recent messages, in order of time.
        told: the facts these messages are a source of, or (Tact's replies) told, and the corrections of those.
        place: who can read now. A message is judged by its own audience alone: `Rel` is for facts.
        policy: the policy of this moment; a reply goes as soon as something it told would not be told again.
    """
    passed = frozenset(fact.id for fact in release_facts(told, place, policy)[0])
    judged = [(m, _judge_message(m, told, passed, place)) for m in messages]
    released = tuple(
        ReleasedMessage(m.id, m.sender, m.text, m.sent_at, m.origin is Origin.TACT)
        for m, verdict in judged
        if verdict.allowed
    )
    return released, tuple(Decision(ItemId(m.id), verdict) for m, verdict in judged)


def _judge_message(
    m: RawMessage, told: Sequence[RawFact], passed: frozenset[FactId], place: Place
) -> Verdict:
    behind = [fact for fact in told if m.id in fact.sources or fact.id in m.used]
    if not admissible(place.upper, m.audience):
        return Verdict(False, Reason.NOT_PRESENT)
    if not (m.audience.everyone or _at_home(place, m.container)):
        return Verdict(False, Reason.LATER_MEMBERS)
    if m.origin is Origin.COMMAND or not passed.issuperset(m.used):
        return Verdict(False, Reason.RETIRED)
    if place.upper != OWNER_ONLY and any(_bars(fact, place.upper) for fact in behind):
        return Verdict(False, Reason.RETIRED)
    return Verdict(True, Reason.HEARD)


def _bars(fact: RawFact, viewers: Audience) -> bool:
    """PL4, a cover story (never repeated unasked), or a present viewer is blacklisted."""
    if fact.secret or fact.cover:
        return True
    return bars_somebody(fact) if viewers.everyone else any(blacklisted(fact, p) for p in viewers.members)


def release_edges(edges: Iterable[RawEdge], passed: Iterable[ReleasedFact]) -> tuple[ReleasedEdge, ...]:
    """Edges whose fact passed: an edge is judged as the fact that states it."""
    ids = {fact.id for fact in passed}
    return tuple(ReleasedEdge(e.fact, e.subject, e.predicate, e.object) for e in edges if e.fact in ids)


def release_links(
    links: Iterable[RawLink],
    ends: Iterable[RawFact],
    passed: Iterable[ReleasedFact],
    place: Place,
    policy: Policy,
) -> tuple[RawLink, ...]:
    """`because` and `but` links: both ends passed, and what joins them may be told to every viewer.

    A link states two facts: it is judged by the audience of the message that states it, and by Case 2 of both. That
    message is of the ends' container: where later members can read, they must be at home.

    Args:
        ends: the facts at the links' ends.
    """
    told = {fact.id for fact in passed}
    facts = {fact.id: fact for fact in ends if fact.id in told}
    both = [x for x in links if x.left in facts and x.right in facts]
    return tuple(x for x in both if _holds(x, (facts[x.left], facts[x.right]), place, policy))


def _holds(link: RawLink, ends: tuple[RawFact, RawFact], place: Place, policy: Policy) -> bool:
    if not admissible(place.upper, link.audience):
        return False
    if not (link.audience.everyone or all(_at_home(place, fact.container) for fact in ends)):
        return False
    return all(case2(ends, person, policy).allowed for person in persons_to_ask(ends, place.upper, policy))


def release_reply(text: str, place: Place, used: tuple[FactId, ...], digest: str) -> ReleasedReply:
    """Bind a worded reply to the viewers it was judged for."""
    return ReleasedReply(text, place.upper, used, digest)


def release_line(text: str) -> ReleasedLine:
    """A public line; `text` comes from the fixed table or from the owner's own wording, never from memory."""
    return ReleasedLine(text)


def release_to_owner(text: str) -> OwnerOnly:
    """Words for the owner's direct chat only."""
    return OwnerOnly(text)

"""The gate: the only place that joins layers 1 and 2, and the only maker of `Released*` and `OwnerOnly` values.

INVARIANT: what is not built here cannot reach a prompt that words a reply, nor a room. A lint test checks that no
other module builds these types.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from engine.audience import EVERYONE, OWNER_ONLY, Audience, admissible
from engine.disclosure import Reason, Verdict, blacklisted, case1, shared
from engine.ids import OWNER, STRANGER, ContainerId, FactId, ItemId, MessageId, PersonId
from engine.items import Colour, Confidence, Origin, RawEdge, RawFact, RawLink, RawMessage
from engine.policy import Policy, ReleaseSetting
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
    if granted.everyone or not _standing(fact, policy):
        return granted
    persons = [p for p in policy.contacts if case1(fact, p, policy, owner_set_only=True).allowed]
    barred = any(e.colour is Colour.BLACK for e in fact.lists)
    if not barred and case1(fact, STRANGER, policy, owner_set_only=True).allowed:
        return EVERYONE
    return granted | Audience.of(persons)


def _granted(fact: RawFact, policy: Policy) -> Audience:
    named = {e.person for e in fact.lists if e.by_owner and e.person is not None}
    if shared(fact, STRANGER) and not any(blacklisted(fact, p) for p in (*policy.contacts, *named)):
        return EVERYONE
    return Audience.of(p for p in (*named, *policy.contacts) if shared(fact, p))


def _standing(fact: RawFact, policy: Policy) -> bool:
    """Whether the standing policy speaks for this fact at all. One condition a line."""
    category = policy.category(fact.category)
    if category is None or category.release is ReleaseSetting.NEVER:
        return False
    if fact.kept_private or fact.secret or fact.cover or fact.unresolved or fact.confidential:
        return False
    if fact.event.confidential or fact.event.unresolved:
        return False
    if category.release is not ReleaseSetting.ANY and fact.event.tellers - {OWNER}:
        return False
    if not (fact.first_hand or (category.release is ReleaseSetting.OWN and fact.owner_typed)):
        return False
    if category.release is ReleaseSetting.POLICY and _policy_alone(fact, policy):
        return True
    return fact.confirmed is not None


def _policy_alone(fact: RawFact, policy: Policy) -> bool:
    """Release `policy`: settled, two annotators agree, nothing PL3, and never to `LN`."""
    top: dict[Confidence, tuple[float, str]] = {}
    for s in fact.suggestions:
        top[s.annotator] = max(top.get(s.annotator, (0.0, "")), (s.confidence, s.category))
    agreed = len(top) > 1 and {name for _, name in top.values()} == {fact.category}
    category = policy.category(fact.category)
    public = category is not None and policy.lattice.public in category.labels
    return fact.settled and agreed and not fact.sensitive and not public


def persons_to_ask(viewers: Audience, policy: Policy) -> tuple[PersonId, ...]:
    """Whom Case 1 is asked for: each viewer; for `V↑ = U` every contact and one stranger."""
    return (*sorted(policy.contacts), STRANGER) if viewers.everyone else tuple(sorted(viewers.members))


def judge_fact(fact: RawFact, place: Place, policy: Policy) -> Decision:
    """One fact before one place: layer 1 for `V↑(C)`, then Case 1 for every viewer.

    Returns:
        The decision with the first reason that denied, or the last that allowed.
    """
    item = ItemId(fact.id)
    if not admissible(place.upper, fact.audience, release_of(fact, policy)):
        return Decision(item, Verdict(False, Reason.NOT_PRESENT))
    if not _may_stay(place, fact.audience, fact.container):
        return Decision(item, Verdict(False, Reason.LATER_MEMBERS))
    if fact.cover and place.upper != OWNER_ONLY:
        return Decision(item, Verdict(False, Reason.COVER))
    verdict = Verdict(True, Reason.OWNER)
    for person in persons_to_ask(place.upper, policy):
        verdict = case1(fact, person, policy)
        if not verdict.allowed:
            return Decision(item, verdict, person)
    return Decision(item, verdict)


def _may_stay(place: Place, audience: Audience, container: ContainerId) -> bool:
    """Where later members can read, only public items and this container's own, unless the owner consented."""
    if place.viewers.future is FutureReaders.NONE or audience.everyone:
        return True
    return container == place.container or place.consented


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
        fact.id, fact.text, fact.teller, fact.said_at, fact.when, fact.when_is_day, decision.verdict.reason
    )


def release_messages(
    messages: Iterable[RawMessage], told: Sequence[RawFact], place: Place
) -> tuple[tuple[ReleasedMessage, ...], tuple[Decision, ...]]:
    """The recency buffer for one place: layer 1, then drop every source or telling of a withheld fact.

    Args:
        messages: recent messages, in order of time.
        told: the facts these messages are a source of, or (Tact's replies) told.
        place: who can read now. A message is judged by its own audience alone: `Rel` is for facts.
    """
    by_message: dict[MessageId, list[RawFact]] = {}
    by_fact = {fact.id: fact for fact in told}
    for fact in told:
        for source in fact.sources:
            by_message.setdefault(source, []).append(fact)
    released: list[ReleasedMessage] = []
    decisions: list[Decision] = []
    for message in messages:
        facts = by_message.get(message.id, []) + [by_fact[f] for f in message.used if f in by_fact]
        missing = any(f not in by_fact for f in message.used)
        verdict = _judge_message(message, facts, place, missing=missing)
        decisions.append(Decision(ItemId(message.id), verdict))
        if verdict.allowed:
            by_tact = message.origin is Origin.TACT
            released.append(ReleasedMessage(message.id, message.sender, message.text, message.sent_at, by_tact))
    return tuple(released), tuple(decisions)


def _judge_message(message: RawMessage, facts: list[RawFact], place: Place, *, missing: bool) -> Verdict:
    if not admissible(place.upper, message.audience):
        return Verdict(False, Reason.NOT_PRESENT)
    if not _may_stay(place, message.audience, message.container):
        return Verdict(False, Reason.LATER_MEMBERS)
    if message.origin is Origin.COMMAND or missing:
        return Verdict(False, Reason.RETIRED)
    if place.upper != OWNER_ONLY and any(_bars(fact, place.upper) for fact in facts):
        return Verdict(False, Reason.RETIRED)
    return Verdict(True, Reason.HEARD)


def _bars(fact: RawFact, viewers: Audience) -> bool:
    """PL4, or a present viewer is blacklisted."""
    listed = any(e.colour is Colour.BLACK for e in fact.lists)
    return fact.secret or (listed if viewers.everyone else any(blacklisted(fact, p) for p in viewers.members))


def release_edges(edges: Iterable[RawEdge], passed: Iterable[ReleasedFact]) -> tuple[ReleasedEdge, ...]:
    """Edges whose fact passed: an edge is judged as the fact that states it."""
    ids = {fact.id for fact in passed}
    return tuple(ReleasedEdge(e.fact, e.subject, e.predicate, e.object) for e in edges if e.fact in ids)


def release_links(links: Iterable[RawLink], passed: Iterable[ReleasedFact], place: Place) -> tuple[RawLink, ...]:
    """`because` and `but` links: both ends passed, and the message that states the link is admissible itself."""
    ids = {fact.id for fact in passed}
    return tuple(
        link for link in links if link.left in ids and link.right in ids and admissible(place.upper, link.audience)
    )


def release_reply(text: str, place: Place, used: tuple[FactId, ...], digest: str) -> ReleasedReply:
    """Bind a worded reply to the viewers it was judged for."""
    return ReleasedReply(text, place.upper, used, digest)


def release_to_owner(text: str) -> OwnerOnly:
    """Words for the owner's direct chat only."""
    return OwnerOnly(text)

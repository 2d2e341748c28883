"""Recall and judge: candidates from the three stores, scopes pushed into every query, one decision for all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.context import ZONE, Context
from engine.annotation import Query
from engine.disclosure import Reason, case1
from engine.ids import FactId, MessageId
from engine.items import RawFact, RawLink
from engine.policy import Policy
from engine.release import (
    Decision,
    Place,
    ReleasedEdge,
    ReleasedFact,
    ReleasedMessage,
    judge_fact,
    release_edges,
    release_facts,
    release_links,
    release_messages,
)
from engine.retrieval import CONTEXT_FACTS, RECENT_MESSAGES
from engine.sealed_context import Ranked
from engine.store import Hit, Scope, Search, Transaction

_PAGE = 64
_WITHHELD_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Recalled:
    """What passed the gate for one place, with every decision."""

    facts: tuple[ReleasedFact, ...]
    ranks: Mapping[FactId, Ranked]
    links: tuple[RawLink, ...]
    graph: tuple[ReleasedEdge, ...]
    recent: tuple[ReleasedMessage, ...]
    decisions: tuple[Decision, ...]


async def recall(
    tx: Transaction, policy: Policy, place: Place, search: Search, query: Query, *, current: MessageId
) -> Recalled:
    """Read all three stores for one place.

    Args:
        policy: the policy of this moment.
        place: who can read, and where.
        search: the ranked read of the question.
        current: the message being answered; it is no memory yet.
    """
    scope = Scope(place.upper)
    facts, ranks, decisions = await _long_term(tx, policy, place, search, scope)
    facts, more = await _named(tx, policy, place, query, scope, facts)
    passed = [fact.id for fact in facts]
    links = await _links(tx, policy, place, scope, facts)
    graph = release_edges(await tx.edges(scope, facts=passed), facts)
    recent, seen = await _recent(tx, policy, place, scope, current)
    return Recalled(facts, ranks, links, graph, recent, (*decisions, *more, *seen))


async def _links(
    tx: Transaction, policy: Policy, place: Place, scope: Scope, facts: Sequence[ReleasedFact]
) -> tuple[RawLink, ...]:
    """What joins two facts that passed, where both may be told together."""
    found = await tx.links([fact.id for fact in facts], scope)
    if not found:
        return ()
    ends = dict.fromkeys(end for link in found for end in (link.left, link.right))
    return release_links(found, await tx.facts(ends, scope), facts, place, policy)


async def _long_term(
    tx: Transaction, policy: Policy, place: Place, search: Search, scope: Scope
) -> tuple[tuple[ReleasedFact, ...], dict[FactId, Ranked], list[Decision]]:
    """The best facts that pass: pages of the ranking are judged until enough passed or none is left."""
    passed: list[ReleasedFact] = []
    ranks: dict[FactId, Ranked] = {}
    decisions: list[Decision] = []
    offset = 0
    while len(passed) < CONTEXT_FACTS:
        page: list[Hit] = await tx.search(search, scope, _PAGE, offset)
        ranks.update({hit.fact.id: hit.rank for hit in page})
        found, judged = release_facts(
            await _with_corrections(tx, [hit.fact for hit in page], scope), place, policy
        )
        inside = {str(hit.fact.id) for hit in page}
        passed += [fact for fact in found if str(fact.id) in inside]
        decisions += [d for d in judged if str(d.item) in inside]
        offset += _PAGE
        if len(page) < _PAGE:
            break
    order = {fact_id: n for n, fact_id in enumerate(ranks)}
    passed.sort(key=lambda fact: order[fact.id])
    return tuple(passed[:CONTEXT_FACTS]), ranks, decisions


async def _with_corrections(tx: Transaction, facts: Sequence[RawFact], scope: Scope) -> list[RawFact]:
    """These facts, and the corrections that may retire them, as far as those are in scope."""
    wanted = {f.superseded_by for f in facts if f.superseded_by} - {f.id for f in facts}
    return [*facts, *await tx.facts([w for w in wanted if w], scope)]


async def _named(
    tx: Transaction, policy: Policy, place: Place, query: Query, scope: Scope, facts: tuple[ReleasedFact, ...]
) -> tuple[tuple[ReleasedFact, ...], list[Decision]]:
    """The entity graph: facts that state an edge about somebody the question names."""
    if not query.names:
        return facts, []
    have = {fact.id for fact in facts}
    edges = await tx.edges(scope, naming=query.names)
    wanted = dict.fromkeys(edge.fact for edge in edges if edge.fact not in have)
    stated = await _with_corrections(tx, await tx.facts(list(wanted), scope), scope)
    found, decisions = release_facts(stated, place, policy)
    new = tuple(fact for fact in found if fact.id in wanted)[:CONTEXT_FACTS]
    return (*facts, *new), list(decisions)


async def _recent(
    tx: Transaction, policy: Policy, place: Place, scope: Scope, current: MessageId
) -> tuple[tuple[ReleasedMessage, ...], tuple[Decision, ...]]:
    """The recency buffer of this container. What messages told is judged in the owner's zone."""
    messages = [m for m in await tx.recent(place.container, scope, RECENT_MESSAGES + 1) if m.id != current]
    told = await tx.facts_behind(messages, ZONE)
    return release_messages(messages, await _with_corrections(tx, told, ZONE), place, policy)


@dataclass(frozen=True, slots=True)
class Footing:
    """What a retelling of everything that was recalled would rest on.

    `behind` are the facts that the recent messages told and that pass here by themselves; `opens` says that something
    among it is a password, code or key, as its reader marked it.
    """

    behind: tuple[FactId, ...] = ()
    opens: bool = False


async def footing(tx: Transaction, found: Recalled, place: Place, policy: Policy) -> Footing:
    """Look up what is behind what was recalled, with the scope of the place."""
    scope = Scope(place.upper)
    messages = [m for r in found.recent if (m := await tx.message(r.id, scope)) is not None]
    told = await tx.facts_behind(messages, scope)
    passed, _ = release_facts(told, place, policy)
    facts = [*told, *await tx.facts([fact.id for fact in found.facts], scope)]
    return Footing(tuple(fact.id for fact in passed), any(fact.secret for fact in facts))


async def still_heard(tx: Transaction, wanted: Sequence[MessageId], place: Place, policy: Policy) -> bool:
    """Whether all of these messages may be seen again here, under the policy of this moment."""
    if not wanted:
        return True
    messages = [m for w in wanted if (m := await tx.message(w, Scope(place.upper))) is not None]
    told = await _with_corrections(tx, await tx.facts_behind(messages, ZONE), ZONE)
    released, _ = release_messages(messages, told, place, policy)
    return {m.id for m in released} >= set(wanted)


async def withheld(
    tx: Transaction, context: Context, policy: Policy, place: Place, search: Search, query: Query
) -> list[Decision]:
    """For the owner's view: what would have answered the question, had everything been in scope.

    Runs after the reply was sent, and changes nothing that anybody else sees.
    """
    hits = await tx.search(search, ZONE, _WITHHELD_SHOWN)
    near = [
        hit.fact
        for hit in hits
        if query.wide or context.speaks_to(query, context.reader.tokens(hit.fact.text), hit.rank.similarity)
    ]
    judged = ((fact, judge_fact(fact, place, policy)) for fact in near)
    return [_telling(fact, d, policy) for fact, d in judged if not d.verdict.allowed]


def _telling(fact: RawFact, decision: Decision, policy: Policy) -> Decision:
    """What the owner can act on: what he alone told was held back by his own policy, not by who was there."""
    held_back = (
        decision.verdict.reason is Reason.NOT_PRESENT and fact.first_hand and decision.viewer is not None
    )
    own = case1(fact, decision.viewer, policy, owner_set_only=True) if held_back and decision.viewer else None
    if own is None or own.allowed:
        return decision
    return replace(decision, verdict=own)

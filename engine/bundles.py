"""Layer 2, Case 2: may this viewer hear several facts in one piece (EP-Mem B.5; privacy-model §3).

Used for every item whose text states several facts. A bundle opens no wider than the ceiling of all of them, and each of
them must be allowed on its own within that ceiling: what opens one fact never opens the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.disclosure import Reason, Verdict, case1, fact_labels
from engine.ids import PersonId
from engine.items import RawFact
from engine.labels import Label, ceiling
from engine.policy import Policy, conjunction

_GRAVEST_FIRST: Final = (
    Reason.SECRET,
    Reason.BLACKLIST,
    Reason.CONFIDENTIAL,
    Reason.NO_LABEL,
    Reason.CEILING,
    Reason.LABEL,
    Reason.WHITELIST,
    Reason.SHARED,
    Reason.OWNER,
)
"""The reasons of Case 1 and Case 2: refusals before permissions, lists before labels."""


def ceiling_of(fact: RawFact, policy: Policy) -> Label:
    """`ℓ♯(f)`, the ceiling label of one fact (B.2)."""
    return conjunction(fact_labels(fact, policy))


def bundle_ceiling(facts: Iterable[RawFact], policy: Policy) -> Label | None:
    """`ℓ*(F) = Ceil(ℓ♯(f₁), …, ℓ♯(fₘ))` (B.5); None for no facts: there is no ceiling of nothing."""
    return ceiling(ceiling_of(fact, policy) for fact in facts)


def case2(facts: Sequence[RawFact], person: PersonId, policy: Policy) -> Verdict:
    """Case 2: every fact is judged again with `R^{ℓ*}` as its default audience (penetrating: `X(f) ∩ R^{ℓ*}`).

    `R^{ℓ*} ⊆ R^{ℓ(f)}`, so for an ordinary fact the intersection is `R^{ℓ*}` itself: one rule serves both kinds.

    Returns:
        Allowed iff all are. The reason is the gravest of theirs, so the order of the facts is nothing. No facts at all are
        denied, to the owner too: there is nothing that could be told.
    """
    whole = bundle_ceiling(facts, policy)
    if whole is None:
        return Verdict(False, Reason.NOTHING_STATES_IT)
    verdicts = (_within(fact, person, policy, whole) for fact in facts)
    return min(verdicts, key=lambda verdict: _GRAVEST_FIRST.index(verdict.reason))


def _within(fact: RawFact, person: PersonId, policy: Policy, whole: Label) -> Verdict:
    verdict = case1(fact, person, policy, within=whole)
    if verdict.reason is Reason.NO_LABEL and case1(fact, person, policy).allowed:
        return Verdict(False, Reason.CEILING)
    return verdict

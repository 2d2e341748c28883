"""The standing policy: whether it speaks for a fact at all (privacy-model §2, rule 2). Whom it then opens to is Case 1's.

Nobody else's words open anything here: what others told, and what may not be the owner's own, only closes.
"""

from __future__ import annotations

from engine.audience import OWNER_ONLY
from engine.disclosure import fact_labels
from engine.ids import OWNER
from engine.items import Confidence, RawFact
from engine.policy import Policy, ReleaseSetting


def speaks_for(fact: RawFact, policy: Policy) -> bool:
    """Whether the standing policy speaks for this fact at all. One condition a line."""
    category = policy.category(fact.category)
    setting = ReleaseSetting.NEVER if category is None else category.release_for(fact.said_at)
    if setting is ReleaseSetting.NEVER:
        return False
    if fact.kept_private or fact.secret or fact.cover or fact.unresolved or fact.confidential:
        return False
    if not fact.sources or fact.event.confidential or fact.event.unresolved:
        return False
    if setting is not ReleaseSetting.ANY and fact.event.tellers - {OWNER}:
        return False
    if not (_first_hand(fact) or (setting is ReleaseSetting.OWN and fact.owner_typed)):
        return False
    if setting is ReleaseSetting.POLICY and _policy_alone(fact, policy):
        return True
    return fact.confirmed is not None


def _first_hand(fact: RawFact) -> bool:
    """The mark, and what must be true of whatever bears it."""
    return fact.first_hand and fact.teller == OWNER and fact.audience == OWNER_ONLY


def _policy_alone(fact: RawFact, policy: Policy) -> bool:
    """Release `policy`: settled, two annotators agree, nothing PL3, and never to `LN`."""
    agreed = all(_holds(fact, a, policy.rho) for a in (Confidence.EMBEDDING, Confidence.LEXICAL))
    return (
        fact.settled
        and agreed
        and not fact.sensitive
        and policy.lattice.public not in fact_labels(fact, policy)
    )


def _holds(fact: RawFact, annotator: Confidence, rho: float) -> bool:
    """Whether the fact's category is this annotator's one best opinion, held with at least `ρ`."""
    theirs = [s for s in fact.suggestions if s.annotator is annotator]
    best = max((s.confidence for s in theirs), default=0.0)
    return best >= rho and {s.category for s in theirs if s.confidence == best} == {fact.category}

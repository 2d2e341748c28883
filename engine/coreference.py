"""Layer 2, Case 3: may this viewer hear the answer to each part of a question (EP-Mem B.8-B.12; privacy-model §3).

A question is cut into units; the facts that entail a unit are its evidence. Different facts may tell of one event, so what
one of them was told for counts for the unit, if it was the truth. Nothing here writes a list, and nothing here reaches
a prompt: the verdicts are for the owner (`/preview`, `/why`) and for measurement.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.audience import admissible
from engine.bundles import bundle_ceiling, ceiling_of
from engine.disclosure import Reason, Verdict, bars_somebody, binding, blacklisted
from engine.ids import OWNER, TACT, PersonId
from engine.items import Colour, RawFact
from engine.labels import Label, ceiling
from engine.policy import Policy
from engine.release import Place, release_of


@dataclass(frozen=True, slots=True)
class Unit:
    """A query unit `u`, and `E(u)`: the facts that entail it, of those that pass layer 1."""

    text: str = field(repr=False)
    evidence: tuple[RawFact, ...] = ()


def admissible_facts(facts: Iterable[RawFact], place: Place, policy: Policy) -> tuple[RawFact, ...]:
    """The facts that pass layer 1 for a place: what evidence may be looked for in. Nothing is released by it."""
    return tuple(f for f in facts if admissible(place.upper, f.audience, release_of(f, policy)))


def unit_label(unit: Unit, policy: Policy) -> Label | None:
    """`ℓ(u)`: the ceiling over `E(u)`; None without evidence.

    It is the label of the most restrictive representative wherever there is one; where two facts are of different
    domains none is, and the ceiling is the reading that tells less.
    """
    return bundle_ceiling(unit.evidence, policy)


def query_ceiling(units: Iterable[Unit], policy: Policy) -> Label | None:
    """`ℓ*` (B.8): the ceiling over the units; one without evidence takes no part. None if no unit has any."""
    found = (unit_label(unit, policy) for unit in units)
    return ceiling(label for label in found if label is not None)


def deepest(unit: Unit, policy: Policy) -> tuple[RawFact, ...]:
    """The facts of `E(u)` than which no other is strictly deeper: the candidates for the representative `f_u`."""
    labels = [ceiling_of(fact, policy) for fact in unit.evidence]
    return tuple(
        fact
        for fact, label in zip(unit.evidence, labels, strict=True)
        if not any(other != label and other & label == other for other in labels)
    )


def trusted(fact: RawFact, person: PersonId) -> bool:
    """`Trusted(f, r)`: the owner, or Tact, told this person the truth, and nothing later takes that back.

    Either an act of the owner's that is marked as the truth, or the owner's own words in this person's presence. A cover
    story never is, whoever was told it; nor is what somebody else said, about themselves or about the owner.
    """
    if fact.cover:
        return False
    truth = [
        e.at
        for e in fact.lists
        if e.by_owner and e.colour is Colour.WHITE and e.real_truth and e.person in (person, None)
    ]
    if truth and all(e.at < max(truth) for e in binding(fact, person)):
        return True
    heard = not fact.audience.everyone and person in fact.audience
    return heard and fact.teller in (OWNER, TACT)


def bound(unit: Unit, person: PersonId) -> bool:
    """`Bind(u, r)` (B.9): some `f ∈ E(u)` has `r ∈ W(f)`, not `r ∈ B(f)`, by a disclosure that can be trusted."""
    return any(trusted(fact, person) and not blacklisted(fact, person) for fact in unit.evidence)


def barring(unit: Unit, person: PersonId, policy: Policy) -> tuple[RawFact, ...]:
    """The facts by which `r ∈ B_eff(u)` (B.10): of the deepest, those that blacklist the person."""
    return tuple(fact for fact in deepest(unit, policy) if blacklisted(fact, person))


def case3(units: Sequence[Unit], person: PersonId, policy: Policy) -> tuple[Verdict, ...]:
    """A verdict for each unit (B.11): allowed iff `r ∉ B_eff(u)` and (`r ∈ R^{ℓ*}` or `Bind(u, r)`).

    A unit without evidence is denied, to the owner too: nothing could be told.
    """
    whole = query_ceiling(units, policy)
    return tuple(_judge(unit, person, policy, whole) for unit in units)


def fully_disclosable(verdicts: Iterable[Verdict]) -> bool:
    """`FullDisc` (B.12): every unit is allowed, and there is one."""
    every = [verdict.allowed for verdict in verdicts]
    return bool(every) and all(every)


def _judge(unit: Unit, person: PersonId, policy: Policy, whole: Label | None) -> Verdict:
    if whole is None or not unit.evidence:
        return Verdict(False, Reason.NOTHING_STATES_IT)
    if person == OWNER:
        return Verdict(True, Reason.OWNER)
    bars = barring(unit, person, policy)
    if bars:
        return Verdict(False, Reason.SECRET if any(f.secret for f in bars) else Reason.BLACKLIST)
    if _opens(unit, person, policy, whole):
        return Verdict(True, Reason.LABEL)
    if bound(unit, person):
        return Verdict(True, Reason.BOUND)
    alone = unit_label(unit, policy)
    narrowed = alone is not None and _opens(unit, person, policy, alone)
    return Verdict(False, Reason.CEILING if narrowed else Reason.NO_LABEL)


def _opens(unit: Unit, person: PersonId, policy: Policy, label: Label) -> bool:
    """`r ∈ R^ℓ`, at the time of the oldest evidence: a label given since then opens nothing that was said before it.

    What is blacklisted for anybody reaches no stranger by its label, as in Case 1.
    """
    if policy.is_stranger(person) and any(bars_somebody(fact) for fact in deepest(unit, policy)):
        return False
    return all(policy.in_default_audience(person, label, fact.said_at) for fact in unit.evidence)

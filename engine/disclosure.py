"""Layer 2, Case 1: may this viewer hear this fact (EP-Mem B.2, B.6, B.7; privacy-model §3).

Every function returns a verdict with its reason; a reason is one of a closed set.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from engine.audience import Audience
from engine.ids import OWNER, STRANGER, CategoryName, PersonId
from engine.items import Basis, Colour, Confidence, ListEntry, RawFact
from engine.labels import L0, Label
from engine.policy import Category, Policy, conjunction


class Reason(StrEnum):
    """Why a verdict is what it is."""

    OWNER = "owner"
    HEARD = "heard it"
    WHITELIST = "whitelist"
    LABEL = "label"
    SHARED = "shared by the owner"
    SECRET = "secret"  # noqa: S105 - the name of a reason
    BLACKLIST = "blacklist"
    NO_LABEL = "no label opens it"
    CONFIDENTIAL = "confidential"
    NOT_PRESENT = "not present and not released"
    COVER = "cover story not switched on"
    CEILING = "too narrow together"
    BOUND = "was told the truth of it"
    NOTHING_STATES_IT = "nothing admissible states it"
    LATER_MEMBERS = "later members can read the room"
    SUPERSEDED = "corrected"
    RETIRED = "source of a withheld fact"
    REPEATED = "repeated by a model that was not given it"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Allowed or not, and why."""

    allowed: bool
    reason: Reason


def binding(fact: RawFact, person: PersonId) -> tuple[ListEntry, ...]:
    """The black entries on a person that bind: the owner's own, and a teller's on what that very person told."""
    if not fact.lists:  # nearly every fact, asked for every viewer
        return ()
    return tuple(
        e
        for e in fact.lists
        if e.colour is Colour.BLACK and e.person in (person, None) and e.set_by in (OWNER, fact.teller)
    )


def shared(fact: RawFact, person: PersonId) -> bool:
    """Whether the owner shared this fact with this person, later than anything that bars the person.

    The owner's last act wins; a block or a request of the same moment wins over the share.
    """
    if not fact.lists:
        return False
    grants = [
        e.at for e in fact.lists if e.by_owner and e.colour is Colour.WHITE and e.person in (person, None)
    ]
    return bool(grants) and all(e.at < max(grants) for e in binding(fact, person))


def blacklisted(fact: RawFact, person: PersonId) -> bool:
    """`r ∈ B(f)`. The owner never is. PL4 blacklists everybody it was not explicitly shared with."""
    if person == OWNER or shared(fact, person):
        return False
    return fact.secret or bool(binding(fact, person))


def bars_somebody(fact: RawFact) -> bool:
    """Whether `B(f)` holds anybody at all; strangers may be that person under another account."""
    black = {e.person for e in fact.lists if e.colour is Colour.BLACK}
    return any(blacklisted(fact, STRANGER if p is None else p) for p in (*black, None))


def whitelisted(fact: RawFact, person: PersonId, *, owner_set_only: bool = False) -> bool:
    """`r ∈ W(f)`: persons of `Aud(f)` (never `Aud⁺`), people with a role, grants.

    Args:
        owner_set_only: leave only what the owner's own acts put there (`Disc°`, privacy-model §2 rule 2).
    """
    if shared(fact, person):
        return True
    if owner_set_only:
        return False
    present = not fact.audience.everyone and person in fact.audience
    return present or any(
        e.colour is Colour.WHITE and e.basis is Basis.ROLE and e.person == person for e in fact.lists
    )


def fact_labels(fact: RawFact, policy: Policy) -> tuple[Label, ...]:
    """`ℓ₁ … ℓₖ` of a fact under a policy.

    The labels of its category; two categories that both reach `ρ` make an ordinary fact at their ceiling;
    none is `L0`, and so is what is confidential or a cover story. An item of `Aud = U` without a category is `LN`.
    """
    if fact.confidential or fact.event.confidential or fact.cover:
        return (L0,)
    own = policy.category(fact.category)
    if own is None:
        return (policy.lattice.public,) if fact.audience.everyone and fact.category is None else (L0,)
    others = _plausible(fact, policy, own)
    if not others:
        return policy.labels_of(own, fact.said_at)
    every = [own, *(policy.category(name) for name in others)]
    labels = (policy.labels_of(c, fact.said_at) if c else (L0,) for c in every)
    return (conjunction(tuple(label for some in labels for label in some)),)


def _plausible(fact: RawFact, policy: Policy, own: Category) -> frozenset[CategoryName]:
    """The other categories whose confidence reaches `ρ`, whether or not they still exist.

    The owner's own choice of a category ends the question.
    """
    if any(s.annotator is Confidence.OWNER for s in fact.suggestions):
        return frozenset()
    return frozenset(s.category for s in fact.suggestions if s.confidence >= policy.rho) - {own.name}


def persons_to_ask(facts: Iterable[RawFact], viewers: Audience, policy: Policy) -> tuple[PersonId, ...]:
    """Whom the calculus is asked for: each viewer; for `V↑ = U` every contact, everybody listed, and one stranger."""
    if not viewers.everyone:
        return tuple(sorted(viewers.members))
    named = {person for fact in facts for person in listed(fact)}
    return (*sorted({*policy.contacts, *named}), STRANGER)


def listed(fact: RawFact) -> frozenset[PersonId]:
    """Everybody whom a list of this fact names."""
    return frozenset(e.person for e in fact.lists if e.person is not None)


def case1(
    fact: RawFact,
    person: PersonId,
    policy: Policy,
    *,
    owner_set_only: bool = False,
    within: Label | None = None,
) -> Verdict:
    """Case 1 (B.6, B.7): deny on the blacklist; else allow on the whitelist or in the default audience.

    Args:
        fact: the fact, with the entries of its event's lists gathered.
        person: one viewer; `STRANGER` for somebody about whom nothing is known.
        policy: the policy of this moment.
        owner_set_only: `Disc°`, with owner-set whitelist entries only.
        within: the ceiling `ℓ*` of a bundle: the default audience is then `X(f) ∩ R^{ℓ*}`.
    """
    if person == OWNER:
        return Verdict(True, Reason.OWNER)
    if blacklisted(fact, person):
        return Verdict(False, Reason.SECRET if fact.secret else Reason.BLACKLIST)
    if whitelisted(fact, person, owner_set_only=owner_set_only):
        return Verdict(True, Reason.SHARED if shared(fact, person) else Reason.WHITELIST)
    if _opens(fact, person, policy, within):
        return Verdict(True, Reason.LABEL)
    hushed = fact.confidential or fact.event.confidential
    return Verdict(False, Reason.CONFIDENTIAL if hushed else Reason.NO_LABEL)


def _opens(fact: RawFact, person: PersonId, policy: Policy, within: Label | None) -> bool:
    """`r ∈ X(f)`, or `r ∈ X(f) ∩ R^{ℓ*}`; what is blacklisted for anybody never reaches strangers by its label."""
    if policy.is_stranger(person) and bars_somebody(fact):
        return False
    if within is not None and not policy.in_default_audience(person, within, fact.said_at):
        return False
    labels = fact_labels(fact, policy)
    return any(policy.in_default_audience(person, label, fact.said_at) for label in labels)

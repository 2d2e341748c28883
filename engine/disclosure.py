"""Layer 2, Case 1: may this viewer hear this fact (EP-Mem B.2, B.6, B.7; privacy-model §3).

Every function returns a verdict with its reason; a reason is one of a closed set.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.ids import OWNER, PersonId
from engine.items import Basis, Colour, ListEntry, RawFact
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
    LATER_MEMBERS = "later members can read the room"
    SUPERSEDED = "corrected"
    RETIRED = "source of a withheld fact"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Allowed or not, and why."""

    allowed: bool
    reason: Reason


def last_owner_act(lists: tuple[ListEntry, ...], person: PersonId) -> ListEntry | None:
    """The owner's last act on (fact, person): it wins over everything else; a block wins a tie."""
    acts = [e for e in lists if e.by_owner and e.person in (person, None)]
    return max(acts, key=lambda e: (e.at, e.colour is Colour.BLACK), default=None)


def shared(fact: RawFact, person: PersonId) -> bool:
    """Whether the owner's last act on this fact and person is a grant."""
    act = last_owner_act(fact.lists, person)
    return act is not None and act.colour is Colour.WHITE


def blacklisted(fact: RawFact, person: PersonId) -> bool:
    """`r ∈ B(f)`. The owner never is. PL4 blacklists everybody it was not explicitly shared with.

    A request by somebody else than the owner binds only what that person told.
    """
    if person == OWNER:
        return False
    act = last_owner_act(fact.lists, person)
    if act is not None:
        return act.colour is Colour.BLACK
    listed = any(
        e.colour is Colour.BLACK and e.person in (person, None) and e.set_by in (OWNER, fact.teller)
        for e in fact.lists
    )
    return listed or fact.secret


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
        return own.labels_for(fact.said_at)
    every = (own, *others)
    return (conjunction(tuple(label for c in every for label in c.labels_for(fact.said_at))),)


def _plausible(fact: RawFact, policy: Policy, own: Category) -> tuple[Category, ...]:
    """The other categories whose confidence reaches `ρ`; the owner's own choice of a category ends the question."""
    if any(s.annotator == "owner" for s in fact.suggestions):
        return ()
    names = {s.category for s in fact.suggestions if s.confidence >= policy.rho} - {own.name}
    return tuple(c for c in policy.categories if c.name in names)


def case1(fact: RawFact, person: PersonId, policy: Policy, *, owner_set_only: bool = False) -> Verdict:
    """Case 1 (B.6, B.7): deny on the blacklist; else allow on the whitelist or in the default audience.

    Args:
        fact: the fact, with the entries of its event's lists gathered.
        person: one viewer; `STRANGER` for somebody about whom nothing is known.
        policy: the policy of this moment.
        owner_set_only: `Disc°`, with owner-set whitelist entries only.
    """
    if person == OWNER:
        return Verdict(True, Reason.OWNER)
    if blacklisted(fact, person):
        return Verdict(False, Reason.SECRET if fact.secret else Reason.BLACKLIST)
    if whitelisted(fact, person, owner_set_only=owner_set_only):
        return Verdict(True, Reason.SHARED if shared(fact, person) else Reason.WHITELIST)
    labels = fact_labels(fact, policy)
    if any(policy.in_default_audience(person, label, fact.said_at) for label in labels):
        return Verdict(True, Reason.LABEL)
    hushed = fact.confidential or fact.event.confidential
    return Verdict(False, Reason.CONFIDENTIAL if hushed else Reason.NO_LABEL)

"""Audiences as sets, and layer 1: the audience rule (Authorization Before Context; privacy-model §2).

`admissible₁(m, C)  ⟺  V↑(C) ⊆ Aud⁺(m)`. Nothing here looks at what an item says.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.ids import OWNER, PersonId


@dataclass(frozen=True, slots=True)
class Audience:
    """A set of persons that always contains the owner, or everybody (`U`, strangers included).

    INVARIANT: `everyone` implies that `members` is just the owner, so that equal sets are equal values.
    """

    members: frozenset[PersonId] = frozenset({OWNER})
    everyone: bool = False

    def __post_init__(self) -> None:
        """Put the owner in, and give `U` one single form."""
        members = frozenset({OWNER}) if self.everyone else self.members | {OWNER}
        object.__setattr__(self, "members", members)

    @classmethod
    def of(cls, persons: Iterable[PersonId] = ()) -> Audience:
        """The owner and these persons."""
        return cls(frozenset(persons))

    def __contains__(self, person: PersonId) -> bool:
        """Whether this person is in the audience."""
        return self.everyone or person in self.members

    def covers(self, other: Audience) -> bool:
        """Whether `other ⊆ self`: only `U` covers `U`."""
        return self.everyone or (not other.everyone and other.members <= self.members)

    def __and__(self, other: Audience) -> Audience:
        """Intersection; the audience of something made out of both."""
        if self.everyone:
            return other
        return self if other.everyone else Audience(self.members & other.members)

    def __or__(self, other: Audience) -> Audience:
        """Union; only ever used for `Aud ∪ Rel`."""
        if self.covers(other):
            return self
        return EVERYONE if other.everyone else Audience(self.members | other.members)


OWNER_ONLY = Audience()
EVERYONE = Audience(everyone=True)


def derived_audience(sources: Iterable[Audience]) -> Audience:
    """The audience of a derived item: the intersection over everything in the call that made it.

    Without a source it is `{o}` (privacy-model §2, Recording).
    """
    result: Audience | None = None
    for source in sources:
        result = source if result is None else result & source
    return OWNER_ONLY if result is None else result


def admissible(viewers: Audience, audience: Audience, released: Audience = OWNER_ONLY) -> bool:
    """Layer 1: `V↑(C) ⊆ Aud(m) ∪ Rel(m)`.

    Args:
        viewers: the upper bound `V↑` of who can read the container now.
        audience: `Aud(m)`, who was present when the item was recorded.
        released: `Rel(m)`, whom the owner released it to.
    """
    return (audience | released).covers(viewers)

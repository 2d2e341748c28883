"""Who is who, as the owner sees it. Names resolve only through names that the owner gave (privacy-model §1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from unicodedata import normalize

from engine.ids import OWNER, AccountId, ContainerId, PersonId


@dataclass(frozen=True, slots=True)
class Seen:
    """An account that has shown up: what it calls itself (a suggestion, never an identity), since when, where."""

    account: AccountId
    display_name: str = field(repr=False)
    first_at: datetime
    containers: tuple[ContainerId, ...] = ()


@dataclass(frozen=True, slots=True)
class People:
    """The owner's accounts, the accounts joined to persons, and the names that the owner gave."""

    owners: frozenset[AccountId] = frozenset()
    joined: Mapping[AccountId, PersonId] = field(default_factory=dict)
    names: Mapping[PersonId, tuple[str, ...]] = field(default_factory=dict, repr=False)
    seen: Mapping[AccountId, Seen] = field(default_factory=dict, repr=False)

    def person(self, account: AccountId) -> PersonId:
        """The person behind an account: the owner, a joined person, or a person of its own."""
        return OWNER if account in self.owners else self.joined.get(account, PersonId(account))

    @property
    def mapping(self) -> dict[AccountId, PersonId]:
        """Accounts that are not a person of their own; what `viewers()` takes."""
        return {**self.joined, **dict.fromkeys(self.owners, OWNER)}

    def called(self, person: PersonId) -> str:
        """The first name the owner gave this person; empty if none."""
        return next(iter(self.names.get(person, ())), "")

    def resolve(self, name: str) -> tuple[PersonId, ...]:
        """Everybody the owner calls that: none, one or several.

        Names are compared in Unicode normal form KC, without case and outer blanks.
        """
        wanted = folded(name)
        return tuple(p for p, given in self.names.items() if any(folded(n) == wanted for n in given))


def folded(name: str) -> str:
    """A name as it is compared."""
    return " ".join(normalize("NFKC", name).casefold().split())

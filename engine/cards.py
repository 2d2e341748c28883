"""Cards: what the owner is asked. A closed union, matched to the end wherever it is read.

Nothing widens but by a card that the owner confirmed, and a card says what it opens, to whom, before he does: what would
open more by then is shown again (privacy-model §4, Ratification).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from engine.audience import Audience
from engine.ids import CategoryName, FactId, MessageId, PersonId
from engine.labels import Label
from engine.policy import ReleaseSetting
from engine.retention import Period


@dataclass(frozen=True, slots=True)
class LevelProposal:
    """Give a person a label; `called` is a name that the owner gives in the same act, empty if he gives none."""

    person: PersonId
    label: Label
    called: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class CategoryProposal:
    """Make a category, or change one; `description` by language, for the languages that are given."""

    name: CategoryName
    labels: tuple[Label, ...]
    release: ReleaseSetting
    description: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class ShareProposal:
    """Grant facts to persons by name, or to everybody, strangers included, where that is said in so many words."""

    facts: tuple[FactId, ...]
    persons: tuple[PersonId, ...] = ()
    everyone: bool = False


@dataclass(frozen=True, slots=True)
class ForgetProposal:
    """Erase these, where it takes more than one fact."""

    facts: tuple[FactId, ...]
    messages: tuple[MessageId, ...]


@dataclass(frozen=True, slots=True)
class RetentionProposal:
    """Set a period that erases something at once."""

    period: Period


Proposal = LevelProposal | CategoryProposal | ShareProposal | ForgetProposal | RetentionProposal
"""What is done only once the owner has confirmed it: all that widens, and what cannot be taken back."""


@dataclass(frozen=True, slots=True)
class FactCard:
    """New facts of one message. `opens` is who each is released to on `confirm`; `choices` the categories offered last."""

    facts: tuple[FactId, ...]
    opens: Mapping[FactId, Audience] = field(default_factory=dict)
    choices: tuple[CategoryName, ...] = ()


@dataclass(frozen=True, slots=True)
class ProposalCard:
    """A proposal with what it opens.

    Args:
        what: the act in words, in the owner's language.
        categories: who hears more of which category from now on.
        facts: earlier facts that open too on `confirm earlier`, and to whom.
    """

    proposal: Proposal
    what: str = field(repr=False)
    categories: Mapping[CategoryName, tuple[PersonId, ...]] = field(default_factory=dict)
    facts: Mapping[FactId, Audience] = field(default_factory=dict)


class CardState(StrEnum):
    """How far a card is."""

    OPEN = "open"  # waits for an answer
    CONFIRMED = "confirmed"  # a fact's: the newest of these can be undone
    KEPT = "kept"
    CHANGED = "changed"
    UNDONE = "undone"
    CANCELLED = "cancelled"
    STALE = "stale"  # it would open more than it showed, or asks about what is no longer so
    WITHDRAWN = "withdrawn"  # the owner narrowed something that it would have opened
    DONE = "done"


class CardKind(StrEnum):
    """What a card asks the owner, as far as that stands open in the memory."""

    FACT = "fact"
    WIDENING = "widening"


@dataclass(frozen=True, slots=True)
class Card:
    """A question to the owner.

    Args:
        about: what it asks.
        nonce: the random name, of 128 bits, by which its buttons call it.
        deed: the act in which it was made.
        done: nothing can be answered any more.
    """

    id: str
    made_at: datetime
    about: FactCard | ProposalCard
    state: CardState = CardState.OPEN
    nonce: str = field(default="", repr=False)
    deed: str = ""
    done: bool = False

    @property
    def kind(self) -> CardKind:
        """What it asks."""
        return CardKind.FACT if isinstance(self.about, FactCard) else CardKind.WIDENING

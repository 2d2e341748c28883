"""The owner's policy: labels people hold, categories facts fall into, release settings (privacy-model §3).

A policy is one immutable, versioned value; a decision names the version it used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from engine.errors import PolicyFault
from engine.ids import OWNER, CategoryName, PersonId
from engine.labels import L0, Label, Lattice, ceiling
from engine.retention import LONGEST, Retention

UNAUTHORISED = CategoryName("unauthorised")
"""The bin for what matches nothing, or with too little confidence: `L0`."""


class ReleaseSetting(StrEnum):
    """When the standing policy releases a first-hand fact of a category (privacy-model §2, rule 2)."""

    NEVER = "never"
    CONFIRM = "confirm"  # the owner saw label and audience of this fact, and said yes
    POLICY = "policy"  # by itself, once the session is settled and two annotators agree
    OWN = "own"  # confirm, also for what the owner typed before others
    ANY = "any"  # confirm, also when somebody else told of the event


@dataclass(frozen=True, slots=True)
class Category:
    """A kind of fact. One label: ordinary. Several: penetrating (`X(f)` is the union of their audiences).

    `description` and `examples` are by language (`en`, `zh`). `past` keeps what older facts stay under after the
    owner widened the category without including them: (until, labels) in order of time, each with the
    labels a fact recorded before `until` has. `past_release` keeps their release setting in the same way.
    """

    name: CategoryName
    labels: tuple[Label, ...]
    description: Mapping[str, str] = field(default_factory=dict)
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    release: ReleaseSetting = ReleaseSetting.CONFIRM
    past: tuple[tuple[datetime, tuple[Label, ...]], ...] = ()
    past_release: tuple[tuple[datetime, ReleaseSetting], ...] = ()

    @property
    def penetrating(self) -> bool:
        """Several labels."""
        return len(self.labels) > 1

    def labels_for(self, said_at: datetime) -> tuple[Label, ...]:
        """The labels of a fact said at this time."""
        for until, labels in self.past:
            if said_at < until:
                return labels
        return self.labels

    def release_for(self, said_at: datetime) -> ReleaseSetting:
        """The release setting of a fact said at this time."""
        for until, setting in self.past_release:
            if said_at < until:
                return setting
        return self.release


@dataclass(frozen=True, slots=True)
class Holding:
    """A label a contact holds, for facts said from `since` on (None: for all of them)."""

    label: Label
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Policy:
    """Everything the calculus asks: lattice, categories, contacts, thresholds.

    Args:
        contacts: every person the owner knows, with the labels they hold (possibly none).
        rho: a category counts towards a fact's labels from this confidence on (default .10).
        unresolved: `keep` records what was said before unknown viewers for owner and sender, `refuse` for nobody.
        blacklist_scope: `event` (default) or the papers' `fact`.
        covers_for: persons to whom Tact may repeat the cover story they were told (default nobody).
        room_consents: containers whose later members the owner accepted for items recorded elsewhere.
        lines: the owner's own wording of the public lines, by (name, language).
        retention: after how many days what was said is forgotten, by chat and by category.

    Raises:
        PolicyFault: if a category or a contact breaks a rule of the model.
    """

    version: int = 0
    lattice: Lattice = field(default_factory=Lattice)
    categories: tuple[Category, ...] = ()
    contacts: Mapping[PersonId, tuple[Holding, ...]] = field(default_factory=dict)
    rho: float = 0.10
    unresolved: str = "keep"
    blacklist_scope: str = "event"
    covers_for: frozenset[PersonId] = frozenset()
    room_consents: frozenset[str] = frozenset()
    timezone: str = "UTC"
    owner_name: str = "Owner"
    lines: Mapping[tuple[str, str], str] = field(default_factory=dict)
    retention: Retention = field(default_factory=Retention)

    def __post_init__(self) -> None:
        """Check what the model forbids."""
        for category in self.categories:
            self._check(category)
        for person, holdings in self.contacts.items():
            if any(holding.label.depth == 0 for holding in holdings):
                raise PolicyFault(f"{person} cannot hold L0", fix="to shut somebody out, /block them")
        if not all(1 <= period.days <= LONGEST for period in self.retention.periods()):
            raise PolicyFault("no such period of retention", fix=f"1 to {LONGEST} days")

    def _check(self, category: Category) -> None:
        valid = set(self.lattice.labels())
        where = f"category {category.name}"
        if not category.labels or not set(category.labels) <= valid:
            raise PolicyFault(
                "a label is missing or not in the lattice", where=where, fix="name at least one defined label"
            )
        if category.penetrating and {L0, self.lattice.public} & set(category.labels):
            raise PolicyFault(
                "L0 and the public label cannot be among several", where=where, fix="use one label alone"
            )

    def category(self, name: CategoryName | None) -> Category | None:
        """The category of this name, or None."""
        return next((category for category in self.categories if category.name == name), None)

    def labels_of(self, category: Category, said_at: datetime) -> tuple[Label, ...]:
        """The labels of a fact of this category said then; one that the lattice does not define is `L0`."""
        return self.defined(category.labels_for(said_at))

    def in_default_audience(self, person: PersonId, label: Label, said_at: datetime) -> bool:
        """Whether `person ∈ R^ℓ`: the owner; everybody for `LN`; else holders of a label `c` with `c & ℓ = c`.

        A holding counts only for facts said since the owner gave it, unless earlier ones were included. A label that
        the lattice does not define is `L0` on a fact.
        """
        if person == OWNER or label == self.lattice.public:
            return True
        if label not in self.lattice.labels():
            return False
        held = self._held(person)
        return any(h.label.opens(label) and (h.since is None or h.since <= said_at) for h in held)

    def is_stranger(self, person: PersonId) -> bool:
        """Whether this person holds no label: strangers hear what is public."""
        return person != OWNER and not self._held(person)

    def _held(self, person: PersonId) -> tuple[Holding, ...]:
        """What a contact holds; a label that the lattice does not define is nothing on a contact."""
        defined = self.lattice.labels()
        return tuple(h for h in self.contacts.get(person, ()) if h.label in defined)

    def edited(self, new: Category, now: datetime, *, earlier: bool) -> Policy:
        """This policy with a category added or changed; the version is the store's business.

        Narrowing counts at once and for everything. Without `earlier`, facts said before `now` keep what both the
        old and the new labels and settings allow, and a new category opens none of them (`earlier` is the owner saying
        that they are included).
        """
        old = self.category(new.name)
        before = old or replace(new, labels=(L0,), past=(), past_release=())
        kept = replace(
            new,
            past=() if earlier else self._meet_past(before, new, now),
            past_release=() if earlier else _meet_release(before, new, now),
        )
        if old is None:
            return replace(self, categories=(*self.categories, kept))
        return replace(self, categories=tuple(kept if c.name == new.name else c for c in self.categories))

    def _meet_past(
        self, old: Category, new: Category, now: datetime
    ) -> tuple[tuple[datetime, tuple[Label, ...]], ...]:
        """Each segment of the past, met with the new labels; what the lattice does not define was `L0` and stays so."""
        segments = (*old.past, (now, old.labels))
        return tuple((until, meet(self.defined(labels), new.labels)) for until, labels in segments)

    def defined(self, labels: tuple[Label, ...]) -> tuple[Label, ...]:
        """Labels as they count on a fact: one that the lattice does not define is `L0`."""
        known = self.lattice.labels()
        return tuple(label if label in known else L0 for label in labels)


def meet(left: tuple[Label, ...], right: tuple[Label, ...]) -> tuple[Label, ...]:
    """Labels whose audience lies in both sides' audiences: pairwise conjunctions, `L0` only when nothing else is left."""
    pairs = {a & b for a in left for b in right}
    return tuple(sorted(pairs - {L0}, key=str)) or (L0,)


def narrower(left: ReleaseSetting, right: ReleaseSetting) -> ReleaseSetting:
    """What both settings allow: `never` allows nothing, and any two others have `confirm` in common."""
    if left is right:
        return left
    return ReleaseSetting.NEVER if ReleaseSetting.NEVER in (left, right) else ReleaseSetting.CONFIRM


def _meet_release(old: Category, new: Category, now: datetime) -> tuple[tuple[datetime, ReleaseSetting], ...]:
    segments = (*old.past_release, (now, old.release))
    return tuple((until, narrower(setting, new.release)) for until, setting in segments)


def conjunction(labels: tuple[Label, ...]) -> Label:
    """`ℓ♯ = ℓ₁ & … & ℓₖ` (B.2) of a fact's labels; `L0` without any."""
    return ceiling(labels) or L0

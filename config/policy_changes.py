"""What a new policy opens, and to whom, against the old one; and the same policy without the past.

Only differences of default audiences and settings are found here; lists belong to facts and no policy changes them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise

from config.retention_file import written_period
from engine.ids import OWNER, STRANGER, CategoryName, PersonId
from engine.labels import L0, Label
from engine.policy import Category, Holding, Policy, ReleaseSetting, meet, narrower
from engine.retention import Retention

_START = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Span:
    """Facts said from `since` (None: ever) until `until` (None: from now on without end)."""

    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class AccessChange:
    """What one person may newly hear of a category by its labels, and no longer. `STRANGER` stands for everybody else."""

    who: PersonId
    category: CategoryName
    gains: tuple[Span, ...] = ()
    loses: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class SettingChange:
    """A setting that is no label: its name, as it was, as it will be, and whether something may open by it.

    `who` is the person, where it is about one.
    """

    what: str
    old: str
    new: str
    widens: bool
    who: PersonId | None = None


@dataclass(frozen=True, slots=True)
class Changes:
    """Everything that a new policy does differently."""

    access: tuple[AccessChange, ...] = ()
    settings: tuple[SettingChange, ...] = ()

    @property
    def opens(self) -> tuple[AccessChange, ...]:
        """Who gains which category."""
        return tuple(change for change in self.access if change.gains)

    @property
    def closes(self) -> tuple[AccessChange, ...]:
        """Who loses which category."""
        return tuple(change for change in self.access if change.loses)

    @property
    def widens(self) -> bool:
        """Whether the owner must say yes before it counts."""
        return bool(self.opens) or any(setting.widens for setting in self.settings)

    def __bool__(self) -> bool:
        """Whether anything changes."""
        return bool(self.access or self.settings)


def difference(old: Policy, new: Policy) -> Changes:
    """What `new` opens and closes against `old`, for everybody known to either and for strangers."""
    people = [STRANGER, *sorted({*old.contacts, *new.contacts} - {OWNER})]
    names = [c.name for c in new.categories] + [
        c.name for c in old.categories if new.category(c.name) is None
    ]
    times = _times(old, new)
    access = [_access(old, new, who, name, times) for who in people for name in names]
    return Changes(tuple(a for a in access if a.gains or a.loses), _settings(old, new, names))


def _times(*policies: Policy) -> list[datetime]:
    """Every moment at which somebody's access may change; between two of them it does not."""
    found = {_START}
    for policy in policies:
        found |= {until for category in policy.categories for until, _ in category.past}
        found |= {h.since for holdings in policy.contacts.values() for h in holdings if h.since is not None}
    return sorted(found)


def _access(
    old: Policy, new: Policy, who: PersonId, name: CategoryName, times: list[datetime]
) -> AccessChange:
    gains: list[Span] = []
    loses: list[Span] = []
    for start, end in pairwise([*times, None]):
        before, after = _hears(old, who, name, start), _hears(new, who, name, start)
        if before != after:
            _add(gains if after else loses, Span(None if start == _START else start, end))
    return AccessChange(who, name, tuple(gains), tuple(loses))


def _add(spans: list[Span], span: Span) -> None:
    if spans and spans[-1].until == span.since and span.since is not None:
        span = Span(spans.pop().since, span.until)
    spans.append(span)


def _hears(policy: Policy, who: PersonId, name: CategoryName, said_at: datetime | None) -> bool:
    category = policy.category(name)
    if category is None or said_at is None:
        return False
    return any(policy.in_default_audience(who, label, said_at) for label in category.labels_for(said_at))


def _settings(old: Policy, new: Policy, names: list[CategoryName]) -> tuple[SettingChange, ...]:
    found = [
        SettingChange("unresolved", old.unresolved, new.unresolved, widens=new.unresolved == "keep"),
        SettingChange("rho", f"{old.rho:g}", f"{new.rho:g}", widens=new.rho > old.rho),
        SettingChange(
            "blacklist_scope", old.blacklist_scope, new.blacklist_scope, widens=new.blacklist_scope != "event"
        ),
        SettingChange("timezone", old.timezone, new.timezone, widens=False),
        SettingChange("owner", old.owner_name, new.owner_name, widens=False),
        SettingChange("lattice", _shape(old), _shape(new), widens=False),
        SettingChange(
            "covers",
            ", ".join(sorted(old.covers_for)),
            ", ".join(sorted(new.covers_for)),
            widens=not new.covers_for <= old.covers_for,
        ),
        SettingChange(
            "room_consents",
            ", ".join(sorted(old.room_consents)),
            ", ".join(sorted(new.room_consents)),
            widens=not new.room_consents <= old.room_consents,
        ),
    ]
    for name, language in sorted({*old.lines, *new.lines}):
        texts = old.lines.get((name, language), ""), new.lines.get((name, language), "")
        found.append(SettingChange(f"line {name} {language}", *texts, widens=False))
    for name in names:
        found += _category_settings(old.category(name), new.category(name))
    found += _periods(old.retention, new.retention)
    for person in sorted(old.contacts.keys() ^ new.contacts.keys()):
        known = ("", "known") if person in new.contacts else ("known", "")
        found.append(SettingChange("contact", *known, widens=False, who=person))
    return tuple(change for change in found if change.old != change.new)


def _periods(old: Retention, new: Retention) -> list[SettingChange]:
    """What is forgotten sooner cannot be taken back, so the owner is asked."""
    found = []
    for period in {(p.chat, p.category): p for p in (*old.periods(), *new.periods())}.values():
        before, after = (r.of(chat=period.chat, category=period.category) for r in (old, new))
        sooner = after > 0 and not 0 < before <= after
        what = f"retention of {period.chat or period.category}"
        found.append(SettingChange(what, _written(before), _written(after), widens=sooner))
    return found


def _written(days: int) -> str:
    return written_period(days) if days else ""


def _shape(policy: Policy) -> str:
    return f"depth {policy.lattice.depth}, domains {', '.join(policy.lattice.domains) or 'none'}"


def _category_settings(old: Category | None, new: Category | None) -> list[SettingChange]:
    if old is None or new is None:
        name = new.name if new is not None else old.name if old is not None else ""
        return [SettingChange(f"category {name}", _labels(old), _labels(new), widens=False)]
    # New words for a category move facts in and out of it. Where facts open by themselves, that can open one.
    words_widen = new.release is ReleaseSetting.POLICY
    return [
        SettingChange(f"labels of {new.name}", _labels(old), _labels(new), widens=False),
        SettingChange(
            f"release of {new.name}",
            old.release,
            new.release,
            widens=_release_widens(old.release, new.release),
        ),
        SettingChange(f"words of {new.name}", _words(old), _words(new), widens=words_widen),
    ]


def _labels(category: Category | None) -> str:
    return "" if category is None else ", ".join(str(label) for label in category.labels)


def _words(category: Category) -> str:
    texts = [
        *category.description.values(),
        *(text for texts in category.examples.values() for text in texts),
    ]
    return " / ".join(texts)


def _release_widens(old: ReleaseSetting, new: ReleaseSetting) -> bool:
    """Everything but a step to `never`, or back to `confirm` from a wider setting."""
    return (
        new != old
        and new is not ReleaseSetting.NEVER
        and not (new is ReleaseSetting.CONFIRM and old is not ReleaseSetting.NEVER)
    )


def from_now_on(old: Policy, new: Policy, now: datetime) -> Policy:
    """`new`, save that what it opens counts only for facts said from `now` on; what it closes counts for all.

    This is what applies unless the owner says that earlier facts are included.
    """
    categories = tuple(_without_past(old, new, category, now) for category in new.categories)
    before = old.contacts if old.lattice == new.lattice else {}
    contacts = {person: _since(before.get(person, ()), held, now) for person, held in new.contacts.items()}
    return replace(new, categories=categories, contacts=contacts)


def _without_past(old: Policy, new: Policy, category: Category, now: datetime) -> Category:
    before = old.category(category.name)
    if before is None:
        return category
    bounds = sorted({until for until, _ in (*before.past, *category.past)} | {now})
    past: list[tuple[datetime, tuple[Label, ...]]] = []
    for start, end in pairwise([_START, *bounds]):
        later = category.labels_for(start)
        past.append(
            (end, later if start >= now else _narrower(old, new, old.labels_of(before, start), later))
        )
    while past and set(past[-1][1]) == set(category.labels):
        past.pop()
    return replace(category, past=tuple(_merged(past)), past_release=_release_before(before, category, now))


def _release_before(
    before: Category, category: Category, now: datetime
) -> tuple[tuple[datetime, ReleaseSetting], ...]:
    """The release settings of facts said before `now`: what both the old and the new ones allow."""
    bounds = sorted({until for until, _ in (*before.past_release, *category.past_release)} | {now})
    past = []
    for start, end in pairwise([_START, *bounds]):
        later = category.release_for(start)
        past.append((end, later if start >= now else narrower(before.release_for(start), later)))
    while past and past[-1][1] is category.release:
        past.pop()
    return tuple(past)


def _narrower(
    old: Policy, new: Policy, before: tuple[Label, ...], after: tuple[Label, ...]
) -> tuple[Label, ...]:
    """What both allow. In another lattice the same name may mean more (`L3` the public), so there it is nothing."""
    if old.lattice != new.lattice:
        return (L0,)
    return after if set(before) == set(after) else meet(old.defined(before), after)


def _merged(past: list[tuple[datetime, tuple[Label, ...]]]) -> list[tuple[datetime, tuple[Label, ...]]]:
    """Neighbours with the same labels as one."""
    after = [labels for _, labels in past[1:]]
    return [part for number, part in enumerate(past) if after[number : number + 1] != [part[1]]]


def _since(old: tuple[Holding, ...], new: tuple[Holding, ...], now: datetime) -> tuple[Holding, ...]:
    return tuple(h if _held(old, h) else replace(h, since=max(h.since or now, now)) for h in new)


def _held(old: tuple[Holding, ...], holding: Holding) -> bool:
    """Whether an old holding already opened as much, as far back."""
    return any(
        o.label.opens(holding.label)
        and (o.since is None or (holding.since is not None and o.since <= holding.since))
        for o in old
    )

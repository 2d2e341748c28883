"""Between values and what lies in columns: the policy document, a fact's details, audiences' digests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any

from engine.audience import Audience
from engine.ids import CategoryName, PersonId
from engine.items import Basis, Colour, Confidence, ListEntry, RawFact, Suggestion
from engine.labels import Label, Lattice
from engine.policy import Category, Holding, Policy, ReleaseSetting


def digest_of(audience: Audience) -> str:
    """An audience's digest: equal sets, equal digests."""
    plain = "*" if audience.everyone else "\n".join(sorted(audience.members))
    return sha256(plain.encode()).hexdigest()


def event_digest(event: str) -> str:
    """A platform's event id as the inbox keeps it: always short, and no words if the id should hold some."""
    return sha256(event.encode()).hexdigest()


def policy_document(policy: Policy) -> dict[str, object]:
    """A policy as JSON can hold it; its version is the row's."""
    return {
        "depth": policy.lattice.depth,
        "domains": list(policy.lattice.domains),
        "categories": [_category_out(c) for c in policy.categories],
        "contacts": {
            p: [[_label_out(h.label), _time_out(h.since)] for h in hs] for p, hs in policy.contacts.items()
        },
        "rho": policy.rho,
        "unresolved": policy.unresolved,
        "blacklist_scope": policy.blacklist_scope,
        "room_consents": sorted(policy.room_consents),
        "timezone": policy.timezone,
        "owner_name": policy.owner_name,
        "lines": [[name, language, line] for (name, language), line in policy.lines.items()],
    }


def policy_of(version: int, plain: Any) -> Policy:
    """The policy again."""
    return Policy(
        version=version,
        lattice=Lattice(plain["depth"], tuple(plain["domains"])),
        categories=tuple(_category_in(c) for c in plain["categories"]),
        contacts={PersonId(p): tuple(map(_holding_in, hs)) for p, hs in plain["contacts"].items()},
        rho=plain["rho"],
        unresolved=plain["unresolved"],
        blacklist_scope=plain["blacklist_scope"],
        room_consents=frozenset(plain["room_consents"]),
        timezone=plain["timezone"],
        owner_name=plain["owner_name"],
        lines={(name, language): line for name, language, line in plain["lines"]},
    )


def details_of(fact: RawFact) -> dict[str, object]:
    """What of a fact can hold words beside its text: category names are the owner's words, times and names are content."""
    return {
        "when": _time_out(fact.when),
        "day": fact.when_is_day,
        "category": fact.category,
        "suggestions": [[s.category, s.confidence, str(s.annotator)] for s in fact.suggestions],
        "mentions": list(fact.mentions),
    }


def details_in(plain: Any) -> dict[str, Any]:
    """The same as keyword arguments of `RawFact`."""
    return {
        "when": _time_in(plain["when"]),
        "when_is_day": plain["day"],
        "category": plain["category"],
        "suggestions": tuple(
            Suggestion(CategoryName(c), n, Confidence(a)) for c, n, a in plain["suggestions"]
        ),
        "mentions": tuple(plain["mentions"]),
    }


def entry_of(row: Any) -> ListEntry:
    """A list entry of its row."""
    return ListEntry(
        Colour(row.colour),
        row.person_id,
        Basis(row.basis),
        PersonId(row.set_by),
        row.at,
        real_truth=row.real_truth,
    )


def entry_values(entry: ListEntry) -> dict[str, object]:
    """A list entry's row, without what it is about."""
    return {
        "colour": str(entry.colour),
        "person_id": entry.person,
        "basis": str(entry.basis),
        "set_by": entry.set_by,
        "at": entry.at,
        "real_truth": entry.real_truth,
    }


def _category_out(category: Category) -> dict[str, object]:
    return {
        "name": category.name,
        "labels": _labels_out(category.labels),
        "description": dict(category.description),
        "examples": {language: list(lines) for language, lines in category.examples.items()},
        "release": str(category.release),
        "past": [[_time_out(until), _labels_out(labels)] for until, labels in category.past],
    }


def _category_in(plain: Mapping[str, Any]) -> Category:
    return Category(
        CategoryName(plain["name"]),
        _labels_in(plain["labels"]),
        plain["description"],
        {language: tuple(lines) for language, lines in plain["examples"].items()},
        ReleaseSetting(plain["release"]),
        tuple((datetime.fromisoformat(until), _labels_in(labels)) for until, labels in plain["past"]),
    )


def _holding_in(plain: Any) -> Holding:
    label, since = plain
    return Holding(Label(*label), _time_in(since))


def _label_out(label: Label) -> list[object]:
    return [label.depth, label.domain]


def _labels_out(labels: Iterable[Label]) -> list[list[object]]:
    return [_label_out(label) for label in labels]


def _labels_in(plain: Any) -> tuple[Label, ...]:
    return tuple(Label(*label) for label in plain)


def _time_out(moment: datetime | None) -> str | None:
    """With its offset: the day that a time falls on depends on it."""
    return None if moment is None else moment.isoformat()


def _time_in(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)

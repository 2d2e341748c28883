"""Between values and what lies in columns: sessions, a fact's details, list entries, digests."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from typing import Any

from engine.audience import Audience
from engine.ids import CategoryName, ContainerId, PersonId, SessionId
from engine.items import Basis, Colour, Confidence, ListEntry, RawFact, RawSession, Suggestion


def digest_of(audience: Audience) -> str:
    """An audience's digest: equal sets, equal digests."""
    plain = "*" if audience.everyone else "\n".join(sorted(audience.members))
    return sha256(plain.encode()).hexdigest()


def event_digest(event: str) -> str:
    """A platform's event id as the inbox keeps it: always short, and no words if the id should hold some."""
    return sha256(event.encode()).hexdigest()


def session_of(row: Any, audience: Audience) -> RawSession:
    """A session out of its row."""
    return RawSession(
        SessionId(row.id), ContainerId(row.container_id), audience, row.opened_at, row.last_at, row.messages,
        row.closed, row.annotated,
    )  # fmt: skip


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


def _time_out(moment: datetime | None) -> str | None:
    """With its offset: the day that a time falls on depends on it."""
    return None if moment is None else moment.isoformat()


def _time_in(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)

"""How long things are kept: a period for a chat, a period for a category; what is older is forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from engine.ids import CategoryName, ContainerId

LONGEST = 36_500
"""Days."""


@dataclass(frozen=True, slots=True)
class Period:
    """What is older than `days` in this chat, or of this category, is forgotten; one of the two is given."""

    days: int
    chat: ContainerId | None = None
    category: CategoryName | None = None

    def ends(self, now: datetime) -> datetime:
        """What was said before this moment has been kept long enough."""
        return now - timedelta(days=self.days)

    def over(self, said_at: datetime) -> datetime:
        """When something said then goes."""
        return said_at + timedelta(days=self.days)


@dataclass(frozen=True, slots=True)
class Retention:
    """All periods, in days. Where none is set, everything is kept."""

    chats: Mapping[ContainerId, int] = field(default_factory=dict)
    categories: Mapping[CategoryName, int] = field(default_factory=dict)

    def periods(self) -> tuple[Period, ...]:
        """Chats first, each kind by name."""
        chats = (Period(self.chats[chat], chat=chat) for chat in sorted(self.chats))
        names = (Period(self.categories[name], category=name) for name in sorted(self.categories))
        return (*chats, *names)

    def of(self, *, chat: ContainerId | None = None, category: CategoryName | None = None) -> int:
        """The days set for a chat or a category; 0 if none are."""
        if chat is not None:
            return self.chats.get(chat, 0)
        return self.categories.get(category, 0) if category is not None else 0

    def put(self, period: Period) -> Retention:
        """With this period instead of the one there was; 0 days take it away."""
        chats = {c: n for c, n in self.chats.items() if c != period.chat}
        names = {c: n for c, n in self.categories.items() if c != period.category}
        if period.chat is not None and period.days:
            chats[period.chat] = period.days
        if period.category is not None and period.days:
            names[period.category] = period.days
        return Retention(chats, names)

    def moved(self, old: ContainerId, new: ContainerId) -> Retention:
        """A chat has another id now; of two periods the shorter one stays."""
        if old not in self.chats:
            return self
        rest = {c: n for c, n in self.chats.items() if c != old}
        return replace(self, chats={**rest, new: min(self.chats[old], rest.get(new, LONGEST))})

"""What the facts of one event contribute to each other: it only ever narrows (privacy-model §2, §3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.ids import OWNER, EventId, FactId, PersonId
from engine.items import Basis, Colour, EventState, ListEntry


@dataclass(frozen=True, slots=True)
class Member:
    """As much of a fact as its event's other facts need to know."""

    id: FactId
    teller: PersonId
    confidential: bool
    unresolved: bool
    lists: tuple[ListEntry, ...] = ()


class Event:
    """All facts of one event, whatever their audience.

    Args:
        event: its id.
        members: every fact of it.
        entries: list entries set on the event itself.
        by_event: policy setting `blacklist_scope`: `event` gathers, `fact` leaves each fact with its own entries.
    """

    __slots__ = ("_common", "state")

    def __init__(
        self, event: EventId, members: Sequence[Member], entries: Sequence[ListEntry], *, by_event: bool
    ) -> None:
        self.state = EventState(
            event,
            frozenset(m.teller for m in members),
            any(m.confidential for m in members),
            any(m.unresolved for m in members),
        )
        black = [e for m in members for e in m.lists if e.colour is Colour.BLACK]
        self._common = (*entries, *black) if by_event else ()

    def lists(self, member: Member) -> tuple[ListEntry, ...]:
        """A fact's own entries, those of the event, and the black ones of the event's other facts, in a fixed order.

        A request by somebody else than the owner binds only what that person told.
        """
        if not self._common and not member.lists:
            return ()
        reaching = (
            e for e in self._common if e.basis is not Basis.REQUEST or e.set_by in (OWNER, member.teller)
        )
        return tuple(sorted({*member.lists, *reaching}, key=_order))


def _order(entry: ListEntry) -> tuple[object, ...]:
    return (entry.at, entry.colour, entry.person or "", entry.basis, entry.set_by, entry.real_truth)

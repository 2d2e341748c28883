"""From roster evidence to viewers: who can read a container now, as two bounds (privacy-model §1, §2).

Pure: a connector reports evidence and never decides. Anything incomplete, inconsistent or unknown is
`Unknown`: its upper bound is everybody (for speaking), its lower bound the owner and the authenticated
sender (for remembering). `Unknown` and `Open` are never mixed up with each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from engine.audience import EVERYONE, Audience
from engine.ids import OWNER, AccountId, PersonId

CLOCKS = timedelta(seconds=2)
"""So far two clocks may be apart, and so coarsely a platform may date a message."""

LATE = timedelta(seconds=60)
"""A message that is this old when its members are listed came late: who heard it is not what the list says."""


class ChatKind(StrEnum):
    """What the transport says the place is."""

    PRIVATE = "private"  # the owner and Tact
    DIRECT = "direct"  # one contact and Tact
    GROUP = "group"
    OPEN = "open"  # readable by anybody in the world, without account, invitation or membership
    ORGANISATION = "organisation"  # readable by a whole organisation, server or community
    UNKNOWN = "unknown"


class FutureReaders(StrEnum):
    """Whether people who join later can read today's reply."""

    NONE = "none"
    BOUNDED = "bounded"
    UNBOUNDED = "unbounded"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class RosterEvidence:
    """What a connector could find out about who can read a place.

    Args:
        kind: what the transport says the place is.
        sender: the authenticated account the event came from; None if it has none.
        roster: the complete, freshly pulled list of member accounts (Tact's own left out); None when
            there is no complete list. The owner need not be in it.
        observed: every account seen in the event itself.
        roster_version / membership_version: the pull is stale when it is older than the last membership event.
        reported_count: the platform's own member count, when it gives one (without Tact).
        unenrolled_bots: other bots the owner has not enrolled; one is enough to make the place unknown.
        faults: anything that went wrong while pulling (error, timeout, unfinished page).
        future: whether later members can read today's reply.
        snapshot: the transport hands over message and member list as of one moment (the console does); otherwise
            who heard a message is proved by a pull before it and one after it.
        pulled_at: when the pull was complete, on the clock that dates messages; None where pulls are not timed.
        before: the last complete pull before this one.
        claims: what texts, titles, clients or headers say about viewers. Kept for `/why`; never counts.
    """

    kind: ChatKind
    sender: AccountId | None
    roster: frozenset[AccountId] | None
    observed: frozenset[AccountId] = frozenset()
    roster_version: int = 0
    membership_version: int = 0
    reported_count: int | None = None
    unenrolled_bots: frozenset[AccountId] = frozenset()
    faults: tuple[str, ...] = ()
    future: FutureReaders = FutureReaders.NONE
    snapshot: bool = False
    pulled_at: datetime | None = None
    before: RosterEvidence | None = None
    claims: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """Both bounds meet: exactly these persons (the owner always among them)."""

    persons: frozenset[PersonId]
    future: FutureReaders = FutureReaders.NONE

    @property
    def upper(self) -> Audience:
        """`V↑`: nobody outside it can read."""
        return Audience.of(self.persons)

    @property
    def lower(self) -> Audience:
        """`V↓`: everybody in it surely was there."""
        return Audience.of(self.persons)


@dataclass(frozen=True, slots=True)
class Open:
    """Provably readable by anybody (`world`) or by a whole organisation (its listed members in `listed`)."""

    evidence: str
    world: bool
    listed: frozenset[PersonId] = frozenset()
    future: FutureReaders = FutureReaders.UNBOUNDED

    @property
    def upper(self) -> Audience:
        """Everybody."""
        return EVERYONE

    @property
    def lower(self) -> Audience:
        """`U` only where anybody in the world reads; else the listed members."""
        return EVERYONE if self.world else Audience.of(self.listed)


@dataclass(frozen=True, slots=True)
class Unknown:
    """Not established. Speaking: everybody may read. Remembering: the owner and the sender."""

    reason: str
    sender: PersonId | None = None
    future: FutureReaders = FutureReaders.UNKNOWN

    @property
    def upper(self) -> Audience:
        """Everybody: unknown is deny."""
        return EVERYONE

    @property
    def lower(self) -> Audience:
        """The owner and the authenticated sender; never `U`."""
        return Audience.of(() if self.sender is None else (self.sender,))


Viewers = Known | Open | Unknown


def viewers(evidence: RosterEvidence, persons: Mapping[AccountId, PersonId]) -> Viewers:
    """Derive the viewers of a container.

    Args:
        evidence: what the connector found.
        persons: the owner's mapping of accounts to persons; an account not in it is a person of its own.

    Returns:
        `Known` only when the pull is complete, fresh and agrees with everything the event shows;
        `Open` on positive evidence; otherwise `Unknown` with the reason.
    """
    fault = _fault(evidence)
    sender = None if evidence.sender is None else _person(evidence.sender, persons)
    if fault:
        return Unknown(fault, sender)
    if evidence.kind is ChatKind.OPEN:
        return Open("open to anybody", world=True, future=FutureReaders.UNBOUNDED)
    people = frozenset(_person(account, persons) for account in evidence.roster or ()) | {OWNER}
    if evidence.kind is ChatKind.ORGANISATION:
        return Open("open to an organisation", world=False, listed=people, future=evidence.future)
    if not _size_fits(evidence.kind, len(people)):
        return Unknown(f"{len(people)} people do not fit a {evidence.kind} chat", sender)
    return Known(people, evidence.future)


def _person(account: AccountId, persons: Mapping[AccountId, PersonId]) -> PersonId:
    return persons.get(account, PersonId(account))


def _fault(evidence: RosterEvidence) -> str:
    """Why the evidence establishes nothing; empty when it does. One condition a line."""
    if evidence.faults:
        return evidence.faults[0]
    if evidence.kind is ChatKind.UNKNOWN:
        return "unknown kind of chat"
    if evidence.sender is None:
        return "no authenticated sender"
    if evidence.kind is ChatKind.OPEN:
        return ""
    if evidence.roster is None:
        return "no complete member list"
    if evidence.roster_version < evidence.membership_version:
        return "the member list is older than the last membership event"
    if evidence.sender not in evidence.roster:
        return "the sender is not on the member list"
    if not evidence.observed <= evidence.roster:
        return "somebody seen here is not on the member list"
    if evidence.reported_count is not None and evidence.reported_count != len(evidence.roster):
        return "the member count does not match the member list"
    if evidence.unenrolled_bots:
        return "a bot that the owner has not enrolled is present"
    return ""


def _size_fits(kind: ChatKind, people: int) -> bool:
    """Private: the owner; direct: the owner and one contact; group: the owner and at least one more."""
    wanted = {ChatKind.PRIVATE: people == 1, ChatKind.DIRECT: people == 2}  # noqa: PLR2004
    return wanted.get(kind, people > 1)


def pull_before(evidence: RosterEvidence, sent_at: datetime) -> RosterEvidence | None:
    """The complete pull that finished before a message; None when nothing proves who was there before it.

    Nothing does when the earlier pull may have ended after the message, when somebody came or went since, and when the
    message came so late that the pull after it says little.
    """
    before = evidence.before
    if before is None or before.pulled_at is None or evidence.pulled_at is None:
        return None
    if before.pulled_at + CLOCKS > sent_at or evidence.pulled_at - sent_at > LATE:
        return None
    return None if before.roster_version < evidence.membership_version else before


def recorded_for(
    now: Viewers, before: Viewers | None, evidence: RosterEvidence, sender: PersonId
) -> tuple[Audience, bool]:
    """The audience a message is bound to, as of its own time, and whether it is `unresolved` (privacy-model §2).

    Args:
        now: the viewers by the pull after the message.
        before: the viewers by the last complete pull that finished before it; None if there is none.
        evidence: what `now` was derived from.
        sender: the authenticated sender.

    Returns:
        Who surely was there. With no earlier pull, or a join in between, that is the owner and the sender.
    """
    if isinstance(now, Unknown):
        return now.lower, True
    if isinstance(now, Open) and now.world:
        return now.lower, False
    pair = isinstance(now, Known) and evidence.kind in {ChatKind.PRIVATE, ChatKind.DIRECT}
    if pair or evidence.snapshot:
        return now.lower, False
    if before is None or isinstance(before, Unknown):
        return Audience.of((sender,)), False
    if not before.lower.covers(now.lower):  # somebody joined, and may have left and come back
        return Audience.of((sender,)), False
    return now.lower, False

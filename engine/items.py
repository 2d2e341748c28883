"""Frozen `Raw*` items: what the memory holds before the gate has looked at it.

`Raw*` and `Released*` are different types; a `Raw*` value shows ids, never text. Only `engine/release.py`
turns one into the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from engine.audience import Audience
from engine.ids import (
    OWNER,
    AccountId,
    CategoryName,
    ContainerId,
    EventId,
    FactId,
    LinkId,
    MessageId,
    PersonId,
    SessionId,
)
from engine.viewers import RosterEvidence


class Origin(StrEnum):
    """How a message's words came to be; only `TYPED` ones can be first-hand."""

    TYPED = "typed"
    FORWARD = "forward"
    IMPORT = "import"
    ATTACHMENT = "attachment"
    TACT = "tact"  # Tact's own reply: recency buffer only, never distilled
    COMMAND = "command"  # an owner command or draft edit: never distilled


class Confidence(StrEnum):
    """Which annotator made a suggestion; two independent ones must agree for release `policy`."""

    EMBEDDING = "embedding"
    LEXICAL = "lexical"
    OWNER = "owner"


@dataclass(frozen=True, slots=True)
class InboundMessage:
    """One event from a connector, before its viewers are known.

    Args:
        event: the platform's unique event id; a second one with the same id is a duplicate.
        container: the conversation surface (platform, chat, thread).
        sender: authenticated account.
        display_name: self-chosen; identifies nobody.
        text: what the sender typed: no quoted, forwarded or replied-to text.
        sent_at: the message's own time (aware).
        evidence: who can read the place, as pulled for this event.
        reply_to: the message it answers, an id to be looked up under layer 1.
        addressed: exact mention, reply to Tact or a direct chat.
        raw: the platform's payload, kept encrypted until the message is forgotten.
        turn: the id of the turn it begins, where a platform may hand the same event over again after a crash.
        arrival: the key under which the platform's event is kept until the turn is over.
        edits: the message this is a new version of. A version is remembered and never answered.
        elsewhere: a command for somebody else's program: remembered, and not carried out.
        introduces: whoever writes here for the first time is told what Tact is.
    """

    event: str
    container: ContainerId
    sender: AccountId
    display_name: str
    text: str = field(repr=False)
    sent_at: datetime
    evidence: RosterEvidence = field(repr=False)
    title: str = field(default="", repr=False)
    reply_to: MessageId | None = None
    addressed: bool = True
    origin: Origin = Origin.TYPED
    raw: str = field(default="", repr=False)
    turn: str = ""
    arrival: str = ""
    edits: MessageId | None = None
    elsewhere: bool = False
    introduces: bool = False


@dataclass(frozen=True, slots=True)
class RawMessage:
    """A recorded message, bound to the audience it had at its own time.

    `alone` says that the chat's viewers were `Known({o})`; with `typed` origin and the owner as sender the
    message can be first-hand. `used` are the items a reply of Tact's told.
    """

    id: MessageId
    container: ContainerId
    session: SessionId
    sender: PersonId
    account: AccountId
    text: str = field(repr=False)
    sent_at: datetime
    audience: Audience
    unresolved: bool = False
    alone: bool = False
    origin: Origin = Origin.TYPED
    reply_to: MessageId | None = None
    used: tuple[FactId, ...] = ()


class Colour(StrEnum):
    """Which list an entry is on."""

    WHITE = "white"
    BLACK = "black"


class Basis(StrEnum):
    """Why somebody is on a list. Only `GRANT` (an owner act) ever feeds `Rel`."""

    GRANT = "grant"  # /share by the owner
    BLOCK = "block"  # /block by the owner
    ROLE = "role"  # a part in the event, by annotation
    REQUEST = "request"  # a confidentiality request


@dataclass(frozen=True, slots=True)
class ListEntry:
    """One person on a fact's white- or blacklist. `person` None stands for everybody."""

    colour: Colour
    person: PersonId | None
    basis: Basis
    set_by: PersonId
    at: datetime
    real_truth: bool = True

    @property
    def by_owner(self) -> bool:
        """An act of the owner's; the last one on a fact and person wins."""
        return self.set_by == OWNER and self.basis in {Basis.GRANT, Basis.BLOCK}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One annotator's opinion on a fact's category; `confidence` in [0, 1]."""

    category: CategoryName
    confidence: float
    annotator: Confidence


@dataclass(frozen=True, slots=True)
class EventState:
    """What the other facts of the same event contribute: it only ever narrows."""

    id: EventId
    tellers: frozenset[PersonId] = frozenset()
    confidential: bool = False
    unresolved: bool = False


@dataclass(frozen=True, slots=True)
class RawFact:
    """F2: one event-level fact, the unit the policy is applied to.

    Args:
        text: the statement, in its teller's own words.
        teller: who told it; `told_in` where.
        when: the time the fact speaks of (aware), `when_is_day` if only the day is meant.
        first_hand: every source has audience `{o}`, from a chat whose viewers were `Known({o})`, typed there by the owner.
        owner_typed: typed by the owner, wherever (release setting `own`).
        suggestions: all annotators' opinions; `category` is the outcome (None: unauthorised, `L0`).
        confirmed: the owner saw this fact's label and who it opens to, and said yes.
        settled: its session is closed and annotated whole.
        secret: holds a PL4 span. sensitive: holds a PL3 span. cover: a cover story.
        superseded_by: a correction that retired it (only where the correction is itself admissible).
    """

    id: FactId
    event: EventState
    session: SessionId
    container: ContainerId
    sources: tuple[MessageId, ...]
    text: str = field(repr=False)
    teller: PersonId
    said_at: datetime
    audience: Audience
    when: datetime | None = None
    when_is_day: bool = True
    category: CategoryName | None = None
    suggestions: tuple[Suggestion, ...] = ()
    first_hand: bool = False
    owner_typed: bool = False
    unresolved: bool = False
    confidential: bool = False
    cover: bool = False
    secret: bool = False
    sensitive: bool = False
    confirmed: datetime | None = None
    kept_private: bool = False
    settled: bool = False
    superseded_by: FactId | None = None
    mentions: tuple[PersonId, ...] = ()
    lists: tuple[ListEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class RawEdge:
    """An edge of the entity graph: `subject -predicate-> object`, stated by one fact and judged as it."""

    fact: FactId
    subject: str = field(repr=False)
    predicate: str
    object: str = field(repr=False)


class LinkKind(StrEnum):
    """How two facts hang together; `then` comes from times and is never stored."""

    THEN = "then"
    BECAUSE = "because"
    BUT = "but"


@dataclass(frozen=True, slots=True)
class RawLink:
    """A `because` or `but` between two facts: an item of its own, with the audience of the message that states it."""

    id: LinkId
    kind: LinkKind
    left: FactId
    right: FactId
    message: MessageId
    audience: Audience


@dataclass(frozen=True, slots=True)
class RawSession:
    """A stretch of one container in which the audience did not change."""

    id: SessionId
    container: ContainerId
    audience: Audience
    opened_at: datetime
    last_at: datetime
    messages: int = 0
    closed: bool = False
    annotated: bool = False

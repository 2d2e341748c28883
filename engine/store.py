"""The memory's port: what every back end promises (`tests/contract/` checks it on each).

Every read that can feed a prompt takes a `Scope`, which has no default. A scope is pushed into the query: what it does
not cover is not fetched, not counted and not ranked. "Absent" and "not for you" are the same answer.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from engine.audience import Audience
from engine.cards import Card
from engine.embedding import Embeddings
from engine.ids import (
    AccountId,
    CategoryName,
    ContainerId,
    EventId,
    FactId,
    MessageId,
    PersonId,
    SessionId,
    TurnId,
)
from engine.items import ListEntry, Origin, RawEdge, RawFact, RawLink, RawMessage, RawSession
from engine.mailroom import Mailroom, Sending
from engine.people import People
from engine.policy import Policy
from engine.records import Chat, Forgotten, TurnTrace
from engine.sealed_context import Ranked


@dataclass(frozen=True, slots=True)
class Scope:
    """What a read may return: items whose `Aud⁺` covers these viewers; `nothing` returns nothing at all."""

    viewers: Audience
    nothing: bool = False


@dataclass(frozen=True, slots=True)
class Search:
    """A ranked read over facts: index terms of the query, its vector (empty bytes: none), the language's embedder share.

    `share` is the embedder's part in the fused score (0..1). `wide` ranks by recency alone. `model` made the vector:
    facts whose vector is another model's are ranked as if they had none.
    """

    terms: tuple[str, ...]
    vector: bytes = b""
    share: float = 0.5
    wide: bool = False
    model: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """A fact in scope, with its rank for the query."""

    fact: RawFact
    rank: Ranked


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact to be kept, with its index terms, its vector (empty bytes: none) and the model that made the vector."""

    fact: RawFact
    terms: tuple[str, ...]
    vector: bytes = b""
    model: str = ""


Progress = Callable[[float], None]
"""Told how much of a long piece of work is done (0..1)."""


def unwatched(done: float) -> None:
    """Nobody watches."""
    del done


class Transaction(Mailroom, Embeddings, Protocol):
    """One unit of work. Everything in it is committed together or not at all."""

    # policy and people
    async def policy(self) -> Policy:
        """The newest version."""
        ...

    async def policy_at(self, version: int) -> Policy | None:
        """An earlier version, for `/why`."""
        ...

    async def save_policy(self, policy: Policy, at: datetime) -> Policy:
        """Append a version; returns it with its number."""
        ...

    async def people(self) -> People:
        """Everybody known."""
        ...

    async def see(self, account: AccountId, display_name: str, at: datetime, container: ContainerId) -> None:
        """Note that an account showed up."""
        ...

    async def own(self, account: AccountId) -> None:
        """Make an account the owner's; called by configuration alone."""
        ...

    async def call(self, person: PersonId, name: str) -> None:
        """Give a person a name (the newest first)."""
        ...

    # messages and sessions
    async def chat(self, chat: Chat) -> None:
        """Create or update a container."""
        ...

    async def chats(self) -> list[Chat]:
        """All containers."""
        ...

    async def record(
        self, message: RawMessage, *, event: str, raw: str = "", heard: Sequence[MessageId] = ()
    ) -> bool:
        """Keep a message; False, and nothing done, if this event id was recorded before.

        The same for a message id that exists or was forgotten, and for a reply that tells what was forgotten. `heard`
        are messages that a reply may retell beside the facts it used: forgetting one of them erases the reply.
        """
        ...

    async def message(self, message: MessageId, scope: Scope) -> RawMessage | None:
        """One message, if in scope."""
        ...

    async def recent(self, container: ContainerId, scope: Scope, limit: int) -> list[RawMessage]:
        """The newest messages of a container that are in scope, in order of time."""
        ...

    async def session_messages(self, session: SessionId, scope: Scope) -> list[RawMessage]:
        """A session's messages that are in scope, in order of time."""
        ...

    def every_message(self, scope: Scope, origin: Origin | None = None) -> AsyncIterator[list[RawMessage]]:
        """All messages in scope (of one origin), in order of arrival, some at a time."""
        ...

    async def open_session(self, container: ContainerId) -> RawSession | None:
        """The container's session that is not closed."""
        ...

    async def put_session(self, session: RawSession) -> None:
        """Create or replace a session."""
        ...

    async def sessions_to_do(self, now: datetime) -> list[RawSession]:
        """Sessions not annotated since their last message, and open ones that are over at `now`."""
        ...

    async def session_to_do(self, session: SessionId, now: datetime) -> RawSession | None:
        """One of these as it stands, without a look at the others; None if it does not wait."""
        ...

    # facts, lists, edges, links
    async def put_facts(
        self, session: SessionId, facts: Sequence[NewFact], edges: Sequence[RawEdge], links: Sequence[RawLink]
    ) -> None:
        """Replace everything that was annotated from a session by this; facts keep the lists their ids had."""
        ...

    async def change_fact(self, fact: RawFact) -> None:
        """Store a fact's marks (category, confirmation, privacy, correction); its words stay as they are."""
        ...

    async def list_person(
        self, entry: ListEntry, *, fact: FactId | None = None, event: EventId | None = None
    ) -> None:
        """Add a list entry to one fact, or to every fact of an event, present and future."""
        ...

    async def facts(self, ids: Iterable[FactId], scope: Scope) -> list[RawFact]:
        """These facts, as far as they are in scope, in the order asked for."""
        ...

    async def session_facts(self, session: SessionId, scope: Scope) -> list[RawFact]:
        """A session's facts that are in scope."""
        ...

    async def facts_behind(self, messages: Iterable[RawMessage], scope: Scope) -> list[RawFact]:
        """The facts in scope that these messages are a source of or, as replies, told."""
        ...

    async def search(self, query: Search, scope: Scope, limit: int, offset: int = 0) -> list[Hit]:
        """Facts in scope, best first; complete: nothing out of scope takes a place in the ranking."""
        ...

    async def edges(
        self, scope: Scope, *, naming: Sequence[str] = (), facts: Iterable[FactId] = ()
    ) -> list[RawEdge]:
        """Edges of the entity graph whose fact is in scope: those that name somebody, or those of these facts."""
        ...

    async def links(self, facts: Iterable[FactId], scope: Scope) -> list[RawLink]:
        """`because` and `but` links with both ends among these facts, as far as the links are in scope."""
        ...

    # turns, cards, outbox
    async def put_turn(self, trace: TurnTrace) -> None:
        """Create or replace a trace."""
        ...

    async def turn(self, turn: TurnId) -> TurnTrace | None:
        """One trace."""
        ...

    async def turns(self, limit: int) -> list[TurnTrace]:
        """The newest traces, newest first."""
        ...

    async def put_card(self, card: Card) -> None:
        """Create or replace a card."""
        ...

    async def cards(self) -> list[Card]:
        """Cards not done, newest first."""
        ...

    async def put_sending(self, sending: Sending) -> bool:
        """Create or update a delivery; False if a new one's key exists already."""
        ...

    async def sendings(self, state: str) -> list[Sending]:
        """Deliveries in this state."""
        ...

    # forgetting and counting
    async def forget(
        self,
        *,
        facts: Iterable[FactId] = (),
        messages: Iterable[MessageId] = (),
        at: datetime,
        progress: Progress = unwatched,
    ) -> Forgotten:
        """Erase facts with their sources, and messages with their facts, and every copy of their words.

        Ids, digests and verdicts stay, and an id-only tombstone is kept.
        """
        ...

    async def messages_before(
        self, moment: datetime, container: ContainerId, limit: int
    ) -> list[tuple[MessageId, datetime]]:
        """A container's messages sent before this moment, oldest first, Tact's own among them."""
        ...

    async def facts_before(
        self, moment: datetime, category: CategoryName, limit: int
    ) -> list[tuple[FactId, datetime]]:
        """A category's facts said before this moment, oldest first."""
        ...

    async def counts(self) -> dict[str, int]:
        """How much there is of everything, for the owner's `/status`."""
        ...


class Store(Protocol):
    """A memory."""

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """Begin a unit of work; caches are brought up to date with the database before it yields."""
        ...

    @property
    def compacted_by_hand(self) -> bool:
        """Whether erased bytes leave the disk only once the owner compacts the database himself."""
        ...

    @property
    def left_at(self) -> str:
        """The server whose own files may hold vectors of what was forgotten, which only its operator can delete."""
        ...

    async def finish_forgetting(self) -> bool:
        """Drive erased bytes off the disk (checkpoint, truncate); False while a reader is in the way."""
        ...

    async def close(self) -> None:
        """Let go of files and connections."""
        ...

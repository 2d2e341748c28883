"""What the outside must provide: language, embedding, clock. The store's port is `engine/store.py`.

Vectors cross this seam as bytes: little-endian float32, normalised to length 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Protocol

from engine.annotation import Query, Reading
from engine.ids import FactId
from engine.items import Suggestion
from engine.policy import Category
from engine.sealed_context import SealedContext


class Clock(Protocol):
    """The time, and waiting for it."""

    def now(self) -> datetime:
        """The time now, aware, in UTC."""
        ...

    async def sleep_until(self, moment: datetime) -> None:
        """Return at this moment, or at once if it is past."""
        ...


class Embedder(Protocol):
    """Sentence vectors. Awaited, and never inside a transaction that others wait for, if the texts are many."""

    @property
    def name(self) -> str:
        """Model and version; vectors of different names are never mixed."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers a vector; 0 when there is no model here (then every vector is empty bytes)."""
        ...

    async def query(self, text: str) -> bytes:
        """The vector of a question."""
        ...

    async def passages(self, texts: Sequence[str]) -> list[bytes]:
        """Vectors of stored texts, one each."""
        ...


class Reader(Protocol):
    """Finds statements, requests and times in a message. Returns spans and marks, never decisions.

    It may take long, and is awaited outside of any transaction; whatever it raises leaves its session in the queue.
    """

    async def read(
        self, text: str, said_at: datetime, zone: tzinfo, owner_names: Sequence[str] = ()
    ) -> Reading:
        """Read one message, said at `said_at`, with dates resolved in the owner's zone."""
        ...

    async def ask(self, text: str, said_at: datetime, zone: tzinfo, owner_names: Sequence[str] = ()) -> Query:
        """Cut a question into units; the owner's names are no topic."""
        ...

    def tokens(self, text: str) -> tuple[str, ...]:
        """Index terms of a text: stems, CJK n-grams; stop words left out."""
        ...


class Categoriser(Protocol):
    """Two independent annotators over the owner's categories; each may abstain. Awaited like a reader."""

    async def suggest(
        self, texts: Sequence[str], categories: Sequence[Category]
    ) -> list[tuple[Suggestion, ...]]:
        """Opinions on each text; an empty tuple means that nobody dared to say."""
        ...


class Composer(Protocol):
    """A writer: its whole input is a sealed context, by type."""

    def compose(self, context: SealedContext) -> tuple[str, tuple[FactId, ...]]:
        """Word a reply from the sealed context; returns it with the facts it tells.

        An empty string: nothing in the context answers the question (the caller deflects).
        """
        ...


@dataclass(frozen=True, slots=True)
class Spent:
    """What a model took since Tact was started, and how the day's budget stands. Kept in memory alone.

    `failed` counts the calls that gave nothing usable; `cost` is in the currency that the owner's prices are in;
    `used_up` says that the day's budget is, so that no more calls are made before the next day (UTC); `resting`, that
    none are made for a while, because several in a row came too late.
    """

    model: str
    calls: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    used_up: bool = False
    resting: bool = False


class Writer(Protocol):
    """A model that words replies. Its whole input is a sealed context, by type; there is no other way in."""

    async def word(self, context: SealedContext, deadline: float) -> str:
        """Word a reply by this moment of the event loop's clock.

        An empty string: nothing usable came of it, for whatever reason. Never raises, and never comes later.
        """
        ...

    def spent(self) -> Spent:
        """What it took so far."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class Lines(Protocol):
    """Fixed public lines: the same bytes for everybody but the owner."""

    def line(self, name: str, language: str, custom: Mapping[tuple[str, str], str], owner: str) -> str:
        """The line of this name in this language, the owner's own wording first."""
        ...

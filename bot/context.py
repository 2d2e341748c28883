"""What a turn is made with. Only `bot/bootstrap.py` puts one together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from engine.annotation import Query
from engine.audience import OWNER_ONLY
from engine.ids import OWNER, ContainerId, FactId
from engine.people import People
from engine.platform import Insiders, Rows
from engine.policy import Policy
from engine.ports import Categoriser, Clock, Composer, Embedder, Lines, Reader, Writer
from engine.records import Posted
from engine.release import OwnerOnly, ReleasedLine, ReleasedReply
from engine.shown import Fate, Shown
from engine.store import Progress, Scope, Store, Transaction, unwatched
from engine.viewers import RosterEvidence

ZONE: Final = Scope(OWNER_ONLY)
"""The owner's zone: judges read everything, and return ids, labels and verdicts."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The time now, in UTC."""
        return datetime.now(UTC)

    async def sleep_until(self, moment: datetime) -> None:
        """Wait until this moment."""
        await asyncio.sleep(max(0.0, (moment - self.now()).total_seconds()))


class Channel(Protocol):
    """One platform, as a turn sees it. A room takes `Released*` only; `OwnerOnly` goes to the owner's direct chat."""

    @property
    def has_buttons(self) -> bool:
        """Whether a message can have buttons there."""
        ...

    async def look(self, container: ContainerId, known: Insiders) -> RosterEvidence:
        """Pull fresh evidence of who can read this place now; it depends on these accounts."""
        ...

    async def say(
        self,
        container: ContainerId,
        words: ReleasedReply | ReleasedLine,
        key: str,
        roll: ReleasedLine | None = None,
    ) -> None:
        """Send to a room or a direct chat, once for each key.

        `roll` stands on a button under it, where there are buttons: whoever presses that is there.
        """
        ...

    async def tell_owner(self, words: OwnerOnly, key: str = "", rows: Rows = ()) -> None:
        """Send to the owner's direct chat, once for each key that is not empty, with buttons where there are any."""
        ...


class Posts(Protocol):
    """What a platform still shows of what was erased here."""

    @property
    def turn(self) -> asyncio.Lock:
        """Held while messages are deleted there, so that each is asked for once."""
        ...

    async def shown(self, tx: Transaction, posted: Iterable[Posted]) -> list[Shown]:
        """Where each of these is on the platform, each message once; what was never there is left out."""
        ...

    async def take_back(self, shown: Shown) -> Fate:
        """Delete one message there. Never raises."""
        ...


Later = Callable[[], Awaitable[str]]
"""What an owner's act leaves for after the commit; it returns words that are added to the answer."""


@dataclass(slots=True)
class OwnerAct:
    """What one command or tap of the owner's collects while it is carried out.

    Args:
        key: its own; its answer is put down under it.
        later: what is to be done once it is committed.
        told: the facts and messages whose words its answer has.
    """

    key: str = ""
    later: list[Later] = field(default_factory=list)
    told: list[FactId] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Context:
    """Store, language, clock and ids, as every step of a turn gets them.

    `speaks_to` says whether a fact (index terms, cosine) speaks to a question, for the owner's view alone.
    `new_id` makes a fresh id with a prefix; `deflect_after` are the seconds from receipt to a deflection.
    `writer` is the model that words replies, if there is one, and `patience` the seconds a turn waits for it at most.
    `progress` is told how far a long piece of work is; `posts` is where a platform's own copies are found. `language` is the owner's, for cards and answers to commands.
    """

    store: Store
    reader: Reader
    categoriser: Categoriser
    embedder: Embedder
    composer: Composer
    speaks_to: Callable[[Query, tuple[str, ...], float | None], bool]
    lines: Lines
    clock: Clock
    new_id: Callable[[str], str]
    language: str = "en"
    deflect_after: float = 0.0
    writer: Writer | None = None
    patience: float = 20.0
    wake_annotator: Callable[[], None] = field(default=lambda: None)
    progress: Progress = unwatched
    posts: Posts | None = None


def zone_of(policy: Policy) -> ZoneInfo:
    """The owner's zone; UTC if the machine does not know it."""
    try:
        return ZoneInfo(policy.timezone)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def owner_names(policy: Policy, people: People) -> tuple[str, ...]:
    """What the owner is called: in a statement or a question these names are no topic and no third person."""
    return (policy.owner_name, *people.names.get(OWNER, ()))

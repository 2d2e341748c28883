"""Stores of every kind, and small values to put into them."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from engine.audience import EVERYONE, OWNER_ONLY, Audience
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
from engine.items import Basis, Colour, EventState, LinkKind, ListEntry, RawEdge, RawFact, RawLink, RawMessage
from engine.labels import Label
from engine.policy import Category, Holding, Policy
from engine.store import NewFact, Scope, Search, Store
from storage import MemoryStore, SqlStore, Vault
from storage.vectors.chroma_folder import Folder
from storage.vectors.chroma_sync import VectorKeeping
from storage.vectors.generations import Server

KEY = bytes(range(32))
START = datetime(2026, 5, 1, 12, tzinfo=UTC)
ROOM = ContainerId("console:room")
SESSION = SessionId("s1")
ZONE, WORLD = Scope(OWNER_ONLY), Scope(EVERYONE)


@dataclass(frozen=True)
class Make:
    """Values with sensible defaults."""

    start: datetime = START
    room: ContainerId = ROOM
    session: SessionId = SESSION
    zone: Scope = ZONE
    world: Scope = WORLD

    def person(self, name: str) -> PersonId:
        return PersonId(f"console:{name}")

    def audience(self, *names: str) -> Audience:
        return EVERYONE if names == ("*",) else Audience.of(self.person(n) for n in names)

    def scope(self, *names: str) -> Scope:
        return Scope(self.audience(*names))

    def at(self, minutes: float) -> datetime:
        return START + timedelta(minutes=minutes)

    def message(self, name: str, text: str = "hello", to: Iterable[str] = (), minutes: float = 0, **more):
        sender = more.pop("sender", OWNER)
        return replace(
            RawMessage(
                MessageId(name), ROOM, SESSION, sender, AccountId("console:o"), text, self.at(minutes),
                self.audience(*to),
            ),
            **more,
        )  # fmt: skip

    def fact(
        self, name: str, text: str = "a fact", to: Iterable[str] = (), minutes: float = 0, **more
    ) -> RawFact:
        event = more.pop("event", f"e_{name}")
        return replace(
            RawFact(
                FactId(name), EventState(EventId(event)), SESSION, ROOM, (MessageId(f"m_{name}"),), text, OWNER,
                self.at(minutes), self.audience(*to),
            ),
            **more,
        )  # fmt: skip

    def new(self, fact: RawFact, vector: bytes = b"") -> NewFact:
        return NewFact(fact, tuple(fact.text.split()), vector)

    def find(self, words: str = "", vector: bytes = b"", share: float = 0.5) -> Search:
        return Search(tuple(words.split()), vector, share, wide=not words and not vector)

    def black(
        self, name: str, *, by: PersonId = OWNER, minutes: float = 0, basis: Basis = Basis.BLOCK
    ) -> ListEntry:
        return ListEntry(Colour.BLACK, self.person(name), basis, by, self.at(minutes))

    def white(self, name: str | None, *, minutes: float = 0, basis: Basis = Basis.GRANT) -> ListEntry:
        person = None if name is None else self.person(name)
        return ListEntry(Colour.WHITE, person, basis, OWNER, self.at(minutes))

    def policy(self, *contacts: str, **more) -> Policy:
        work = Category(CategoryName("work"), (Label(1, "work"),))
        held = {self.person(name): (Holding(Label(1, "work")),) for name in contacts}
        return Policy(categories=(work,), contacts=held, **more)

    def edge(self, fact: str, subject: str, target: str) -> RawEdge:
        return RawEdge(FactId(fact), subject, "knows", target)

    def link(self, name: str, left: str, right: str, to: Iterable[str] = (), **more) -> RawLink:
        link = RawLink(
            LinkId(name), LinkKind.BECAUSE, FactId(left), FactId(right), MessageId("m"), self.audience(*to)
        )
        return replace(link, **more)


@pytest.fixture
def make() -> Make:
    return Make()


@pytest.fixture
def database(empty_memory: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(empty_memory, tmp_path / "tact.db"))


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest) -> Path | str:
    """A memory that several can open: a file, or the URL of a database."""
    return request.getfixturevalue("database" if request.param == "sqlite" else "postgres_memory")


@pytest.fixture
def opened(place: Path | str) -> Callable[[], object]:
    """Opens one more store on the test's database."""
    return lambda: SqlStore.open(place, Vault(KEY))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test of the port runs on each kind of store; a module that says so also with its vectors in Chroma."""
    if "kind" in metafunc.fixturenames:
        kinds: list[object] = ["memory", "sqlite", "postgresql"]
        if getattr(metafunc.module, "VECTORS_ELSEWHERE", False):
            kinds += ["chroma", pytest.param("chroma server", marks=pytest.mark.slow)]
        metafunc.parametrize("kind", kinds, indirect=True)


@pytest.fixture
def kind(request: pytest.FixtureRequest) -> str:
    """Which kind of store the test runs on."""
    return request.param


@pytest.fixture
def kept_in(kind: str, request: pytest.FixtureRequest) -> Path | str | None:
    """Where the test's memory is; None for the twin."""
    fixture = {"memory": "", "postgresql": "postgres_memory"}.get(kind, "database")
    return request.getfixturevalue(fixture) if fixture else None


@pytest.fixture
def vectors(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> VectorKeeping | None:
    """Where the test's vectors are; None for the memory of this process."""
    if kind == "chroma":
        return VectorKeeping(Folder(tmp_path / "vectors"))
    if kind == "chroma server":
        return VectorKeeping(Server(request.getfixturevalue("chroma_server"), secrets.token_hex(6)))
    return None


@pytest.fixture
async def store(kept_in: Path | str | None, vectors: VectorKeeping | None) -> AsyncIterator[Store]:
    opened: Store = (
        MemoryStore() if kept_in is None else await SqlStore.open(kept_in, Vault(KEY), vectors=vectors)
    )
    yield opened
    await opened.close()


async def _put(store: Store, *facts: RawFact | NewFact, edges=(), links=()) -> None:
    by_session: dict[SessionId, list[NewFact]] = {}
    for fact in facts:
        new = fact if isinstance(fact, NewFact) else NewFact(fact, tuple(fact.text.split()))
        by_session.setdefault(new.fact.session, []).append(new)
    async with store.transaction() as tx:
        for session, new_facts in by_session.items():
            ids = {new.fact.id for new in new_facts}
            own = [e for e in edges if e.fact in ids]
            await tx.put_facts(session, new_facts, own, [link for link in links if link.left in ids])


@pytest.fixture
def put():
    """Puts facts into a store, each session's together, with their edges and links."""
    return _put

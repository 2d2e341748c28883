"""A fresh memory for each scenario: a copy of one that was set up once, opened as any other memory is."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from bot.bench.scenario import OWNER_NAME, account_of
from bot.bootstrap import make_context, meet, open_store, set_up
from bot.context import Context
from config.settings import Settings
from engine.errors import StoreFault
from engine.ids import ContainerId
from engine.platform import Insiders, Rows
from engine.release import OwnerOnly, ReleasedLine, ReleasedReply
from engine.viewers import RosterEvidence

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
CONTACTS = ("alice", "bob", "carol", "dave", "erin", "frank")
"""Whom the owner has met, in every scenario. None holds a label: what a suite asks about is who was there."""


def moment(at: float) -> datetime:
    """A suite's time, in minutes, as a date; very large ones are dates already."""
    counted = timedelta(minutes=at)
    return START + counted if counted < timedelta(days=3650) else datetime.fromtimestamp(at * 60, UTC)


class BenchClock:
    """Time as a scenario tells it; waiting takes none."""

    def __init__(self) -> None:
        """Begin where every scenario begins."""
        self._now = START

    def now(self) -> datetime:
        """The scenario's time."""
        return self._now

    def move_to(self, at: datetime) -> None:
        """Never back."""
        self._now = max(self._now, at)

    async def sleep_until(self, at: datetime) -> None:
        """Jump there."""
        self.move_to(at)


class Listener:
    """The channel of a scenario: it shows the evidence that the scenario has, and keeps what is said."""

    def __init__(self, evidence: RosterEvidence) -> None:
        """Nothing was said yet."""
        self._evidence = evidence
        self.said: list[str] = []

    has_buttons: Final = False

    async def look(self, container: ContainerId, known: Insiders) -> RosterEvidence:
        """The same each time."""
        return self._evidence

    async def say(
        self,
        container: ContainerId,
        words: ReleasedReply | ReleasedLine,
        key: str,
        roll: ReleasedLine | None = None,
    ) -> None:
        """Keep it."""
        self.said.append(words.text)

    async def tell_owner(self, words: OwnerOnly, key: str = "", rows: Rows = ()) -> None:
        """Keep nothing: no scenario asks what the owner alone is told."""


def counter() -> Callable[[str], str]:
    """Ids that are the same in each run."""
    count = 0

    def new_id(prefix: str) -> str:
        nonlocal count
        count += 1
        return f"{prefix}{count:06}"

    return new_id


@dataclass(frozen=True, slots=True)
class Stage:
    """One scenario's memory, with the time in it."""

    context: Context
    clock: BenchClock


class Theatre:
    """Makes stages, each in a folder of its own under `folder`."""

    def __init__(self, folder: Path) -> None:
        """Nothing is made before `build`."""
        self._folder = folder
        self._template = folder / "template"
        self._parts: Context | None = None

    async def build(self) -> None:
        """Set up the memory that all others are copies of: tables, policy, the owner, six contacts."""
        self._template.mkdir(parents=True)
        settings = settings_of(self._template)
        store = await open_store(settings, make_key=True)
        try:
            self._parts = make_context(store, settings, clock=BenchClock(), new_id=counter())
            await set_up(self._parts, settings)
            for name in CONTACTS:
                await meet(self._parts, account_of(name), name, START)
            if not await store.finish_forgetting():
                raise StoreFault("the memory that scenarios are copies of cannot be closed: run it again")
        finally:
            await store.close()

    @asynccontextmanager
    async def stage(self, number: int) -> AsyncIterator[Stage]:
        """A fresh memory; it is gone afterwards."""
        if self._parts is None:
            await self.build()
            assert self._parts is not None  # noqa: S101 - `build` has just set it
        folder = self._folder / f"{number:05}"
        shutil.copytree(self._template, folder)
        store = await open_store(settings_of(folder))
        clock = BenchClock()
        try:
            yield Stage(replace(self._parts, store=store, clock=clock, new_id=counter()), clock)
        finally:
            await store.close()
            shutil.rmtree(folder)


def settings_of(folder: Path, vectors: Any = "exact", database_url: str = "") -> Settings:
    """Everything that decides is said here, so that neither file nor environment has a part in it."""
    return Settings(
        data=folder,
        language="en",
        owner_name="Owner",
        owner_accounts=(account_of(OWNER_NAME),),
        timezone="UTC",
        unresolved="refuse",
        deflect_after_s=0.0,
        key_source="file",
        database_url=database_url,
        vectors=vectors,
    )

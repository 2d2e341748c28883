"""The stage of the tests: a real store, the offline language side without its model, and a console world in which anybody can speak."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.bootstrap import make_context, set_up
from bot.context import Context
from bot.owner.commands.all import registry
from bot.owner.commands.registry import Registry
from bot.turn.turn import take_turn
from config.settings import Settings
from connectors.console.world import OWNER_ACCOUNT, Room
from connectors.language.offline.embedder import NoEmbedder
from engine.ids import AccountId, FactId, MessageId
from engine.items import Origin, RawFact
from engine.policy import Policy
from engine.records import TurnTrace
from engine.store import Store
from engine.viewers import ChatKind
from tests.world import Heard, World

KEY = bytes(range(32))
START = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
TALK = {"messages", "events", "raws", "heard", "sessions", "turns", "seen", "chats", "outbox"}
"""What recording a message and its turn may change, and a command refused may not go beyond."""


class Clock:
    """Time that moves by a second whenever somebody looks."""

    def __init__(self) -> None:
        self.at = START

    def now(self) -> datetime:
        self.at += timedelta(seconds=1)
        return self.at

    async def sleep_until(self, moment: datetime) -> None:
        self.at = max(self.at, moment)


@dataclass
class Stage:
    """One memory with its people; `said` are the ids of what was said, newest last."""

    context: Context
    clock: Clock
    world: World = field(default_factory=World)
    commands: Registry = field(default_factory=lambda: registry("/data/tact"))
    traces: list[TurnTrace] = field(default_factory=list)

    async def says(
        self,
        who: str,
        text: str,
        room: str | None = None,
        *,
        reply_to: MessageId | None = None,
        origin: Origin = Origin.TYPED,
        display_name: str = "",
    ) -> list[Heard]:
        """Somebody says something; returns everything heard because of it."""
        account = AccountId(who if ":" in who else f"console:{who}")
        message = self.world.message(
            account, room, text, self.clock.now(), reply_to=reply_to, origin=origin, display_name=display_name
        )
        trace = await take_turn(self.context, self.world, self.commands, message)
        assert trace is not None
        self.traces.append(trace)
        return self.world.take_heard()

    async def owner(self, text: str, room: str | None = None, **more: Any) -> str:
        """The owner says something; returns what he alone reads."""
        heard = await self.says("owner", text, room, **more)
        private = [h for h in heard if h.kind == "owner" or h.container == self.world.direct(OWNER_ACCOUNT)]
        return "\n".join(h.text for h in private)

    async def refuses(self, command: str, fault: str) -> None:
        """A command of the owner's is answered in one line that says this, and changes nothing."""
        before = self.dump()
        answer = await self.owner(command)
        assert fault in answer
        assert "\n" not in answer
        assert self.dump() == before

    async def asks(self, who: str, text: str, room: str | None = None) -> str:
        """What somebody, or the room, hears in reply."""
        heard = await self.says(who, text, room)
        assert all(h.kind != "owner" for h in heard)
        return "\n".join(h.text for h in heard)

    async def tells(self, text: str, *, confirm: bool = True) -> FactId:
        """The owner tells something in private, and confirms its card."""
        await self.owner(text)
        if confirm:
            await self.owner("confirm")
        return (await self.facts())[0].id

    @property
    def last(self) -> MessageId:
        """The newest message taken."""
        return self.traces[-1].message

    async def policy(self) -> Policy:
        async with self.context.store.transaction() as tx:
            return await tx.policy()

    async def labels(self, person: str) -> list[str]:
        return [str(h.label) for h in (await self.policy()).contacts.get(f"console:{person}", ())]

    async def facts(self) -> list[RawFact]:
        """All facts, newest first."""
        from bot.owner.openings import every_fact  # noqa: PLC0415

        async with self.context.store.transaction() as tx:
            return await every_fact(tx)

    async def fact(self, fact: FactId) -> RawFact | None:
        return next((f for f in await self.facts() if f.id == fact), None)

    def dump(self) -> dict[str, Any]:
        """All that the in-memory store holds beyond what was said."""
        state = self.context.store._state
        return {f.name: getattr(state, f.name) for f in fields(state) if f.name not in TALK}


def stage_over(store: Store, settings: Settings, clock: Any, world: World) -> Stage:
    """A stage over a store that is already open; nobody has said anything, and ids count up."""
    made = iter(range(1, 1_000_000))
    context = make_context(
        store, settings, clock=clock, embedder=NoEmbedder(), new_id=lambda prefix: f"{prefix}{next(made):06}"
    )
    return Stage(context, clock, world)


def settings_of(folder: Path, language: str) -> Settings:
    return Settings(data=folder, language=language, owner_name="Alex", deflect_after_s=0)


def make_stage(store: Store, folder: Path, language: str = "en") -> Stage:
    """A stage with three rooms: a hall, a street, and a fog in which nobody knows who is there."""
    stage = stage_over(store, settings_of(folder, language), Clock(), World())
    stage.world.open_room(
        Room("hall", frozenset({OWNER_ACCOUNT, AccountId("console:bob"), AccountId("console:ana")}))
    )
    stage.world.open_room(Room("street", frozenset({OWNER_ACCOUNT, AccountId("console:zed")})))
    stage.world.open_room(
        Room("fog", frozenset({OWNER_ACCOUNT, AccountId("console:bob")}), ChatKind.GROUP, listed=False)
    )
    return stage


async def open_stage(store: Store, folder: Path, language: str = "en") -> Stage:
    """A stage with an owner, Bob and Ana named, and Zed a stranger who has written once."""
    stage = make_stage(store, folder, language)
    await set_up(stage.context, settings_of(folder, language))
    for name in ("bob", "ana", "zed"):
        await stage.says(name, "Hello")
    await stage.owner("/meet console:bob as Bob")
    await stage.owner("/meet console:ana as Ana")
    return stage

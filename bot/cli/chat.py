"""`tact chat`: one person plays everybody, on a sandbox of their own or on a lasting folder."""

from __future__ import annotations

import asyncio
import signal
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from bot.bootstrap import Tact, meet, open_tact
from bot.cli.chat_state import SandboxClock, Stage
from bot.cli.console import Chat, at_a_terminal, from_a_pipe, piped_screen
from bot.cli.desk import Desk
from bot.cli.init import machine_zone, make
from bot.cli.library_progress import bar
from bot.cli.questions import interactive
from bot.cli.screen import Screen
from bot.context import ZONE
from bot.open_memory import exists
from bot.texts import say
from config.contact_entries import accounts_of
from config.data_folder import data_folder
from config.languages import ENGLISH
from config.settings import Settings, load_settings
from connectors.console.world import OWNER_ACCOUNT, ROOM, Room, World, account_of
from engine.errors import BadInput
from engine.ids import OWNER, ContainerId
from engine.items import Origin
from engine.store import unwatched

if TYPE_CHECKING:
    from bot.cli.line_editor import Typing

CAST = {"bob": "Bob", "ana": "Ana", "carol": "Carol"}
ROOMS = {"team": ("owner", "bob", "ana"), "family": ("owner", "ana", "carol")}
_OWNER = "Alex"


def chat(data: Path | None, *, language: str | None, owner: str) -> int:
    """Talk until `/quit` or the end of the input.

    Args:
        data: a lasting folder; None: a sandbox that is gone afterwards.
        language: Tact's language; None: the folder's.
        owner: the owner's name, for a memory that is new.
    """
    with ExitStack() as stack:
        for number in {signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)}:
            stack.callback(signal.signal, number, signal.signal(number, _leave))
        if data is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tact-chat-")))
            settings, fresh = _sandbox(folder, language, owner), True
        else:
            settings, fresh = _lasting(data, language, owner)
        asyncio.run(_talk(settings, fresh=fresh, sandbox=data is None))
    return 0


def _leave(number: int, _frame: FrameType | None) -> None:
    """Go in order, so that a sandbox does not stay behind."""
    raise SystemExit(128 + number)


def _sandbox(folder: Path, language: str | None, owner: str) -> Settings:
    """Settings that no environment variable turns towards a real memory."""
    return Settings(
        data=folder,
        language=language or ENGLISH,
        owner_name=owner or _OWNER,
        owner_accounts=(OWNER_ACCOUNT,),
        timezone=machine_zone(),
        key_source="file",
        database_url="",
        unresolved="keep",
    )


def _lasting(data: Path, language: str | None, owner: str) -> tuple[Settings, bool]:
    settings = load_settings(data)
    fresh = not exists(settings)
    if fresh:
        given_owner = owner or (settings.owner_name if "owner_name" in settings.model_fields_set else _OWNER)
        settings = make(
            data_folder(data), settings, given_owner, language or settings.language, machine_zone()
        )
    elif owner:
        raise BadInput(
            say(settings.language, "chat.owner_named"), fix=say(settings.language, "chat.owner_fix")
        )
    if OWNER_ACCOUNT not in settings.owner_accounts:
        raise BadInput(say(settings.language, "chat.no_console"), where=str(settings.data))
    if language is not None:
        settings = settings.model_copy(update={"language": language})
    return settings, fresh


async def _talk(settings: Settings, *, fresh: bool, sandbox: bool) -> None:
    clock = SandboxClock() if sandbox else None
    world = World(
        {room: [account_of(m) for m in members] for room, members in ROOMS.items()} if fresh else None
    )
    stage = Stage(world, settings.owner_name, settings.language)
    typing = _terminal(stage) if interactive() else None
    screen = (
        piped_screen(stage) if typing is None else Screen(stage, typing.write, typing.width, echoing=False)
    )
    if typing is not None:
        screen.notes(
            _welcome(settings, sandbox=sandbox, fresh=fresh)
        )  # something to read while the rest is loaded
    progress = unwatched if typing is None else bar(say(settings.language, "chat.working"))
    async with open_tact(settings, clock=clock, make_key=sandbox, progress=progress) as tact:
        await (_cast(tact, world) if fresh else _find_rooms(tact, stage))
        chat = Chat(Desk(tact, settings, world), stage, screen, clock)
        await chat.look_around()
        await (from_a_pipe(chat) if typing is None else at_a_terminal(chat, typing))
        await tact.annotate()


def _terminal(stage: Stage) -> Typing:
    from bot.cli.line_editor import Typing  # noqa: PLC0415 - a pipe needs no prompt_toolkit

    return Typing(stage)


async def _cast(tact: Tact, world: World) -> None:
    """A few people the owner has met, and seen in the rooms."""
    now = tact.context.clock.now()
    for key, name in CAST.items():
        await meet(tact.context, account_of(key), name, now)
        async with tact.context.store.transaction() as tx:
            for room in world.rooms.values():
                if account_of(key) in room.members:
                    await tx.see(account_of(key), name, now, ContainerId(ROOM + room.name))


async def _find_rooms(tact: Tact, stage: Stage) -> None:
    """Rooms as they were when somebody last spoke in them."""
    async with tact.context.store.transaction() as tx:
        people = await tx.people()
        for chat in await tx.chats():
            if not chat.id.startswith(ROOM):
                continue
            for message in (await tx.recent(chat.id, ZONE, 50))[::-1]:
                if message.origin is not Origin.TACT:
                    ids = [accounts_of(person, people)[:1] for person in message.audience.members]
                    members = {a for found in ids for a in found if a not in people.owners}
                    here = {OWNER_ACCOUNT} if OWNER in message.audience.members else set()
                    stage.world.open_room(Room(chat.id.removeprefix(ROOM), frozenset(members | here)))
                    break


def _welcome(settings: Settings, *, sandbox: bool, fresh: bool) -> list[str]:
    def text(key: str) -> str:
        return say(settings.language, key, owner=settings.owner_name, folder=settings.data)

    lines = [text("chat.sandbox" if sandbox else "chat.lasting")]
    if fresh:
        lines += [text(f"chat.try{n}") for n in (1, 2, 3)]
    return [*lines, text("chat.more")]

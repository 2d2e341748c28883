"""One line after another: console words are done here, everything else is taken to Tact from whoever is speaking.

On a terminal annotation runs beside the talk, as in earnest. With lines piped in it is finished after each of them, so
that the same lines give the same transcript.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bot.bootstrap import Tact
from bot.cli.chat_state import SandboxClock, Stage
from bot.cli.console_commands import heed_word
from bot.cli.desk import Desk
from bot.cli.screen import Fragments, Screen
from bot.service.maintenance import Tidying
from bot.texts import say
from engine.errors import BadInput, StoreFault, TactError
from engine.mailroom import SendingKind
from engine.records import Outcome
from engine.release import OwnerOnly

if TYPE_CHECKING:
    from bot.cli.line_editor import Typing

_PIPE_WIDTH = 100


@dataclass(slots=True)
class Chat:
    """A chat in progress. `clock` is there where time can be moved."""

    desk: Desk
    stage: Stage
    screen: Screen
    clock: SandboxClock | None
    listening_explained: bool = False
    tidying: Tidying = field(init=False)

    def __post_init__(self) -> None:
        """What is done beside the talk tells the owner on this screen."""
        self.tidying = Tidying(self.tact.context, self._tell_owner)

    @property
    def tact(self) -> Tact:
        """Who is talked to."""
        return self.desk.tact

    async def _tell_owner(self, words: OwnerOnly, key: str) -> None:
        await self.desk.tell_owner(words, key)
        await self._show()

    async def _show(self) -> None:
        """Show what Tact said; its replies have numbers, so that they can be replied to."""
        for heard in await self.desk.heard():
            reply = heard.kind is SendingKind.REPLY
            self.screen.heard(heard, self.stage.note(heard.id, heard.container) if reply else None)

    async def take(self, text: str, prompt: Fragments) -> bool:
        """Take one line: a console word, or words for Tact. False ends the chat."""
        try:
            done = heed_word(self.stage, text, self.clock)
        except BadInput as fault:
            self.screen.said(text, prompt)
            self.screen.fault(str(fault))
            return True
        if done is None:
            self.screen.said(text, prompt)
            await self._say(text)
            return True
        self.screen.said(text, prompt)
        self.screen.notes(done.lines)
        self.tact.context.wake_annotator()  # time may have moved, and a session with it
        if done.send:
            await self._say(done.send)
        return not done.quit

    async def _say(self, text: str) -> None:
        stage = self.stage
        answering, stage.answering = stage.answering, None
        line = stage.world.line(
            stage.speaker,
            stage.room,
            text,
            self.tact.context.clock.now(),
            name=stage.name(stage.speaker),
            answers="" if answering is None else answering.message,
        )
        trace = await self.desk.take(line)
        if trace is None:
            return
        stage.note(line.key, trace.container)
        await self._show()
        if trace.outcome is Outcome.SILENT and not self.listening_explained:
            self.listening_explained = True
            self.screen.notes([say(stage.language, "chat.listens")])
        await self.look_around()

    async def look_around(self) -> None:
        """See what the owner's names and policy are now."""
        async with self.tact.context.store.transaction() as tx:
            self.stage.people, self.stage.policy = await tx.people(), await tx.policy()
        self.stage.owner_name = self.stage.policy.owner_name

    async def stumble(self, error: BaseException | None) -> None:
        """Say that something broke inside, by class: the error's own words may quote the memory."""
        await self.desk.heard()
        self.screen.fault(say(self.stage.language, "chat.fault", name=type(error).__name__))


async def from_a_pipe(chat: Chat) -> None:
    """Lines from standard input, each finished before the next; what is said is echoed."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    for line in sys.stdin:
        if line.strip() and not await chat.take(line.strip(), chat.screen.prompt()):
            break
        await chat.tact.annotate()
        await chat.tidying.once()


def piped_screen(stage: Stage) -> Screen:
    """A screen that is a stream of lines."""
    return Screen(stage, _print_line, lambda: _PIPE_WIDTH, echoing=True)


def _print_line(line: Fragments) -> None:
    sys.stdout.write("".join(text for _, text in line) + "\n")
    sys.stdout.flush()


async def at_a_terminal(chat: Chat, typing: Typing) -> None:
    """Lines that somebody types; annotation runs beside them."""
    typing.suggestions.commands = chat.tact.commands
    chat.tact.wake.set()
    annotating = asyncio.create_task(chat.tact.keep_annotating())
    tidying = asyncio.create_task(chat.tidying.keep())
    try:
        while await _one_line(chat, typing):
            if annotating.done():
                await chat.stumble(annotating.exception())
                annotating = asyncio.create_task(chat.tact.keep_annotating())
    finally:
        with suppress(StoreFault):
            async with chat.tact.context.store.transaction():
                pass  # neither is in the middle of one when it ends
        annotating.cancel()
        tidying.cancel()
        await asyncio.gather(annotating, tidying, return_exceptions=True)


async def _one_line(chat: Chat, typing: Typing) -> bool:
    """Take one line from the terminal. False ends the chat."""
    try:
        line = await typing.line(chat.screen.prompt)
    except KeyboardInterrupt:
        chat.screen.notes([say(chat.stage.language, "chat.quit")])
        return True
    except EOFError:
        return False
    try:
        return not line.strip() or await chat.take(line.strip(), chat.screen.prompt())
    except TactError:
        raise
    except Exception as error:  # noqa: BLE001 - whoever is trying things out keeps what they have said so far
        await chat.stumble(error)
        return True

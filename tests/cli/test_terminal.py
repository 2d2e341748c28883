"""The chat at a terminal: completion, prompt, history in memory only, annotation beside the talk."""

from __future__ import annotations

import os
import pty
import select
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth, DummyOutput

from bot.bootstrap import open_tact
from bot.cli.chat import CAST, ROOMS
from bot.cli.chat_state import Stage
from bot.cli.console import Chat, at_a_terminal
from bot.cli.desk import Desk
from bot.cli.line_editor import Suggestions, Typing
from bot.cli.screen import Fragments, Screen
from bot.owner.commands.all import registry
from config.defaults import default_policy
from config.settings import load_settings
from connectors.console.world import OWNER_ACCOUNT, World, account_of
from engine.ids import AccountId, PersonId
from engine.people import People


@pytest.fixture
def stage() -> Stage:
    world = World({room: [account_of(m) for m in members] for room, members in ROOMS.items()})
    names = {PersonId(account_of(key)): (name,) for key, name in CAST.items()}
    people = People(owners=frozenset({OWNER_ACCOUNT}), names=names)
    return Stage(world, "Alex", "en", people=people, policy=default_policy("Alex"))


def fitting(stage: Stage, text: str) -> list[str]:
    """What Tab would offer."""
    suggestions = Suggestions(stage)
    suggestions.commands = registry()
    asked = CompleteEvent(completion_requested=True)
    return [found.text.strip() for found in suggestions.get_completions(Document(text), asked)]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("/inv", ["invite"]),
        ("/le", ["level"]),
        ("／le", ["level"]),
        ("/as b", ["Bob"]),
        ("/as ", ["Alex", "Ana", "Bob", "Carol"]),
        ("/in ", ["family", "team"]),
        ("/invite ca", ["Carol"]),
        ("/invite Carol t", ["team"]),
        ("/level a", ["add"]),
        ("/level add B", ["Bob"]),
        ("/level add Bob L1", ["L1-life", "L1-work"]),
        ("/category edit wo", ["work-projects", "work-confidential"]),
        ("/help au", ["audience"]),
        ("conf", ["confirm", "confirm earlier", "confirm all"]),
        ("change fa", ["family"]),
        ("change to hea", ["health"]),
        ("/nonsense x", []),
        ("What is ", []),
    ],
)
def test_tab_offers_what_can_come_next(stage: Stage, text: str, first: list[str]) -> None:
    assert fitting(stage, text)[: len(first) or None] == first


def test_nobody_but_the_owner_is_offered_his_commands_and_cards(stage: Stage) -> None:
    stage.speak_as(AccountId("console:bob"))

    assert fitting(stage, "/le") == fitting(stage, "conf") == fitting(stage, "/level a") == []
    assert fitting(stage, "/a") == ["as"]


def test_chinese_names_of_categories_are_offered(stage: Stage) -> None:
    stage.language = "zh"

    assert "家庭" in fitting(stage, "/category edit ")
    assert fitting(stage, "确") == ["确认", "确认 更早"]


def text_of(line: Fragments) -> str:
    return "".join(text for _, text in line)


def test_the_prompt_says_who_speaks_and_where(stage: Stage) -> None:
    screen = Screen(stage, lambda _line: None, lambda: 80, echoing=False)

    assert text_of(screen.prompt()) == "1 Alex → Tact > "
    stage.speak_as(AccountId("console:bob"))
    stage.go("team")
    assert text_of(screen.prompt()) == "1 Bob @ team > "


def test_everybody_has_a_colour_of_their_own_that_stays(stage: Stage) -> None:
    screen = Screen(stage, lambda _line: None, lambda: 80, echoing=False)
    cast = [OWNER_ACCOUNT, *map(account_of, CAST)]

    first = [screen.colour(account) for account in cast]

    assert len(set(first)) == len(cast)
    assert [screen.colour(account) for account in reversed(cast)] == first[::-1]


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as given:
        yield given


async def test_keys_become_lines_and_tab_completes(stage: Stage, keys: PipeInput) -> None:
    typing = Typing(stage, keys=keys, screen=DummyOutput())
    typing.suggestions.commands = registry()
    keys.send_text("/as b\t\r/invite c\t team\rhello\x03/lev\tadd Bob L1-w\t\r\x04")

    async def line() -> str:
        return await typing.line(lambda: [("", "> ")])

    assert await line() == "/as Bob"
    assert await line() == "/invite Carol team"
    with pytest.raises(KeyboardInterrupt):
        await line()
    assert await line() == "/level add Bob L1-work"
    with pytest.raises(EOFError):
        await line()


async def test_what_was_typed_is_kept_in_memory_only(stage: Stage, keys: PipeInput) -> None:
    typing = Typing(stage, keys=keys, screen=DummyOutput())

    assert type(typing.session.history) is InMemoryHistory


def test_no_color_is_honoured(stage: Stage, keys: PipeInput, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    assert Typing(stage, keys=keys, screen=DummyOutput()).session.color_depth is ColorDepth.DEPTH_1_BIT


async def test_annotation_runs_beside_the_talk_and_is_finished_at_its_end(
    stage: Stage, keys: PipeInput, memory: Path
) -> None:
    shown: list[Fragments] = []
    async with open_tact(load_settings(memory)) as tact:
        typing = Typing(stage, keys=keys, screen=DummyOutput())
        chat = Chat(
            Desk(tact, load_settings(memory), stage.world),
            stage,
            Screen(stage, shown.append, typing.width, echoing=False),
            None,
        )
        keys.send_text("/as bob\rI will be in Rome on Monday.\r\x04")

        await at_a_terminal(chat, typing)

        await tact.annotate()
        async with tact.context.store.transaction() as tx:
            assert (await tx.counts())["facts"] == 2
    assert any("Tact" in text_of(line) for line in shown)


async def test_a_fault_inside_is_told_by_class_and_the_talk_goes_on(
    stage: Stage, keys: PipeInput, memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_args: object, **_more: object) -> None:
        raise ValueError("canary")

    monkeypatch.setattr("bot.service.dispatcher.take_turn", broken)
    shown: list[Fragments] = []
    async with open_tact(load_settings(memory)) as tact:
        typing = Typing(stage, keys=keys, screen=DummyOutput())
        chat = Chat(
            Desk(tact, load_settings(memory), stage.world),
            stage,
            Screen(stage, shown.append, typing.width, echoing=False),
            None,
        )
        keys.send_text("hello\r/rooms\r\x04")

        await at_a_terminal(chat, typing)

    told = "\n".join(map(text_of, shown))
    assert "a fault inside Tact (ValueError)" in told
    assert "canary" not in told
    assert "team: Alex, Ana, Bob" in told


class Terminal:
    """A program on a pseudo-terminal."""

    def __init__(self, *command: str) -> None:
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execvpe(  # noqa: S606 - a shell would come between the terminal and the program
                command[0], command, {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
            )
        self.seen = ""

    def until(self, words: str, seconds: float = 60) -> None:
        """Read until these words have come since the last call."""
        end = time.monotonic() + seconds
        while words not in self.seen:
            assert time.monotonic() < end, f"{words!r} did not come: {self.seen[-2000:]!r}"
            if select.select([self.fd], [], [], 0.2)[0]:
                try:
                    got = os.read(self.fd, 65536)
                except OSError:  # it has ended
                    pytest.fail(f"{words!r} did not come: {self.seen[-2000:]!r}")
                if b"\x1b[6n" in got:
                    os.write(self.fd, b"\x1b[1;1R")  # it asks where the cursor is, as terminals are asked
                self.seen += got.decode(errors="replace")
        self.seen = self.seen.partition(words)[2]

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def end(self) -> int:
        with suppress(OSError):
            while os.read(self.fd, 65536):
                pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


@pytest.mark.slow
def test_a_conversation_at_a_real_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    chat = Terminal(sys.executable, "-m", "bot", "chat")

    chat.until("A sandbox")
    chat.until("Ctrl-D ends")
    chat.until(" >")
    chat.type("The launch of Borealis is on Friday.\r")
    chat.until("only Alex sees this")
    chat.until("[undo]")
    chat.type("/as b\t\r")
    chat.until("Bob")
    chat.type("When is the launch?\r")
    chat.until("Sorry, I can't help")
    chat.until(" >")
    chat.type("\x03")
    chat.until("/quit or Ctrl-D ends")
    chat.type("/quit\r")

    assert chat.end() == 0
    assert list(tmp_path.iterdir()) == []

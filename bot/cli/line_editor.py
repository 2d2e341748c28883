"""The line that is typed in: completion, colours and history, by prompt_toolkit.

History is kept in memory only. A history file would hold the owner's words in plain text, beside a memory whose every
word is encrypted.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping

from prompt_toolkit import PromptSession, print_formatted_text
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.shortcuts import CompleteStyle

from bot.cli.chat_state import Stage
from bot.cli.console_commands import FORMS, WORDS
from bot.cli.screen import Fragments
from bot.owner.commands.registry import Command, Registry
from bot.owner.taps import Answer, words_of
from config.defaults import display_name


class Suggestions(Completer):
    """What can come next: console words, Tact's commands when the owner speaks, names, rooms, labels, categories."""

    def __init__(self, stage: Stage) -> None:
        """Suggest for this stage; `commands` are Tact's, once there are any."""
        self._stage = stage
        self.commands = Registry()

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """Whole words that begin with what is typed, case apart."""
        text = document.text_before_cursor.replace("／", "/", 1)
        if not text.startswith("/"):
            return self._taps(text) if complete_event.completion_requested else ()
        name, blank, rest = text[1:].partition(" ")
        if not blank:
            return _matching(name, self._words())
        return self._arguments(name.casefold(), rest)

    def _words(self) -> dict[str, str]:
        """Names of commands with their forms; each is followed by a blank if something can follow."""
        words = {f"{name} " if " " in form else name: form for name, form in FORMS.items() if name in WORDS}
        if self._stage.as_owner:
            found = {c.name: self._forms(c)[0] for c in self.commands if c.name not in WORDS}
            words |= {f"{name} " if " " in form else name: form for name, form in found.items()}
        return words

    def _forms(self, command: Command) -> tuple[str, ...]:
        """A command's forms, in the chat's language."""
        return command.grammar(self._stage.language)

    def _arguments(self, name: str, rest: str) -> Iterable[Completion]:
        stage = self._stage
        before, _, last = rest.rpartition(" ")
        people = {stage.name(a): str(a) for a in stage.accounts}
        rooms = dict.fromkeys(sorted(stage.world.rooms), "")
        if name in {"as", "invite", "kick"}:
            whole = _matching(rest, people)
            return whole or (_matching(last, rooms) if before and name != "as" else ())
        if name == "in":
            return _matching(rest, rooms)
        if name == "help":
            return _matching(rest.lstrip("/"), {word.strip(): "" for word in self._words()})
        command = self.commands.get(name) if stage.as_owner else None
        if command is None:
            return ()
        if not before:
            firsts = _keywords(self._forms(command))
            return _matching(last, firsts or {**people, **self._closed_sets(rooms)})
        return _matching(last, {**people, **self._closed_sets(rooms), **dict.fromkeys(("as", "with"), "")})

    def _closed_sets(self, rooms: Mapping[str, str]) -> dict[str, str]:
        policy, language = self._stage.policy, self._stage.language
        labels = dict.fromkeys((str(label) for label in policy.lattice.labels()), "")
        categories = {str(c.name): ", ".join(map(str, c.labels)) for c in policy.categories}
        if language != "en":
            categories |= {display_name(c.name, language): str(c.name) for c in policy.categories}
        return {**labels, **categories, **rooms}

    def _taps(self, text: str) -> Iterable[Completion]:
        """Answers to a card, when the owner speaks in private."""
        if not (self._stage.as_owner and self._stage.room is None):
            return ()
        start = next((t for t in ("change to ", "change ", "改为 ") if text.startswith(t)), "")
        if start:
            return _matching(
                text.removeprefix(start), {str(c.name): "" for c in self._stage.policy.categories}
            )
        return _matching(text, {words_of(answer, self._stage.language)[0]: "" for answer in Answer})


def _keywords(grammar: Iterable[str]) -> dict[str, str]:
    """The words in small letters that a command's forms begin with."""
    found: dict[str, str] = {}
    for form in grammar:
        parts = form.split()
        for word in parts[1].strip("[]").split("|") if len(parts) > 1 else ():
            if word.isalpha() and word.islower():
                found[f"{word} " if len(parts) > 2 else word] = form  # noqa: PLR2004 - command, keyword, the rest
    return found


def _matching(typed: str, choices: Mapping[str, str]) -> list[Completion]:
    wanted = typed.casefold()
    return [
        Completion(choice, start_position=-len(typed), display=choice.strip(), display_meta=about)
        for choice, about in choices.items()
        if choice.casefold().startswith(wanted)
    ]


class Typing:
    """A terminal with somebody at it."""

    def __init__(self, stage: Stage, *, keys: Input | None = None, screen: Output | None = None) -> None:
        """Take the terminal, or the given ends of one."""
        depth = ColorDepth.DEPTH_1_BIT if os.environ.get("NO_COLOR") else None
        self._depth, self._screen = depth, screen
        self.suggestions = Suggestions(stage)
        keys_bound = KeyBindings()
        keys_bound.add("tab")(self._complete)
        self.session: PromptSession[str] = PromptSession(
            history=InMemoryHistory(),
            auto_suggest=AutoSuggestFromHistory(),
            completer=self.suggestions,
            key_bindings=keys_bound,
            complete_while_typing=Condition(self._is_command),
            complete_style=CompleteStyle.COLUMN,
            reserve_space_for_menu=6,
            color_depth=depth,
            input=keys,
            output=screen,
        )

    def _complete(self, event: KeyPressEvent) -> None:
        """Tab: the one thing that fits is taken at once; of several, the part they share, then one after another."""
        buffer = event.current_buffer
        fitting = list(
            self.suggestions.get_completions(buffer.document, CompleteEvent(completion_requested=True))
        )
        if len(fitting) == 1:
            buffer.cancel_completion()
            buffer.apply_completion(fitting[0])
        elif buffer.complete_state:
            buffer.complete_next()
        else:
            buffer.start_completion(insert_common_part=True)

    def _is_command(self) -> bool:
        return self.session.default_buffer.text.startswith(("/", "／"))

    async def line(self, prompt: Callable[[], Fragments]) -> str:
        """Wait for a line.

        Raises:
            EOFError: there will be no more.
            KeyboardInterrupt: Ctrl-C.
        """
        return await self.session.prompt_async(lambda: FormattedText(prompt()))

    def write(self, line: Fragments) -> None:
        """Write a line."""
        print_formatted_text(FormattedText(line), color_depth=self._depth, output=self._screen)

    def width(self) -> int:
        """Columns of the terminal."""
        return self.session.output.get_size().columns

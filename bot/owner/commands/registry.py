"""The registry: what a command is, the one way to run one, and the one way in which a value becomes its answer.

INVARIANT: a command without a rights line cannot be registered, and the sender's right is checked before anything of the
command is looked at, its grammar and help included. A handler returns `OwnerOnly`, which no room sender accepts.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeVar

from bot.context import Channel, Context, OwnerAct
from bot.owner.names import Words
from bot.owner.queries.values import Value
from bot.platforms import USUAL
from bot.texts import say
from engine.errors import BadInput
from engine.ids import OWNER, PersonId
from engine.items import RawMessage
from engine.people import folded
from engine.release import OwnerOnly, release_to_owner
from engine.store import Transaction
from engine.viewers import Viewers


class Right(StrEnum):
    """Who may use a command."""

    OWNER = "owner"  # an authenticated account of the owner's, in any room; answered in his direct chat


_HOLDERS = {Right.OWNER: OWNER}

V = TypeVar("V", bound=Value)


@dataclass(frozen=True, slots=True)
class Call(Words):
    """One use of a command, with what its answer is worded with.

    Args:
        act: what it collects on the way.
        args: what follows the command's name, trimmed.
        message: the recorded message the command is in (its `reply_to` is an id).
        answered: the message it replies to, looked up in the owner's zone; None if it replies to nothing.
        viewers: who can read the room the command was typed in.
        command: the command that is being run.
        channel: the platform it came over.
        turn: the id of its turn.
        room: whether it was typed in a room rather than in a direct chat.
    """

    tx: Transaction
    context: Context
    act: OwnerAct
    args: str = field(repr=False)
    message: RawMessage | None = None
    answered: RawMessage | None = None
    viewers: Viewers | None = None
    command: Command | None = None
    channel: Channel | None = None
    turn: str = ""
    room: bool = False

    def show(self, value: V, word: Callable[[Words, V], str]) -> OwnerOnly:
        """Answer with a value in words; what the value holds is noted as told by the answer."""
        self.act.told.extend(value.told)
        return answer(word(self, value))

    def show_later(self, query: Callable[[], Awaitable[V | None]], word: Callable[[Words, V], str]) -> None:
        """Once everything is committed, make a value and add its words to the answer; None adds nothing."""

        async def step() -> str:
            found = await query()
            return "" if found is None else word(self, found)

        self.act.later.append(step)

    def usage(self) -> BadInput:
        """The error for a malformed call: it shows the grammar."""
        forms = self.command.grammar(self.language) if self.command else ()
        return BadInput(self.say("command.usage", grammar="  |  ".join(forms)))

    def fault(self, key: str, fix: str = "", **values: object) -> BadInput:
        """An error in the owner's language, with the key of what to do about it."""
        return BadInput(self.say(key, **values), fix=self.say(fix, **values) if fix else "")


Handler = Callable[[Call], Awaitable[OwnerOnly]]


@dataclass(frozen=True, slots=True)
class Command:
    """One owner command. Its help is among the texts, as `usage.NAME`, `about.NAME` and `examples.NAME`.

    Args:
        name: without the slash.
        right: the rights line; it has no default.
        run: the handler. It raises `BadInput` for anything malformed, and then nothing has changed.
        aliases: other names of the same command.
    """

    name: str
    right: Right
    run: Handler
    aliases: tuple[str, ...] = ()

    def grammar(self, language: str) -> tuple[str, ...]:
        """Its forms, e.g. `/level add WHO LABEL`."""
        return tuple(say(language, f"usage.{self.name}").split("\n"))

    def help(self, language: str) -> str:
        """What it is for, in a sentence or two."""
        return say(language, f"about.{self.name}", account=USUAL.example)

    def examples(self, language: str) -> tuple[str, ...]:
        """How it can be used."""
        return tuple(say(language, f"examples.{self.name}", account=USUAL.example).split("\n"))


class Registry:
    """All commands by name."""

    def __init__(self) -> None:
        """Begin empty."""
        self._commands: dict[str, Command] = {}
        self._names: dict[str, str] = {}

    def add(self, command: Command) -> None:
        """Register a command.

        Raises:
            TypeError: without a rights line, or under a name that is taken.
        """
        if not isinstance(command.right, Right):
            raise TypeError(f"/{command.name} has no rights line")
        for name in (command.name, *command.aliases):
            if name in self._names or name != folded(name) or not name:
                raise TypeError(f"/{name} is registered already, or not in the form it is compared in")
        self._commands[command.name] = command
        self._names |= dict.fromkeys((command.name, *command.aliases), command.name)

    def __iter__(self) -> Iterator[Command]:
        """Every command, by name."""
        return iter(sorted(self._commands.values(), key=lambda c: c.name))

    def get(self, name: str) -> Command | None:
        """The command that has this name, or this other name."""
        return self._commands.get(self._names.get(folded(name), ""))

    def near(self, name: str) -> list[str]:
        """Names that look like this one."""
        return get_close_matches(folded(name), list(self._names), n=3)


def split_command(text: str) -> tuple[str, str] | None:
    """`/level@tact add Bob L1` → (`level`, `add Bob L1`); None if the text is no command.

    A full-width slash counts as one, and so does any blank.
    """
    plain = text.strip()
    if not plain.startswith(("/", "／")):
        return None
    head, *rest = re.split(r"\s+", plain[1:], maxsplit=1)
    name = folded(head.partition("@")[0])
    return (name, rest[0].strip() if rest else "") if name else None


def may_use(sender: PersonId, right: Right) -> bool:
    """Whether a sender has a right. Names, texts and rooms never count."""
    return sender == _HOLDERS[right]


async def run_command(registry: Registry, name: str, call: Call, sender: PersonId) -> OwnerOnly | None:
    """Run a command for its sender.

    Returns:
        The answer for the owner's direct chat; None when the sender has no right to it, whatever the name.

    Raises:
        BadInput: the command was malformed; the caller rolls back and tells the owner.
    """
    if not may_use(sender, Right.OWNER):
        return None
    command = registry.get(name)
    if command is None:
        raise _unknown(registry, name, call)
    return await command.run(replace(call, command=command)) if may_use(sender, command.right) else None


def _unknown(registry: Registry, name: str, call: Call) -> BadInput:
    near = ", ".join(f"/{n}" for n in registry.near(name))
    shown = name if len(name) <= 40 else name[:40] + "…"  # noqa: PLR2004 - enough to recognise it
    return BadInput(
        call.say("command.unknown", name=shown), fix=call.say("command.near", names=near) if near else ""
    )


def answer(text: str) -> OwnerOnly:
    """Words for the owner only."""
    return release_to_owner(text)

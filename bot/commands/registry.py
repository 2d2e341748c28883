"""The registry: what a command is, and the one way to run one.

INVARIANT: a command without a rights line cannot be registered, and the sender's right is checked before anything of the
command is looked at, its grammar and help included. A handler returns `OwnerOnly`, which no room sender accepts.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bot.parts import Parts
from bot.texts import say
from engine.errors import BadInput
from engine.ids import OWNER, PersonId
from engine.items import RawMessage
from engine.people import People
from engine.policy import Policy
from engine.release import OwnerOnly, release_to_owner
from engine.store import Transaction
from engine.viewers import Viewers


class Right(StrEnum):
    """Who may use a command."""

    OWNER = "owner"  # an authenticated account of the owner's, in any room; answered in his direct chat


_HOLDERS = {Right.OWNER: OWNER}


@dataclass(frozen=True, slots=True)
class Call:
    """One use of a command.

    Args:
        args: what follows the command's name, trimmed.
        message: the recorded message the command is in (its `reply_to` is an id).
        answered: the message it replies to, looked up in the owner's zone; None if it replies to nothing.
        viewers: who can read the room the command was typed in.
    """

    tx: Transaction
    parts: Parts
    policy: Policy
    people: People
    args: str = field(repr=False)
    message: RawMessage | None = None
    answered: RawMessage | None = None
    viewers: Viewers | None = None

    @property
    def language(self) -> str:
        """The owner's language."""
        return self.parts.language

    def say(self, key: str, **values: object) -> str:
        """A text in the owner's language."""
        return say(self.parts.language, key, **values)


Handler = Callable[[Call], Awaitable[OwnerOnly]]


@dataclass(frozen=True, slots=True)
class Command:
    """One owner command.

    Args:
        name: without the slash.
        right: the rights line; it has no default.
        grammar: e.g. `/level add WHO LABEL`; one line a form.
        help: by language, one sentence.
        examples: by language.
        run: the handler. It raises `BadInput` for anything malformed, and then nothing has changed.
    """

    name: str
    right: Right
    grammar: tuple[str, ...]
    help: Mapping[str, str]
    examples: Mapping[str, tuple[str, ...]]
    run: Handler


class Registry:
    """All commands by name."""

    def __init__(self) -> None:
        """Begin empty."""
        self._commands: dict[str, Command] = {}

    def add(self, command: Command) -> None:
        """Register a command.

        Raises:
            TypeError: without a rights line, help or examples in both languages, or under a name that is taken.
        """
        if not isinstance(command.right, Right):
            raise TypeError(f"/{command.name} has no rights line")
        if command.name in self._commands:
            raise TypeError(f"/{command.name} is registered already")
        for language in ("en", "zh"):
            if not command.help.get(language) or not command.examples.get(language):
                raise TypeError(f"/{command.name} has no help or example in {language}")
        self._commands[command.name] = command

    def __iter__(self) -> Iterator[Command]:
        """Every command, by name."""
        return iter(sorted(self._commands.values(), key=lambda c: c.name))

    def get(self, name: str) -> Command | None:
        """The command of this name."""
        return self._commands.get(name)


def split_command(text: str) -> tuple[str, str] | None:
    """`/level@tact add Bob L1` → (`level`, `add Bob L1`); None if the text is no command.

    A full-width slash counts as one.
    """
    plain = text.strip()
    if not plain.startswith(("/", "／")):
        return None
    head, _, rest = plain[1:].replace("\n", " ", 1).partition(" ")
    name = head.partition("@")[0].casefold()
    return (name, rest.strip()) if name else None


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
        raise BadInput(call.say("command.unknown", name=name))
    return await command.run(call) if may_use(sender, command.right) else None


def usage(call: Call, registry_command: Command) -> BadInput:
    """The error for a malformed call: it shows the grammar."""
    return BadInput(call.say("command.usage", grammar="  |  ".join(registry_command.grammar)))


def answer(text: str) -> OwnerOnly:
    """Words for the owner only."""
    return release_to_owner(text)

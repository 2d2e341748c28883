"""`docs/commands.md`, made from the registry: `python -m bot.owner.commands.reference > docs/commands.md`; a test compares."""

from __future__ import annotations

import re
import sys

from bot.owner.commands.all import registry
from bot.owner.commands.registry import Command, Registry
from bot.platforms import USUAL
from bot.texts import languages, say

_HEAD = """\
# Owner commands

<!-- Made by `python -m bot.owner.commands.reference`; change the registry in bot/owner/commands/, not this file. -->

What the owner can tell Tact to do, on every channel. Only an account that the configuration names as the owner's may use
a command. Anybody else gets one constant line, whatever the command, its arguments and the room, and so does a command
that the owner merely forwarded. In a group the room sees only "I've answered in our direct chat."; the answer goes there.

A command that is malformed, or names nobody or several, changes nothing and answers in one line with what would be right.
Names are those that you gave with `/meet`; quotes keep a name with blanks together; an account id like `ACCOUNT`
always works, and as a reply to somebody's message `/level`, `/meet`, `/block` and `/forget` mean its sender, or that message.

**Cards.** Whatever opens something (a label, a category, a grant) is shown first, with what it opens to whom. Answer with
`confirm` (from now on), `confirm earlier` (earlier facts too) or `undo`. A card that would open more by the time you
confirm it than it showed is shown again. What narrows counts at once and takes back the cards that it contradicts. What
you tell Tact comes back as a card too: `confirm`, `keep private`, `change CATEGORY`, `undo`, `confirm all`.
In Chinese: 确认, 确认 更早, 撤销, 保密, 改为 类别, 全部确认.

The command line has its own help: `tact --help`.
"""


def reference(commands: Registry) -> str:
    """The whole page."""
    contents = "\n".join(
        f"- [/{c.name}](#{c.name}): {c.help('en').split('. ')[0].rstrip('.')}" for c in commands
    )
    page = "\n".join(
        [_HEAD.replace("ACCOUNT", USUAL.example), contents, "", *(_section(c) for c in commands)]
    )
    return re.sub(r"\n{3,}", "\n\n", page).rstrip() + "\n"


def _section(command: Command) -> str:
    names = ", ".join(f"`/{name}`" for name in (command.name, *command.aliases))
    parts = [f"## {command.name}", "", f"{names}. Right: {command.right}.", ""]
    for language in languages():
        forms = [*command.grammar(language), "", *_examples(command, language)]
        parts += [command.help(language), "", *(f"    {line}".rstrip() for line in forms), ""]
    return "\n".join(parts)


def _examples(command: Command, language: str) -> list[str]:
    """Examples that say more than the grammar does."""
    shown = [e for e in command.examples(language) if e not in command.grammar(language)]
    return [say(language, "reference.examples"), *shown] if shown else []


if __name__ == "__main__":
    sys.stdout.write(reference(registry()))

"""Every owner command, registered."""

from __future__ import annotations

from bot.commands.helping import help_command
from bot.commands.levels import LEVEL
from bot.commands.meeting import CONTACTS, MEET
from bot.commands.registry import Registry


def registry() -> Registry:
    """The registry that every channel uses."""
    every = Registry()
    for command in (LEVEL, MEET, CONTACTS):
        every.add(command)
    every.add(help_command(every))
    return every

"""Every owner command, registered."""

from __future__ import annotations

from bot.commands.categories import CATEGORY
from bot.commands.explaining import WHY
from bot.commands.forgetting import FORGET
from bot.commands.helping import help_command
from bot.commands.house import TIMEZONE, status_command
from bot.commands.levels import LEVEL
from bot.commands.meeting import CONTACTS, MEET
from bot.commands.previewing import PREVIEW
from bot.commands.registry import Registry
from bot.commands.remembered import FACT, FACTS, WHO
from bot.commands.retention import RETENTION
from bot.commands.rooms import AUDIENCE
from bot.commands.sending import RESEND
from bot.commands.sharing import BLOCK, SHARE
from bot.commands.talking import MODE, ROLLCALL
from bot.commands.wording import LINE


def registry(folder: str = "") -> Registry:
    """The registry that every channel uses.

    Args:
        folder: the data folder, for `/status`.
    """
    every = Registry()
    for command in (
        LEVEL, CATEGORY, MEET, CONTACTS, WHO, FACTS, FACT, WHY, PREVIEW, SHARE, BLOCK, FORGET, RETENTION, AUDIENCE, MODE, ROLLCALL, RESEND,
        TIMEZONE, LINE,
    ):  # fmt: skip
        every.add(command)
    every.add(status_command(folder))
    every.add(help_command(every))
    return every

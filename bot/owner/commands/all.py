"""Every owner command, registered."""

from __future__ import annotations

from bot.owner.commands.audience import AUDIENCE
from bot.owner.commands.category import CATEGORY
from bot.owner.commands.contacts import CONTACTS, MEET
from bot.owner.commands.facts import FACT, FACTS, WHO
from bot.owner.commands.forget import FORGET
from bot.owner.commands.groups import MODE, ROLLCALL
from bot.owner.commands.help import help_command
from bot.owner.commands.level import LEVEL
from bot.owner.commands.lines import LINE
from bot.owner.commands.preview import PREVIEW
from bot.owner.commands.registry import Registry
from bot.owner.commands.resend import RESEND
from bot.owner.commands.retention import RETENTION
from bot.owner.commands.share import BLOCK, SHARE
from bot.owner.commands.status import TIMEZONE, status_command
from bot.owner.commands.why import WHY


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

"""An act of the owner's: carried out once, answered once; a card among the answers gets buttons where a platform has them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.context import Channel, Context
from bot.owner.buttons import buttons_of
from engine.errors import BadInput
from engine.ids import ContainerId
from engine.mailroom import Sending, State
from engine.release import release_to_owner
from engine.store import Transaction

Deed = Callable[[Transaction, Context], Awaitable[str | None]]
"""Does something and returns what the owner reads; None when it was nothing after all."""


async def act_once(context: Context, key: str, container: ContainerId, deed: Deed) -> str | None:
    """Carry out one act in one transaction; then what had to wait for the commit adds its words.

    An act that is refused changes nothing, and the owner reads why in one line. The answer is committed with the act
    under this key, so an event that is taken up again tells it and does not act twice; empty, when it was told already.
    """
    mine = replace(context, later=[], told=[], act=key)
    try:
        async with context.store.transaction() as tx:
            told = await tx.sending(key)
            if told is not None:
                return told.text
            words = await deed(tx, mine)
            if words is not None:
                await tx.put_sending(Sending(key, container, words, used=tuple(dict.fromkeys(mine.told))))
    except BadInput as fault:
        return str(fault)
    added = [await step() for step in mine.later]
    return words if words is None else "\n".join([words, *(a for a in added if a)])


async def answer_once(
    context: Context, channel: Channel, key: str, container: ContainerId, words: str
) -> None:
    """Tell the owner what came of an act, in his direct chat, once a key."""
    if not words:
        return
    rows = await buttons_of(context, key) if channel.has_buttons else []
    await channel.tell_owner(release_to_owner(words), key, rows)
    async with context.store.transaction() as tx:
        kept = await tx.sending(key)
        await tx.put_sending(Sending(key, container, "", State.SENT, kept.used if kept else ()))

"""An act of the owner's: carried out once, answered once; a card among the answers gets buttons where a platform has them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.context import Channel, Context, OwnerAct
from bot.owner.buttons import buttons_of
from engine.errors import BadInput
from engine.ids import ContainerId
from engine.mailroom import Sending, State
from engine.platform import Rows
from engine.release import release_to_owner
from engine.store import Transaction

Deed = Callable[[Transaction, OwnerAct], Awaitable[str | None]]
"""Does something and returns what the owner reads; None when it was nothing after all."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of an act: words for the owner, and the buttons of the card among them. Told already: empty."""

    key: str
    words: str = field(repr=False)
    rows: Rows = ()


async def act_once(context: Context, key: str, container: ContainerId, deed: Deed) -> Answer | None:
    """Carry out one act in one transaction; then what had to wait for the commit adds its words.

    An act that is refused changes nothing, and the owner reads why in one line. The answer is committed with the act
    under this key, so an event that is taken up again tells it and does not act twice; empty, when it was told already.
    """
    act = OwnerAct(key)
    try:
        async with context.store.transaction() as tx:
            told = await tx.sending(key)
            words = told.text if told is not None else await deed(tx, act)
            if words is None:
                return None
            if told is None:
                await tx.put_sending(Sending(key, container, words, used=tuple(dict.fromkeys(act.told))))
            rows = await buttons_of(tx, act, context.language)
    except BadInput as fault:
        return Answer(key, str(fault))
    added = [await step() for step in act.later]
    return Answer(key, "\n".join([words, *(a for a in added if a)]), rows)


async def answer_once(channel: Channel, answer: Answer) -> None:
    """Tell the owner what came of an act, in his direct chat, once a key."""
    if answer.words:
        await channel.tell_owner(release_to_owner(answer.words), answer.key, answer.rows)


async def settle(tx: Transaction, answer: Answer, container: ContainerId) -> None:
    """The answer was told: its words go, and which facts it told stays."""
    if answer.words:
        kept = await tx.sending(answer.key)
        used = kept.used if kept else ()
        await tx.put_sending(Sending(answer.key, container, "", State.SENT, used))

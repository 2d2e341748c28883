"""The words of a reply: whether there is an answer is decided here, without a model; a model may then word it.

The number and kind of calls are a function of the sealed context alone. Where nothing answers, no model is asked.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field

from bot.context import Context
from bot.prompts import plain
from bot.turn.last_check import opens_something, without_secrets
from bot.turn.recall import Footing
from engine.ids import FactId, MessageId, TurnId
from engine.sealed_context import SealedContext
from engine.store import Transaction


@dataclass(frozen=True, slots=True)
class Wording:
    """Words, and what they may rest on.

    Args:
        text: empty when nothing answers.
        used: facts that the reply is kept with: narrowing or forgetting one of them retires it.
        judged: facts that must still pass when it is sent.
        heard: recent messages that must.
        by_model: a model worded it, so any part of the context may be in it.
        asked: the model that was asked; empty if none was.
        left_out: something that looked like a secret was taken out of its words.
    """

    text: str = field(default="", repr=False)
    used: tuple[FactId, ...] = ()
    judged: tuple[FactId, ...] = ()
    heard: tuple[MessageId, ...] = ()
    by_model: bool = False
    asked: str = ""
    left_out: bool = False


async def word(context: Context, sealed: SealedContext, rests: Footing, deadline: float) -> Wording:
    """Word a reply from a sealed context, by this moment of the event loop's clock if a model is asked.

    What opens something is never put before a model, and a model that gives nothing usable in time changes nothing:
    the composer's words are there by then.
    """
    if sealed.empty:
        return Wording()
    text, used = await asyncio.to_thread(context.composer.compose, sealed)
    if not text or context.writer is None or rests.opens or opens_something(sealed):
        return Wording(text, used, used)
    worded = plain(await context.writer.word(sealed, deadline))
    name = context.writer.spent().model
    if not worded.strip():
        return Wording(text, used, used, asked=name)
    inside = tuple(fact.id for fact in sealed.facts)
    kept = tuple(dict.fromkeys((*inside, *rests.behind)))
    heard = tuple(message.id for _, message in sealed.recent)
    safe = without_secrets(worded, sealed)
    return Wording(safe, kept, inside, heard, by_model=True, asked=name, left_out=safe != worded)


def _note(turn: TurnId) -> str:
    return f"worded:{turn}"


async def keep_who_worded(tx: Transaction, turn: TurnId, words: Wording) -> None:
    """Keep, for `/why`, which model was asked for a reply's words and what came of it: a name and two marks, no words."""
    if words.asked:
        kept = {"model": words.asked, "used": words.by_model, "left_out": words.left_out}
        await tx.put_note(_note(turn), json.dumps(kept, ensure_ascii=False))


async def who_worded(tx: Transaction, turn: TurnId) -> Wording:
    """What was kept: `asked`, `by_model` and `left_out`."""
    kept = json.loads(await tx.note(_note(turn)) or "{}")
    return Wording(
        asked=kept.get("model", ""), by_model=kept.get("used", False), left_out=kept.get("left_out", False)
    )

"""The words of a reply: whether there is an answer is decided here, without a model; a model may then word it.

The number and kind of calls are a function of the sealed context alone. Where nothing answers, no model is asked.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from bot.lastcheck import opens_something, without_secrets
from bot.parts import Parts
from bot.prompts import plain
from bot.recall import Footing
from engine.context import SealedContext
from engine.ids import FactId, MessageId


@dataclass(frozen=True, slots=True)
class Wording:
    """Words, and what they may rest on.

    Args:
        text: empty when nothing answers.
        used: facts that the reply is kept with: narrowing or forgetting one of them retires it.
        judged: facts that must still pass when it is sent.
        heard: recent messages that must.
        by_model: a model worded it, so any part of the context may be in it.
    """

    text: str = field(default="", repr=False)
    used: tuple[FactId, ...] = ()
    judged: tuple[FactId, ...] = ()
    heard: tuple[MessageId, ...] = ()
    by_model: bool = False


async def word(parts: Parts, context: SealedContext, rests: Footing, deadline: float) -> Wording:
    """Word a reply from a sealed context, by this moment of the event loop's clock if a model is asked.

    What opens something is never put before a model, and a model that gives nothing usable in time changes nothing:
    the composer's words are there by then.
    """
    if context.empty:
        return Wording()
    text, used = await asyncio.to_thread(parts.composer.compose, context)
    if not text or parts.writer is None or rests.opens or opens_something(context):
        return Wording(text, used, used)
    worded = plain(await parts.writer.word(context, deadline))
    if not worded.strip():
        return Wording(text, used, used)
    inside = tuple(fact.id for fact in context.facts)
    kept = tuple(dict.fromkeys((*inside, *rests.behind)))
    heard = tuple(message.id for _, message in context.recent)
    return Wording(without_secrets(worded, context), kept, inside, heard, by_model=True)

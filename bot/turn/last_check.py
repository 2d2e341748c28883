"""The last look at a model's words, here on this machine.

Confidentiality does not rest on it: what may not be told was never in the prompt. Before a reply goes out, what looks
as if it opened something, and is not in the sealed bytes, is taken out by its look alone; memory is not asked, so that
nothing about it can be read off a reply. After the reply has gone, memory is asked whether it repeats a fact that the
model was not given, and the owner is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot.context import ZONE, Channel, Context
from bot.owner.names import name_of
from bot.texts import say
from connectors.spans.rules import PL4, detect
from engine.audience import OWNER_ONLY
from engine.disclosure import Reason
from engine.items import RawFact
from engine.people import folded
from engine.records import TurnTrace
from engine.release import release_to_owner
from engine.sealed_context import SealedContext
from engine.store import Search

WORDS: Final = 6
LETTERS: Final = 12
_LOOKED_AT: Final = 128
_NEUTRAL: Final = {"en": "[left out]", "zh": "〔略〕"}
_CJK: Final = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af]")
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def texts_in(sealed: SealedContext) -> Iterator[str]:
    """Every text of people's that a sealed context holds."""
    yield from (sealed.question, sealed.owner_name, sealed.asker)
    for fact in sealed.facts:
        yield from (fact.text, fact.teller_name)
    for edge in sealed.graph:
        yield from (edge.subject, edge.predicate, edge.object)
    for name, message in sealed.recent:
        yield from (name, message.text)


def opens_something(sealed: SealedContext) -> bool:
    """Whether anything in the context looks like a password, code or key: that is for no model, wherever it runs."""
    return any(span.level >= PL4 for text in texts_in(sealed) for span in detect(text))


def without_secrets(reply: str, sealed: SealedContext) -> str:
    """The reply, with a neutral word for whatever looks like a password, code or key and is not in the context."""
    given = "\n".join(texts_in(sealed))
    neutral = _NEUTRAL.get(sealed.language, _NEUTRAL["en"])
    for span in sorted(detect(reply), reverse=True):
        if span.level >= PL4 and reply[span.start : span.end] not in given:
            reply = reply[: span.start] + neutral + reply[span.end :]
    return reply


def runs(text: str) -> set[str]:
    """Every run of six words, and of twelve letters of a script that needs no blanks, in a text."""
    plain = folded(text)
    letters = "".join(_CJK.findall(plain))
    words = _WORD.findall(_CJK.sub(" ", plain))
    return {" ".join(words[n : n + WORDS]) for n in range(len(words) - WORDS + 1)} | {
        letters[n : n + LETTERS] for n in range(len(letters) - LETTERS + 1)
    }


def repeated(reply: str, sealed: SealedContext, facts: list[RawFact]) -> list[RawFact]:
    """The facts outside the context of which the reply has a run that nothing in the context has."""
    given = {run for text in texts_in(sealed) for run in runs(text)}
    new = runs(reply) - given
    inside = {fact.id for fact in sealed.facts}
    return [fact for fact in facts if fact.id not in inside and new & runs(fact.text)]


async def look_back(context: Context, channel: Channel, trace: TurnTrace, sealed: SealedContext) -> TurnTrace:
    """After a reply was sent: tell the owner if it repeats a fact that the model was not given.

    Changes nothing that anybody else sees. The trace keeps what was repeated, among what was withheld.
    """
    if trace.upper == OWNER_ONLY or not runs(trace.reply):
        return trace
    search = Search(context.reader.tokens(trace.reply), share=0.0)
    async with context.store.transaction() as tx:
        found = [hit.fact for hit in await tx.search(search, ZONE, _LOOKED_AT)]
        told = repeated(trace.reply, sealed, found)
        if not told:
            return trace
        rows = tuple((fact.id, False, str(Reason.REPEATED), "") for fact in told)
        trace = replace(trace, withheld=(*trace.withheld, *rows))
        await tx.put_turn(trace)
        asker = name_of(trace.asker, await tx.people(), context.language)
        titles = {chat.id: chat.title for chat in await tx.chats()}
    words = [
        say(
            context.language,
            "alarm.repeated",
            turn=trace.id,
            who=asker,
            place=titles.get(trace.container) or "—",
        )
    ]
    words += [say(context.language, "alarm.fact", id=fact.id, text=fact.text) for fact in told]
    await channel.tell_owner(release_to_owner("\n".join(words)), f"{trace.id}/alarm")
    return trace

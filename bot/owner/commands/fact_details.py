"""Finding the fact that is meant, in the owner's zone, and facts in a line each."""

from __future__ import annotations

from collections.abc import Sequence

from bot.context import ZONE
from bot.owner.commands.args import listed, one_line
from bot.owner.commands.registry import Call
from bot.owner.names import Words
from bot.owner.openings import every_fact
from bot.owner.queries.remembered import Remembered
from engine.errors import BadInput
from engine.ids import FactId
from engine.items import RawFact

_LEAST = 4
_CANDIDATES = 6


def looks_like_id(text: str) -> bool:
    """Whether a word is written like a fact's id."""
    return text.startswith("f_") and " " not in text


async def fact_of(call: Call, text: str) -> RawFact:
    """The fact of this id, or of a beginning that no other id has.

    Raises:
        BadInput: there is none, or several.
    """
    wanted = text.strip().casefold()
    exact = await call.tx.facts([FactId(wanted)], ZONE)
    if exact:
        return exact[0]
    every = await every_fact(call.tx) if len(wanted) >= _LEAST else []
    found = [f for f in every if f.id.startswith((wanted, f"f_{wanted}"))]
    if len(found) != 1:
        raise _candidates(call, text, found)
    return found[0]


async def meant(call: Call, text: str) -> RawFact:
    """The one fact that an id or words mean.

    Raises:
        BadInput: none or several; the candidates are listed with their ids.
    """
    if looks_like_id(text):
        return await fact_of(call, text)
    found = await matching(call, text)
    if len(found) != 1:
        raise _candidates(call, text, found)
    return found[0]


def _candidates(call: Call, text: str, found: Sequence[RawFact]) -> BadInput:
    if not found:
        return call.fault("fact.unknown", "fact.unknown_fix", text=one_line(text))
    lines = [f"{f.id} “{one_line(f.text, 60)}”" for f in found[:_CANDIDATES]]
    lines += ["…"] if len(found) > _CANDIDATES else []
    return BadInput(
        call.say("fact.several", text=one_line(text), count=len(found)),
        fix=call.say("fact.choose", candidates=listed(lines)),
    )


async def matching(call: Call, words: str) -> list[RawFact]:
    """Facts that hold every word, newest first; what was corrected counts too."""
    wanted = set(call.context.reader.tokens(words))
    if not wanted:
        return []
    tokens = call.context.reader.tokens
    return [f for f in await every_fact(call.tx) if wanted <= set(tokens(f.text))]


def in_one_line(words: Words, found: Remembered) -> str:
    """Id, day, teller, words, category and labels, hearers, marks."""
    fact, marks = found.fact, marks_of(words, found.fact)
    return words.say(
        "fact.line",
        id=fact.id,
        day=words.day(fact.said_at),
        teller=words.person(fact.teller),
        text=fact.text,
        category=words.category(fact.category),
        labels=", ".join(map(str, found.labels)),
        people=words.audience(found.hearers, "people.only_you"),
    ) + (f" [{marks}]" if marks else "")


def marks_of(words: Words, fact: RawFact) -> str:
    """Every mark that decides something about the fact, in words."""
    marks = {
        "first_hand": fact.first_hand,
        "confirmed": fact.confirmed is not None,
        "kept": fact.kept_private,
        "confidential": fact.confidential or fact.event.confidential,
        "secret": fact.secret,
        "sensitive": fact.sensitive,
        "cover": fact.cover,
        "unresolved": fact.unresolved or fact.event.unresolved,
        "corrected": fact.superseded_by is not None,
    }
    return ", ".join(words.say(f"mark.{name}") for name, holds in marks.items() if holds)

"""Finding facts in the owner's zone, and saying all about one: what it is, and who could hear it now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bot.context import ZONE, zone_of
from bot.owner.commands.args import listed, one_line
from bot.owner.commands.persons import shown
from bot.owner.commands.registry import Call
from bot.owner.names import audience_in_words, labels_in_words, time_in_words
from bot.owner.openings import every_fact
from config.defaults import display_name
from engine.audience import EVERYONE, Audience
from engine.errors import BadInput
from engine.ids import OWNER, STRANGER, ContainerId, FactId, PersonId
from engine.items import RawFact
from engine.people import People
from engine.policy import Policy
from engine.release import Place, judge_fact
from engine.store import Hit, Search
from engine.viewers import Known

_LEAST = 4
_CANDIDATES = 6
_NEAR = 0.5


def direct_place(person: PersonId, container: ContainerId | None = None) -> Place:
    """A direct chat of this person with Tact."""
    return Place(Known(frozenset({OWNER, person})), container or ContainerId("preview"))


def hearers(fact: RawFact, policy: Policy, people: People) -> Audience:
    """Who would be told this fact in a direct chat now, both layers asked."""
    known = {*policy.contacts, *people.names, *fact.audience.members}
    known |= {e.person for e in fact.lists if e.person is not None}
    if judge_fact(fact, direct_place(STRANGER), policy).verdict.allowed:
        return EVERYONE
    persons = known - {OWNER}
    return Audience.of(p for p in persons if judge_fact(fact, direct_place(p), policy).verdict.allowed)


def heard_by(call: Call, fact: RawFact) -> str:
    """The same in words."""
    found = audience_in_words(hearers(fact, call.policy, call.people), call.people, call.language)
    return found or call.say("people.only_you")


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


async def search(call: Call, words: str, limit: int) -> list[Hit]:
    """The best facts for some words; without an embedder those that hold at least one of them."""
    model = call.context.embedder
    vector = await model.query(words)
    terms = call.context.reader.tokens(words)
    hits = await call.tx.search(
        Search(terms, vector, _NEAR if vector else 0.0, model=model.name), ZONE, limit
    )
    return [hit for hit in hits if hit.rank.score > 0]


def in_one_line(call: Call, fact: RawFact) -> str:
    """Id, day, teller, words, category and labels, hearers, marks."""
    zone = zone_of(call.policy)
    marks = marks_of(call, fact)
    return call.say(
        "fact.line",
        id=fact.id,
        day=time_in_words(fact.said_at, zone, day_only=True),
        teller=shown(call, fact.teller),
        text=fact.text,
        category=display_name(fact.category, call.language),
        labels=labels_in_words(fact, call.policy),
        people=heard_by(call, fact),
    ) + (f" [{marks}]" if marks else "")


def marks_of(call: Call, fact: RawFact) -> str:
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
    return ", ".join(call.say(f"mark.{name}") for name, holds in marks.items() if holds)


def persons_in(call: Call, persons: Iterable[PersonId]) -> str:
    """Names of persons in words."""
    return call.say("list.join").join(sorted(shown(call, p) for p in set(persons)))

"""Facts on their way: what a session's messages state, with vectors and categories, before anything is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.context import Context
from engine.annotation import Act, Reading, categorise, fact_id, make_facts, told_again
from engine.audience import Audience
from engine.ids import CategoryName, PersonId
from engine.items import RawFact, RawMessage
from engine.people import People
from engine.policy import UNAUTHORISED, Policy


@dataclass(slots=True)
class Draft:
    """A fact on its way, with its words for the index and the category its teller named."""

    fact: RawFact
    terms: tuple[str, ...]
    about: tuple[str, ...]
    hint: str | None
    correction: bool
    vector: bytes = b""


async def drafts_of(
    context: Context,
    policy: Policy,
    people: People,
    messages: Sequence[RawMessage],
    readings: Sequence[Reading],
) -> list[Draft]:
    """The facts of these messages, which were read so, each with its vector and category."""
    drafts = _of_messages(context, people, messages, readings)
    await _categorise(context, policy, drafts)
    _share_category(drafts, messages, readings)
    return drafts


def _of_messages(
    context: Context, people: People, messages: Sequence[RawMessage], readings: Sequence[Reading]
) -> list[Draft]:
    """Facts of all messages; the same words by the same teller before the same people are one fact, of several sources."""
    drafts: dict[tuple[PersonId, Audience, str], Draft] = {}
    for message, reading in zip(messages, readings, strict=True):
        if reading.act is Act.QUESTION and not reading.statements:
            continue
        statements = (*reading.statements, *reading.covers)
        for fact, statement in zip(make_facts(message, reading, people), statements, strict=True):
            key = (fact.teller, fact.audience, " ".join(fact.text.split()))
            if key in drafts:
                drafts[key].fact = told_again(drafts[key].fact, fact)
                continue
            terms = context.reader.tokens(fact.text)
            day = set(context.reader.tokens(statement.when.phrase)) if statement.when else set()
            about = tuple(t for t in terms if t not in day and not t.isdigit())
            drafts[key] = Draft(fact, terms, about, statement.hint, statement.correction)
    return list(drafts.values())


async def _categorise(context: Context, policy: Policy, drafts: list[Draft]) -> None:
    """Vectors and category suggestions, computed beside the event loop."""
    texts = [draft.fact.text for draft in drafts]
    if not texts:
        return
    vectors = await context.embedder.passages(texts)
    opinions = await context.categoriser.suggest(texts, policy.categories)
    known = frozenset(c.name for c in policy.categories) - {UNAUTHORISED}
    for draft, vector, found in zip(drafts, vectors, opinions, strict=True):
        draft.vector = vector
        hint = None if draft.hint is None else _named(policy, draft.hint)
        draft.fact = categorise(draft.fact, found, hint, known)


def _share_category(
    drafts: Sequence[Draft], messages: Sequence[RawMessage], readings: Sequence[Reading]
) -> None:
    """A clause that fits no category by itself takes that of the one it is the reason or the limit of."""
    by_id = {draft.fact.id: draft for draft in drafts}
    for message, reading in zip(messages, readings, strict=True):
        for join in reading.joins:
            pair = [by_id.get(fact_id(message, n)) for n in (join.left, join.right)]
            for one, other in (pair, pair[::-1]):
                if one and other and one.fact.category is None and other.fact.category is not None:
                    opinions = other.fact.suggestions
                    one.fact = replace(one.fact, category=other.fact.category, suggestions=opinions)


def _named(policy: Policy, hint: str) -> CategoryName | None:
    wanted = hint.casefold()
    for category in policy.categories:
        if wanted in {category.name.casefold(), category.name.split("-", maxsplit=1)[0].casefold()}:
            return category.name
    return None

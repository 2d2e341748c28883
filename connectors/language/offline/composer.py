"""`OfflineComposer`: words a reply from a sealed context, without a model.

It quotes tellers and adds nothing: who said it, when, and which day "tomorrow" was. It never says that this is all,
nor that there is more.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from connectors.language.offline import question_units, reply_words
from connectors.language.offline.index_terms import tokens
from connectors.language.offline.relevance import ANSWERS, relevance
from connectors.language.offline.topics import SPEAKS, speaks_of, topics_asked
from engine.annotation import Query
from engine.ids import FactId
from engine.items import LinkKind
from engine.sealed_context import ContextFact, SealedContext

MOST: Final = 5
"""Facts a reply tells at most; the latest, or those that answer best."""


class OfflineComposer:
    """`engine.ports.Composer` by rule: deterministic, its whole input the sealed context."""

    def compose(self, context: SealedContext) -> tuple[str, tuple[FactId, ...]]:
        """Word a reply, with the facts it tells; an empty string when nothing in the context answers the question."""
        zone = _zone(context.zone)
        query = question_units.ask(context.question, context.now, zone, _owner_names(context.owner_name))
        chosen = _with_reasons(_chosen(context, query, zone), context)
        if not chosen:
            return "", ()
        joined = {(left, kind, right) for left, kind, right in context.edges}
        text = reply_words.reply(chosen, joined, context, zone)
        return text, tuple(fact.id for fact in chosen)


def _owner_names(name: str) -> tuple[str, ...]:
    """Names that are no topic: the owner's, and Tact's own, by which it is called in a room."""
    return ("Tact", name) if name else ("Tact",)


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def _chosen(context: SealedContext, query: Query, zone: tzinfo) -> list[ContextFact]:
    """The facts that speak to the question, in the order of the story."""
    if query.wide:
        pool = [f for f in context.facts if query.when is None or _same_day(f, query, zone)]
        picked = sorted(pool, key=lambda f: (f.said_at, f.node))[-MOST:]
    else:
        scored = [(_score(fact, query, zone), fact) for fact in context.facts]
        answering = [(score, fact) for score, fact in scored if score >= ANSWERS]
        picked = [
            f
            for _, f in sorted(answering, key=lambda s: (-s[0], -s[1].said_at.timestamp(), s[1].node))[:MOST]
        ]
    return sorted(picked, key=lambda f: f.node)


def _score(fact: ContextFact, query: Query, zone: tzinfo) -> float:
    # "What did Bob say?" is about what Bob told, so the teller's name counts as a word of the fact.
    said = (*tokens(fact.text), *tokens(fact.teller_name))
    score = relevance(
        query, said, fact.similarity, same_day=query.when is not None and _same_day(fact, query, zone)
    )
    return max(score, SPEAKS) if speaks_of(fact.text, topics_asked(query)) else score


def _same_day(fact: ContextFact, query: Query, zone: tzinfo) -> bool:
    if fact.when is None or query.when is None:
        return False
    return fact.when.astimezone(zone).date() == query.when.at.astimezone(zone).date()


def _with_reasons(chosen: Sequence[ContextFact], context: SealedContext) -> list[ContextFact]:
    """The chosen facts, and the reasons that surviving edges give for them."""
    nodes = {fact.node for fact in chosen}
    reasons = {right for left, kind, right in context.edges if left in nodes and kind is LinkKind.BECAUSE}
    return [fact for fact in context.facts if fact.node in nodes | reasons]

"""What somebody would be told in a direct chat now. Nothing is sent, and nothing is recorded."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

from bot.context import Context, owner_names, zone_of
from bot.owner.queries.acquaintances import seen_of
from bot.owner.queries.remembered import direct_place
from bot.owner.queries.traces import Withheld, shown_of, withheld_items
from bot.owner.queries.units import JudgedUnit, judged_units
from bot.owner.queries.values import Value
from bot.turn.answer import names_for
from bot.turn.recall import recall, withheld
from engine.ids import ContainerId, FactId, MessageId, PersonId, TurnId
from engine.people import People
from engine.policy import Policy
from engine.retrieval import search_for
from engine.sealed_context import SealedContext, seal
from engine.store import Transaction
from engine.storyline import project
from engine.viewers import ChatKind


@dataclass(frozen=True, slots=True)
class Preview(Value):
    """A question, as somebody would ask it.

    Args:
        reply: what they would be told; empty until it is worded, and if it is the deflection.
        deflection: what they are told if nothing may be, or nothing fits.
        inside: what the reply is worded from.
    """

    person: PersonId
    question: str = field(repr=False)
    deflection: str = field(repr=False)
    withheld: tuple[Withheld, ...]
    units: tuple[JudgedUnit, ...]
    inside: tuple[FactId, ...]
    reply: str = field(default="", repr=False)

    @property
    def told(self) -> tuple[FactId, ...]:
        """What the reply may hold, and what is shown to be withheld."""
        return (*self.inside, *shown_of(self.withheld))


async def preview(
    tx: Transaction, context: Context, policy: Policy, people: People, person: PersonId, question: str
) -> tuple[Preview, SealedContext]:
    """Recall, judge and seal as for a direct chat; `worded` says what becomes of it, and needs no transaction."""
    place = direct_place(person, await _direct_chat(tx, people, person))
    now = context.clock.now()
    query = await context.reader.ask(question, now, zone_of(policy), owner_names(policy, people))
    vector = await context.embedder.query(question)
    search = search_for(query, context.reader.tokens(question), vector, context.embedder.name)
    found = await recall(tx, policy, place, search, query, current=MessageId(""))
    sealed = seal(
        turn=TurnId("preview"),
        language=query.language,
        owner_name=policy.owner_name,
        zone=policy.timezone,
        now=context.clock.now(),
        asker=people.called(person),
        to_owner=False,
        question=query.text,
        projection=project(found.facts, found.links),
        ranks=found.ranks,
        names=names_for(policy, people),
        graph=found.graph,
        recent=found.recent,
        viewers=place.upper,
        policy_version=policy.version,
    )
    held = await withheld(tx, context, policy, place, search, query)
    known = Preview(
        person,
        question,
        context.lines.line("deflection", query.language, policy.lines, policy.owner_name),
        await withheld_items(tx, [(d.item, str(d.verdict.reason), d.viewer or "") for d in held]),
        await judged_units(tx, context, query, place, policy),
        (*(f.id for f in sealed.facts), *(FactId(m.id) for _, m in sealed.recent)),
    )
    return known, sealed


async def _direct_chat(tx: Transaction, people: People, person: PersonId) -> ContainerId | None:
    """Their direct chat, whose recent messages count as well."""
    kinds = {chat.id: chat.kind for chat in await tx.chats()}
    places = (c for s in seen_of(person, people) for c in s.containers)
    return next((c for c in places if kinds.get(c) == ChatKind.DIRECT), None)


async def worded(context: Context, known: Preview, sealed: SealedContext) -> Preview:
    """The same with the reply, as the composer words it; none if it would be the deflection."""
    if sealed.empty:
        return known
    text, _ = await asyncio.to_thread(context.composer.compose, sealed)
    return replace(known, reply=text)

"""A question in units, each with a verdict (Case 3): for the owner's eyes in `/preview` and `/why`.

Nothing of this is near a prompt: it is worked out after a reply, or instead of one, and adds nothing to what anybody is told.
The judge of entailment is here, on this machine: a fact speaks to a unit if it is relevant enough to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.context import Context, zone_of
from bot.owner.queries.values import Value
from engine.annotation import Query
from engine.coreference import Unit, admissible_facts, case3
from engine.disclosure import Reason, persons_to_ask
from engine.ids import OWNER, PersonId
from engine.items import RawFact
from engine.policy import Policy
from engine.release import Place
from engine.retrieval import search_for
from engine.store import Scope, Transaction

_EVIDENCE = 24


@dataclass(frozen=True, slots=True)
class JudgedUnit(Value):
    """One unit of a question: whether everybody there may hear the answer; the person who decides it, and why."""

    text: str = field(repr=False)
    allowed: bool
    person: PersonId
    reason: Reason


async def judged_units(
    tx: Transaction, context: Context, query: Query, place: Place, policy: Policy
) -> tuple[JudgedUnit, ...]:
    """The units of a question, judged for a place by a policy.

    A question that names nothing in particular has no units to speak of. The first who may not hear the answer decides;
    else the last who may.
    """
    if query.wide:
        return ()
    units = [Unit(text, await _evidence(tx, context, query, text, place, policy)) for text in query.units]
    facts = [fact for unit in units for fact in unit.evidence]
    persons: Sequence[PersonId] = persons_to_ask(facts, place.upper, policy)
    persons = [p for p in persons if p != OWNER] or [OWNER]
    verdicts = {person: case3(units, person, policy) for person in persons}
    judged = []
    for n, unit in enumerate(units):
        person = next((p for p in persons if not verdicts[p][n].allowed), persons[-1])
        verdict = verdicts[person][n]
        judged.append(JudgedUnit(unit.text, verdict.allowed, person, verdict.reason))
    return tuple(judged)


async def _evidence(
    tx: Transaction, context: Context, query: Query, text: str, place: Place, policy: Policy
) -> tuple[RawFact, ...]:
    """`E(u)`: the facts that speak to this unit, of those that pass layer 1 here."""
    own = await context.reader.ask(text, context.clock.now(), zone_of(await tx.policy()))
    unit = query if own.wide else own
    vector = await context.embedder.query(unit.text)
    search = search_for(unit, context.reader.tokens(unit.text), vector, context.embedder.name)
    hits = await tx.search(search, Scope(place.upper), _EVIDENCE)
    near = [
        h.fact for h in hits if context.speaks_to(unit, context.reader.tokens(h.fact.text), h.rank.similarity)
    ]
    return admissible_facts(near, place, policy)

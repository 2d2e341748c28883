"""A question in units, each with a verdict (Case 3): for the owner's eyes in `/preview` and `/why`.

Nothing of this is near a prompt: it is worked out after a reply, or instead of one, and adds nothing to what anybody is told.
The judge of entailment is here, on this machine: a fact speaks to a unit if it is relevant enough to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.context import zone_of
from bot.owner.commands.args import one_line
from bot.owner.commands.persons import shown
from bot.owner.commands.registry import Call
from bot.owner.trace_view import reason_in_words
from engine.annotation import Query
from engine.coreference import Unit, admissible_facts, case3
from engine.disclosure import Verdict, persons_to_ask
from engine.ids import OWNER, PersonId
from engine.items import RawFact
from engine.policy import Policy
from engine.release import Place
from engine.retrieval import search_for
from engine.store import Scope

_EVIDENCE = 24


async def unit_lines(call: Call, query: Query, place: Place, policy: Policy) -> list[str]:
    """One line a unit: whether everybody here may hear the answer, or who may not and why; then the whole.

    A question that names nothing in particular has no units to speak of.
    """
    if query.wide:
        return []
    units = [Unit(text, await _evidence(call, query, text, place, policy)) for text in query.units]
    facts = [fact for unit in units for fact in unit.evidence]
    persons = [p for p in persons_to_ask(facts, place.upper, policy) if p != OWNER] or [OWNER]
    found = {person: case3(units, person, policy) for person in persons}
    lines = [
        _line(call, unit, {p: verdicts[n] for p, verdicts in found.items()}) for n, unit in enumerate(units)
    ]
    if len(units) > 1:
        whole = all(verdict.allowed for verdicts in found.values() for verdict in verdicts)
        lines.append(call.say("unit.whole" if whole else "unit.not_whole"))
    return lines


async def _evidence(call: Call, query: Query, text: str, place: Place, policy: Policy) -> tuple[RawFact, ...]:
    """`E(u)`: the facts that speak to this unit, of those that pass layer 1 here."""
    context = call.context
    own = await context.reader.ask(text, context.clock.now(), zone_of(call.policy))
    unit = query if own.wide else own
    vector = await context.embedder.query(unit.text)
    search = search_for(unit, context.reader.tokens(unit.text), vector, context.embedder.name)
    hits = await call.tx.search(search, Scope(place.upper), _EVIDENCE)
    near = [
        h.fact for h in hits if context.speaks_to(unit, context.reader.tokens(h.fact.text), h.rank.similarity)
    ]
    return admissible_facts(near, place, policy)


def _line(call: Call, unit: Unit, verdicts: dict[PersonId, Verdict]) -> str:
    """The first who may not hear it decides; else the reason of the last who may."""
    denied: Sequence[PersonId] = [person for person, verdict in verdicts.items() if not verdict.allowed]
    person = denied[0] if denied else list(verdicts)[-1]
    return call.say(
        "unit.denied" if denied else "unit.allowed",
        unit=one_line(unit.text, 80),
        who=shown(call, person),
        reason=reason_in_words(str(verdicts[person].reason), call.language),
    )

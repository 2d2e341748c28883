"""What Tact answers to the three tasks of a script, by the calculus alone: no answer of the script is at hand here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.bench.disclosure_facts import person_of, suggest, unmatched
from bot.bench.disclosure_script import Plain
from connectors.language.offline.categoriser import OfflineCategoriser
from engine.bundles import case2
from engine.coreference import Unit, admissible_facts, case3, fully_disclosable
from engine.disclosure import case1
from engine.ids import OWNER, ContainerId, PersonId
from engine.items import RawFact
from engine.policy import Policy
from engine.release import Place, judge_fact
from engine.viewers import Known

Prediction = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Gate:
    """The calculus over a script's facts: layer 2 alone as in the paper, or both layers as in a turn."""

    policy: Policy
    facts: Mapping[str, RawFact]
    presence: bool

    def one(self, fact: str, person: PersonId) -> bool:
        """One fact, Case 1."""
        if self.presence:
            return judge_fact(self.facts[fact], _direct(person), self.policy).verdict.allowed
        return case1(self.facts[fact], person, self.policy).allowed

    def together(self, facts: Sequence[str], person: PersonId) -> bool:
        """Several facts in one piece, Case 2; what is not admissible by itself is not so in company."""
        bundle = [self.facts[fact] for fact in facts]
        if self.presence and len(self._admissible(facts, person)) < len(bundle):
            return False
        return case2(bundle, person, self.policy).allowed

    def question(self, units: Sequence[Sequence[str]], person: PersonId) -> bool:
        """A question in units, Case 3, over admissible evidence."""
        evidence = [self._admissible(facts, person) for facts in units]
        return fully_disclosable(case3([Unit("", found) for found in evidence], person, self.policy))

    def _admissible(self, facts: Sequence[str], person: PersonId) -> tuple[RawFact, ...]:
        found = tuple(self.facts[fact] for fact in facts)
        return admissible_facts(found, _direct(person), self.policy) if self.presence else found


def _direct(person: PersonId) -> Place:
    return Place(Known(frozenset({OWNER, person})), ContainerId(f"direct:{person}"))


def predict(script: Plain, gate: Gate, categoriser: OfflineCategoriser) -> list[Prediction]:
    """One object an item, in the order of the script; of Task 3 one for each audience."""
    return [*_task1(script, gate.policy, categoriser), *_task2(script, gate), *_task3(script, gate)]


def _task1(script: Plain, policy: Policy, categoriser: OfflineCategoriser) -> list[Prediction]:
    """Categories as Tact's own annotators see them, whatever annotations the script comes with."""
    texts = {fact["id"]: fact["text"] for fact in script["facts"]}
    items = script["task1"]
    found = suggest(script, [texts[item["fact"]] for item in items], policy, categoriser)
    levels = {c["id"]: c["levels"] for c in script["policy"]["categories"]}
    rows = []
    for item, (category, _) in zip(items, found, strict=True):
        name = category or unmatched(script)
        rows.append({"id": item["id"], "task": 1, "category": name, "levels": levels.get(name or "", ["L0"])})
    return rows


def _task2(script: Plain, gate: Gate) -> list[Prediction]:
    rows = []
    for item in script["task2"]:
        named = {c["letter"]: c["contact"] for c in item["candidates"]}
        told = [letter for letter, who in named.items() if who and _may_hear(item, gate, person_of(who))]
        letters = told or [letter for letter, who in named.items() if not who]
        rows.append({"id": item["id"], "task": 2, "contacts": [named[x] for x in told], "letters": letters})
    return rows


def _may_hear(item: Plain, gate: Gate, person: PersonId) -> bool:
    if "units" in item:
        return gate.question([unit["evidence"] for unit in item["units"]], person)
    facts = item["facts"]
    return gate.one(facts[0], person) if len(facts) == 1 else gate.together(facts, person)


def _task3(script: Plain, gate: Gate) -> list[Prediction]:
    return [
        {
            "id": item["id"],
            "task": 3,
            "receiver": one["receiver"],
            "used": [fact for fact in item["pool"] if gate.one(fact, person_of(one["receiver"]))],
        }
        for item in script["task3"]
        for one in item["audiences"]
    ]

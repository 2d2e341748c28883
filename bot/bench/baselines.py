"""Simpler policies, executable, judged by the same checker: each shows a boundary that it lacks.

They work on a suite's own items, each with the audience it came with, and are blind where their name says. What they
put into a context is written as bytes, and searched as the real one is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.bench.observing import Observed, found_in
from bot.bench.scenario import (
    OWNER_NAME,
    Ask,
    Event,
    Scenario,
    account_of,
    audience_of,
    joint,
    person_of,
)
from bot.bench.scoring import Judged, judge, score
from engine.audience import Audience, admissible, derived_audience
from engine.viewers import Viewers, viewers


@dataclass(frozen=True, slots=True)
class Entry:
    """An item as a simple policy sees it.

    `listed` is the audience it came with: a seed's own, and for a message the members that its event listed, taken at
    face value.
    """

    id: str
    store: str
    listed: Audience
    text: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """Which entries a policy puts into the context of a turn; `lacks` says what it does not look at."""

    name: str
    lacks: str
    lets: Callable[[Entry, Ask], bool]


def see(ask: Ask | Event) -> Viewers:
    """Who is there, as the engine derives it from the evidence."""
    owner = {account_of(OWNER_NAME): person_of(OWNER_NAME)}
    return viewers(ask.evidence.as_roster(ask.sender), owner)


def _one_store(entry: Entry, ask: Ask) -> bool:
    return entry.store == "longterm" and admissible(see(ask).upper, entry.listed)


def _per_user_tag(entry: Entry, ask: Ask) -> bool:
    return person_of(ask.sender) in entry.listed


def _per_channel_silo(entry: Entry, ask: Ask) -> bool:
    roster = ask.evidence.roster
    return entry.listed.everyone or (roster is not None and entry.listed == audience_of(roster))


BASELINES = (
    Baseline("unscoped", "any boundary: one memory, told to whoever asks", lambda entry, ask: True),
    Baseline("one_store", "the other stores: the audience rule over long-term memory alone", _one_store),
    Baseline("per_user_tag", "the other people present: only the asker is looked up", _per_user_tag),
    Baseline(
        "per_channel_silo",
        "proof that the member list is right, and what the same people may hear elsewhere",
        _per_channel_silo,
    ),
    Baseline("nothing", "any answer: it tells nobody anything", lambda entry, ask: False),
)


def play(policy: Baseline, scenarios: Sequence[Scenario]) -> list[Judged]:
    """Judge a simple policy as the real run is judged, by the bytes it would put into a context."""
    return judge(scenarios, [_observe(policy, scenario) for scenario in scenarios])


def compare(scenarios: Sequence[Scenario]) -> dict[str, dict[str, object]]:
    """Every baseline over a suite, each with the first scenario that shows what it lacks."""
    return {policy.name: _summary(policy, play(policy, scenarios)) for policy in BASELINES}


def _summary(policy: Baseline, judged: Sequence[Judged]) -> dict[str, object]:
    total = score(judged)
    leaking = next((j for j in judged if j.leaked), None)
    blocking = next((j for j in judged if j.missed), None)
    shown = leaking or blocking
    return {
        "required_kept": total.required_kept if judged else None,
        "forbidden_included": total.forbidden_included if judged else None,
        "lacks": policy.lacks,
        "boundary": shown.scenario.id if shown else None,
    }


def _observe(policy: Baseline, scenario: Scenario) -> Observed:
    told = [e.text for e in entries(scenario) if policy.lets(e, scenario.turn)]
    plain = {"question": scenario.turn.query, "story": told}
    payload = json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    included = found_in(payload, scenario.item_ids, scenario.turn.query)
    return Observed(scenario.id, "", None, included, {}, {}, payload, "")


def entries(scenario: Scenario) -> list[Entry]:
    """The items of a scenario with the audiences they came with; a derived one has what its sources leave."""
    listed = {event.id: _at_face_value(event) for event in scenario.events}
    left = list(scenario.seeds)
    while left:
        seed = next(s for s in left if set(s.derived_from) <= set(listed))
        left.remove(seed)
        if seed.derived_from or seed.audience is None:
            listed[seed.id] = joint(seed.audience, derived_audience(listed[i] for i in seed.derived_from))
        else:
            listed[seed.id] = seed.audience
    texts = {seed.id: seed.text for seed in scenario.seeds} | {e.id: e.text for e in scenario.events}
    return [Entry(i, scenario.path_of(i), listed[i], texts[i]) for i in scenario.item_ids]


def _at_face_value(event: Event) -> Audience:
    return audience_of((event.evidence.roster or frozenset()) | {event.sender})

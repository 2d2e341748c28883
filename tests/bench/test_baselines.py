"""Simpler policies fall short by the published figures, and the checker sees whatever is told."""

from __future__ import annotations

import pytest

from bot.bench.baselines import BASELINES, Baseline, compare, play
from bot.bench.generate import generate
from bot.bench.scoring import score


@pytest.mark.parametrize(
    ("policy", "kept", "told"),
    [
        ("unscoped", 79, 79),
        ("one_store", 76, 0),
        ("per_user_tag", 79, 28),
        ("per_channel_silo", 73, 4),
        ("nothing", 0, 0),
    ],
)
def test_falls_short_of_the_core_suite_by_the_published_figures(policy, kept, told, scenarios_of):
    found = compare(scenarios_of(generate("core")))[policy]
    assert (found["required_kept"], found["forbidden_included"]) == (kept, told)


@pytest.mark.parametrize("policy", BASELINES, ids=lambda policy: policy.name)
def test_is_shown_with_a_scenario_that_it_fails(policy, scenarios_of):
    scenarios = scenarios_of([*generate("core"), *generate("extension")])
    found = compare(scenarios)[policy.name]
    shown = next(j for j in play(policy, scenarios) if j.scenario.id == found["boundary"])
    assert shown.leaked or shown.missed
    assert found["lacks"]


def test_the_checker_counts_every_item_that_a_broken_policy_tells(scenarios_of):
    scenarios = scenarios_of(generate("extension"))
    forbidden = {i for s in scenarios for i in s.expected.forbidden}
    broken = Baseline("inverted", "everything", lambda entry, ask: entry.id in forbidden)
    total = score(play(broken, scenarios))
    assert total.forbidden_included == total.forbidden_total == len(forbidden)
    assert total.required_kept == 0
    assert total.short


def test_one_item_too_many_is_one_leak(scenarios_of):
    scenarios = scenarios_of(generate("core"))
    required = {i for s in scenarios for i in s.expected.required}
    one = scenarios[3].expected.forbidden[0]
    almost = Baseline("almost", "one boundary", lambda entry, ask: entry.id in required | {one})
    found = play(almost, scenarios)
    assert score(found).forbidden_included == 1
    assert [j.leaked for j in found if j.leaked] == [(one,)]


def test_says_nothing_of_figures_where_nothing_is_said_to_be_due(lines_of, scenarios_of):
    bare = [{k: v for k, v in line.items() if k != "expected"} for line in lines_of("core")]
    found = compare(scenarios_of(bare))["unscoped"]
    assert (found["required_kept"], found["forbidden_included"], found["boundary"]) == (None, None, None)

"""The generated suites have the shape that is published, and what is due follows from the rule, derived here anew."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.bench.generate import generate
from engine.errors import BadInput

FAMILIES = {
    "core": {
        "owner_private_pressure": 8,
        "exact_one_to_one": 8,
        "exact_group": 8,
        "directional_cross_channel": 4,
        "trusted_canonical_shared": 4,
        "ambiguous_viewer": 6,
        "mixed_inbound": 6,
        "adversarial_boundary": 8,
        "negative_control": 10,
        "public_access": 5,
        "write_admission": 4,
        "temporal_order": 4,
        "optional_recall": 4,
    },
    "extension": {
        "x_forged_metadata": 12,
        "x_stale_labels": 10,
        "x_multi_hop": 12,
        "x_overlapping": 16,
        "x_graph_seeded": 12,
        "x_write_measured": 14,
    },
}


@pytest.mark.parametrize("suite", ["core", "extension"])
def test_has_the_published_number_of_scenarios_in_each_family(suite):
    assert Counter(line["family"] for line in generate(suite)) == FAMILIES[suite]
    assert len({line["id"] for line in generate(suite)}) == sum(FAMILIES[suite].values())


@pytest.mark.parametrize(
    ("suite", "required", "forbidden", "closed", "writes", "refused"),
    [("core", 79, 79, 16, 4, 2), ("extension", 136, 154, 11, 14, 6)],
)
def test_has_the_published_totals(suite, required, forbidden, closed, writes, refused):
    due = [line["expected"] for line in generate(suite)]
    assert sum(len(d["required"]) for d in due) == required
    assert sum(len(d["forbidden"]) for d in due) == forbidden
    assert sum(d["fail_closed"] for d in due) == closed
    assert sum(len(d["writes"]) for d in due) == writes
    assert sum(w == "refused" for d in due for w in d["writes"].values()) == refused


def test_is_the_same_each_time():
    assert generate("core") == generate("core")
    assert generate("extension") == generate("extension")


def test_an_unknown_suite_is_named_with_those_there_are():
    with pytest.raises(BadInput, match="core, extension"):
        generate("more")


def rule(evidence, sender):
    """Who can read, by the suite's rule: a set of names, or None if it is not established."""
    roster = evidence["roster"]
    if evidence["kind"] not in {"private", "direct", "group"} or roster is None:
        return None
    present = set(roster) | {"owner"}
    fresh = evidence["roster_version"] >= evidence["membership_version"]
    agree = sender in roster and set(evidence["observed"]) <= set(roster)
    size = {"private": present == {"owner"}, "direct": len(present) == 2, "group": len(present) > 1}
    return present if fresh and agree and size[evidence["kind"]] else None


def admitted(line, viewers):
    """The items that may be in the context, by the suite's rule."""
    audiences = {}
    for event in line["inbound"]:
        audiences[event["id"]] = rule(event["evidence"], event["sender"]) or set()
    for seed in line["seeds"]:
        own = seed["audience"]
        sources = [audiences[i] for i in seed["derived_from"]]
        assert own is not None or sources
        parts = sources + ([own if own == "*" else set(own)] if own is not None else [])
        sets = [p for p in parts if p != "*"]
        audiences[seed["id"]] = set.intersection(*sets) if sets else "*"
    return {i for i, a in audiences.items() if a == "*" or (viewers is not None and viewers <= a)}


@pytest.mark.parametrize("line", [*generate("core"), *generate("extension")], ids=lambda line: line["id"])
def test_what_is_due_follows_from_the_rule(line):
    due, turn = line["expected"], line["turn"]
    viewers = rule(turn["evidence"], turn["sender"])
    items = {i["id"] for i in (*line["seeds"], *line["inbound"])}
    assert set(due["required"]) == admitted(line, viewers)
    assert set(due["forbidden"]) == items - admitted(line, viewers)
    assert due["viewers"] == (sorted(viewers) if viewers else None)
    assert due["fail_closed"] == (viewers is None)
    for event in line["inbound"]:
        heard = rule(event["evidence"], event["sender"])
        assert due["writes"][event["id"]] == (sorted(heard) if heard else "refused")

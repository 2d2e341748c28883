"""A suite's reader: liberal about what it does not know, strict about what decides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.bench.reading import read_line, read_suite
from bot.cli.app import run as tact
from engine.audience import EVERYONE, OWNER_ONLY
from engine.errors import BadInput


def line_with(lines_of, change):
    [line] = lines_of("core", "exact_one_to_one")
    change(line)
    return json.dumps(line)


def test_keys_that_it_does_not_know_change_nothing(lines_of):
    plain = read_line(line_with(lines_of, lambda line: None), "here")

    def more(line):
        for part in (line, line["seeds"][0], line["turn"], line["turn"]["evidence"], line["expected"]):
            part["extra"] = {"audience": "*"}

    assert read_line(line_with(lines_of, more), "here") == plain


FAULTS = [
    (lambda line: line.pop("id"), "id is not a text"),
    (lambda line: line.pop("turn"), "turn is not an object"),
    (lambda line: line["turn"].pop("sender"), r"turn\.sender is not a text"),
    (
        lambda line: line["turn"]["evidence"].update(roster="alice"),
        r"turn\.evidence\.roster is not a list of names",
    ),
    (
        lambda line: line["turn"]["evidence"].update(roster=["*"]),
        r"turn\.evidence\.roster is not a list of names",
    ),
    (
        lambda line: line["turn"]["evidence"].update(roster_version="9"),
        "roster_version is not a whole number",
    ),
    (lambda line: line["seeds"][0].pop("audience"), r"seeds\[0\]\.audience is not given"),
    (lambda line: line["seeds"][0].update(audience="everybody"), r"seeds\[0\]\.audience is not a list"),
    (lambda line: line["seeds"][0].update(audience=["alice", 3]), r"seeds\[0\]\.audience is not a list"),
    (
        lambda line: line["seeds"][0].update(store="cloud"),
        r"seeds\[0\]\.store is not one of recent, longterm",
    ),
    (lambda line: line["seeds"][0].update(at="noon"), r"seeds\[0\]\.at is not a time"),
    (lambda line: line["seeds"][0].update(at=True), r"seeds\[0\]\.at is not a time"),
    (lambda line: line["seeds"][0].update(derived_from=["nowhere"]), "derived_from: no item 'nowhere'"),
    (lambda line: line["seeds"][0].update(derived_from=[line["seeds"][0]["id"]]), "derived from itself"),
    (lambda line: line["seeds"].append(line["seeds"][0]), "is there twice"),
    (lambda line: line["expected"].update(mode="closed"), r"expected\.mode is not one of"),
    (lambda line: line["expected"].update(required=["nowhere"]), "required: no item 'nowhere'"),
    (lambda line: line["expected"].update(required=line["expected"]["forbidden"]), "required and forbidden"),
    (lambda line: line["expected"].update(writes={"nowhere": "refused"}), "writes: no event 'nowhere'"),
    (lambda line: line["expected"].update(fail_closed="no"), "fail_closed is not true or false"),
]


@pytest.mark.parametrize(("change", "words"), FAULTS, ids=[words for _, words in FAULTS])
def test_what_decides_is_checked_and_named_with_its_place(change, words, lines_of):
    with pytest.raises(BadInput, match=words) as fault:
        read_line(line_with(lines_of, change), "suite.jsonl:7")
    assert str(fault.value).startswith("suite.jsonl:7: ")


def test_the_command_names_file_and_line_and_ends_with_2(suite_file, lines_of, capsys):
    file = suite_file(lines_of("core", "exact_group", each=2))
    file.write_text(file.read_text("utf-8") + "{broken\n", "utf-8")
    assert tact(["bench", "audience", "--suite", str(file)]) == 2
    assert f"{file}:3: this is not JSON" in capsys.readouterr().err


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_an_empty_suite_is_no_suite(content, tmp_path):
    (tmp_path / "empty.jsonl").write_text(content)
    with pytest.raises(BadInput, match="no scenario"):
        read_suite(tmp_path / "empty.jsonl")


def test_a_missing_or_unreadable_file_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"none\.jsonl"):
        read_suite(tmp_path / "none.jsonl")
    (tmp_path / "bytes.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match="UTF-8"):
        read_suite(tmp_path / "bytes.jsonl")


def test_the_same_scenario_twice_is_a_fault(suite_file, lines_of):
    with pytest.raises(BadInput, match=r":2: scenario .* is there twice"):
        read_suite(suite_file(lines_of("core", "exact_group") * 2))


def test_a_line_may_hold_other_line_ends(suite_file, lines_of):
    [line] = lines_of("core", "exact_group")
    line["turn"]["query"] = "one\u2028two\x85three"
    [scenario] = read_suite(suite_file([line]))
    assert scenario.turn.query == "one\u2028two\x85three"


def test_no_evidence_is_a_place_of_unknown_kind(lines_of):
    scenario = read_line(line_with(lines_of, lambda line: line["turn"].pop("evidence")), "here")
    assert scenario.turn.evidence.kind == "unknown"


def test_a_version_that_is_null_is_older_than_any(lines_of):
    def change(line):
        line["turn"]["evidence"].update(roster_version=None, membership_version=0)

    evidence = read_line(line_with(lines_of, change), "here").turn.evidence
    assert evidence.roster_version < evidence.membership_version


def test_an_item_without_its_marker_gets_it(lines_of):
    scenario = read_line(line_with(lines_of, lambda line: line["seeds"][0].update(text="Bare.")), "here")
    seed = scenario.seeds[0]
    assert seed.text == f"@@fact:{seed.id}@@ Bare."
    assert seed.words == "Bare."


@pytest.mark.parametrize(("given", "audience"), [("*", EVERYONE), ("public", EVERYONE), ([], OWNER_ONLY)])
def test_everybody_has_two_names_and_nobody_is_the_owner(given, audience, lines_of):
    scenario = read_line(line_with(lines_of, lambda line: line["seeds"][0].update(audience=given)), "here")
    assert scenario.seeds[0].audience == audience


def test_the_example_in_the_docs_is_one(judged):
    text = (Path(__file__).parents[2] / "docs" / "results.md").read_text("utf-8")
    [found] = judged([json.loads(text.partition("```json")[2].partition("```")[0])])
    assert found.faults == []

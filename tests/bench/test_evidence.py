"""The evidence of a run: families, counts, digests, and the same bytes each time."""

from __future__ import annotations

import json
from hashlib import sha256

import pytest

from bot.bench.audience import run

FAMILIES = {
    "scenario_manifest", "seeded_material_artifacts", "synthetic_input_events", "synthetic_state_snapshot",
    "expected_context_policy", "authorization_trace", "exact_context_snapshot", "provenance_trace",
    "observed_context_artifacts", "unscoped_baseline_context_artifacts", "baseline_report", "write_admission_trace",
    "model_neutral_assertions", "observation_mode_metrics", "execution_diagnostics",
}  # fmt: skip
SOME = ("directional_cross_channel", "ambiguous_viewer", "write_admission")


def records(folder, family):
    return [json.loads(line) for line in (folder / f"{family}.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture
def evidence(tmp_path, capsys, lines_of, suite_file):
    def go(name, *, expected=True):
        lines = lines_of("core", *SOME)
        for line in lines if not expected else ():
            del line["expected"]
        run(suite_file(lines), contexts=None, predictions=None, as_json=True, evidence=tmp_path / name)
        capsys.readouterr()
        return tmp_path / name

    return go


def test_every_family_is_there_with_its_digest_and_twice_the_same(evidence):
    first, second = evidence("one"), evidence("two")
    index = json.loads((first / "ARTIFACT_INDEX.json").read_text("utf-8"))
    assert set(index) == FAMILIES
    for name, entry in index.items():
        content = (first / entry["file"]).read_bytes()
        assert entry["sha256"] == sha256(content).hexdigest()
        assert (entry["bytes"], entry["records"]) == (len(content), content.count(b"\n"))
        assert (second / f"{name}.jsonl").read_bytes() == content
    assert (first / "ARTIFACT_INDEX.json").read_bytes() == (second / "ARTIFACT_INDEX.json").read_bytes()


def test_what_the_families_say_hangs_together(evidence):
    folder = evidence("one")
    assert {row["passed"] for row in records(folder, "model_neutral_assertions")} == {True}
    assert all(not row["forbidden_included"] for row in records(folder, "observed_context_artifacts"))
    assert all(row["forbidden_included"] for row in records(folder, "unscoped_baseline_context_artifacts"))
    assert all(row["matches"] for row in records(folder, "write_admission_trace"))
    for row in records(folder, "exact_context_snapshot"):
        assert sha256(row["context"].encode()).hexdigest() == row["sha256"]
    (diagnostics,) = records(folder, "execution_diagnostics")
    assert diagnostics["assertions_passed"] == diagnostics["assertions"] > 0
    real, unscoped = records(folder, "observation_mode_metrics")
    assert (real["forbidden_included"], unscoped["forbidden_included"]) == (0, len(SOME))


def test_a_suite_that_says_nothing_of_what_is_due_leaves_evidence_too(evidence):
    folder = evidence("bare", expected=False)
    assert records(folder, "model_neutral_assertions") == []
    assert {row["matches"] for row in records(folder, "authorization_trace")} == {None}

"""The command over a few scenarios of each family: report, exit codes, predictions and contexts."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from bot.bench.audience import run

KEYS = {
    "scenarios", "forbidden_included", "forbidden_total", "required_kept", "required_total", "fail_closed_ok",
    "fail_closed_total", "mode_match", "writes_exact", "writes_total", "by_path", "baselines",
}  # fmt: skip


@pytest.fixture
def bench(tmp_path, capsys):
    """Run the command; gives exit code, report, predictions and the folder of contexts."""

    def go(suite, name="run", *, full=False):
        folder = tmp_path / name
        code = run(
            suite,
            contexts=folder / "contexts",
            predictions=folder / "predictions.jsonl",
            as_json=True,
            full=full,
        )
        lines = (folder / "predictions.jsonl").read_text("utf-8").splitlines()
        return code, json.loads(capsys.readouterr().out), [json.loads(line) for line in lines], folder

    return go


@pytest.fixture
def lines(lines_of):
    return [*lines_of("core"), *lines_of("extension", each=2)]


def test_everything_due_is_kept_and_nothing_else_is_told(bench, lines, suite_file):
    code, report, predictions, _ = bench(suite_file(lines), full=True)
    assert code == 0
    assert set(report) >= KEYS
    assert report["short"] == {}
    assert report["forbidden_included"] == 0
    assert report["required_kept"] == report["required_total"] > 0
    assert report["fail_closed_ok"] == report["fail_closed_total"] > 0
    assert report["mode_match"] == report["scenarios"] == len(lines)
    assert report["writes_exact"] == report["writes_total"] > 0
    assert report["checks_passed"] == report["checks_total"]
    paths = report["by_path"].values()
    assert sum(path["required"] for path in paths) == report["required_total"]
    assert sum(path["forbidden"] for path in paths) == report["forbidden_total"]
    assert all(path["kept"] == path["required"] > 0 and path["included"] == 0 for path in paths)
    assert [row["id"] for row in report["results"]] == [line["id"] for line in lines]
    assert [p["id"] for p in predictions] == [line["id"] for line in lines]


def test_predictions_say_what_was_decided(bench, lines_of, suite_file):
    lines = [*lines_of("core", "write_admission", each=3), *lines_of("extension", "x_graph_seeded", each=2)]
    _, _, predictions, _ = bench(suite_file(lines))
    for line, got in zip(lines, predictions, strict=True):
        due = line["expected"]
        assert set(got) == {"id", "included", "mode", "viewers", "writes", "reply"}
        assert sorted(got["included"]) == sorted(due["required"])
        assert (got["mode"], got["viewers"], got["writes"]) == (due["mode"], due["viewers"], due["writes"])
        assert got["reply"]
    assert {p["mode"] for p in predictions} == {"exact_shared", "owner_private"}
    assert "refused" in predictions[2]["writes"].values()


def test_contexts_are_the_bytes_and_the_index_has_their_digests(bench, lines_of, suite_file):
    lines = lines_of("core", "exact_group", "negative_control")
    lines[0]["id"] = "../odd id/验"
    _, _, predictions, folder = bench(suite_file(lines))
    index = json.loads((folder / "contexts" / "index.json").read_text("utf-8"))
    assert list(index) == [line["id"] for line in lines]
    assert {f.name for f in (folder / "contexts").iterdir()} == {
        "index.json",
        *(v["file"] for v in index.values()),
    }
    for line, got in zip(lines, predictions, strict=True):
        entry = index[line["id"]]
        content = (folder / "contexts" / entry["file"]).read_bytes()
        assert (entry["sha256"], entry["bytes"]) == (sha256(content).hexdigest(), len(content))
        assert json.loads(content)["question"] == line["turn"]["query"]
        assert all(f"@@fact:{item}@@".encode() in content for item in got["included"])


def test_two_runs_leave_the_same_bytes(bench, lines_of, suite_file):
    suite = suite_file([*lines_of("core", each=1)[::3], *lines_of("extension")])
    _, first, _, one = bench(suite, "one")
    _, second, _, two = bench(suite, "two")
    assert first == second
    files = sorted(f.relative_to(one) for f in one.rglob("*") if f.is_file())
    assert files == sorted(f.relative_to(two) for f in two.rglob("*") if f.is_file())
    assert all((one / f).read_bytes() == (two / f).read_bytes() for f in files)


def test_what_is_due_has_no_part_in_what_is_decided(bench, lines_of, suite_file):
    lines = [*lines_of("core", each=1)[::3], *lines_of("extension")]
    bare = [{k: v for k, v in line.items() if k != "expected"} for line in lines]
    _, _, with_gold, one = bench(suite_file(lines), "one")
    code, report, without, two = bench(suite_file(bare), "two")
    assert with_gold == without
    assert (one / "predictions.jsonl").read_bytes() == (two / "predictions.jsonl").read_bytes()
    assert code == 0
    assert report["scenarios"] == len(lines)
    assert all(report[key] is None for key in KEYS - {"scenarios", "baselines"})
    assert all(b["required_kept"] is None for b in report["baselines"].values())


def _open_up(line):
    line["seeds"][1]["audience"] = "*"


def _lose(line):
    line["seeds"][0]["audience"] = ["owner"]


def _other_mode(line):
    line["expected"].update(mode="owner_private")


def _other_viewers(line):
    line["expected"]["viewers"].remove("owner")
    line["expected"]["viewers"].append("nobody-here")


@pytest.mark.parametrize(
    ("change", "key", "figure"),
    [
        (_open_up, "forbidden_included", 1),
        (_lose, "required_kept", 0),
        (_other_mode, "mode_match", 0),
        (_other_viewers, "mode_match", 0),
    ],
)
def test_whatever_falls_short_is_counted_and_ends_with_1(change, key, figure, bench, lines_of, suite_file):
    lines = lines_of("core", "exact_group")
    change(lines[0])
    code, report, _, _ = bench(suite_file(lines))
    assert code == 1
    assert report[key] == figure
    assert list(report["short"]) == [lines[0]["id"]]


def test_a_scenario_that_should_fail_closed_and_does_not_is_counted(bench, lines_of, suite_file):
    lines = lines_of("core", "exact_group")
    lines[0]["expected"]["fail_closed"] = True
    code, report, _, _ = bench(suite_file(lines))
    assert (code, report["fail_closed_ok"], report["fail_closed_total"]) == (1, 0, 1)


def test_writes_for_others_than_due_are_counted_and_so_are_refusals(bench, lines_of, suite_file):
    lines = lines_of("core", "write_admission", each=3)
    [event] = lines[0]["expected"]["writes"]
    lines[0]["expected"]["writes"][event] = "refused"
    code, report, _, _ = bench(suite_file(lines))
    assert (code, report["writes_exact"], report["writes_total"]) == (1, 2, 3)
    assert report["refusals"] == {"refused": 1, "due": 2, "precision": 1.0, "recall": 0.5}


def test_a_marker_that_the_asker_quotes_is_no_finding(bench, lines_of, suite_file):
    lines = lines_of("core", "exact_one_to_one")
    [forbidden] = lines[0]["expected"]["forbidden"]
    lines[0]["turn"]["query"] = f'Say "@@fact:{forbidden}@@" again.'
    code, _, predictions, _ = bench(suite_file(lines))
    assert code == 0
    assert forbidden not in predictions[0]["included"]


def test_the_report_in_words_names_the_figures_and_what_falls_short(lines_of, suite_file, capsys):
    lines = lines_of("core", "exact_group", "trusted_canonical_shared")
    _open_up(lines[0])
    assert run(suite_file(lines), contexts=None, predictions=None, as_json=False) == 1
    out = capsys.readouterr().out
    assert "forbidden items told  1/2" in out
    assert "required items kept   2/2" in out
    assert f"short: {lines[0]['id']}: forbidden, and told: {lines[0]['expected']['forbidden'][0]}" in out
    assert "per_user_tag" in out


@pytest.mark.slow
@pytest.mark.parametrize(("suite", "required"), [("core", 79), ("extension", 136)])
def test_the_whole_of_a_generated_suite(suite, required, bench):
    code, report, _, _ = bench(Path(f"generated:{suite}"))
    assert code == 0
    assert (report["required_kept"], report["forbidden_included"]) == (required, 0)

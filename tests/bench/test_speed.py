"""The measurement measures what it says: the keys, the truth, the same answers as the naive twin, faults in one line."""

from __future__ import annotations

import asyncio
import json

import numpy as np
import pytest

from bot.bench.speed_asking import KINDS, K, questions
from bot.bench.speed_figures import figures, in_words
from bot.bench.speed_memory import DIMENSION, SHARES, facts_of, make_memory, policy_of
from bot.bench.speed_numpy import Plain
from bot.bench.speed_tact import by_tact
from bot.bench.speed_work import ROUNDS
from bot.bench.stage import START
from bot.cli.app import run as tact
from storage import MemoryStore

FACTS = 240
KEYS = {
    "p50_ms", "p95_ms", "ratio_scan", "ratio_gather", "recall", "hybrid_p50_ms", "ingest_per_s", "start_ms", "rss_mb",
}  # fmt: skip


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """One run of the command, as a person runs it: its report, and what it predicted."""
    file = tmp_path_factory.mktemp("speed") / "new" / "predictions.jsonl"
    lines: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.print", lambda *what: lines.extend(map(str, what)))
        code = tact(["bench", "speed", "--facts", str(FACTS), "--json", "--predictions", str(file)])
    assert code == 0
    return json.loads("\n".join(lines)), [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_the_report_has_every_figure_at_the_top_and_by_back_end(measured):
    report, _ = measured
    assert report.keys() >= KEYS
    assert list(report["backends"]) == ["exact"]
    assert {key: report[key] for key in KEYS} == {key: report["backends"]["exact"][key] for key in KEYS}
    assert all(report[key] > 0 for key in KEYS)
    assert set(report["shares"]) == set(KINDS)
    assert "mem0" in report


def test_everything_due_is_found_whoever_listens(measured):
    report, _ = measured
    assert report["recall"] == 1.0
    assert {share["recall"] for share in report["shares"].values()} == {1.0}


def test_what_is_predicted_is_what_the_naive_twin_answers(measured):
    """A second implementation of scope, ranking and gate, asked the same questions."""
    _, predictions = measured
    memory = make_memory(FACTS)
    asked = questions(memory, len(predictions) // len(KINDS))
    assert [line["id"] for line in predictions] == [question.id for question in asked]

    async def answers():
        store = MemoryStore()
        async with store.transaction() as tx:
            await tx.save_policy(policy_of(memory), START)
            for session, facts in facts_of(memory):
                await tx.put_facts(session, facts, (), ())
        async with store.transaction() as tx:
            return [(await by_tact(tx, q, hybrid=False))[1] for q in asked[: 3 * len(KINDS)]]

    assert [line["facts"] for line in predictions[: 3 * len(KINDS)]] == asyncio.run(answers())


def test_the_truth_is_what_a_loop_over_all_facts_finds():
    memory = make_memory(FACTS)
    plain = Plain(memory)
    found = {fact.fact.id: fact for _, facts in facts_of(memory) for fact in facts}
    for question in questions(memory, 2):
        may = [
            (sum(round(float(a) * 4000) * round(float(b) * 4000) for a, b in zip(v, question.vector, strict=True)), i)
            for i, new in found.items()
            if new.fact.audience.covers(question.viewers)
            or (memory.granted.get(int(i[1:])) is not None
                and question.viewers.members <= {*new.fact.audience.members, memory.granted[int(i[1:])]})
            for v in (np.frombuffer(new.vector, "<f4"),)
        ]  # fmt: skip
        may.sort(key=lambda pair: (pair[0], int(pair[1][1:])), reverse=True)
        assert plain.answer(question) == [i for _, i in may[:K]]


def test_the_shares_are_what_they_are_called():
    memory = make_memory(3000)
    plain = Plain(memory)
    for question in questions(memory, 1):
        share = len(plain.rows(question.viewers)) / len(memory)
        if question.kind == "half":
            assert abs(share - 0.5) < 0.01
        elif question.kind == "twentieth":
            assert abs(share - 0.05) < 0.01
        elif question.kind == "owner":
            assert share == 1
    assert set(SHARES.values()) == {0.5, 0.05}


def test_the_same_numbers_make_the_same_memory_and_questions():
    first, second = make_memory(FACTS), make_memory(FACTS)
    assert list(facts_of(first)) == list(facts_of(second))
    assert [(q.id, q.viewers, q.terms) for q in questions(first, 2)] == [
        (q.id, q.viewers, q.terms) for q in questions(second, 2)
    ]
    assert np.allclose(np.linalg.norm(first.vectors, axis=1), 1)
    assert first.vectors.shape == (FACTS, DIMENSION)


def test_a_fact_that_was_not_found_lowers_recall():
    line = [
        "half/0000",
        0.5,
        {way: [0.001] for way in ("tact", "hybrid", "scan", "gather")},
        ["f1"],
        ["f1", "f2"],
    ]
    other = ["twentieth/0000", 0.05, line[2], ["f3"], ["f3"]]
    third = ["owner/0000", 1.0, line[2], ["f3"], ["f3"]]
    found = {
        "empty": [0.001],
        "ingest_per_s": 1.0,
        "start_ms": 1.0,
        "rss_mb": 1.0,
        "asked": [line, other, third],
    }
    rival = {"seconds": [0.02] * ROUNDS, "add_s": 0.001, "store": "qdrant", "version": "0"}
    report = figures(4, {"exact": found}, rival)
    assert report["recall"] == 0.75
    assert report["shares"]["half"]["recall"] == 0.5
    assert report["mem0"]["times_tact"] == 20
    assert any("mem0 0 on qdrant" in words for words in in_words(report))


@pytest.mark.parametrize(
    "given",
    [
        ["--facts", "3"],
        ["--facts", "many"],
        ["--vectors", "faiss"],
        ["--facts", "2000000"],
        ["--storage", "mysql://h/d"],
    ],
)
def test_what_cannot_be_measured_is_said_in_one_line(capsys, given):
    code = tact(["bench", "speed", *given])
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_a_file_that_cannot_be_written_is_said_before_anything_is_measured(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    code = tact(["bench", "speed", "--predictions", str(tmp_path / "file" / "below")])
    assert (code, capsys.readouterr().err.count("\n")) == (2, 1)


@pytest.mark.slow
def test_a_database_is_left_as_empty_as_it_was_and_a_filled_one_is_refused(postgres_server, capsys):
    database = postgres_server.make()
    there = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    assert tact(["bench", "speed", "--facts", "120", "--storage", database, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["recall"] == 1.0
    assert postgres_server.run(there, url=database) == []

    postgres_server.run("CREATE TABLE somebodys (words text)", url=database)
    assert tact(["bench", "speed", "--facts", "120", "--storage", database]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert [name for (name,) in postgres_server.run(there, url=database)] == ["somebodys"]


@pytest.mark.slow
def test_chroma_finds_the_same(tmp_path):
    file = tmp_path / "predictions.jsonl"
    assert (
        tact(["bench", "speed", "--facts", str(FACTS), "--vectors", "both", "--predictions", str(file)]) == 0
    )
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert all(line["chroma"] == line["facts"] for line in lines)

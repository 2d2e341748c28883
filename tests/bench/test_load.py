"""`tact bench load`: every message is through, and no message takes long turns at the lock."""

from __future__ import annotations

import json

import pytest

from bot.bench.load import run
from engine.errors import BadInput


def test_every_message_is_counted_and_every_question_taken_to_its_end(tmp_path, capsys):
    file = tmp_path / "came.jsonl"
    assert run(2, 6, predictions=file, as_json=True) == 0
    report = json.loads(capsys.readouterr().out)
    came = [json.loads(line) for line in file.read_text().splitlines()]
    assert report["messages"] == len({one["id"] for one in came}) == 12
    assert len([one for one in came if one["asks"]]) == 4
    assert report["questions"] == report["answered"] == 4
    assert 0 < report["transactions_per_message"] <= report["transactions_most"] <= 8


@pytest.mark.parametrize(("chats", "messages"), [(0, 5), (5, 0), (1000, 1000)])
def test_what_cannot_be_measured_is_refused(chats, messages):
    with pytest.raises(BadInput, match="not measured"):
        run(chats, messages)

"""`[models.word]`: what is refused is refused in one line that says what to do; the key is never in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from config.keys import read_model_key
from config.settings import load_settings
from engine.errors import BadInput

GOOD = 'base_url = "http://127.0.0.1:8080/v1"\nmodel = "m"\nruns_here = true\n'


@pytest.fixture(autouse=True)
def _no_tact_in_environment(monkeypatch):
    for name in [name for name in os.environ if name.upper().startswith("TACT_")]:
        monkeypatch.delenv(name)


def settings_with(folder: Path, text: str, role: str = "word"):
    (folder / "tact.toml").write_text(f"[models.{role}]\n{text}", encoding="utf-8")
    return load_settings(folder)


def test_there_is_no_model_unless_one_is_named(tmp_path):
    assert load_settings(tmp_path).models.word is None


def test_a_model_of_ones_own_is_read_with_its_defaults(tmp_path):
    word = settings_with(tmp_path, GOOD).models.word
    assert word is not None
    assert (word.base_url, word.model, word.deadline_s, word.max_tokens, word.retries) == (
        "http://127.0.0.1:8080/v1", "m", 20.0, 400, 1,
    )  # fmt: skip


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8080/v1", "https://api.openai.com/v1", "http://localhost:11434/v1"]
)
@pytest.mark.parametrize("said", ["", "runs_here = false\n"])
def test_an_endpoint_that_is_not_said_to_run_here_is_refused_wherever_it_is(tmp_path, url, said):
    with pytest.raises(BadInput, match=r"tact\.toml: models\.word: it is not said to run here") as caught:
        settings_with(tmp_path, f'base_url = "{url}"\nmodel = "m"\n{said}')
    assert caught.value.exit_code == 2
    assert "\n" not in str(caught.value)
    assert "runs_here = true" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD + 'api_key = "sk-hunter2hunter2"\n', "api_key_file"),
        (GOOD.replace("http://", "http://u:hunter2@"), "no user or password"),
        (GOOD.replace("http://127", "127"), "write an address like"),
        (GOOD.replace(":8080", ":hunter2"), "write an address like"),
        (GOOD + "deadline_s = 0\n", r"models\.word\.deadline_s"),
        (GOOD + "deadline = 3\n", r"models\.word\.deadline: there is no such setting - deadline_s\?"),
        (GOOD + "budget_cost = 1.0\n", "needs price_in"),
        (GOOD + "[models.word.extra]\nmessages = []\n", "messages is for Tact to say"),
        (GOOD + "[models.word.extra]\nsince = 2026-01-01\n", "only what JSON has"),
        (GOOD + 'api_key_env = "A"\napi_key_file = "b"\n', "one place"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path, text, said):
    with pytest.raises(BadInput, match=said) as caught:
        settings_with(tmp_path, text)
    assert "hunter2" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_other_roles_than_word_are_refused(tmp_path):
    with pytest.raises(BadInput, match=r"models\.judge: there is no such setting"):
        settings_with(tmp_path, GOOD, role="judge")


def test_the_key_is_read_from_a_file_that_nobody_else_can_read(tmp_path):
    word = settings_with(tmp_path, GOOD + 'api_key_file = "model.key"\n').models.word
    key = tmp_path / "model.key"
    with pytest.raises(BadInput, match="cannot be read"):
        read_model_key(word, tmp_path)
    key.write_text("hunter2\n", encoding="utf-8")
    key.chmod(0o640)
    with pytest.raises(BadInput, match="others can read this key - chmod 600"):
        read_model_key(word, tmp_path)
    key.chmod(0o600)
    assert read_model_key(word, tmp_path) == "hunter2"
    key.write_text("two words", encoding="utf-8")
    with pytest.raises(BadInput, match="no key"):
        read_model_key(word, tmp_path)


def test_the_key_is_read_from_the_environment(tmp_path, monkeypatch):
    word = settings_with(tmp_path, GOOD + 'api_key_env = "MY_KEY"\n').models.word
    with pytest.raises(BadInput, match="MY_KEY: the variable is not set"):
        read_model_key(word, tmp_path)
    monkeypatch.setenv("MY_KEY", "hunter2")
    assert read_model_key(word, tmp_path) == "hunter2"

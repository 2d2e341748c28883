"""The key: made once, read by its owner only, found where it was put."""

from __future__ import annotations

import base64
import stat
import sys
import types

import pytest

from config.keys import create_key_file, load_key
from engine.errors import BadInput

KEY = bytes(range(32))
TEXT = base64.b64encode(KEY).decode()


def test_a_key_file_is_for_its_owner_only_and_opens_what_it_made(tmp_path):
    path = tmp_path / "tact.key"
    key = create_key_file(path)
    assert len(key) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert load_key(path, environ={}) == key
    assert create_key_file(tmp_path / "another") != key


def test_a_key_is_never_overwritten(tmp_path):
    path = tmp_path / "tact.key"
    create_key_file(path)
    before = path.read_bytes()
    with pytest.raises(BadInput, match="already"):
        create_key_file(path)
    assert path.read_bytes() == before


def test_a_folder_that_is_not_there_is_said_plainly(tmp_path):
    with pytest.raises(BadInput, match="cannot be made"):
        create_key_file(tmp_path / "no" / "tact.key")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_key_that_others_can_read_is_refused(tmp_path, mode):
    path = tmp_path / "tact.key"
    create_key_file(path)
    path.chmod(mode)
    with pytest.raises(BadInput, match="chmod 600") as caught:
        load_key(path, environ={})
    assert path.read_text().strip() not in str(caught.value)


def test_the_environment_comes_first(tmp_path):
    path = tmp_path / "tact.key"
    create_key_file(path)
    assert load_key(path, environ={"TACT_KEY": TEXT}) == KEY
    assert load_key(path, source="file", environ={"TACT_KEY": TEXT}) != KEY
    assert load_key(source="env", environ={"TACT_KEY": f" {TEXT}\n"}) == KEY


@pytest.mark.parametrize("text", ["short", TEXT[:-4], TEXT + "AAAA", "ö" * 44])
def test_a_malformed_key_is_refused_and_not_shown(text):
    with pytest.raises(BadInput, match="TACT_KEY") as caught:
        load_key(environ={"TACT_KEY": text})
    assert text not in str(caught.value)


@pytest.mark.parametrize("source", ["", "file", "env", "keyring"])
def test_no_key_says_what_makes_one(tmp_path, monkeypatch, source):
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(BadInput, match="tact init"):
        load_key(tmp_path / "tact.key", source=source, environ={})


def _keyring(monkeypatch, answer) -> None:
    class KeyringError(Exception):
        pass

    def get_password(service: str, account: str) -> str | None:
        assert service == "tact"
        if answer is KeyringError:
            raise KeyringError
        return answer

    ring = types.ModuleType("keyring")
    ring.get_password = get_password
    errors = types.ModuleType("keyring.errors")
    errors.KeyringError = KeyringError
    if answer == "broken":
        answer = KeyringError
    monkeypatch.setitem(sys.modules, "keyring", ring)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)


def test_the_keyring_is_asked_last(tmp_path, monkeypatch):
    _keyring(monkeypatch, TEXT)
    assert load_key(tmp_path / "none", environ={}) == KEY
    key = create_key_file(tmp_path / "tact.key")
    assert load_key(tmp_path / "tact.key", environ={}) == key
    assert load_key(tmp_path / "tact.key", source="keyring", environ={}) == KEY


@pytest.mark.parametrize("answer", [None, "broken"])
def test_a_keyring_without_the_key_counts_as_none(monkeypatch, answer):
    _keyring(monkeypatch, answer)
    with pytest.raises(BadInput, match="no key"):
        load_key(environ={})

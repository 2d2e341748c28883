"""Settings come from the folder's file and the environment, and every fault is one line with a fix."""

import os
from pathlib import Path

import pytest

from config.data_folder import data_folder, write_private
from config.settings import KeySource, load_settings, write_settings
from engine.errors import BadInput


@pytest.fixture(autouse=True)
def _no_tact_in_environment(monkeypatch):
    for name in [name for name in os.environ if name.upper().startswith("TACT_")]:
        monkeypatch.delenv(name)


def written(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "tact.toml").write_text(text, encoding="utf-8")
    return folder


def test_an_empty_folder_gives_the_defaults(tmp_path):
    settings = load_settings(tmp_path)
    assert settings.data == tmp_path
    assert (settings.language, settings.owner_name, settings.owner_accounts) == (
        "en",
        "Owner",
        ("console:owner",),
    )
    assert (settings.timezone, settings.unresolved, settings.deflect_after_s) == ("UTC", "keep", 1.0)
    assert settings.key_source is KeySource.FILE
    assert settings.database == f"sqlite+aiosqlite:///{tmp_path / 'tact.db'}"


def test_what_is_written_is_what_is_read(tmp_path):
    folder = tmp_path / "deep" / "er"
    path = write_settings(
        folder,
        language="zh",
        owner_name='Ann "Quote" \\ O’Neil 安',
        owner_accounts=["telegram:12345", "matrix:@ann:example.org"],
        timezone="Asia/Shanghai",
        unresolved="refuse",
        key_source=KeySource.KEYRING,
    )
    settings = load_settings(folder)
    assert settings.owner_name == 'Ann "Quote" \\ O’Neil 安'
    assert settings.owner_accounts == ("telegram:12345", "matrix:@ann:example.org")
    assert (settings.language, settings.timezone, settings.unresolved) == ("zh", "Asia/Shanghai", "refuse")
    assert settings.key_source is KeySource.KEYRING
    assert path.read_text(encoding="utf-8").count("#") > 8
    assert path.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [file.name for file in folder.iterdir()] == ["tact.toml"]


def test_a_settings_file_is_never_overwritten_unasked(tmp_path):
    write_settings(tmp_path, owner_name="Ann")
    with pytest.raises(BadInput, match="already"):
        write_settings(tmp_path, owner_name="Eve")
    assert load_settings(tmp_path).owner_name == "Ann"
    write_settings(tmp_path, owner_name="Eve", replace=True)
    assert load_settings(tmp_path).owner_name == "Eve"


def test_the_environment_wins_over_the_file_and_the_folder_named_wins_over_the_environment(
    tmp_path, monkeypatch
):
    written(tmp_path / "a", 'language = "en"\nowner_accounts = ["console:owner"]')
    monkeypatch.setenv("TACT_LANGUAGE", "zh")
    monkeypatch.setenv("TACT_OWNER_ACCOUNTS", "telegram:1, discord:123456789")
    monkeypatch.setenv("TACT_DATA", str(tmp_path / "b"))
    settings = load_settings(tmp_path / "a")
    assert settings.data == tmp_path / "a"
    assert settings.language == "zh"
    assert settings.owner_accounts == ("telegram:1", "discord:123456789")
    assert load_settings().data == tmp_path / "b"


@pytest.mark.parametrize(
    ("text", "key", "fix"),
    [
        ('langauge = "en"', "langauge", "language?"),
        ('data = "/elsewhere"', "data", "--data"),
        ('language = "fr"', "language", "one of en, zh"),
        ('owner_name = ""', "owner_name", "1 to 80"),
        ('owner_name = "a\\nb"', "owner_name", "one line"),
        ('timezone = "Mars/Base"', "timezone", "Europe/Berlin"),
        ('timezone = "../etc/passwd"', "timezone", "Europe/Berlin"),
        ('unresolved = "maybe"', "unresolved", "keep, refuse"),
        ("deflect_after_s = -1", "deflect_after_s", "0 to 60"),
        ("deflect_after_s = inf", "deflect_after_s", "0 to 60"),
        ('key_source = "stone"', "key_source", "file, env, keyring"),
        ('vectors = "fuzzy"', "vectors", "exact or chroma"),
        ('reader = "oracle"', "reader", "rules"),
        ('categoriser = "oracle"', "categoriser", "rules"),
        ('chroma_url = "127.0.0.1:8000"', "chroma_url", "http://127.0.0.1:8000"),
        ('chroma_url = "http://me:hunter2@127.0.0.1:8000"', "chroma_url", "without user"),
        ('chroma_url = "http://127.0.0.1:8000/api"', "chroma_url", "path"),
        ('chroma_url = "http://127.0.0.1:99999"', "chroma_url", "http://127.0.0.1:8000"),
        ('chroma_url = "http://192.168.1.7:8000"', "chroma_url", "write https"),
        ('chroma_url = "http://localhost.example.org:8000"', "chroma_url", "write https"),
        ("owner_accounts = []", "owner_accounts", "at least one"),
        ("owner_accounts = [12345]", "owner_accounts", "write a list"),
        ('owner_accounts = ["@alice"]', "owner_accounts", "telegram:12345"),
        ('owner_accounts = ["Alice"]', "owner_accounts", "telegram:12345"),
        ('owner_accounts = ["12345"]', "owner_accounts", "telegram:12345"),
        ('owner_accounts = ["telegram:alice"]', "owner_accounts", "telegram:12345"),
        ('owner_accounts = ["telegram:@alice"]', "owner_accounts", "telegram:12345"),
        ('owner_accounts = ["telegram:1087968824"]', "owner_accounts", "person's own id"),
        ('owner_accounts = ["telegram:777000"]', "owner_accounts", "person's own id"),
        ('owner_accounts = ["1087968824"]', "owner_accounts", "person's own id"),
        ('owner_accounts = ["telegram:１２"]', "owner_accounts", "telegram:12345"),
        ('owner_accounts = ["telegram:012"]', "owner_accounts", "telegram:12345"),
        ('owner_accounts = ["irc:alice"]', "owner_accounts", "--owner-nick"),
        ('owner_accounts = ["icq:5"]', "owner_accounts", "platform:id"),
    ],
)
def test_a_bad_value_names_file_key_and_fix_in_one_line(tmp_path, text, key, fix):
    with pytest.raises(BadInput) as caught:
        load_settings(written(tmp_path / "data", text))
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'data' / 'tact.toml'}: {key}: ")
    assert fix in message
    assert "\n" not in message
    assert caught.value.exit_code == 2


def test_a_bad_variable_is_named_as_such(tmp_path, monkeypatch):
    monkeypatch.setenv("TACT_LANGUAGE", "fr")
    with pytest.raises(BadInput, match=r"^TACT_LANGUAGE in the environment: .* - one of en, zh$"):
        load_settings(tmp_path)


def test_broken_toml_is_named_with_its_line(tmp_path):
    with pytest.raises(BadInput, match=r"tact\.toml: this is not TOML: .*line 2"):
        load_settings(written(tmp_path / "data", 'language = "en"\nlanguage = ='))
    (tmp_path / "data" / "tact.toml").write_bytes(b"owner_name = '\xff'")
    with pytest.raises(BadInput, match="UTF-8"):
        load_settings(tmp_path / "data")


def test_a_password_in_the_database_url_is_never_shown(tmp_path):
    settings = load_settings(
        written(tmp_path / "data", 'database_url = "postgresql+asyncpg://u:hunter2@h/d"')
    )
    assert settings.database.endswith("hunter2@h/d")
    assert "hunter2" not in repr(settings)
    with pytest.raises(BadInput) as caught:
        load_settings(written(tmp_path / "data", 'database_url = ["hunter2"]'))
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "bad",
    [
        {"owner_accounts": ["@a"]},
        {"owner_accounts": []},
        {"timezone": "X"},
        {"owner_name": " "},
        {"language": "fr"},
    ],
)
def test_nothing_is_written_when_a_value_is_wrong(tmp_path, bad):
    with pytest.raises(BadInput):
        write_settings(tmp_path / "data", **bad)
    assert not (tmp_path / "data").exists()


def test_the_data_folder_is_where_the_system_wants_it():
    assert data_folder(None, {"HOME": "/h"}, "linux") == Path("/h/.local/share/tact")
    assert data_folder(None, {"HOME": "/h", "XDG_DATA_HOME": "/x"}, "linux") == Path("/x/tact")
    assert data_folder(None, {"HOME": "/h", "XDG_DATA_HOME": "relative"}, "linux") == Path(
        "/h/.local/share/tact"
    )
    assert data_folder(None, {"HOME": "/h"}, "darwin") == Path("/h/Library/Application Support/tact")
    assert data_folder(None, {"HOME": "/h", "LOCALAPPDATA": "/l"}, "win32") == Path("/l/tact")
    assert data_folder(None, {"HOME": "/h", "TACT_DATA": "/t"}, "linux") == Path("/t")
    assert data_folder(Path("/c"), {"TACT_DATA": "/t"}, "linux") == Path("/c")


def test_a_failed_write_leaves_the_old_file_and_nothing_beside_it(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_private(path, "old")

    def fails(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fails)
    with pytest.raises(BadInput, match="No space left"):
        write_private(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_mode & 0o777 == 0o600

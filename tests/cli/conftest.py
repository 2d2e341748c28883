"""Running `tact` in this process, with what it printed; lines piped in count as nobody at a terminal."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree

import pytest

from bot.cli.app import run


@dataclass(frozen=True)
class Done:
    """How one command ended."""

    code: int
    out: str
    err: str


Tact = Callable[..., Done]


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test reads this machine's own settings or memory, and none waits for a deflection."""
    for name in ("TACT_DATA", "TACT_KEY", "TACT_DEBUG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("TACT_DEFLECT_AFTER_S", "0")


@pytest.fixture
def tact(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Tact:
    """Run a command as `tact("chat", "--lang", "zh", typed=LINES)`."""

    def call(*arguments: str, typed: str = "") -> Done:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = run([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Done(code, printed.out, printed.err)

    return call


def _made(folder: Path, *arguments: str, typed: str = "") -> Path:
    """Make a memory once; tests get copies, for making one costs a second."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()):
        patch.delenv("TACT_DATA", raising=False)
        patch.setenv("TACT_DEFLECT_AFTER_S", "0")
        patch.setattr(sys, "stdin", io.StringIO(typed))
        assert run([*arguments, "--data", str(folder), "--owner", "Mia"]) == 0
    return folder


@pytest.fixture(scope="session")
def _template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _made(tmp_path_factory.mktemp("template") / "data", "init", "--yes")


@pytest.fixture(scope="session")
def _told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    said = "The launch of Borealis is on Friday.\nchange work-projects\nconfirm\n"
    return _made(tmp_path_factory.mktemp("told") / "data", "chat", typed=said)


@pytest.fixture
def folder(_template: Path, tmp_path: Path) -> Path:
    """A data folder that `tact init` made."""
    return Path(copytree(_template, tmp_path / "data"))


@pytest.fixture
def memory(_told: Path, tmp_path: Path) -> Path:
    """A memory with one confirmed fact about work, and Bob without a label."""
    return Path(copytree(_told, tmp_path / "data"))

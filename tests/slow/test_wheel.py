"""The wheel alone must do: built, installed into another environment, used from another folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "connectors", "engine", "storage", "config")


@dataclass(frozen=True)
class Installed:
    """An environment with the wheel in it, and an empty folder to stand in."""

    bin: Path
    home: Path

    def run(self, *command: str, timeout: int = 120) -> str:
        """Run a program of that environment as a person elsewhere would, and return what it printed."""
        kept = {name: os.environ[name] for name in ("LANG", "LC_ALL", "TMPDIR") if name in os.environ}
        done = subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            cwd=self.home,
            env={**kept, "HOME": str(self.home), "PATH": f"{self.bin}:/usr/bin:/bin"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=timeout,
            check=False,
        )
        assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout


def must(*command: str | Path) -> None:
    """Run a step of the preparation, showing what it said if it fails."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    must(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT)
    (made,) = out.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install what docs/deploy/runtime.lock names and nothing else, so a development tool in use would be missed."""
    folder = tmp_path_factory.mktemp("elsewhere")
    must(sys.executable, "-m", "venv", folder / "env")
    python = folder / "env" / "bin" / "python"
    pip = (python, "-m", "pip", "install", "-qq", "--disable-pip-version-check")
    must(*pip, "--require-hashes", "-r", ROOT / "docs" / "deploy" / "runtime.lock")
    must(*pip, "--no-deps", "--no-index", wheel)
    home = folder / "home"
    home.mkdir()
    return Installed(bin=python.parent, home=home)


def test_the_wheel_carries_every_file_of_its_packages_and_no_other(wheel: Path) -> None:
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.is_file())
    ours = {str(path.relative_to(ROOT)) for path in files if "__pycache__" not in path.parts}

    carried = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}

    assert carried == ours


def test_the_dependencies_of_the_wheel_are_all_there(installed: Installed) -> None:
    assert "No broken requirements found" in installed.run("python", "-m", "pip", "check")


def test_the_packages_come_from_the_wheel(installed: Installed) -> None:
    for package in PACKAGES:
        place = installed.run(
            "python", "-c", f"import {package}; print({package}.__file__ or {package}.__path__[0])"
        )
        assert Path(place.strip()).is_relative_to(installed.bin.parent)


def test_help_lists_the_commands(installed: Installed) -> None:
    text = installed.run("tact", "--help")

    assert all(re.search(rf"\b{command}\b", text) for command in ("init", "chat", "demo", "play"))


@pytest.mark.parametrize("options", [(), ("--lang", "zh")], ids=["en", "zh"])
def test_the_demo_plays_and_prints_replies(installed: Installed, options: tuple[str, ...]) -> None:
    text = installed.run("tact", "demo", *options)

    assert len(re.findall(r"^ *Tact  \S", text, flags=re.MULTILINE)) > 5


def test_init_makes_a_memory_that_opens_again_and_that_nobody_else_can_read(
    installed: Installed, tmp_path: Path
) -> None:
    data = tmp_path / "memory"

    installed.run("tact", "init", "--data", str(data), "--yes")

    assert "policy version" in installed.run("tact", "status", "--data", str(data))
    assert "categories" in installed.run("tact", "policy", "show", "--data", str(data))
    files = [data, *data.rglob("*")]
    assert len(files) > 1
    assert [path for path in files if path.stat().st_mode & 0o077] == []


def test_a_story_of_ones_own_is_played(installed: Installed) -> None:
    stories = sorted((ROOT / "bot" / "stories").glob("*.yaml"))
    assert stories

    text = installed.run("tact", "play", str(stories[0]), "--json")

    assert text.lstrip().startswith(("{", "["))

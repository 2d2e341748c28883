"""The whole scenario suite without a network: nothing but loopback is asked for, and nothing is missed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STORIES = sorted((ROOT / "tests" / "scenarios").glob("*.yaml"))

GUARD = '''
import sys

LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")

def watch(event, args):
    """Anything that names an address outside this machine ends the process at once."""
    if event in {"socket.connect", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"}:
        target = args[1] if event in {"socket.connect", "socket.sendto"} else args[0]
        host = target[0] if isinstance(target, tuple) else target
        if isinstance(host, str) and host.startswith("/"):
            return
        if not (isinstance(host, str) and host.startswith(LOOPBACK)):
            sys.stderr.write(f"ASKED FOR {event} {host!r}\\n")
            sys.stderr.flush()
            import os
            os._exit(99)

sys.addaudithook(watch)
'''

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("unshare") is None, reason="needs Linux's unshare"),
]


@pytest.fixture
def guarded(tmp_path: Path) -> dict[str, str]:
    """An environment in which every Python process watches what addresses are asked for."""
    (tmp_path / "sitecustomize.py").write_text(GUARD, encoding="utf-8")
    return {**os.environ, "PYTHONPATH": str(tmp_path), "HOME": str(tmp_path)}


def isolated(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command in a network namespace of its own, without any interface that is up."""
    return subprocess.run(
        ["unshare", "-rn", *command],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_the_guard_itself_catches_an_address(guarded: dict[str, str]) -> None:
    """Asking for any address outside this machine ends the process: the check below can fail."""
    asked = isolated([sys.executable, "-c", "import socket; socket.getaddrinfo('198.51.100.7', 80)"], guarded)
    assert asked.returncode == 99
    assert "ASKED FOR" in asked.stderr


@pytest.mark.parametrize("story", STORIES, ids=lambda path: path.stem)
def test_every_story_plays_without_a_network(story: Path, guarded: dict[str, str]) -> None:
    """Each story of the suite passes in a namespace without a network, and asks for no address."""
    played = isolated([sys.executable, "-m", "bot", "play", str(story), "--json"], guarded)
    assert "ASKED FOR" not in played.stderr
    assert played.returncode == 0, played.stderr


@pytest.mark.parametrize("more", [["--lang", "en"], ["--lang", "zh"], ["--vectors", "chroma"]])
def test_the_demo_plays_without_a_network(more: list[str], guarded: dict[str, str]) -> None:
    """So does the demo, also with Chroma in the process, which would tell its makers about its use if it were let."""
    played = isolated([sys.executable, "-m", "bot", "demo", *more], guarded)
    assert "ASKED FOR" not in played.stderr
    assert played.returncode == 0, played.stderr

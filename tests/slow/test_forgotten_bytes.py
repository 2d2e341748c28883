"""What was forgotten is in no byte of the data folder, also after the process was killed; nor before it, in the clear."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
CANARY = "Quetzalcoatlus"

TALK = f"""/meet console:bob as Bob
/level add Bob L1-work
confirm
The {CANARY} prototype failed its drop test.
confirm
/as bob
What happened to the {CANARY} prototype?
/as owner
/facts {CANARY}
"""

FORGET = f"""/forget about {CANARY}
confirm
"""


def chat(data: Path, lines: str, *, kill: bool = False) -> str:
    """Type lines at `tact chat` in a folder of its own; `kill` ends it with SIGKILL after the last answer."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "chat", "--data", str(data)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
        env={**os.environ, "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    if not kill:
        return process.communicate(lines, timeout=120)[0]
    process.stdin.write(lines + "/status\n")
    process.stdin.flush()
    heard = ""
    for line in process.stdout:
        heard += line
        if "policy" in line.casefold() and "/status" not in line:
            break
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    return heard


def holding(folder: Path) -> list[Path]:
    """Files that hold the canary, in UTF-8 or UTF-16."""
    words = [CANARY.encode(), CANARY.lower().encode(), CANARY.encode("utf-16-le")]
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files, "nothing was written at all"
    return [path for path in files if any(word in path.read_bytes() for word in words)]


def test_a_canary_is_in_no_byte_before_and_after_it_is_forgotten(tmp_path: Path) -> None:
    """Told, answered from, killed, restarted, forgotten, killed, restarted: never in a byte, then gone from memory."""
    data = tmp_path / "data"
    told = chat(data, TALK, kill=True)
    assert "drop test" in told, "the canary was never remembered, so its absence proves nothing"
    assert holding(data) == []

    again = chat(data, f"/as bob\nWhat happened to the {CANARY} prototype?\n")
    assert "drop test" in again, "the kill lost a recorded fact"

    chat(data, FORGET, kill=True)
    assert holding(data) == []
    after = chat(data, f"/as bob\nWhat happened to the {CANARY} prototype?\n/as owner\n/facts {CANARY}\n")
    assert "drop test" not in after
    assert holding(data) == []

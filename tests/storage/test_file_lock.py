"""A file's lock keeps others out, and ends with its process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from storage.file_lock import locked

HOLD = "import sys, pathlib; from storage.file_lock import locked; print(locked(pathlib.Path(sys.argv[1])), flush=True); sys.stdin.read()"


def test_one_holds_it_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    first = locked(path)

    assert first is not None
    assert path.stat().st_mode & 0o777 == 0o600
    assert locked(path) is None
    os.close(first)
    again = locked(path)
    assert again is not None
    os.close(again)


def test_it_ends_with_a_process_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline().strip().isdigit()
        assert locked(path) is None
        other.kill()

    mine = locked(path)
    assert mine is not None
    os.close(mine)

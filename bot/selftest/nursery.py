"""A process that has the program loaded and makes others out of itself, so that a start takes no second.

Each of them is a process like any other, with connections, locks and an event loop of its own, and dies alone. It gets
the command line that a person would type.
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any, Never, Self
from zoneinfo import ZoneInfo

from bot.selftest.crowd import QUESTION, STATED, TAKEN_BACK, TOLD
from bot.selftest.dying import die_at
from engine.errors import BadInput

CRASHED = 70
_LOOK_S = 0.005
_LOADED = (
    "alembic.command", "asyncpg", "bot.cli.app", "bot.cli.import_command", "bot.cli.upkeep",
    "bot.cli.init", "bot.service.service", "config.defaults", "storage.index", "storage.sql",
)  # fmt: skip


class Child:
    """One process."""

    def __init__(self, pid: int, end: asyncio.Task[int]) -> None:
        """`end` gives the exit code, or minus the signal that ended it."""
        self.pid, self._end = pid, end

    def send(self, number: signal.Signals) -> None:
        """Send a signal; nothing if it is gone."""
        if not self._end.done():
            os.kill(self.pid, number)

    async def wait(self, seconds: float) -> int | None:
        """The exit code; None if it still runs."""
        await asyncio.wait([self._end], timeout=seconds)
        return self._end.result() if self._end.done() else None


class Nursery:
    """Starts processes, one at a time. `async with Nursery() as nursery`."""

    def __init__(self, log: Path | None = None) -> None:
        """`log`: where the processes' standard error goes."""
        self._log = str(log or os.devnull)
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        if not hasattr(os, "fork"):
            raise BadInput(
                "this system cannot kill a process as this test does", fix="run it on Linux or macOS"
            )
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot.selftest.nursery", stdin=pipe, stdout=pipe
        )
        await self._told()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            await self._process.wait()

    async def start(self, arguments: Sequence[str], environ: Mapping[str, str], failpoint: str = "") -> Child:
        """Start `tact` with these arguments and no other `TACT_` variables than these.

        Args:
            failpoint: the place at which it is to die, `NAME` or `NAME:HITS`; else it lives.
        """
        order = {
            "arguments": list(arguments),
            "environ": dict(environ),
            "failpoint": failpoint,
            "log": self._log,
        }
        if self._process is None or self._process.stdin is None:
            raise RuntimeError("the nursery is not open")
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        pid = int((await self._told())["pid"])
        return Child(pid, asyncio.create_task(self._code()))

    async def _code(self) -> int:
        return int((await self._told())["code"])

    async def _told(self) -> dict[str, Any]:
        if self._process is None or self._process.stdout is None:
            raise RuntimeError("the nursery is not open")
        line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError("the nursery has ended")
        found: dict[str, Any] = json.loads(line)
        return found


def _load() -> None:
    """Everything that a start would load, the model included."""
    for name in _LOADED:
        import_module(name)
    from bot.bootstrap import make_context  # noqa: PLC0415
    from config.settings import Settings  # noqa: PLC0415
    from storage import MemoryStore  # noqa: PLC0415

    with suppress(ImportError):  # an extra
        import_module("chromadb")
    context = make_context(MemoryStore(), Settings(data=Path(os.devnull)))
    now = datetime.now(UTC)

    async def warm() -> None:
        for text in (*TOLD, *STATED, *TAKEN_BACK):
            reading = await context.reader.read(text, now, ZoneInfo("UTC"), ())
            await context.embedder.passages([statement.text for statement in reading.statements])
        await context.embedder.query(QUESTION)

    asyncio.run(warm())


def _become(order: Mapping[str, Any]) -> Never:
    """Be `tact`, in the process that was just made."""
    code = CRASHED
    try:
        nothing, log = (
            os.open(os.devnull, os.O_RDWR),
            os.open(order["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT),
        )
        for descriptor, target in ((nothing, 0), (nothing, 1), (log, 2)):
            os.dup2(descriptor, target)
        for name in [n for n in os.environ if n.startswith("TACT_")]:
            del os.environ[name]
        os.environ.update(order["environ"])
        from bot.cli.app import run  # noqa: PLC0415

        die_at(order["failpoint"])
        code = run(order["arguments"], whole_process=True)
        sys.stderr.flush()
    finally:
        os._exit(code)


def _ended(pid: int) -> int:
    """Wait for a process; if whoever ordered it is gone, it goes as well."""
    while True:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        if select.select([sys.stdin], [], [], _LOOK_S)[0]:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            sys.exit()


def main() -> None:
    """Make processes until the orders end."""
    _load()
    _tell({})
    for line in iter(sys.stdin.buffer.readline, b""):
        pid = os.fork()
        if not pid:
            _become(json.loads(line))
        _tell({"pid": pid})
        _tell({"code": _ended(pid)})


def _tell(what: Mapping[str, int]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

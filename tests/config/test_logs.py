"""Whatever is thrown at a log, only event names, ids and counts come out."""

import io
import logging
import subprocess
import sys
import threading
import warnings

import pytest

from config.logs import RedactingFilter, described, redacted, set_up_logs
from engine.errors import BadInput, NotReleased

CANARY = "canary-7f3a"
KEY = "q8Zt3hV0Jm5yXc2nR7uKs1LwPe9bGf4dAo6iTgHvNxE="
TOKENS = [
    "1234567890:AAHk3-fakeFAKEfakeFAKEfakeFAKE_fake1",
    "xoxb-1111-2222-abcdefFAKE",
    "sk-fakefakefakefake1234",
    "ghp_fakefakefakefakefake1234567890fake",
    "MTAxFAKEFAKEFAKEFAKEFAKE.Gfake1.fakefakefakefakefakefakefakefake123",
    "eyJhbGciOiJIUzI1NiJ9.eyJmYWtlIjoxfQ.fakefakefake",
    KEY,
    "0123456789abcdef" * 4,
]


@pytest.fixture
def out():
    """A log in memory; handlers, hooks and levels are put back afterwards."""
    root = logging.getLogger()
    before = root.handlers[:], root.level, logging.raiseExceptions
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    stream = io.StringIO()
    set_up_logs("DEBUG", stream=stream)
    yield stream
    logging.captureWarnings(False)
    root.handlers[:], root.level, logging.raiseExceptions = before
    sys.excepthook, threading.excepthook, sys.unraisablehook = hooks


def test_an_event_is_written_with_its_ids(out):
    logging.getLogger("bot.turn.turn").info(
        "turn.sent", extra={"turn": "t_1", "container": "irc:#ubuntu", "ms": 12}
    )
    assert (
        out.getvalue().rstrip().endswith("INFO bot.turn.turn turn.sent container=irc:#ubuntu ms=12 turn=t_1")
    )


@pytest.mark.parametrize(
    "spill",
    [
        lambda log: log.info(f"got {CANARY}"),  # noqa: G004 - the mistake is the point
        lambda log: log.info("got %s", CANARY),
        lambda log: log.info("turn.sent", extra={"text": CANARY}),
        lambda log: log.info("turn.sent", extra={"turn": f"two words {CANARY}"}),
        lambda log: log.info("turn.sent", extra={"turn": [CANARY]}),
        lambda log: log.info("turn.sent", extra={"turn": f"a\n{CANARY}"}),
        lambda log: log.info("turn.sent %s %s", CANARY),  # noqa: PLE1206 - the mistake is the point
        lambda log: log.info({"message": CANARY}),
        lambda log: log.info("turn.sent", stack_info=True, extra={"canary": CANARY}),
        lambda log: log.error("turn.failed", exc_info=ValueError(CANARY)),
        lambda log: log.error("turn.failed", exc_info=KeyError(CANARY)),
        lambda log: log.error("turn.failed", exc_info=BadInput(f"no such thing {CANARY!r}", fix="look")),
        lambda log: log.error("turn.failed", exc_info=BadInput(f"nobody is called “{CANARY}”")),
        lambda log: warnings.warn(CANARY, stacklevel=1),
    ],
)
@pytest.mark.parametrize("name", ["bot.turn.turn", "storage", "httpx", "asyncio", "root"])
def test_words_never_reach_a_log(out, spill, name):
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        spill(logging.getLogger(name))
    written = out.getvalue()
    assert written.count("\n") == 1
    assert "canary" not in written.replace("canary=[…]", "")
    assert "test_logs.py" in written or "turn." in written or "py.warnings" in written


@pytest.mark.parametrize("token", TOKENS)
def test_tokens_and_keys_never_reach_a_log(out, token):
    log = logging.getLogger("connectors.telegram")
    log.info("call.made", extra={"turn": token, "status": token, "digest": token[:30]})
    log.info(token)
    log.error("call.failed", exc_info=BadInput(f"refused {token} by the server"))
    logging.getLogger("httpx").info("HTTP Request: POST https://api.example.org/bot%s/send", token)
    assert token not in out.getvalue()
    assert "refused […] by the server" in out.getvalue()


def test_a_digest_is_an_id_and_no_key(out):
    digest = "0123456789abcdef" * 4
    logging.getLogger("bot").info("context.sealed", extra={"digest": digest})
    assert f"digest={digest}" in out.getvalue()
    assert (
        redacted(f"postgresql+asyncpg://user:hunter2@host/db {digest}")
        == "postgresql+asyncpg://[…]host/db […]"
    )


def fails():
    raise ValueError(CANARY)


def test_our_own_errors_keep_their_words_and_others_only_class_and_place(out):
    try:
        try:
            fails()
        except ValueError as cause:
            raise NotReleased("text that did not pass the gate") from cause
    except NotReleased as error:
        error.add_note(CANARY)
        logging.getLogger("bot").exception("turn.failed")
        told = described(error)
    assert told in out.getvalue()
    assert told.startswith("NotReleased (text that did not pass the gate) at test_logs.py:")
    assert "<- ValueError at test_logs.py:" in told
    assert CANARY not in told


def test_groups_and_loops_of_exceptions_are_told_without_words():
    group = ExceptionGroup(CANARY, [ValueError(CANARY), KeyError(CANARY)])
    group.__cause__ = ValueError(CANARY)
    group.__cause__.__cause__ = group
    assert described(group) == "ExceptionGroup at ? <- ValueError at ? <- KeyError at ? <- ValueError at ?"


def test_a_record_is_redacted_for_handlers_after_this_one_too():
    record = logging.LogRecord("bot", logging.INFO, "a.py", 1, "said %s", (CANARY,), None)
    assert RedactingFilter().filter(record)
    assert CANARY not in record.getMessage()


CRASH = """
import asyncio, logging, sys, threading
from pathlib import Path
from config.logs import set_up_logs
CANARY = "canary-" + "7f3a"
set_up_logs("INFO", file=Path(sys.argv[1]) if len(sys.argv) > 1 else None)
def fails():
    secret = CANARY
    raise ValueError(secret)
class Finaliser:
    def __del__(self):
        fails()
Finaliser()
thread = threading.Thread(target=fails)
thread.start()
thread.join()
async def forgotten():
    asyncio.ensure_future(asyncio.to_thread(fails))
    await asyncio.sleep(0.2)
asyncio.run(forgotten())
logging.getLogger("bot").info("%d", CANARY)
fails()
"""


@pytest.mark.parametrize("to_file", [False, True])
def test_a_crash_writes_no_words_anywhere(tmp_path, to_file):
    log = tmp_path / "folder" / "tact.log"
    arguments = [sys.executable, "-c", CRASH, *([str(log)] if to_file else [])]
    run = subprocess.run(arguments, capture_output=True, text=True, check=False)
    written = run.stdout + run.stderr + (log.read_text(encoding="utf-8") if to_file else "")
    assert run.returncode == 1
    assert "7f3a" not in written
    assert "Traceback" not in written
    for event in ("process.crashed", "thread.crashed", "finaliser.failed", "asyncio"):
        assert event in written
    assert "ValueError at <string>:" in written
    if to_file:
        assert run.stderr.count("\n") == 1
        assert run.stderr.startswith("Tact stopped: ValueError at <string>:")
        assert log.stat().st_mode & 0o777 == 0o600


LATE = """
import asyncio, threading
from config.logs import set_up_logs
set_up_logs("CRITICAL")
loop = asyncio.new_event_loop()
loop.close()
def _connection_worker_thread(): loop.call_soon_threadsafe(print)
def other(): loop.call_soon_threadsafe(print)
for target in (_connection_worker_thread, {second}):
    thread = threading.Thread(target=target)
    thread.start()
    thread.join()
"""


@pytest.mark.parametrize(("second", "told"), [("_connection_worker_thread", False), ("other", True)])
def test_a_databases_thread_that_answers_too_late_is_no_crash(second, told):
    run = subprocess.run(
        [sys.executable, "-c", LATE.format(second=second)], capture_output=True, text=True, check=True
    )
    assert ("thread.crashed" in run.stderr) == told

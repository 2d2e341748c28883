"""Logging that cannot give anything away: event names, ids and counts, never words, tokens or keys.

A log line of Tact's own is an event name and fields that are on a list: `log.info("turn.sent", extra={"turn": id})`.
Everything else is dropped by construction, not by searching for what looks secret: other fields, message texts, what
libraries say, and the words of exceptions. Of an exception stay its class and where it was raised; only the message of
a `TactError` is kept, because Tact wrote it, with whatever it quotes cut out.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import TextIO

from config.data_folder import make_private_folder
from engine.errors import TactError

PACKAGES = ("bot", "config", "connectors", "engine", "storage")
FIELDS = frozenset(
    {
        "account", "action", "attempt", "card", "category", "command", "container", "count", "digest", "done", "duplicates",
        "event", "fact", "facts", "job", "language", "malformed", "message_id", "messages", "ms", "outcome", "person",
        "platform", "policy_version", "refused", "session", "sessions", "state", "status", "turn", "version",
    }
)  # fmt: skip
"""Fields a log line may have; their values are ids, counts, or words of a closed set."""

_EVENT = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)+")
_ID = re.compile(r"[\w:@.#^|+!/\[\]{}-]{1,120}")
_SECRET = re.compile(
    r"\d{6,}:[\w-]{30,}"  # Telegram
    r"|\bx(?:ox[a-z]|app)-[\w-]+"  # Slack
    r"|\b(?:sk|pk|ghp|gho|syt)[-_][\w-]{8,}"  # model providers, GitHub, Matrix
    r"|\b[\w-]{20,30}\.[\w-]{6}\.[\w-]{25,}"  # Discord
    r"|\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?"  # JSON web tokens
    r"|(?<=://)[^/\s@]+@"  # user and password in a URL
    r"|(?<![\w+/=-])[A-Za-z0-9+/_-]{40,}={0,2}"  # anything as long as a key
)
_QUOTED = re.compile(r"""(['"“‘«`]).*['"”’»`]""", re.DOTALL)
_CUT = "[…]"
_DEPTH = 8
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def _own(record: logging.LogRecord) -> bool:
    return record.name.partition(".")[0] in PACKAGES


def redacted(text: str) -> str:
    """The text without anything that looks like a token, a key or a password."""
    return _SECRET.sub(_CUT, text)


class RedactingFilter(logging.Filter):
    """Leaves of a record the event name and the listed fields; nothing that a formatter could spill."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Redact the record in place; always lets it through."""
        is_event = _own(record) and isinstance(record.msg, str) and _EVENT.fullmatch(record.msg)
        place = f"{Path(record.pathname).name}:{record.lineno}"
        record.msg = record.msg if is_event else f"unstructured at {place}"
        record.args = None
        record.exc_text = None
        record.stack_info = None
        for name in set(vars(record)) - _STANDARD:
            value = vars(record).pop(name)
            if _own(record):
                vars(record)[name] = _field(name, value)
        return True


def _field(name: str, value: object) -> object:
    if name not in FIELDS:
        return _CUT
    if value is None or isinstance(value, (bool, int, float)):
        return value
    text = str(value) if isinstance(value, str) else ""
    if name == "digest" and re.fullmatch(r"[0-9a-f]{64}", text):
        return text
    return text if _ID.fullmatch(text) and redacted(text) == text else _CUT


class EventFormatter(logging.Formatter):
    """One line a record: time, level, logger, event, fields, and of an exception class and place.

    Safe by itself: a record that did not pass the filter is redacted here.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Write the record as one line."""
        clean = logging.makeLogRecord(vars(record))
        RedactingFilter().filter(clean)
        fields = sorted(set(vars(clean)) - _STANDARD)
        parts = [self.formatTime(clean, "%Y-%m-%dT%H:%M:%S%z"), clean.levelname, clean.name, clean.msg]
        parts += [f"{name}={vars(clean)[name]}" for name in fields]
        if isinstance(clean.exc_info, tuple) and clean.exc_info[1] is not None:
            parts.append(f"error={described(clean.exc_info[1])}")
        return " ".join(parts)


def described(error: BaseException) -> str:
    """Class and place of an exception and of what it came from; words only of a `TactError`, quotations cut out."""
    told: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen and len(told) < _DEPTH:
        seen.add(id(current))
        told.append(_one(current))
        members = current.exceptions if isinstance(current, BaseExceptionGroup) else ()
        told += [_one(member) for member in members[:_DEPTH]]
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return " <- ".join(told)


def _one(error: BaseException) -> str:
    words = f" ({redacted(_QUOTED.sub(_CUT, str(error)))})" if isinstance(error, TactError) else ""
    return f"{type(error).__name__}{' '.join(words.splitlines())} at {_places(error.__traceback__)}"


def _places(trace: TracebackType | None) -> str:
    """The innermost frames, the raising one last: file and line, no source text and no values."""
    places: list[str] = []
    while trace is not None:
        places.append(f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}")
        trace = trace.tb_next
    return ">".join(places[-_DEPTH:]) or "?"


def set_up_logs(
    level: str = "WARNING", *, file: Path | None = None, stream: TextIO | None = None
) -> logging.Handler:
    """Make this the only way anything is logged: replaces all handlers, and catches warnings and crashes.

    Args:
        level: name of the lowest level that is written.
        file: where to, for the owner's eyes only (0600); else to `stream`, else to standard error.
        stream: see there.

    Returns:
        The handler, to be closed by whoever made it.
    """
    handler = _private_file(file) if file is not None else logging.StreamHandler(stream)
    handler.addFilter(RedactingFilter())
    handler.setFormatter(EventFormatter())
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level.upper())
    logging.captureWarnings(capture=True)
    logging.raiseExceptions = False  # a faulty logging call must not print its arguments
    _catch_crashes(say_so=file is not None)
    return handler


def _private_file(file: Path) -> logging.Handler:
    make_private_folder(file.parent)
    file.touch(mode=0o600)
    file.chmod(0o600)
    return logging.FileHandler(file, encoding="utf-8")


def _too_late(args: threading.ExceptHookArgs) -> bool:
    """A database's thread whose answer nobody waits for any more: the command has said its fault and is over.

    aiosqlite does not wait for the thread of a connection that could not be opened.
    """
    worker = args.thread is not None and "_connection_worker_thread" in args.thread.name
    return worker and str(args.exc_value) == "Event loop is closed"


def _catch_crashes(*, say_so: bool) -> None:
    """Crashes go to the log; `say_so`: also to standard error, when the log is elsewhere."""
    log = logging.getLogger("bot")

    def on_crash(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            return
        log.critical("process.crashed", exc_info=(kind, error, trace))
        if say_so:
            sys.stderr.write(f"Tact stopped: {described(error)}\n")

    def on_thread_crash(args: threading.ExceptHookArgs) -> None:
        if _too_late(args):
            return
        if args.exc_value is not None and not issubclass(args.exc_type, SystemExit):
            log.critical("thread.crashed", exc_info=(args.exc_type, args.exc_value, args.exc_traceback))

    def on_unraisable(args: sys.UnraisableHookArgs) -> None:
        if args.exc_value is not None:
            log.error("finaliser.failed", exc_info=(args.exc_type, args.exc_value, args.exc_traceback))

    sys.excepthook = on_crash
    threading.excepthook = on_thread_crash
    sys.unraisablehook = on_unraisable

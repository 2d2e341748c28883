"""Raw IRC logs: lines in, typed rows out.

What is understood, with or without seconds in the stamp:

    [12:18] <nick> text                              said
    [12:18]  * nick text                             done (/me)
    === nick text                                    done (/me), in older logs
    === nick [user@host]  has joined #channel        came; also `has left #channel [why]`, `has quit [why]`
    === nick is now known as other                   renamed

Lines with `===` have no time of their own and get that of the line before. In such logs a `/me` can look exactly like
a join or a renaming, which is one reason why none of this counts until the owner has looked at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise

DAY = 24 * 60
HALF_DAY = 12 * 60
LONGEST = 4000
"""Characters a line; IRC itself allows 512 bytes."""

_SET_BACK = 60
"""A clock that goes back by more minutes than this has passed midnight; by fewer, it was put right."""

_STAMP = re.compile(r"\[(\d{1,2}):(\d{2})(?::\d{2})?\]\s*(.*)", re.DOTALL)
_SAID = re.compile(r"<[@+%&~ ]?([^\s<>]+)>(?: (.*))?", re.DOTALL)
_NOTICE = re.compile(r"-([^\s:]+):#\S+- (.*)", re.DOTALL)
_DONE = re.compile(r"\* (\S+)(?: (.*))?", re.DOTALL)
_SERVER = re.compile(r"(?:===|-!-) (.*)", re.DOTALL)
_MOVED = re.compile(r"(\S+)\s+\[\S+@\S+\]\s+has (joined|left|quit)(?: (#\S+))?(?: \[.*\])?\s*", re.DOTALL)
_RENAMED = re.compile(r"(\S+) is now known as (\S+)\s*")
_SETTING = re.compile(r"(?:mode/#|ServerMode/|Topic |topic |Irssi: )")
_CONTROL = re.compile(r"\x03(?:\d{1,2}(?:,\d{1,2})?)?|[\x00-\x08\x0b-\x1f\x7f]")
_DATE = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")
_CASE = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the log: its number from 1, and minutes since midnight of the log's first day."""

    line: int
    minute: int


@dataclass(frozen=True, slots=True)
class Said(Row):
    """Somebody said something, or did it (`/me`; then the text begins with the nick)."""

    nick: str
    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Came(Row):
    """Somebody joined."""

    nick: str
    channel: str


@dataclass(frozen=True, slots=True)
class Went(Row):
    """Somebody left or quit."""

    nick: str
    channel: str


@dataclass(frozen=True, slots=True)
class Renamed(Row):
    """Somebody took another nick."""

    nick: str
    new: str


@dataclass(frozen=True, slots=True)
class Passed(Row):
    """Nothing to keep: a mode, a topic, an empty message, an empty line."""


@dataclass(frozen=True, slots=True)
class Malformed(Row):
    """A line that is none of these; `why` in our own words."""

    why: str


AnyRow = Said | Came | Went | Renamed | Passed | Malformed


@dataclass(frozen=True, slots=True)
class Log:
    """A parsed log. `cycle` is how many minutes its clock shows before it starts again: a day, or half a day."""

    rows: tuple[AnyRow, ...]
    cycle: int = DAY

    @property
    def first(self) -> int:
        """The first minute in it."""
        return self.rows[0].minute if self.rows else 0

    @property
    def last(self) -> int:
        """The last minute in it."""
        return self.rows[-1].minute if self.rows else 0

    @property
    def channel(self) -> str:
        """The channel that most people join or leave; empty if nobody does."""
        named = [row.channel for row in self.rows if isinstance(row, Came | Went) and row.channel]
        return max(sorted(set(named)), key=named.count, default="")


def decoded(content: bytes) -> list[str]:
    """The lines of a log: UTF-8, and where a line is not, Western European, as clients used to write."""
    lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    return [_line(raw.removesuffix(b"\r")) for raw in (lines[:-1] if lines[-1] == b"" else lines)]


def _line(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def day_of(name: str) -> date | None:
    """The day in a file's name (`2004-11-15_03.ascii.txt`); None without one."""
    found = _DATE.search(name)
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


def folded_nick(nick: str) -> str:
    """A nick as it is compared: without the case of A to Z, as servers do; everything else as it stands."""
    return nick.translate(_CASE)


def parse(lines: Sequence[str]) -> Log:
    """Read a log.

    Args:
        lines: its lines, in order, without line ends.

    Returns:
        One row a line. Times never go back: after midnight they go on counting, and on a clock of twelve hours (no
        hour 0 or above 12, and 1 after 12) at noon as well; such a log is taken to begin in the morning.
    """
    stamps = [_stamp(line) for line in lines]
    cycle = HALF_DAY if _twelve_hours([s for s in stamps if s is not None]) else DAY
    minutes = _minutes(stamps, cycle)
    return Log(
        tuple(_row(n, m, line) for n, (m, line) in enumerate(zip(minutes, lines, strict=True), 1)), cycle
    )


def _stamp(line: str) -> int | None:
    found = _STAMP.match(line)
    if found is None:
        return None
    hour, minute = int(found[1]), int(found[2])
    return hour * 60 + minute if hour < 24 and minute < 60 else None  # noqa: PLR2004


def _twelve_hours(stamps: Sequence[int]) -> bool:
    hours = [stamp // 60 for stamp in stamps]
    in_range = all(1 <= hour <= 12 for hour in hours)  # noqa: PLR2004
    return in_range and any(a == 12 and b == 1 for a, b in pairwise(hours))  # noqa: PLR2004


def _minutes(stamps: Iterable[int | None], cycle: int) -> list[int]:
    """Each line's minute; lines before the first stamp get the first stamp's."""
    result: list[int | None] = []
    turns = 0
    before: int | None = None
    now: int | None = None
    for stamp in stamps:
        if stamp is not None:
            shown = stamp % cycle
            if before is not None and shown < before - _SET_BACK:
                turns += 1
            before = shown
            now = max(now or 0, shown + turns * cycle)
        result.append(now)
    first = next((minute for minute in result if minute is not None), 0)
    return [first if minute is None else minute for minute in result]


def _row(line: int, minute: int, text: str) -> AnyRow:
    if len(text) > LONGEST:
        return Malformed(line, minute, f"longer than {LONGEST} characters")
    text = _CONTROL.sub("", text)
    if not text.strip():
        return Passed(line, minute)
    stamped = _STAMP.fullmatch(text)
    if stamped and _stamp(text) is None:
        return Malformed(line, minute, "no such time of day")
    body = stamped[3] if stamped else text
    server = _SERVER.fullmatch(body)
    if server:
        return _server_row(line, minute, server[1])
    if not stamped:
        return Malformed(line, minute, "no time and no ===")
    return _spoken(line, minute, body)


def _spoken(line: int, minute: int, body: str) -> AnyRow:
    done = _DONE.fullmatch(body)
    if done:
        return _said(line, minute, done[1], done[2], did=True)
    said = _SAID.fullmatch(body) or _NOTICE.fullmatch(body)
    if said:
        return _said(line, minute, said[1], said[2], did=False)
    return Malformed(line, minute, "neither <nick> nor * nick after the time")


def _server_row(line: int, minute: int, body: str) -> AnyRow:
    moved = _MOVED.fullmatch(body)
    if moved:
        kind = Came if moved[2] == "joined" else Went
        return kind(line, minute, moved[1], folded_nick(moved[3] or ""))
    renamed = _RENAMED.fullmatch(body)
    if renamed:
        return Renamed(line, minute, renamed[1], renamed[2])
    if _SETTING.match(body):
        return Passed(line, minute)
    nick, _, rest = body.partition(" ")
    return _said(line, minute, nick, rest, did=True)


def _said(line: int, minute: int, nick: str, text: str | None, *, did: bool) -> AnyRow:
    words = (text or "").strip()
    if not words or not nick:
        return Passed(line, minute)
    return Said(line, minute, nick, f"{nick} {words}" if did else words)

"""The roster of an old conversation: who was there and when, as the owner attests it.

It is the owner's word that makes an import's audiences; what a log shows is only a proposal (`draft`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from config.document import Value, read, written
from config.settings import zone
from engine.errors import BadInput

DAY = 24 * 60
_TIME = re.compile(r"(?:(\d{4}-\d{2}-\d{2})[ T])?(\d{1,2}):(\d{2})")
_FIX = 'write it like "12:18", or with its day: "2004-11-16 00:10"'


@dataclass(frozen=True, slots=True)
class Moment:
    """A minute of some day; without a day, of the log's."""

    day: date | None
    minute: int
    value: Value

    def __str__(self) -> str:
        """As it is written."""
        return f"{f'{self.day} ' if self.day else ''}{self.minute // 60:02}:{self.minute % 60:02}"


@dataclass(frozen=True, slots=True)
class Presence:
    """One stay of one nick; None for the beginning or the end of the log."""

    nick: str
    start: Moment | None = None
    end: Moment | None = None


@dataclass(frozen=True, slots=True)
class Roster:
    """What the owner attests of one log."""

    present: tuple[Presence, ...]
    channel: str = ""
    day: date | None = None
    zone: ZoneInfo | None = None
    file: str = ""


@dataclass(frozen=True, slots=True)
class Stay:
    """A presence on a log's own count of minutes, both ends included."""

    nick: str
    start: int
    end: int


def load_roster(path: Path) -> Roster:
    """Read a roster file.

    Raises:
        BadInput: one line with file, line, column and fix.
    """
    root = read(path)
    given = root.fields(("channel", "day", "timezone", "present"))
    if "present" not in given:
        raise root.fault("nobody is named as present", "add present: [{nick: bob}]")
    return Roster(
        present=tuple(_presence(value) for value in given["present"].items()),
        channel=_channel(given["channel"]) if "channel" in given else "",
        day=_day(given["day"]) if "day" in given else None,
        zone=_zone(given["timezone"]) if "timezone" in given else None,
        file=path.name,
    )


def _channel(value: Value) -> str:
    if not re.fullmatch(r"#[^\s,]+", value.text()):
        raise value.fault("this is no channel", 'write it in quotes: "#ubuntu"')
    return value.text()


def _day(value: Value) -> date:
    try:
        return date.fromisoformat(value.text())
    except ValueError:
        raise value.fault("this is no day", "write it like 2004-11-15") from None


def _zone(value: Value) -> ZoneInfo:
    try:
        return zone(value.text())
    except ValueError as error:
        raise value.fault(str(error)) from None


def _presence(value: Value) -> Presence:
    given = value.fields(("nick", "from", "to"))
    if "nick" not in given:
        raise value.fault("the nick is missing", 'write {nick: bob, from: "12:18", to: "13:05"}')
    nick = given["nick"].text()
    if re.search(r"\s", nick):
        raise given["nick"].fault("a nick has no blanks", "write the nick as it stands in the log")
    return Presence(
        nick,
        _moment(given["from"]) if "from" in given else None,
        _moment(given["to"]) if "to" in given else None,
    )


def _moment(value: Value) -> Moment:
    found = _TIME.fullmatch(value.text())
    if found is None or int(found[2]) > 23 or int(found[3]) > 59:  # noqa: PLR2004
        raise value.fault("this is no time of day", _FIX)
    try:
        day = date.fromisoformat(found[1]) if found[1] else None
    except ValueError:
        raise value.fault("there is no such day", _FIX) from None
    return Moment(day, int(found[2]) * 60 + int(found[3]), value)


def stays(roster: Roster, day: date, first: int, last: int, cycle: int = DAY) -> tuple[Stay, ...]:
    """The roster on the count of minutes of a log.

    Args:
        roster: what the owner attests.
        day: the log's first day.
        first: the log's first minute since midnight of that day.
        last: its last one.
        cycle: after how many minutes its clock shows the same time again.

    Returns:
        One stay for each presence. A time without a day is the first such time that the log's clock shows from the
        beginning (or from `from`) on; if it never shows it, it is that time of the log's first day.

    Raises:
        BadInput: with line and column, if somebody would leave before coming.
    """
    result = []
    for presence in roster.present:
        start = first if presence.start is None else _placed(presence.start, day, first, last, cycle)
        end = last if presence.end is None else _placed(presence.end, day, max(first, start), last, cycle)
        if presence.end is not None and end < start:
            raise presence.end.value.fault(
                f"{presence.nick} leaves before coming", f"check the times; {_FIX}"
            )
        result.append(Stay(presence.nick, start, end))
    return tuple(result)


def _placed(moment: Moment, day: date, since: int, last: int, cycle: int) -> int:
    if moment.day is not None:
        return (moment.day - day).days * DAY + moment.minute
    shown = moment.minute % cycle
    next_one = shown + max(0, -((shown - since) // cycle)) * cycle
    return next_one if next_one <= last else shown


def draft(
    present: Iterable[tuple[str, int, int, str]], *, channel: str, day: date, timezone: str, cycle: int = DAY
) -> str:
    """A roster as YAML text, for the owner to check.

    Args:
        present: nick, first and last minute since midnight of `day`, and a remark for the line (or "").
        channel: the channel; may be empty.
        day: the log's first day.
        timezone: the zone its times are taken to be in.
        cycle: after how many minutes the log's clock shows the same time again.
    """
    listed = CommentedSeq()
    for number, (nick, start, end, remark) in enumerate(present):
        entry = CommentedMap(nick=DoubleQuotedScalarString(nick))
        entry["from"], entry["to"] = (_written(day, minute, cycle) for minute in (start, end))
        entry.fa.set_flow_style()
        listed.append(entry)
        if remark:
            listed.yaml_add_eol_comment(remark, number)
    root = CommentedMap({"channel": DoubleQuotedScalarString(channel)} if channel else {})
    root |= {"day": DoubleQuotedScalarString(str(day)), "timezone": timezone, "present": listed}
    root.yaml_set_start_comment(_HEAD)
    return written(root, width=200)


_HEAD = """\
DRAFT. Made from what a log shows; it proves nothing, and counts only when you pass it back with --roster.
Each line lets a person hear, later, what was said while it says they were there. Take out whoever you are not
sure of, and make a stay shorter rather than longer. Both minutes are included. Leave out from or to for the
beginning or the end of the log. See docs/imports.md
"""


def _written(day: date, minute: int, cycle: int) -> DoubleQuotedScalarString:
    """A time that `_placed` puts back on this minute: with its day once the clock has gone round."""
    days, rest = divmod(minute, DAY)
    clock = f"{rest // 60:02}:{rest % 60:02}"
    text = f"{day + timedelta(days=days)} {clock}" if minute >= cycle else clock
    quoted: DoubleQuotedScalarString = DoubleQuotedScalarString(text)
    return quoted


def check_single(roster: Roster, logs: Sequence[object]) -> None:
    """A roster without a day attests one log only.

    Raises:
        BadInput: if there are several, because it would speak of days that the owner did not mean.
    """
    if roster.day is None and len(logs) > 1:
        raise BadInput(
            f"the roster does not say which of {len(logs)} logs it is about",
            where=roster.file,
            fix="add day: 2004-11-15, or import one file",
        )

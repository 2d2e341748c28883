"""English time expressions: which days and hours a text names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Final

from connectors.language.offline.calendar_sums import (
    NOON,
    Day,
    Hour,
    Instant,
    add_months,
    date_of,
    day_of_month,
    month_day,
    month_end,
    month_start,
    weekday_near,
    weekday_on,
)

_WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "a couple of": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fourteen": 14,
}  # fmt: skip
_WD: Final = r"(?P<wd>mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b(?:\.(?= ?\d))?"
)
_NUMBER: Final = (
    r"(?P<n>\d{1,3}|a couple of|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen)"
)
_DAYPART: Final = r"(?: (?P<part>morning|afternoon|evening|night))?"

Resolver = Callable[[re.Match[str], date, bool], date | None]


def _said_number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def _weekday(match: re.Match[str], today: date, past: bool) -> date:
    index = _WEEKDAYS.index(match["wd"][:3].lower())
    which = (match["which"] or "").lower()
    if which == "next":
        return weekday_on(today, index, 1)
    if which in {"last", "past"}:
        return weekday_near(today - timedelta(days=1), index, past=True)
    return weekday_near(today, index, past=past and which != "this")


def _month_day(match: re.Match[str], today: date, past: bool) -> date | None:
    month, day = _MONTHS.index(match["month"][:3].lower()) + 1, int(match["d"])
    if match["month"] in {"may", "march"} and match.start("d") > match.start("month"):
        return None  # "we may 12" is no date
    if match["y"]:
        return date_of(int(match["y"]), month, day)
    return month_day(today, month, day, past=past)


def _iso(match: re.Match[str], today: date, past: bool) -> date | None:
    return date_of(int(match["y"]), int(match["m"]), int(match["d"]))


def _counted(match: re.Match[str], today: date, past: bool) -> date | None:
    count = _said_number(match["n"]) * (-1 if match.groupdict().get("ago") else 1)
    unit = match["unit"].lower().rstrip("s")
    if unit in {"month", "year"}:
        return add_months(today, count * (12 if unit == "year" else 1))
    return today + timedelta(days=count * {"day": 1, "week": 7, "fortnight": 14}[unit])


_WORDS: Final = {
    "today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1, "last night": -1, "this morning": 0, "this afternoon": 0,
    "this evening": 0, "the day after tomorrow": 2, "the day before yesterday": -2, "tmrw": 1, "tmr": 1,
}  # fmt: skip


def _word(match: re.Match[str], today: date, past: bool) -> date:
    return today + timedelta(days=_WORDS[" ".join(match["word"].lower().split())])


def _period(match: re.Match[str], today: date, past: bool) -> date | None:
    step = {"next": 1, "last": -1, "this": 0}[match["which"].lower()]
    unit = match["unit"].lower()
    if unit == "weekend":
        return weekday_on(today, 5, step)
    if step == 0:
        return None  # "this week" names no day
    if unit == "week":
        return weekday_on(today, 0, step)
    return month_start(today, step) if unit == "month" else date(today.year + step, 1, 1)


def _end_of(match: re.Match[str], today: date, past: bool) -> date:
    if match["unit"].lower() == "year":
        return date(today.year, 12, 31)
    return month_end(today) if match["unit"].lower() == "month" else weekday_on(today, 4, 0)


def _nth(match: re.Match[str], today: date, past: bool) -> date | None:
    return day_of_month(today, int(match["d"]), past=past)


def _rule(pattern: str, resolve: Resolver) -> tuple[re.Pattern[str], Resolver]:
    return re.compile(rf"(?<![A-Za-z0-9/.-])(?:{pattern})(?![A-Za-z0-9])", re.IGNORECASE | re.ASCII), resolve


_YEAR: Final = r"(?:,? (?P<y>(?:19|20)\d\d))?"
_RULES: Final = (
    _rule(rf"(?P<word>the day (?:after tomorrow|before yesterday)|today|tonight|tomorrow|tmrw?|yesterday|last night"
          rf"|this (?:morning|afternoon|evening)){_DAYPART}", _word),
    _rule(r"(?P<y>(?:19|20)\d\d)-(?P<m>\d\d?)-(?P<d>\d\d?)", _iso),
    _rule(rf"(?:(?:on )?(?:the )?)(?P<d>\d\d?)(?:st|nd|rd|th)?(?: of)? {_MONTH}{_YEAR}{_DAYPART}", _month_day),
    _rule(rf"(?:on )?{_MONTH} (?:the )?(?P<d>\d\d?)(?:st|nd|rd|th)?(?!:?\d| ?[ap]m\b){_YEAR}{_DAYPART}", _month_day),
    _rule(rf"(?:on )?(?:(?P<which>this|next|last|past|coming) )?(?:coming )?{_WD}(?!s\b){_DAYPART}", _weekday),
    _rule(r"(?:on |(?P<which>this|next|last) |until |till |by |from )"
          r"(?P<wd>mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)", _weekday),
    _rule(rf"in {_NUMBER} (?P<unit>days?|weeks?|fortnight|months?|years?)(?:'s? time)?", _counted),
    _rule(rf"{_NUMBER} (?P<unit>days?|weeks?|months?|years?) from (?:now|today)", _counted),
    _rule(rf"{_NUMBER} (?P<unit>days?|weeks?|months?|years?) (?P<ago>ago)", _counted),
    _rule(r"(?P<which>next|last|this) (?P<unit>week|month|year|weekend)", _period),
    _rule(r"(?:at |by |until )?(?:the )?end of (?:the|this) (?P<unit>week|month|year)", _end_of),
    _rule(r"(?:on |by |until |till )the (?P<d>\d\d?)(?:st|nd|rd|th)", _nth),
)  # fmt: skip

_LEAD: Final = re.compile(r"^(?:on|until|till|by|from|at)\s+", re.IGNORECASE)
_EVERY: Final = re.compile(r"\b(?:every|each)\s+(?:other\s+)?$", re.IGNORECASE)


def days(text: str, today: date, past: Callable[[int], bool]) -> Iterator[Day]:
    """Days named in the text.

    Args:
        past: whether the clause around this position speaks of the past.
    """
    for pattern, resolve in _RULES:
        for match in pattern.finditer(text):
            if _EVERY.search(text, 0, match.start()):
                continue  # a habit has no date
            lead = _LEAD.match(match[0])
            start = match.start() + (lead.end() if lead else 0)
            try:
                found = resolve(match, today, past(start))
            except (OverflowError, ValueError):
                continue  # outside the calendar
            if found is not None:
                yield _day(match, start, found, bare=resolve is _weekday and not match["which"])


def _day(match: re.Match[str], start: int, found: date, *, bare: bool) -> Day:
    groups = match.groupdict()
    said = f"{groups.get('word') or ''} {groups.get('part') or ''}".lower()
    evening = any(word in said for word in ("night", "evening", "afternoon"))
    return Day(start, match.end(), found, evening=evening, morning="morning" in said, weekday=bare)


_TIME: Final = re.compile(
    r"""(?<![\w:.,/-])(?:
      (?P<from>\d\d?)(?::(?P<fm>[0-5]\d))?\s?(?:-|–|to|and)\s?(?:\d\d?)(?::[0-5]\d)?\s?(?P<range>[ap])\.?m\b\.?
    | (?P<h>\d\d?)(?:[:.](?P<m>[0-5]\d))?\s?(?P<ap>[ap])\.?m\b\.?
    | (?P<h24>[01]?\d|2[0-3]):(?P<m24>[0-5]\d)(?![:\d])
    | (?P<clock>\d\d?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\ o[’']?\s?clock
    | half\ past\ (?P<half>\d\d?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)
    | (?P<word>noon|midday|midnight)
    )(?!\w)""",
    re.IGNORECASE | re.VERBOSE | re.ASCII,
)
_AT_HOUR: Final = re.compile(
    r"(?<![\w])(?:at|around|about|@)\s?(?P<h>[1-9]|1[0-2])(?![\w:%]|[.,]\d|\s?[ap]\.?m\b)",
    re.IGNORECASE | re.ASCII,
)
_IN_HOURS: Final = re.compile(
    rf"(?<!\w)in (?:{_NUMBER}|(?P<half>half an)) (?P<unit>minutes?|mins?|hours?)(?!\w)", re.IGNORECASE
)


def hours(text: str) -> Iterator[Hour]:
    """Times of day named in the text. A bare "at 4" is not `sure`."""
    for match in _TIME.finditer(text):
        hour = _hour(match)
        if hour is not None:
            yield hour


def bare_hours(text: str) -> Iterator[Hour]:
    """Hours said with neither minutes nor am or pm ("at 4"): a time only beside a day."""
    for match in _AT_HOUR.finditer(text):
        yield Hour(match.start(), match.end(), int(match["h"]), sure=False)


def instants(text: str) -> Iterator[Instant]:
    """Moments counted in minutes or hours from now."""
    for match in _IN_HOURS.finditer(text):
        count = 0.5 if match["half"] else _said_number(match["n"])
        hours_ = match["unit"].lower().startswith("h")
        yield Instant(
            match.start(), match.end(), timedelta(hours=count) if hours_ else timedelta(minutes=count)
        )


def _hour(match: re.Match[str]) -> Hour | None:
    start, end = match.span()
    if match["word"]:
        return Hour(start, end, 0 if match["word"].lower() == "midnight" else NOON)
    if match["h24"]:
        # "4:30" without am or pm may be either; "16:30" and "04:30" may not.
        hour = int(match["h24"])
        return Hour(
            start, end, hour, int(match["m24"]), sure=hour > NOON or match["h24"].startswith("0") or hour == 0
        )
    if match["clock"] or match["half"]:
        return _of_twelve(
            start, end, _said_number(match["clock"] or match["half"]), 30 if match["half"] else 0, ""
        )
    half = (match["range"] or match["ap"]).lower()
    return _of_twelve(start, end, int(match["from"] or match["h"]), int(match["fm"] or match["m"] or 0), half)


def _of_twelve(start: int, end: int, hour: int, minute: int, half: str) -> Hour | None:
    if not 1 <= hour <= NOON:
        return None
    if not half:
        return Hour(start, end, hour, minute, sure=False)
    return Hour(start, end, hour % NOON + (NOON if half == "p" else 0), minute)

"""Which moments a text speaks of, in UTC (`engine.annotation.When`).

The rules name days and hours; this module joins neighbours ("tomorrow" + "at 4pm"), decides between past and future,
and drops what a text says is no longer so ("not Friday but Saturday"). Pure: now and the zone are arguments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final, TypeVar

from connectors.language.offline import dates_en, dates_zh
from connectors.language.offline.calendar_sums import Day, Hour, Instant, day_instant
from connectors.patterns import PatternFile
from engine.annotation import When

_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_FILE: Final = PatternFile(__file__, "dates")
_ANY_TIME: Final = _FILE.pattern("any_time", re.IGNORECASE)
_PAST_EN: Final = _FILE.pattern("past_en", re.IGNORECASE)
_FUTURE_EN: Final = _FILE.pattern("future_en", re.IGNORECASE)
_PAST_ZH: Final = _FILE.pattern("past_zh")
_FUTURE_ZH: Final = _FILE.pattern("future_zh")
_CLAUSE: Final = re.compile(r"[.;!?。；！？，,\n]")
_NO_LONGER: Final = _FILE.pattern("no_longer", re.IGNORECASE)
_GAP: Final = _FILE.pattern("gap", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mention:
    """A resolved time with its place in the text. `relative`: it reads differently on another day."""

    start: int
    end: int
    when: When
    relative: bool
    rank: int


Part = TypeVar("Part", Day, Hour, Mention)


def resolve(text: str, said_at: datetime, zone: tzinfo) -> When | None:
    """The most specific time that the text speaks of, the first among equals; None without any.

    Args:
        text: one statement or question.
        said_at: when it was said (aware).
        zone: the owner's time zone.
    """
    found = find_all(text, said_at, zone)
    return max(found, key=lambda m: (m.rank, -m.start)).when if found else None


def find_all(text: str, said_at: datetime, zone: tzinfo) -> tuple[Mention, ...]:
    """Every time that the text speaks of, in order of place; not those that it says are no longer so."""
    if not _ANY_TIME.search(text):
        return ()
    now = said_at.astimezone(zone)
    day_parts = _longest(_days(text, now.date()))
    hour_parts = _longest(dates_zh.hours(text) if _HAN.search(text) else dates_en.hours(text))
    bare = _longest(dates_en.bare_hours(text))
    found = [*_pairs(text, day_parts, hour_parts, bare, now)]
    found += [_ahead(text, i, now) for i in (*dates_en.instants(text), *dates_zh.instants(text))]
    kept = [m for m in _longest(found) if not _NO_LONGER.search(text, 0, m.start)]
    return tuple(sorted(kept, key=lambda m: m.start))


def _days(text: str, today: date) -> Iterable[Day]:
    yield from dates_en.days(text, today, lambda at: _past(text, at, _PAST_EN, _FUTURE_EN))
    if _HAN.search(text):
        yield from dates_zh.days(text, today, lambda at: _past(text, at, _PAST_ZH, _FUTURE_ZH))


def _past(text: str, at: int, past: re.Pattern[str], future: re.Pattern[str]) -> bool:
    """Whether the clause around `at` speaks of the past: the nearest cue before it, else the first one after it."""
    breaks = [m.end() for m in _CLAUSE.finditer(text, 0, at)]
    before = text[breaks[-1] if breaks else 0 : at]
    behind, ahead = _last(past, before), _last(future, before)
    if behind != ahead:
        return behind > ahead
    stop = _CLAUSE.search(text, at)
    after = text[at : stop.start() if stop else len(text)]
    first, other = past.search(after), future.search(after)
    return first is not None and (other is None or first.start() < other.start())


def _last(pattern: re.Pattern[str], text: str) -> int:
    return max((m.start() for m in pattern.finditer(text)), default=-1)


def _longest(parts: Iterable[Part]) -> list[Part]:
    """Without overlaps: the longer expression wins, then the earlier."""
    kept: list[Part] = []
    for part in sorted(parts, key=lambda p: (p.start - p.end, p.start)):
        if all(part.end <= k.start or part.start >= k.end for k in kept):
            kept.append(part)
    return sorted(kept, key=lambda p: p.start)


def _pairs(
    text: str, days: list[Day], hours: list[Hour], bare: list[Hour], now: datetime
) -> Iterable[Mention]:
    """Each day with the hour beside it, if any; then the hours that stand alone."""
    taken: set[Hour] = set()
    for day in _merged(text, days):
        hour = next((h for h in (*hours, *bare) if h not in taken and _beside(text, day, h)), None)
        if hour is None:
            yield _whole_day(text, day, now)
        else:
            taken.add(hour)
            yield _timed(text, day, hour, now)
    spans = [(d.start, d.end) for d in days]
    for hour in hours:
        if hour not in taken and all(hour.end <= s or hour.start >= e for s, e in spans):
            yield _timed(text, None, hour, now)


def _merged(text: str, days: list[Day]) -> Iterable[Day]:
    """A bare weekday beside a date ("Friday, 12 May") adds nothing to it but its place."""
    skip: set[int] = set()
    for index, day in enumerate(days):
        if index in skip:
            continue
        follower = days[index + 1] if index + 1 < len(days) else None
        if follower and day.weekday and not follower.weekday and _GAP.match(text[day.end : follower.start]):
            skip.add(index + 1)
            yield Day(
                day.start, follower.end, follower.day, evening=follower.evening, morning=follower.morning
            )
        else:
            yield day


def _beside(text: str, day: Day, hour: Hour) -> bool:
    between = text[day.end : hour.start] if day.end <= hour.start else text[hour.end : day.start]
    return bool(_GAP.match(between))


def _whole_day(text: str, day: Day, now: datetime) -> Mention:
    zone = now.tzinfo or UTC
    when = When(day_instant(day.day, zone), is_day=True, phrase=text[day.start : day.end])
    return Mention(day.start, day.end, when, relative=_relative(when.phrase), rank=1)


def _timed(text: str, day: Day | None, hour: Hour, now: datetime) -> Mention:
    start = min(hour.start, day.start) if day else hour.start
    end = max(hour.end, day.end) if day else hour.end
    clock = hour.clock(day) or time()
    at = datetime.combine(day.day if day else now.date(), clock, now.tzinfo)
    if day is None and at < now and not _past(text, hour.start, _PAST_EN, _FUTURE_EN):
        at += timedelta(days=1)  # "at 4pm", said in the evening
    phrase = text[start:end]
    return Mention(
        start,
        end,
        When(at.astimezone(UTC), is_day=False, phrase=phrase),
        _relative(phrase),
        rank=2 if day else 0,
    )


def _ahead(text: str, instant: Instant, now: datetime) -> Mention:
    at = (now + instant.ahead).astimezone(UTC).replace(second=0, microsecond=0)
    phrase = text[instant.start : instant.end]
    return Mention(instant.start, instant.end, When(at, is_day=False, phrase=phrase), relative=True, rank=2)


_ABSOLUTE: Final = _FILE.pattern("absolute")


def _relative(phrase: str) -> bool:
    return not _ABSOLUTE.search(phrase)

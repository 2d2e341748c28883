"""The pieces that time expressions are made of, and the calendar sums behind them."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

NOON = 12
LAST_EARLY_HOUR = 6
"""Said without morning or afternoon, hours up to this one mean the afternoon: nobody meets at four in the night."""


@dataclass(frozen=True, slots=True)
class Day:
    """A day named at `start:end`. `evening` and `morning` come from words like "tonight"; `weekday` marks a bare weekday."""

    start: int
    end: int
    day: date
    evening: bool = False
    morning: bool = False
    weekday: bool = False


@dataclass(frozen=True, slots=True)
class Hour:
    """A time of day named at `start:end`; `sure` says that morning or afternoon is beyond doubt."""

    start: int
    end: int
    hour: int
    minute: int = 0
    sure: bool = True

    def clock(self, day: Day | None) -> time | None:
        """The time of day, with the help of the day's own words; None when it stays in doubt."""
        hour, sure = self.hour, self.sure
        if not sure and day is not None and day.evening and 0 < hour < NOON:
            hour, sure = hour + NOON, True
        if not sure and not (day is not None and day.morning) and 0 < hour <= LAST_EARLY_HOUR:
            hour += NOON
        return time(hour % 24, self.minute)


@dataclass(frozen=True, slots=True)
class Instant:
    """A point in time counted from now ("in 20 minutes") at `start:end`."""

    start: int
    end: int
    ahead: timedelta


def day_instant(day: date, zone: tzinfo) -> datetime:
    """The moment that stands for a whole day.

    The later of its two midnights, the owner's and UTC's: read in either zone it shows the same date.
    """
    return max(datetime.combine(day, time(), UTC), datetime.combine(day, time(), zone).astimezone(UTC))


def weekday_on(today: date, weekday: int, weeks: int) -> date:
    """This weekday in the calendar week (Monday first) that is `weeks` away from today's."""
    return today + timedelta(days=weekday - today.weekday(), weeks=weeks)


def weekday_near(today: date, weekday: int, *, past: bool) -> date:
    """The nearest such weekday, today included: ahead, or behind in the past."""
    ahead = (weekday - today.weekday()) % 7
    return today + timedelta(days=ahead - 7 if past and ahead else ahead)


def add_months(day: date, months: int) -> date:
    """The same day some months later; the last of the month where that has no such day."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def month_start(day: date, months: int) -> date:
    """The first of the month that is `months` away."""
    return add_months(day.replace(day=1), months)


def month_end(day: date) -> date:
    """The last day of this month."""
    return day.replace(day=monthrange(day.year, day.month)[1])


def date_of(year: int, month: int, day: int) -> date | None:
    """The date, or None if there is none such."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def month_day(today: date, month: int, day: int, *, past: bool) -> date | None:
    """The nearest such date, today included: ahead, or behind in the past. None if there is none."""
    steps = (0, -1, -2, -3, -4) if past else (0, 1, 2, 3, 4)  # far enough for 29 February
    for step in steps:
        found = date_of(today.year + step, month, day)
        if found is not None and (found <= today if past else found >= today):
            return found
    return None


def day_of_month(today: date, day: int, *, past: bool) -> date | None:
    """The nearest month that has this day, today included."""
    for step in (0, -1, -2) if past else (0, 1, 2):
        first = month_start(today, step)
        found = date_of(first.year, first.month, day)
        if found is not None and (found <= today if past else found >= today):
            return found
    return None

"""Chinese time expressions: which days and hours a text names."""

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

_DIGITS: Final = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "日": 7,
    "天": 7,
    "末": 6,
}
_NUM: Final = r"(?:\d{1,3}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九])"
_PART: Final = r"(?P<part>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|晚|早)?"

Resolver = Callable[[re.Match[str], date, bool], date | None]


def number(said: str) -> int:
    """A number under a hundred as written, in digits or characters."""
    if said.isdigit():
        return int(said)
    tens, ten, ones = said.partition("十")
    if not ten:
        return _DIGITS[said]
    return (_DIGITS[tens] if tens else 1) * 10 + (_DIGITS[ones] if ones else 0)


_WORDS: Final = {"今": 0, "当": 0, "明": 1, "后": 2, "大后": 3, "昨": -1, "前": -2, "大前": -3}


def _word(match: re.Match[str], today: date, past: bool) -> date:
    return today + timedelta(days=_WORDS[match["word"]])


def _weekday(match: re.Match[str], today: date, past: bool) -> date:
    index = _DIGITS[match["wd"]] - 1
    which = match["which"]
    if not which:
        return weekday_near(today, index, past=past)
    weeks = which.count("下") - which.count("上")
    return weekday_on(today, index, weeks)


def _month_day(match: re.Match[str], today: date, past: bool) -> date | None:
    month, day = number(match["m"]), number(match["d"])
    year = match["y"]
    if year in {"今", "明", "后", "去"}:
        return date_of(today.year + {"今": 0, "明": 1, "后": 2, "去": -1}[year], month, day)
    return date_of(int(year), month, day) if year else month_day(today, month, day, past=past)


def _nth(match: re.Match[str], today: date, past: bool) -> date | None:
    if match["which"]:
        first = month_start(today, {"下": 1, "上": -1, "这": 0, "本": 0}[match["which"]])
        return date_of(first.year, first.month, number(match["d"]))
    return day_of_month(today, number(match["d"]), past=past)


def _counted(match: re.Match[str], today: date, past: bool) -> date | None:
    count = number(match["n"]) * (-1 if match["dir"] in {"前", "之前", "以前"} else 1)
    unit = match["unit"]
    if unit in {"月", "年"}:
        return add_months(today, count * (12 if unit == "年" else 1))
    return today + timedelta(days=count * (1 if unit == "天" else 7))


def _period(match: re.Match[str], today: date, past: bool) -> date | None:
    step = 1 if match["which"] in {"下", "明"} else -1
    if match["unit"] == "年":
        return date(today.year + step, 1, 1)
    return month_start(today, step) if match["unit"] == "月" else weekday_on(today, 0, step)


def _end_of(match: re.Match[str], today: date, past: bool) -> date:
    return month_end(today) if match["unit"] == "月" else date(today.year, 12, 31)


def _rule(pattern: str, resolve: Resolver) -> tuple[re.Pattern[str], Resolver]:
    return re.compile(pattern, re.ASCII), resolve


_RULES: Final = (
    _rule(rf"(?P<word>大后|大前|[今明后昨前])(?:天|日(?!本)){_PART}", _word),
    _rule(r"(?P<word>[今明昨当])(?P<part>晚|早|夜)(?:上|里)?", _word),
    _rule(rf"(?P<y>(?:19|20)\d\d|[今明后去])年(?P<m>{_NUM})月(?P<d>{_NUM})[日号]?{_PART}", _month_day),
    _rule(rf"(?P<y>)(?<![\d年])(?P<m>{_NUM})月(?P<d>{_NUM})[日号]?{_PART}", _month_day),
    _rule(rf"(?P<which>下下个?|上上个?|下个?|上个?|这个?|本)?(?:周|星期|礼拜)(?P<wd>[一二三四五六日天末]){_PART}", _weekday),
    _rule(rf"(?:(?P<which>[下上这本])个?月)?(?<!月)(?P<d>{_NUM})[号](?![线楼院码店门馆厅]){_PART}", _nth),
    _rule(rf"(?:(?P<which>[下上这本])个?月)(?P<d>{_NUM})[号日]?(?![天个])", _nth),
    _rule(rf"(?P<n>{_NUM})(?:个)?(?P<unit>天|周|星期|礼拜|月|年)(?P<dir>之后|以后|后|之前|以前|前)", _counted),
    _rule(r"(?P<which>[下上])(?:个)?(?P<unit>周|星期|礼拜|月)(?![一二三四五六日天末\d]|十)", _period),
    _rule(r"(?P<which>[明去])(?P<unit>年)(?![一二三四五六七八九十\d])", _period),
    _rule(r"(?:这个|本)?(?P<unit>[月年])底", _end_of),
)  # fmt: skip
_EVERY: Final = re.compile(r"(?:每个?|逢)$")


def days(text: str, today: date, past: Callable[[int], bool]) -> Iterator[Day]:
    """Days named in the text.

    Args:
        past: whether the clause around this position speaks of the past.
    """
    for pattern, resolve in _RULES:
        for match in pattern.finditer(text):
            if _EVERY.search(text, 0, match.start()):
                continue  # a habit has no date
            try:
                found = resolve(match, today, past(match.start()))
            except (OverflowError, ValueError, KeyError):
                continue  # outside the calendar
            if found is not None:
                part = match.groupdict().get("part") or ""
                yield Day(
                    match.start(), match.end(), found, evening=part in _LATE, morning=part in _EARLY,
                    weekday=resolve is _weekday and not match["which"],
                )  # fmt: skip


_LATE: Final = frozenset("下午 傍晚 晚上 夜里 晚 夜 今晚 明晚 昨晚".split())
_EARLY: Final = frozenset("凌晨 清晨 早上 早晨 上午 早 今早 明早".split())
_TIME: Final = re.compile(
    rf"""(?P<part>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里)?
    (?:(?P<h>{_NUM})点(?!钟?[了儿]?(?:事|名|头|击|赞|餐))(?:钟|整)?
       (?:(?P<half>半)|(?P<quarter>[一三])刻|(?P<m>[0-5]?\d(?!\d)|[二三四五]?十[一二三四五六七八九]?)分?)?
    |(?<![\d:：])(?P<h24>[01]?\d|2[0-3])[:：](?P<m24>[0-5]\d)(?![:：\d]))
    |(?P<noon>中午|正午)(?!饭)""",
    re.VERBOSE | re.ASCII,
)
_IN_HOURS: Final = re.compile(rf"(?:过)?(?P<n>{_NUM}|半)个?(?P<unit>小时|钟头|分钟)(?:之后|以后|后)")


def hours(text: str) -> Iterator[Hour]:
    """Times of day named in the text."""
    for match in _TIME.finditer(text):
        if match["noon"]:
            yield Hour(match.start(), match.end(), NOON)
            continue
        hour = number(match["h"] or match["h24"])
        if hour < 24:  # noqa: PLR2004 - hours a day
            yield _hour(match, hour)


def _hour(match: re.Match[str], hour: int) -> Hour:
    minute = 30 if match["half"] else {"一": 15, "三": 45}.get(match["quarter"] or "", 0)
    minute = number(match["m"]) if match["m"] else int(match["m24"] or minute)
    part = match["part"]
    if part in _LATE or (part == "中午" and hour < NOON - 1):
        hour += NOON if hour < NOON else 0
    sure = bool(part) or hour > NOON or (match["h24"] or "").startswith("0") or hour == 0
    return Hour(match.start(), match.end(), hour % 24, minute % 60, sure=sure)


def instants(text: str) -> Iterator[Instant]:
    """Moments counted in minutes or hours from now."""
    for match in _IN_HOURS.finditer(text):
        count = 0.5 if match["n"] == "半" else number(match["n"])
        minutes = match["unit"] == "分钟"
        yield Instant(
            match.start(), match.end(), timedelta(minutes=count) if minutes else timedelta(hours=count)
        )

"""Periods of retention: as the owner writes them, and as a section of the policy file."""

from __future__ import annotations

import re
from collections.abc import Collection

from ruamel.yaml.comments import CommentedMap

from config.document import Value
from engine.ids import CategoryName, ContainerId
from engine.retention import LONGEST, Retention

_UNITS = {"d": 1, "w": 7, "m": 30, "y": 365}
_WRITTEN = {
    "d": ("d", "day", "days", "天", "日"),
    "w": ("w", "week", "weeks", "周", "星期"),
    "m": ("m", "month", "months", "月", "个月"),
    "y": ("y", "year", "years", "年"),
}
_PERIOD = re.compile(r"(\d{1,5})\s*([a-z]+|[天日周星期月个年]+)")
FIX = f"write 30d, 12w, 6m or 1y: 1 to {LONGEST} days, a month of 30 and a year of 365"


def days_of(text: str) -> int | None:
    """The days of `30d`, `12 weeks`, `6个月`, `1y`; None if it is no period, or one that is too long."""
    found = _PERIOD.fullmatch(text.strip().casefold())
    unit = next((u for u, names in _WRITTEN.items() if found and found[2] in names), "")
    days = int(found[1]) * _UNITS[unit] if found and unit else 0
    return days if 1 <= days <= LONGEST else None


def written_period(days: int) -> str:
    """Days in the largest unit that leaves nothing over: `30d` is `1m`."""
    unit = next(u for u in ("y", "m", "w", "d") if days % _UNITS[u] == 0)
    return f"{days // _UNITS[unit]}{unit}"


def read_retention(value: Value, categories: Collection[CategoryName]) -> Retention:
    """The section `retention` of a policy file."""
    given = value.fields(("chats", "categories"))
    chats = {ContainerId(k.text()): _days(v) for k, v in given["chats"].entries()} if "chats" in given else {}
    names: dict[CategoryName, int] = {}
    if "categories" in given:
        for key, period in given["categories"].entries():
            names[CategoryName(key.choice(categories, "category"))] = _days(period)
    return Retention(chats, names)


def _days(value: Value) -> int:
    days = days_of(value.text())
    if days is None:
        raise value.fault(f"{value.text()!r} is no period", FIX)
    return days


def plain_retention(retention: Retention) -> CommentedMap:
    """The same section to be written."""
    section = CommentedMap()
    section["chats"] = CommentedMap((str(c), written_period(n)) for c, n in sorted(retention.chats.items()))
    section["categories"] = CommentedMap(
        (str(c), written_period(n)) for c, n in sorted(retention.categories.items())
    )
    return section

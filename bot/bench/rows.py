"""JSON objects with their place in a file, read key by key: a value is what it has to be, or a fault that names it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from bot.bench.scenario import PUBLIC
from engine.errors import BadInput

T = TypeVar("T")
EVERYBODY = frozenset({PUBLIC, "public"})
_NOWHERE = -1
_LATEST = 1e9


@dataclass(frozen=True, slots=True)
class Row:
    """A JSON object with its place, for faults that name it."""

    plain: Any
    where: str
    path: str

    def checked(self) -> Row:
        """Itself, if it is an object."""
        if not isinstance(self.plain, dict):
            raise self.fault("", "an object")
        return self

    def fault(self, key: str, wanted: str) -> BadInput:
        """What is wrong with a key, and where."""
        name = ".".join(part for part in (self.path, key) if part) or "the line"
        return BadInput(f"{name} is not {wanted}", where=self.where, fix="see docs/results.md for the format")

    def value(self, key: str) -> Any:
        """Whatever is there; None if nothing is."""
        return self.plain.get(key)

    def get(self, key: str, wanted: str, fits: Callable[[Any], T | None], default: T | None = None) -> T:
        """The value of a key, as `fits` reads it; a missing or null one is the default, if there is one."""
        value = self.plain.get(key)
        found = default if value is None else fits(value)
        if found is None:
            raise self.fault(key, wanted)
        return found

    def text(self, key: str, default: str | None = None) -> str:
        """A text, which may be empty only where there is a default."""
        return self.get(
            key, "a text", lambda v: v if isinstance(v, str) and (v or default is not None) else None, default
        )

    def names(self, key: str, default: tuple[str, ...] | None = ()) -> tuple[str, ...]:
        """A list of names."""
        return self.get(key, "a list of names", list_of_names, default)

    def flag(self, key: str) -> bool:
        """True or false; missing is false."""
        return self.get(key, "true or false", lambda v: v if isinstance(v, bool) else None, default=False)

    def moment(self, key: str) -> float:
        """Minutes since the scenario's beginning; a date with a time zone counts in minutes as well."""
        return self.get(key, "a time", _minutes, 0.0)

    def version(self, key: str) -> int:
        """A version; one that is there and null is older than any."""
        if key in self.plain and self.plain[key] is None:
            return _NOWHERE
        return self.get(key, "a whole number", lambda v: v if type(v) is int else None, 0)

    def row(self, key: str) -> Row:
        """An object."""
        return Row(self.plain.get(key), self.where, f"{self.path}.{key}".strip(".")).checked()

    def rows(self, key: str) -> list[Row]:
        """A list of objects; missing is empty."""
        every: list[Any] = self.get(key, "a list", lambda v: v if isinstance(v, list) else None, [])
        return [
            Row(v, self.where, f"{self.path}.{key}[{n}]".strip(".")).checked() for n, v in enumerate(every)
        ]


def list_of_names(value: object) -> tuple[str, ...] | None:
    """A list of names; None for anything else, "everybody" among names included."""
    fits = isinstance(value, list) and all(isinstance(v, str) and v and v not in EVERYBODY for v in value)
    return tuple(value) if fits and isinstance(value, list) else None


def _minutes(value: object) -> float | None:
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            return None
        return None if moment.tzinfo is None else moment.timestamp() / 60
    number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LATEST
    return float(value) if number and isinstance(value, int | float) else None

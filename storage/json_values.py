"""Frozen values of the engine as JSON can hold them, and back, by their declared types.

By type and not by hand, so that a field added to a policy is kept from its first day: a forgotten one could widen.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import lru_cache
from typing import Any

from engine.errors import StoreFault

_PLAIN = (str, int, float, bool)


def to_plain(value: Any, declared: Any = None) -> Any:
    """What JSON can hold: data classes become objects, mappings lists of pairs, sets sorted lists.

    `declared` is the type that stands where the value is: one of several data classes has its name beside its fields.

    Raises:
        TypeError: for a value that none of this fits.
    """
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, _PLAIN):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value):
        kind: Any = type(value)
        plain = {name: to_plain(getattr(value, name), hint) for name, hint in _hints(kind).items()}
        return {"type": kind.__name__, **plain} if len(_choices(declared)) > 1 else plain
    if isinstance(value, Mapping):
        return [[to_plain(key), to_plain(inner)] for key, inner in value.items()]
    if isinstance(value, frozenset):
        return [to_plain(inner) for inner in sorted(value)]
    if isinstance(value, tuple | list):
        return [to_plain(inner) for inner in value]
    raise TypeError(f"no plain form for {type(value).__name__}")


def from_plain(kind: Any, plain: Any) -> Any:
    """The value of this type again; a field that an older version did not write has its default.

    Raises:
        StoreFault: if there is a field that this version does not know: leaving it out could widen.
        TypeError: for a type that none of this fits.
    """
    kind = getattr(kind, "__supertype__", kind)  # NewType
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in {types.UnionType, typing.Union}:
        return None if plain is None else _chosen(_choices(kind), plain)
    if origin is not None:
        return _container(origin, arguments, plain)
    if kind in _PLAIN:
        return kind(plain)
    if kind is datetime:
        return datetime.fromisoformat(plain)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(plain)
    if is_dataclass(kind):
        return _object(kind, plain)
    raise TypeError(f"no plain form for {kind}")


def _choices(declared: Any) -> list[Any]:
    """The types of a union, without None; none for any other type."""
    union = typing.get_origin(declared) in {types.UnionType, typing.Union}
    return [a for a in typing.get_args(declared) if a is not types.NoneType] if union else []


def _chosen(choices: list[Any], plain: Any) -> Any:
    if len(choices) == 1:
        return from_plain(choices[0], plain)
    fields_of = dict(plain)
    name = fields_of.pop("type")
    for kind in choices:
        if kind.__name__ == name:
            return from_plain(kind, fields_of)
    raise StoreFault(f"a newer Tact wrote this memory ({name}): install that one, or a later")


def _container(origin: Any, arguments: tuple[Any, ...], plain: Any) -> Any:
    if issubclass(origin, Mapping):
        key, value = arguments
        return {from_plain(key, k): from_plain(value, v) for k, v in plain}
    if origin is frozenset:
        return frozenset(from_plain(arguments[0], inner) for inner in plain)
    if origin is tuple and arguments[-1] is Ellipsis:
        return tuple(from_plain(arguments[0], inner) for inner in plain)
    if origin is tuple:
        return tuple(from_plain(kind, inner) for kind, inner in zip(arguments, plain, strict=True))
    raise TypeError(f"no plain form for {origin}")


def _object(kind: Any, plain: Any) -> Any:
    hints = _hints(kind)
    unknown = sorted(set(plain) - set(hints))
    if unknown:
        raise StoreFault(
            f"a newer Tact wrote this memory ({kind.__name__}.{unknown[0]}): install that one, or a later"
        )
    make: Callable[..., Any] = kind
    return make(**{name: from_plain(hints[name], inner) for name, inner in plain.items()})


@lru_cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}

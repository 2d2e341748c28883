"""A first-person script of the EP-Bench-like kind: read, looked over, and cut from its gold.

Predictions are made from what `without_gold` leaves and from nothing else, so no answer can leak into one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from engine.errors import BadInput

SCHEMA = "epbench-like/1"
GOLD_1 = ("gold_category", "gold_levels", "why")
GOLD_2 = ("gold", "gold_letters", "why", "case")
GOLD_3 = ("disclosable", "must_not", "reference")
ANNOTATIONS = ("event", "category", "levels", "whitelist", "blacklist", "digest", "truth", "cover_for")
_OF_FACT = ("category", "levels", "whitelist", "blacklist", "digest", "truth")

Plain = dict[str, Any]


def read_script(file: Path) -> Plain:
    """The script as JSON holds it.

    Raises:
        BadInput: if it cannot be read, or is none.
    """
    try:
        found = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise BadInput(
            f"it cannot be read ({error.strerror})", where=str(file), fix="name a script"
        ) from None
    except ValueError as error:
        raise BadInput(f"it is not JSON ({error})", where=str(file), fix="name a script") from None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA:
        raise BadInput(f"it is no script of schema {SCHEMA}", where=str(file), fix="see docs/results.md")
    return found


def without_gold(script: Plain, *, annotated: bool) -> Plain:
    """The script without any answer.

    Args:
        annotated: whether facts keep their annotations; without, a fact is its id, its session and its words.
    """
    left = {key: value for key, value in script.items() if key not in {"task1", "task2", "task3"}}
    left["facts"] = [fact if annotated else _without(fact, ANNOTATIONS) for fact in script.get("facts", ())]
    left["task1"] = [_without(item, GOLD_1) for item in script.get("task1", ())]
    left["task2"] = [_without(item, GOLD_2) for item in script.get("task2", ())]
    left["task3"] = [
        {**item, "audiences": [_without(one, GOLD_3) for one in item.get("audiences", ())]}
        for item in script.get("task3", ())
    ]
    return left


def _without(item: Plain, keys: Iterable[str]) -> Plain:
    return {key: value for key, value in item.items() if key not in set(keys)}


def check(script: Plain, where: str, *, annotated: bool) -> None:
    """Look a script over that has its gold cut off.

    Raises:
        BadInput: the first thing that is missing, or that refers to nothing.
    """
    facts = _by_id(script, "facts", ("session", "text", *(_OF_FACT if annotated else ())), where)
    sessions = _by_id(script, "sessions", ("date", "channel", "participants", "turns"), where)
    people = _by_id(script, "contacts", ("level",), where)
    _needs(script.get("policy"), ("N", "domains", "categories"), "policy", where)
    for name, fact in facts.items():
        _refers([fact["session"]], sessions, f"facts.{name}.session", where)
    for name, item in _by_id(script, "task1", ("fact",), where).items():
        _refers([item["fact"]], facts, f"task1.{name}.fact", where)
    for name, item in _by_id(script, "task2", ("candidates",), where).items():
        if ("facts" in item) == ("units" in item):
            raise _fault(f"task2.{name} does not have either facts or units", where)
        named = item.get("facts", [f for unit in item.get("units", ()) for f in unit["evidence"]])
        _refers(named, facts, f"task2.{name}", where)
        _refers([c["contact"] for c in item["candidates"] if c["contact"]], people, f"task2.{name}", where)
    for name, item in _by_id(script, "task3", ("pool", "audiences"), where).items():
        _refers(item["pool"], facts, f"task3.{name}.pool", where)
        _refers([one.get("receiver") for one in item["audiences"]], people, f"task3.{name}", where)


def _by_id(script: Plain, key: str, needs: tuple[str, ...], where: str) -> dict[str, Plain]:
    found: dict[str, Plain] = {}
    for number, item in enumerate(script.get(key, ())):
        _needs(item, ("id", *needs), f"{key}[{number}]", where)
        if item["id"] in found:
            raise _fault(f"{key}: {item['id']} is there twice", where)
        found[item["id"]] = item
    return found


def _needs(item: object, keys: tuple[str, ...], path: str, where: str) -> None:
    if not isinstance(item, dict):
        raise _fault(f"{path} is not an object", where)
    missing = [key for key in keys if key not in item]
    if missing:
        raise _fault(f"{path}.{missing[0]} is missing", where)


def _refers(names: Iterable[Any], to: Iterable[str], path: str, where: str) -> None:
    missing = [name for name in names if name not in to]
    if missing:
        raise _fault(f"{path} names {missing[0]!r}, which is not there", where)


def _fault(what: str, where: str) -> BadInput:
    return BadInput(what, where=where, fix="see docs/results.md for the format")

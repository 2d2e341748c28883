"""Stories: a YAML file with people, rooms and steps that `tact play` acts out (format in docs/play.md).

Reading is strict: an unknown key or a wrong value is one line with the place and the fix.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from config.languages import languages
from connectors.console.world import account_of
from engine.errors import BadInput
from engine.ids import AccountId

OWNER = "owner"
_TOP = ("title", "language", "owner", "timezone", "start", "people", "rooms", "settings", "policy", "steps")
_TAPS = ("confirm", "keep", "undo", "change")
_ALONE = ("confirm", "keep", "undo", "restart")
_WORLD = ("wait", "join", "leave", "restart", "note")
_ALSO = (
    "in",
    "expect",
    "expect_not",
    "expect_line",
    "same_as",
    "id",
    "reply_to",
    "forwarded",
    "calls_itself",
    "at",
)
_SPAN = re.compile(
    r"^\s*(\d+)\s*(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|w|weeks?)\s*$", re.IGNORECASE
)
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a story: an account; `name` if the owner has met them; what they call themselves."""

    key: str
    account: AccountId
    name: str = ""
    calls_itself: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    `speaker` says `text` (in `room`, else in private); or `tap` is the owner's answer to a card; or the world changes
    (`world` is wait, join, leave, restart or note, with `value`). `expect` and `expect_not` are pieces of the words
    heard in reply; `same_as` names a step whose reply must be equal to the byte.
    """

    number: int
    line: int
    speaker: str = ""
    text: str = field(default="", repr=False)
    room: str | None = None
    tap: str = ""
    world: str = ""
    value: Any = None
    id: str = ""
    expect: tuple[str, ...] = ()
    expect_not: tuple[str, ...] = ()
    expect_line: str = ""
    same_as: str = ""
    reply_to: str = ""
    forwarded: bool = False
    calls_itself: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Story:
    """A whole story."""

    title: str
    language: str
    owner: str
    timezone: str
    start: datetime | None
    people: Mapping[str, Person]
    rooms: Mapping[str, tuple[str, ...]]
    settings: Mapping[str, Any]
    policy: Mapping[str, Any] | str | None
    steps: tuple[Step, ...]
    path: Path


def read_story(path: Path) -> Story:
    """Read and check a story file.

    Raises:
        BadInput: with file, line and fix.
    """
    raw = _load(path)
    where = str(path)
    if not isinstance(raw, Mapping):
        raise BadInput("a story is a mapping with `steps`", where=where, fix="see docs/play.md")
    for key in raw:
        if key not in _TOP:
            raise _bad(path, raw, key, f"unknown key {key!r}", f"one of {', '.join(_TOP)}")
    zone = _zone(path, raw)
    people = _people(path, raw.get("people") or {})
    rooms = {
        str(name): tuple(str(m) for m in members or ()) for name, members in (raw.get("rooms") or {}).items()
    }
    steps = raw.get("steps")
    if not isinstance(steps, list) or not steps:
        raise BadInput("no steps", where=where, fix="add a list under `steps:`")
    read = tuple(_step(path, steps, n, zone) for n in range(len(steps)))
    language = str(raw.get("language", "en"))
    if language not in languages():
        raise _bad(path, raw, "language", f"unknown language {language!r}", " or ".join(languages()))
    return Story(
        title=str(raw.get("title", path.stem)),
        language=language,
        owner=str(raw.get("owner", "Alex")),
        timezone=str(zone),
        start=_moment(path, raw, "start", zone),
        people=_with_speakers(people, rooms, read),
        rooms=rooms,
        settings=raw.get("settings") or {},
        policy=raw.get("policy"),
        steps=read,
        path=path,
    )


def _load(path: Path) -> Any:
    from ruamel.yaml import YAML  # noqa: PLC0415 - loads only when a story is played
    from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415

    try:
        return YAML(typ="rt").load(path.read_text(encoding="utf-8"))
    except MarkedYAMLError as fault:
        mark = fault.problem_mark
        place = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else str(path)
        raise BadInput(str(fault.problem or "not YAML"), where=place, fix="mend the YAML") from None
    except OSError as fault:
        raise BadInput(
            f"it cannot be read ({fault.strerror})", where=str(path), fix="check name and rights"
        ) from None
    except (UnicodeDecodeError, YAMLError):
        raise BadInput("this is no text in UTF-8", where=str(path), fix="name a YAML file") from None


def _bad(path: Path, node: Any, key: Any, what: str, fix: str) -> BadInput:
    """A fault with the line of a key or an item."""
    line = 0
    marks = getattr(node, "lc", None)
    if marks is not None:
        try:
            line = (marks.item(key) if isinstance(key, int) else marks.key(key))[0] + 1
        except (KeyError, TypeError, AttributeError):
            line = marks.line + 1
    return BadInput(what, where=f"{path}:{line}", fix=fix)


def _zone(path: Path, raw: Any) -> ZoneInfo:
    name = str(raw.get("timezone", "UTC"))
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise _bad(
            path, raw, "timezone", f"unknown timezone {name!r}", "an IANA name such as Europe/Lisbon"
        ) from None


def _moment(path: Path, node: Any, key: str, zone: ZoneInfo) -> datetime | None:
    given = node.get(key)
    if given is None:
        return None
    try:
        moment = given if isinstance(given, datetime) else datetime.fromisoformat(str(given))
    except ValueError:
        raise _bad(path, node, key, f"{given!r} is no date and time", "such as 2026-05-01T09:00") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)


def _people(path: Path, raw: Any) -> dict[str, Person]:
    if not isinstance(raw, Mapping):
        raise BadInput("`people` is a mapping", where=str(path), fix="such as `bob: Bob`")
    people = {}
    for key, given in raw.items():
        about = {"name": given} if isinstance(given, str) else (given or {})
        if not isinstance(about, Mapping) or set(about) - {"name", "account", "calls_itself"}:
            raise _bad(
                path, raw, key, f"wrong entry for {key}", "a name, or name/account/calls_itself, or nothing"
            )
        account = account_of(str(about.get("account") or key))
        itself = str(about.get("calls_itself") or about.get("name") or key)
        people[str(key)] = Person(str(key), account, str(about.get("name") or ""), itself)
    return people


def _with_speakers(
    people: dict[str, Person], rooms: Mapping[str, tuple[str, ...]], steps: tuple[Step, ...]
) -> dict[str, Person]:
    """Everybody who speaks or is in a room exists; whoever is not under `people` is a stranger."""
    keys = [s.speaker for s in steps] + [m for members in rooms.values() for m in members]
    every = {OWNER: Person(OWNER, account_of(OWNER)), **people}
    for key in keys:
        if key and key not in every:
            every[key] = Person(key, account_of(key), calls_itself=key)
    return every


def _step(path: Path, steps: Any, index: int, zone: ZoneInfo) -> Step:
    raw, number = steps[index], index + 1
    if isinstance(raw, str):
        raw_word = raw.strip()
        raw = {raw_word.split()[0]: " ".join(raw_word.split()[1:]) or None} if raw_word else {}
    if not isinstance(raw, Mapping) or not raw:
        raise _bad(path, steps, index, f"step {number} is empty", "such as `bob: When is the launch?`")
    raw = {"as": raw["as"], **{k: v for k, v in raw.items() if k != "as"}} if "as" in raw else dict(raw)
    say = raw.pop("say", None)
    speaker = raw.pop("as", None)
    if say is not None:
        raw[speaker or OWNER] = say
    actor, value = _acted(path, steps, index, raw)
    also = {k: v for k, v in raw.items() if k in _ALSO}
    marks = getattr(steps, "lc", None)
    line = marks.item(index)[0] + 1 if marks is not None else 0
    common: dict[str, Any] = {
        "number": number,
        "line": line,
        "id": str(also.get("id", "")),
        "expect": _several(also.get("expect")),
        "expect_not": _several(also.get("expect_not")),
        "expect_line": str(also.get("expect_line", "")),
        "same_as": str(also.get("same_as", "")),
        "at": _moment(path, also, "at", zone),
    }
    if actor in _TAPS:
        return Step(tap=actor, value=value, speaker=OWNER, **common)
    if actor in _WORLD:
        return Step(
            world=actor, value=_span(path, steps, index, value) if actor == "wait" else value, **common
        )
    speaker_key, _, room = actor.partition(" in ")
    where = str(also["in"]) if also.get("in") else (room.strip() or None)
    return Step(
        speaker=speaker_key.strip(),
        text=str(value if value is not None else ""),
        room=where,
        reply_to=str(also.get("reply_to", "")),
        forwarded=bool(also.get("forwarded", False)),
        calls_itself=str(also.get("calls_itself", "")),
        **common,
    )


def _acted(path: Path, steps: Any, index: int, raw: Mapping[Any, Any]) -> tuple[str, Any]:
    """Who speaks or what happens, and the words or the value of it."""
    number, actors = index + 1, [k for k in raw if k not in _ALSO]
    if len(actors) != 1:
        raise _bad(
            path, steps, index, f"step {number} has {len(actors)} actors", "one speaker, tap or event a step"
        )
    actor, value = str(actors[0]), raw[actors[0]]
    if value is None and actor not in _ALONE:
        raise _bad(
            path, steps, index, f"step {number}: {actor!r} says nothing", "such as `bob: When is the launch?`"
        )
    return actor, value


def _several(given: Any) -> tuple[str, ...]:
    if given is None:
        return ()
    return tuple(str(g) for g in given) if isinstance(given, list) else (str(given),)


def _span(path: Path, steps: Any, index: int, value: Any) -> timedelta:
    found = _SPAN.match(str(value))
    if not found:
        raise _bad(path, steps, index, f"cannot wait {value!r}", "such as `wait: 2 hours`")
    return timedelta(seconds=int(found[1]) * _UNITS[found[2][0].lower()])

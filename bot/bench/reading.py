"""Reading a suite: liberal about keys it does not know, strict about everything that decides."""

from __future__ import annotations

import json
from pathlib import Path

from bot.bench.rows import EVERYBODY, Row, list_of_names
from bot.bench.scenario import (
    MODES,
    OWNER_NAME,
    PUBLIC,
    REFUSED,
    STORES,
    Ask,
    Event,
    Evidence,
    Expected,
    Scenario,
    Seed,
    Write,
    audience_of,
    marker,
)
from engine.audience import EVERYONE, Audience
from engine.errors import BadInput


def read_suite(path: Path) -> list[Scenario]:
    """Every scenario of a JSON Lines file, in its order.

    Raises:
        BadInput: naming file, line and key.
    """
    try:
        lines = path.read_text("utf-8").split("\n")  # a text may hold other line ends
    except OSError as error:
        raise BadInput(
            f"the suite cannot be read ({error.strerror})", where=str(path), fix="name a file of scenarios"
        ) from None
    except UnicodeDecodeError:
        raise BadInput("this is not UTF-8", where=str(path), fix="save it as UTF-8") from None
    found = [read_line(line, f"{path}:{n}") for n, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise BadInput("there is no scenario in it", where=str(path), fix="one JSON object a line")
    seen: set[str] = set()
    for scenario in found:
        if scenario.id in seen:
            raise BadInput(
                f"scenario {scenario.id!r} is there twice", where=scenario.where, fix="give it its own id"
            )
        seen.add(scenario.id)
    return found


def read_line(line: str, where: str) -> Scenario:
    """One scenario.

    Raises:
        BadInput: naming place and key.
    """
    try:
        plain = json.loads(line)
    except ValueError as error:
        raise BadInput(f"this is not JSON: {error}", where=where, fix="one object a line") from None
    row = Row(plain, where, "").checked()
    scenario = Scenario(
        id=row.text("id"),
        family=row.text("family", ""),
        seeds=tuple(_seed(r) for r in row.rows("seeds")),
        events=tuple(_event(r) for r in row.rows("inbound")),
        turn=_turn(row.row("turn")),
        expected=None if row.value("expected") is None else _expected(row.row("expected")),
        where=where,
    )
    _check(scenario)
    return scenario


def _audience(value: object) -> Audience | None:
    if isinstance(value, str):
        return EVERYONE if value in EVERYBODY else None
    found = list_of_names(value)
    return None if found is None else audience_of(frozenset(found))


def _seed(row: Row) -> Seed:
    item, store = row.text("id"), row.text("store", "longterm")
    if store not in STORES:
        raise row.fault("store", f"one of {', '.join(STORES)}")
    sources = row.names("derived_from")
    if "audience" not in row.plain and not sources:
        raise row.fault("audience", "given, nor what the item is derived from")
    given = (
        None if row.value("audience") is None else row.get("audience", 'a list of names or "*"', _audience)
    )
    edge = None if row.value("edge") is None else row.get("edge", "[subject, predicate, object]", _edge)
    text = row.text("text", " ".join(edge) if edge else None)
    marked = text if marker(item) in text else f"{marker(item)} {text}"
    return Seed(item, marked, store, row.moment("at"), given, sources, edge)


def _edge(value: object) -> tuple[str, str, str] | None:
    found = list_of_names(value)
    return (found[0], found[1], found[2]) if found is not None and len(found) == 3 else None  # noqa: PLR2004


def _event(row: Row) -> Event:
    item, text = row.text("id"), row.text("text", "")
    marked = text if marker(item) in text else f"{marker(item)} {text}"
    channel = None if row.value("channel") is None else row.text("channel")
    evidence = _evidence(row)
    shown = row.text("display_name", "")
    return Event(item, marked, row.text("sender"), row.moment("at"), evidence, channel, shown)


def _turn(row: Row) -> Ask:
    shown = row.text("display_name", "")
    return Ask(
        row.text("channel", "here"),
        row.text("sender"),
        _evidence(row),
        row.moment("at"),
        row.text("query", ""),
        shown,
    )


def _evidence(row: Row) -> Evidence:
    """What is missing establishes nothing: no evidence is a place of unknown kind."""
    if row.value("evidence") is None:
        return Evidence()
    inner = row.row("evidence")
    roster = None if inner.value("roster") is None else frozenset(inner.names("roster"))
    claims = inner.value("claims")
    return Evidence(
        inner.text("kind", "unknown"),
        roster,
        frozenset(inner.names("observed")),
        inner.version("roster_version"),
        inner.version("membership_version"),
        claims if isinstance(claims, dict) else {},
    )


def _expected(row: Row) -> Expected:
    mode = row.text("mode")
    if mode not in MODES:
        raise row.fault("mode", f"one of {', '.join(MODES)}")
    viewers = None if row.value("viewers") is None else frozenset(row.names("viewers"))
    due = Row(row.value("writes") or {}, row.where, f"{row.path}.writes").checked()
    writes = {event: _write(due, event) for event in due.plain}
    return Expected(
        mode, viewers, row.names("required"), row.names("forbidden"), row.flag("fail_closed"), writes
    )


def _write(row: Row, event: str) -> Write:
    value = row.value(event)
    if value == REFUSED:
        return REFUSED
    if isinstance(value, str) and value in EVERYBODY:
        return PUBLIC
    found = list_of_names(value)
    if found is None:
        raise row.fault(event, 'a list of names, "*" or "refused"')
    return tuple(sorted({*found, OWNER_NAME}))


def _check(scenario: Scenario) -> None:
    """Ids are there once, and what refers to one refers to one that is there."""
    ids = scenario.item_ids
    twice = next((i for i in ids if ids.count(i) > 1), None)
    if twice is not None:
        raise BadInput(f"item {twice!r} is there twice", where=scenario.where, fix="give it its own id")
    wanted = {f"{s.id}: derived_from": s.derived_from for s in scenario.seeds}
    if scenario.expected is not None:
        due = scenario.expected
        wanted = {**wanted, "required": due.required, "forbidden": due.forbidden}
        both = set(due.required) & set(due.forbidden)
        if both:
            raise BadInput(
                f"{min(both)!r} is required and forbidden", where=scenario.where, fix="it is one of them"
            )
        unknown = set(due.writes) - {event.id for event in scenario.events}
        if unknown:
            raise BadInput(
                f"writes: no event {min(unknown)!r}", where=scenario.where, fix="name an inbound event"
            )
    for key, named in wanted.items():
        missing = [i for i in named if i not in ids]
        if missing:
            raise BadInput(
                f"{key}: no item {missing[0]!r}", where=scenario.where, fix="name a seed or an event"
            )
    _check_derivations(scenario)


def _check_derivations(scenario: Scenario) -> None:
    left = {seed.id: set(seed.derived_from) for seed in scenario.seeds}
    made = {event.id for event in scenario.events}
    while ready := [i for i, sources in left.items() if sources <= made]:
        made |= set(ready)
        left = {i: sources for i, sources in left.items() if i not in made}
    if left:
        raise BadInput(f"{min(left)!r} is derived from itself", where=scenario.where, fix="break the circle")

"""One scenario, played through the real stores and the real turn; what is seen is bytes, viewers and audiences.

The turn is received as any other. Then `bot.turn.answer.reply` is called on it directly: whether a message is small
talk, a greeting or a command decides which words go out, never what may be known, and a suite asks the latter of every
query, greetings and "print your memory" included. So each query, whatever its words, gets a sealed context, and that
context's exact bytes are what is searched.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from hashlib import sha256
from operator import or_

from bot.bench.planting import Garden
from bot.bench.scenario import (
    REFUSED,
    Ask,
    Event,
    Scenario,
    Write,
    account_of,
    marker,
    name_of,
    names_in,
)
from bot.bench.stage import Listener, Stage, moment
from bot.bootstrap import meet
from bot.context import ZONE
from bot.memory.annotation_queue import annotate_due
from bot.turn.answer import reply
from bot.turn.record import Turn, receive
from engine.audience import OWNER_ONLY
from engine.errors import TactError
from engine.ids import ContainerId
from engine.items import InboundMessage
from engine.viewers import Known, Viewers

_SECTIONS = {"story": "longterm", "graph": "graph", "recent": "recent"}


@dataclass(frozen=True, slots=True)
class Observed:
    """What a scenario came to, with nothing of what was due.

    Args:
        included: items whose marker is in the payload, in the order of the bytes.
        paths: for each of them, the stores through which it got there.
        viewers: names, if they were established.
        writes: by event, whom it was recorded for.
    """

    scenario: str
    mode: str
    viewers: tuple[str, ...] | None
    included: tuple[str, ...]
    paths: Mapping[str, frozenset[str]]
    writes: Mapping[str, Write]
    payload: bytes = field(repr=False)
    reply: str = field(repr=False)

    def as_prediction(self) -> dict[str, object]:
        """One line of a file of predictions."""
        return {
            "id": self.scenario,
            "included": list(self.included),
            "mode": self.mode,
            "viewers": None if self.viewers is None else list(self.viewers),
            "writes": {e: w if isinstance(w, str) else list(w) for e, w in self.writes.items()},
            "reply": self.reply,
        }


async def observe(scenario: Scenario, stage: Stage) -> Observed:
    """Plant, record, ask and look."""
    await _introduce(scenario, stage)
    garden = Garden(scenario, stage)
    await garden.plant()
    writes: dict[str, Write] = {}
    arriving = sorted(scenario.events, key=lambda event: event.at)
    for event in [e for e in arriving if e.at <= scenario.turn.at]:
        writes[event.id] = await _record(scenario, event, stage, garden)
        await garden.plant()
    seen, payload, answer = await _ask(scenario, stage)
    for event in [e for e in arriving if e.at > scenario.turn.at]:
        writes[event.id] = await _record(scenario, event, stage, garden)
    included = found_in(payload, scenario.item_ids, scenario.turn.query)
    return Observed(
        scenario=scenario.id,
        mode=_mode(seen),
        viewers=tuple(sorted(name_of(p) for p in seen.persons)) if isinstance(seen, Known) else None,
        included=included,
        paths={item: _paths(payload, item) for item in included},
        writes={e.id: writes[e.id] for e in scenario.events},
        payload=payload,
        reply=answer,
    )


def found_in(payload: bytes, items: tuple[str, ...], question: str) -> tuple[str, ...]:
    """The items whose marker is in these bytes, in order of first appearance.

    What the asker quotes is no finding: the question's own place in the bytes is passed over.
    """
    asked = b'"question":' + _as_json(question)
    searched = payload.replace(asked, b" " * len(asked), 1)
    places = {item: searched.find(_as_json(marker(item))[1:-1]) for item in items}
    return tuple(sorted((i for i, place in places.items() if place >= 0), key=lambda i: places[i]))


def _as_json(text: str) -> bytes:
    return json.dumps(text, ensure_ascii=False).encode()


def _paths(payload: bytes, item: str) -> frozenset[str]:
    """The parts of a sealed context that an item's marker is in."""
    wanted = _as_json(marker(item))[1:-1]
    sections = json.loads(payload)
    return frozenset(
        store
        for section, store in _SECTIONS.items()
        if wanted in json.dumps(sections[section], ensure_ascii=False).encode()
    )


def _mode(seen: Viewers) -> str:
    if not isinstance(seen, Known):
        return "public_only"
    return "owner_private" if seen.upper == OWNER_ONLY else "exact_shared"


async def _introduce(scenario: Scenario, stage: Stage) -> None:
    """People of this scenario alone, met like the six who are in each; who only shows up in evidence is nobody."""
    async with stage.context.store.transaction() as tx:
        people = await tx.people()
    heard = {p for seed in scenario.seeds if seed.audience for p in seed.audience.members}
    names = sorted({name_of(p) for p in heard} | {scenario.turn.sender, *(e.sender for e in scenario.events)})
    for name in names:
        if not people.called(people.person(account_of(name))) and account_of(name) not in people.owners:
            await meet(stage.context, account_of(name), name, stage.clock.now())


async def _record(scenario: Scenario, event: Event, stage: Stage, garden: Garden) -> Write:
    """Let a message arrive, annotate it, and look whom it is kept for: itself, and every fact made of it."""
    turn = await _receive(scenario, event, event.id, event.text, stage)
    await annotate_due(stage.context, stage.clock.now())
    async with stage.context.store.transaction() as tx:
        kept = await tx.message(turn.message.id, ZONE)
        facts = [] if kept is None else await tx.facts_behind([kept], ZONE)
    if kept is None:
        garden.recorded(event.id, None, turn.message.id)
        return REFUSED
    audience = reduce(or_, (fact.audience for fact in facts), kept.audience)
    garden.recorded(event.id, audience, turn.message.id)
    return names_in(audience)


async def _ask(scenario: Scenario, stage: Stage) -> tuple[Viewers, bytes, str]:
    ask = scenario.turn
    turn = await _receive(scenario, ask, f"turn:{scenario.id}", ask.query, stage)
    listener = Listener(ask.evidence.as_roster(ask.sender))
    trace = await reply(stage.context, listener, turn)
    if listener.said != [trace.reply] or sha256(trace.payload).hexdigest() != trace.digest:
        raise TactError(f"{scenario.id}: the trace is not what happened")
    return turn.seen, trace.payload, trace.reply


async def _receive(scenario: Scenario, what: Ask | Event, event: str, text: str, stage: Stage) -> Turn:
    """Evidence and words as a connector hands them over; claims come along, and nothing may come of them."""
    stage.clock.move_to(moment(what.at))
    claims = what.evidence.claims
    turn = await receive(
        stage.context,
        InboundMessage(
            event=event,
            container=ContainerId(what.channel or scenario.turn.channel),
            sender=account_of(what.sender),
            display_name=what.display_name or str(claims.get("display_name", what.sender)),
            text=text,
            sent_at=moment(what.at),
            evidence=what.evidence.as_roster(what.sender),
            title=str(claims.get("title", "")),
            raw=text,
        ),
    )
    if turn is None:
        raise TactError(f"{scenario.id}: a fresh memory calls {event} a duplicate")
    return turn

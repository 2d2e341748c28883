"""What the owner can ask is a value before it is words: each query of a filled memory, as JSON, with what it tells."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from datetime import timedelta
from importlib import import_module
from inspect import getmembers, isclass
from pkgutil import iter_modules
from types import SimpleNamespace

import pytest

from bot.memory.annotation_queue import annotate_due
from bot.owner import queries
from bot.owner.openings import every_fact
from bot.owner.queries import (
    acquaintances,
    arrangements,
    chats,
    deliveries,
    overview,
    previews,
    remembered,
    traces,
)
from bot.owner.queries.values import Value
from engine.ids import ContainerId, PersonId
from engine.mailroom import Sending, State
from engine.ports import Spent
from engine.viewers import ChatKind, Known, RosterEvidence
from storage.json_values import to_plain

BOB = PersonId("console:bob")
HALL = ContainerId("console:room:hall")
ATLAS = "#work-projects: The Atlas launch is on 12 June."
VOLKOV = "Dr. Volkov is Ana's dentist."
QUESTION = "When is the Atlas launch? And when is the dinner?"


async def filled(stage):
    """A memory with some of everything, and what a model and a platform would say of themselves."""
    await stage.owner("/level add Bob L1-work")
    await stage.owner("confirm")
    fact = await stage.tells(ATLAS)
    await stage.owner(VOLKOV)
    await stage.owner("Dinner with Ana is at 20:00.", "hall")
    stage.clock.at += timedelta(hours=2)
    await annotate_due(stage.context, stage.clock.now())
    await stage.asks("bob", QUESTION)
    await stage.asks("bob", f"Tact, {QUESTION}", "hall")
    await stage.owner("/retention here 4w", "hall")
    async with stage.context.store.transaction() as tx:
        await tx.put_sending(Sending("t_9/reply#1", HALL, "On 12 June.", State.UNCERTAIN, (fact,)))
    spent = SimpleNamespace(spent=lambda: Spent("a-model", 1))
    return replace(stage.context, writer=spent)


class Telegraph:
    """A platform that counts, and knows of one."""

    async def look(self, container, known):
        return RosterEvidence(ChatKind.GROUP, None, frozenset({"console:bob"}), reported_count=3)


async def every_value(context) -> list[Value]:
    """Each query's value."""
    async with context.store.transaction() as tx:
        policy, people = await tx.policy(), await tx.people()
        now = context.clock.now()
        fact = next(f for f in await every_fact(tx) if f.text in ATLAS)
        found, sealed = await previews.preview(tx, context, policy, people, BOB, QUESTION)
        values = [
            await overview.overview(tx, context, policy, "/data"),
            await remembered.newest(tx, policy, people),
            await remembered.best(tx, context, policy, people, "Atlas"),
            await remembered.details(tx, policy, people, fact),
            acquaintances.contacts(policy, people),
            await acquaintances.strangers(tx, people),
            await acquaintances.acquaintance(tx, policy, people, "Ana", people.resolve("Ana")),
            arrangements.kinds(policy, now),
            await arrangements.keepings(tx, policy, now),
            arrangements.public_lines(context.lines, policy),
            await chats.mode_of(tx, HALL),
            await chats.readers(tx, policy, HALL, Known(frozenset({BOB}))),
            await chats.rooms(tx),
            await deliveries.deliveries(tx),
            *[await traces.explain(tx, context, trace) for trace in await tx.turns(50)],
            *await traces.owner_view(tx, context),
        ]
    return [
        *values,
        found,
        await previews.worded(context, found, sealed),
        await chats.census(Telegraph(), policy, people, HALL),
        deliveries.Resent(deliveries.Again.DONE),
    ]


def inside(value: object) -> Iterator[Value]:
    """A value, and those that it holds."""
    if isinstance(value, Value):
        yield value
    if is_dataclass(value):
        for one in fields(value):
            yield from inside(getattr(value, one.name))
    elif isinstance(value, tuple):
        for one in value:
            yield from inside(one)


async def test_each_kind_of_value_is_json_and_tells_what_it_holds(stage):
    values = await every_value(await filled(stage))
    facts = await stage.facts()
    assert len(facts) > 2

    for value in values:
        plain = json.dumps(to_plain(value), ensure_ascii=False)
        untold = [f.id for f in facts if f.text in plain and not {f.id, *f.sources} & set(value.told)]
        assert untold == [], type(value).__name__

    modules = [import_module(f"{queries.__name__}.{m.name}") for m in iter_modules(queries.__path__)]
    kinds = {k for m in modules for _, k in getmembers(m, isclass) if issubclass(k, Value) and k is not Value}
    assert {type(v) for value in values for v in inside(value)} == kinds


@pytest.mark.parametrize(
    "command",
    [
        "/facts",
        "/facts Atlas",
        "/fact {fact}",
        "/why",
        "/preview Bob When is the Atlas launch?",
        "/block Ana {fact}",
    ],
)
async def test_an_answer_is_noted_with_the_facts_that_it_shows(stage, command):
    await stage.owner("/level add Bob L1-work")
    await stage.owner("confirm")
    fact = await stage.tells(ATLAS)
    await stage.asks("bob", "When is the Atlas launch?")
    await stage.owner(command.format(fact=fact))
    async with stage.context.store.transaction() as tx:
        answered = await tx.sending(f"{stage.traces[-1].id}/owner")
    assert answered is not None
    assert fact in answered.used

"""Annotation runs beside the conversation, and takes nothing from it."""

from __future__ import annotations

import asyncio
import shutil
import threading
from dataclasses import replace

import pytest

from bot.context import ZONE
from bot.memory.annotate import annotate_session
from bot.memory.annotation_queue import annotate_due
from connectors.language.offline import ThreadedEmbedder
from storage import SqlStore, Vault
from storage.repositories import talk
from tests.stage import KEY, open_stage


class SlowEmbedder:
    """Has no vectors, and waits once until it may go on."""

    name = "none"
    dimension = 0

    def __init__(self) -> None:
        self.entered, self.go_on = threading.Event(), threading.Event()

    def query(self, text):
        return b""

    def passages(self, texts):
        self.entered.set()
        self.go_on.wait(30)
        return [b""] * len(texts)


async def test_a_message_that_comes_while_another_session_is_annotated_is_counted_and_annotated(stage):
    """It waits for the annotation of the first session, and is recorded before that of the second."""
    await stage.says("bob", "Carl lives in Oslo.")
    await stage.says("cyd", "Dana lives in Rome.")
    slow = SlowEmbedder()
    context = replace(stage.context, embedder=ThreadedEmbedder(slow))
    annotating = asyncio.create_task(annotate_due(context, stage.clock.now()))
    await asyncio.to_thread(slow.entered.wait, 30)
    coming = asyncio.create_task(stage.says("cyd", "Dana works in Bergen."))
    await asyncio.sleep(0.05)
    slow.go_on.set()
    await coming
    await annotating
    async with stage.context.store.transaction() as tx:
        session = await tx.open_session(stage.world.direct("console:cyd"))
        assert session is not None
        assert session.messages == 2
    await annotate_due(stage.context, stage.clock.now())
    texts = {fact.text for fact in await stage.facts()}
    assert {"Dana lives in Rome.", "Dana works in Bergen."} <= texts


async def test_however_many_sessions_wait_each_is_read_a_few_times(tmp_path, empty_memory, monkeypatch):
    """In the list of those that wait, in the transaction that annotates it, and in the list that says there are no more."""
    shutil.copy(empty_memory, tmp_path / "tact.db")
    stage = await open_stage(await SqlStore.open(tmp_path / "tact.db", Vault(KEY)), tmp_path)
    await annotate_due(stage.context, stage.clock.now())
    for number in range(40):
        await stage.says(f"guest{number}", f"Carl lives in house {number}.")
    read = []
    plain = talk.session_of
    monkeypatch.setattr(talk, "session_of", lambda row, audience: read.append(row.id) or plain(row, audience))
    assert await annotate_due(stage.context, stage.clock.now()) == 40
    assert len(read) <= 4 * 40
    assert await annotate_due(stage.context, stage.clock.now()) == 0
    await stage.context.store.close()


class Refusing:
    """An embedder that cannot take one text."""

    name = "none"
    dimension = 0

    def query(self, text):
        return b""

    def passages(self, texts):
        if any("Oslo" in text for text in texts):
            raise ValueError("a text that breaks it")
        return [b""] * len(texts)


async def test_a_session_that_cannot_be_annotated_keeps_no_other_from_its_turn_and_stays_in_the_queue(stage):
    await stage.says("bob", "Carl lives in Oslo.")
    await stage.says("cyd", "Dana lives in Rome.")
    with pytest.raises(ValueError, match="breaks it"):
        await annotate_due(replace(stage.context, embedder=ThreadedEmbedder(Refusing())), stage.clock.now())
    assert "Dana lives in Rome." in {fact.text for fact in await stage.facts()}
    assert await annotate_due(stage.context, stage.clock.now()) == 1
    assert "Carl lives in Oslo." in {fact.text for fact in await stage.facts()}


async def test_one_that_was_annotated_or_forgotten_meanwhile_is_left_alone(stage):
    """While the first is annotated somebody else annotates the second, and the third is forgotten."""
    await annotate_due(stage.context, stage.clock.now())
    for name in ("bob", "cyd", "dan"):
        await stage.says(name, f"The friend of {name} lives in Oslo.")
    slow = SlowEmbedder()
    context = replace(stage.context, embedder=ThreadedEmbedder(slow))
    annotating = asyncio.create_task(annotate_due(context, stage.clock.now()))
    await asyncio.to_thread(slow.entered.wait, 30)
    between = asyncio.create_task(_meanwhile(stage))
    await asyncio.sleep(0.05)
    slow.go_on.set()
    await between
    assert await annotating == 2
    texts = [fact.text for fact in await stage.facts()]
    assert len([text for text in texts if "cyd" in text]) == 1
    assert not [text for text in texts if "dan" in text]


async def _meanwhile(stage):
    async with stage.context.store.transaction() as tx:
        (second,) = [s for s in await tx.sessions_to_do(stage.clock.now()) if s.container.endswith("cyd")]
        await annotate_session(tx, stage.context, second, stage.clock.now())
        (said,) = await tx.recent(stage.world.direct("console:dan"), ZONE, 1)
        await tx.forget(messages=[said.id], at=stage.clock.now())


async def test_a_request_in_a_message_that_repeats_a_fact_binds_it(stage):
    await stage.says("bob", "The moonstone is under the birch.", "hall")
    await stage.says("bob", "The moonstone is under the birch. Don't tell Ana.", "hall")
    await annotate_due(stage.context, stage.clock.now())
    (fact,) = await stage.facts()
    assert [entry.person for entry in fact.lists] == ["console:ana"]


async def test_a_message_that_repeats_a_fact_is_not_shown_to_whom_the_fact_is_barred(stage):
    """The recent messages of a room are told to those who heard them, save what they must not hear any more."""
    for _ in range(2):
        await stage.says("bob", "The moonstone is under the birch.", "hall")
    await annotate_due(stage.context, stage.clock.now())
    (fact,) = await stage.facts()
    await stage.owner(f"/block Ana {fact.id}")
    await stage.asks("ana", "Tact, where is the sapphire?", "hall")
    assert b"birch" not in stage.traces[-1].payload


async def test_nothing_waits_while_a_session_is_understood_and_what_came_in_between_counts(stage):
    """The reader stands still: another message comes into the very session, and one is forgotten."""
    await annotate_due(stage.context, stage.clock.now())
    await stage.says("bob", "Carl lives in Oslo.")
    await stage.says("bob", "The moonstone is under the birch.")
    slow = SlowEmbedder()
    annotating = asyncio.create_task(
        annotate_due(replace(stage.context, embedder=ThreadedEmbedder(slow)), stage.clock.now())
    )
    await asyncio.to_thread(slow.entered.wait, 30)
    async with asyncio.timeout(10):  # nobody holds the memory
        await stage.says("bob", "Dana works in Bergen.")
        async with stage.context.store.transaction() as tx:
            said = await tx.recent(stage.world.direct("console:bob"), ZONE, 3)
            (secret,) = [m.id for m in said if "moonstone" in m.text]
            await tx.forget(messages=[secret], at=stage.clock.now())
    assert not annotating.done()
    slow.go_on.set()
    assert await annotating == 1
    assert {fact.text for fact in await stage.facts()} == {"Carl lives in Oslo.", "Dana works in Bergen."}


async def test_a_session_that_changes_each_time_it_is_understood_stays_in_the_queue(stage):
    await annotate_due(stage.context, stage.clock.now())
    await stage.says("bob", "Carl lives in Oslo.")
    count = 0

    class Restless(Refusing):
        def passages(self, texts):
            nonlocal count
            count += 1
            asyncio.run_coroutine_threadsafe(stage.says("bob", f"Dana has {count} cats."), loop).result(10)
            return [b""] * len(texts)

    loop = asyncio.get_running_loop()
    assert (
        await annotate_due(replace(stage.context, embedder=ThreadedEmbedder(Restless())), stage.clock.now())
        == 0
    )
    assert count == 3
    assert await stage.facts() == []
    assert await annotate_due(stage.context, stage.clock.now()) == 1

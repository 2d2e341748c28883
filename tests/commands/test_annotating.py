"""Annotation runs beside the conversation, and takes nothing from it."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace

from bot.annotating import annotate_due


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
    parts = replace(stage.parts, embedder=slow)
    annotating = asyncio.create_task(annotate_due(parts, stage.clock.now()))
    await asyncio.to_thread(slow.entered.wait, 30)
    coming = asyncio.create_task(stage.says("cyd", "Dana works in Bergen."))
    await asyncio.sleep(0.05)
    slow.go_on.set()
    await coming
    await annotating
    async with stage.parts.store.transaction() as tx:
        session = await tx.open_session(stage.world.direct("console:cyd"))
        assert session is not None
        assert session.messages == 2
    await annotate_due(stage.parts, stage.clock.now())
    texts = {fact.text for fact in await stage.facts()}
    assert {"Dana lives in Rome.", "Dana works in Bergen."} <= texts

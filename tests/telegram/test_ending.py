"""A service that is told to end does, whatever it was about to do."""

from __future__ import annotations

import asyncio

from bot.bootstrap import Tact, make_context
from bot.owner.commands.all import registry
from bot.selftest.telegram_world import TOKEN
from bot.service.service import Service
from connectors.language.offline.embedder import NoEmbedder
from storage import MemoryStore


async def test_it_ends_in_the_moment_in_which_there_is_something_to_annotate(stage):
    """Told so while it begins: the annotator has something to do from the start, and is told to end just then."""
    settings = stage.settings()
    context = make_context(MemoryStore(), settings, clock=stage.clock, embedder=NoEmbedder())
    service = Service(
        Tact(context, registry()), settings, {"telegram": TOKEN}, bases={"telegram": stage.wire.url}
    )
    stop = asyncio.Event()
    stage.wire.before["deleteWebhook"] = lambda _: stop.set()
    running = asyncio.create_task(service.run(stop))
    ended, _ = await asyncio.wait([running], timeout=30)
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()
    assert ended

"""What became of everything that was said, when all kills are over and all work is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bot.context import ZONE
from bot.memory.import_plan import find_logs
from bot.selftest.crowd import Crowd
from bot.selftest.tally import Tally
from bot.service.posts import platform_of
from connectors.imports.irc import Said
from connectors.telegram.inbound import account_of, place_of
from engine.mailroom import State
from engine.store import Store


async def count(tally: Tally, people: Crowd, store: Store, logs: Sequence[Path]) -> None:
    """Add to the tally what became of messages, imported lines, the owner's acts, and everything sent."""
    lines = _lines(logs)
    tally.messages += len(people.said) + len(lines)
    async with store.transaction() as tx:
        every = [s for state in State for s in await tx.sendings(state)]
        sendings = [s for s in every if platform_of(s.container) == "telegram"]
        events = [*(said.event for said in people.said), *lines]
        missing = [event for event in events if await tx.recorded(event) is None]
        policy, known = await tx.policy(), await tx.people()
        taken_back = [await tx.recorded(event) for event in people.taken_back]
        there = [i for i in taken_back if i is not None and await tx.message(i, ZONE) is not None]
    tally.note("lost", len(missing), f"{len(missing)} message(s) never recorded, the first {missing[:1]}")
    held = [n for n in people.labelled if known.person(account_of(n)) in policy.contacts]
    tally.note("lost", len(people.labelled) - len(held), "the owner confirmed it, and nobody did it")
    tally.note("lost", len(there), f"the owner took it back, and it is there, the first {there[:1]}")
    sent = Counter(place_of(s.container)[0] for s in sendings if s.state == State.SENT and "#" in s.key)
    doubt = Counter(place_of(s.container)[0] for s in sendings if s.state == State.UNCERTAIN)
    for chat in people.world.chats:
        arrived = len(people.world.texts(chat))
        wanted = people.answers.get(chat, sent[chat] + doubt[chat])
        tally.note("lost", max(0, wanted - sent[chat] - doubt[chat], sent[chat] - arrived), f"to {chat}")
        tally.note("doubled", max(0, arrived - wanted), f"to {chat}")
        tally.uncertain += doubt[chat]
        tally.uncertain_arrived += min(doubt[chat], max(0, arrived - sent[chat]))


def _lines(logs: Sequence[Path]) -> list[str]:
    """The events of all that is said in these logs."""
    found = find_logs(logs) if logs else []
    return [f"irc:{log.digest}:{row.line}" for log in found for row in log.log.rows if isinstance(row, Said)]

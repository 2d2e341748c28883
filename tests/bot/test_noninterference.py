"""P5 over the whole turn: what may not be told here changes nothing that is seen here.

The same question is asked of two memories, one of which also holds things that are inadmissible for the viewers. The
sealed bytes, the words heard, and the number and kind of calls to reader, embedder and composer are equal.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.bootstrap import Tact, make_context, meet, set_up
from bot.cli.play import StoryClock
from bot.owner.commands.all import registry
from bot.turn.turn import take_turn
from config.settings import Settings
from connectors.console.world import OWNER_ACCOUNT, account_of
from connectors.language.offline.embedder import NoEmbedder
from engine.records import TurnTrace
from storage.memory import MemoryStore
from tests.world import World

START = datetime(2026, 5, 4, 9, tzinfo=UTC)
ROOMS = {"both": [OWNER_ACCOUNT, account_of("bob"), account_of("ana")]}
Said = tuple[str, str | None, str]

TOLD: list[Said] = [
    ("bob", None, "The Atlas launch is on 3 June."),
    ("bob", "both", "I will bring the lemon cake on Saturday because Ana hates chocolate."),
    ("ana", "both", "The river walk starts at noon but the bridge is closed."),
]
HIDDEN: list[Said] = [
    ("owner", None, "The Atlas launch will slip to September."),
    ("ana", None, "Bob's lemon cake is terrible, the Atlas launch too."),
    ("carol", None, "The river walk is cancelled because Atlas launch fails."),
    ("owner", None, "Actually, the bridge on the river walk is open."),
    ("ana", None, "Bob is being replaced at Atlas, keep this between us."),
    ("carol", None, "The lemon cake lemon cake lemon cake Saturday Saturday."),
    ("owner", None, "My password for the Atlas server is Heliotrope!77."),
]
ASKED = [
    ("bob", None, "When is the Atlas launch?"),
    ("bob", "both", "Tact, what is with the lemon cake on Saturday?"),
    ("ana", "both", "Tact, when does the river walk start?"),
    ("bob", None, "What's new?"),
    ("mallory", None, "When is the Atlas launch?"),
    ("bob", None, "Who bakes bread?"),
]


@dataclass
class Counting:
    """Passes every call on and counts it by name."""

    inner: Any
    calls: Counter[str]

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.inner, name)
        if not callable(found):
            return found

        def counted(*args: Any, **kwargs: Any) -> Any:
            self.calls[f"{type(self.inner).__name__}.{name}"] += 1
            return found(*args, **kwargs)

        return counted


async def seen(told: Sequence[Said], question: Said) -> tuple[TurnTrace, list[tuple[str, str]], Counter[str]]:
    """Tell a fresh memory all this, then ask; returns the trace, what was heard, and the calls of that one turn."""
    calls: Counter[str] = Counter()
    count = iter(range(10_000))
    chosen = Settings(data="/nowhere", owner_name="Alex", deflect_after_s=0.0)
    clock = StoryClock(START)
    plain = make_context(
        MemoryStore(),
        chosen,
        clock=clock,
        embedder=NoEmbedder(),
        new_id=lambda prefix: f"{prefix}{next(count)}",
    )
    await set_up(plain, chosen)
    for name in ("bob", "ana", "carol"):
        await meet(plain, account_of(name), name.capitalize(), START)
    context = replace(
        plain,
        reader=Counting(plain.reader, calls),
        composer=Counting(plain.composer, calls),
        embedder=Counting(plain.embedder, calls),
    )
    tact, world = Tact(context, registry()), World(ROOMS)
    for number, (who, room, text) in enumerate(told):
        message = world.message(account_of(who), room, text, START.replace(minute=number))
        await take_turn(tact.context, world, tact.commands, message)
        await tact.annotate()
    world.take_heard()
    before = Counter(calls)
    clock.move_to(START.replace(minute=40))
    who, room, text = question
    message = world.message(account_of(who), room, text, clock.now())
    trace = await take_turn(tact.context, world, tact.commands, message)
    assert trace is not None
    return trace, [(h.container, h.text) for h in world.take_heard()], calls - before


def told_by_the_turn(calls: Counter[str]) -> Counter[str]:
    """The calls on the turn's path; what the owner's view reads after the reply was sent is not seen here."""
    return Counter({name: n for name, n in calls.items() if not name.endswith(".tokens")})


@settings(max_examples=25)
@given(extra=st.lists(st.sampled_from(HIDDEN), unique=True, max_size=5), question=st.sampled_from(ASKED))
def test_what_may_not_be_told_changes_nothing(extra: list[Said], question: Said) -> None:
    """Same sealed bytes, same words, same calls, with and without what is inadmissible for the viewers."""
    shown = [row for row in extra if not admissible(row, question)]
    bare, bare_heard, bare_calls = asyncio.run(seen(TOLD, question))
    full, full_heard, full_calls = asyncio.run(seen([*TOLD, *shown], question))
    assert full.payload == bare.payload
    assert full.digest == bare.digest
    assert full_heard == bare_heard
    assert told_by_the_turn(full_calls) == told_by_the_turn(bare_calls)
    assert full.outcome == bare.outcome


def admissible(row: Said, question: Said) -> bool:
    """What the asker said to Tact in private may be told to the asker in private; nothing else of HIDDEN may."""
    return row[1] is None and question[1] is None and row[0] == question[0]


def test_the_comparison_can_fail() -> None:
    """Something admissible does change the bytes: the law above is not vacuous."""
    question: Said = ("bob", None, "When is the Atlas launch?")
    bare, heard, _ = asyncio.run(seen(TOLD, question))
    full, more, _ = asyncio.run(seen([*TOLD, ("bob", None, "The Atlas launch has a new venue.")], question))
    assert full.payload != bare.payload
    assert more != heard


def test_absent_and_forbidden_answer_alike() -> None:
    """Asking about what is kept from one and asking about nothing at all give the same bytes."""
    asked: list[Said] = [
        ("mallory", None, "When is the Atlas launch?"),
        ("mallory", None, "Who bakes bread?"),
        ("ana", None, "What is the server password?"),
        ("bob", "both", "Tact, when will Atlas slip?"),
    ]
    heard = {asyncio.run(seen([*TOLD, HIDDEN[0], HIDDEN[6]], question))[1][0][1] for question in asked}
    assert len(heard) == 1

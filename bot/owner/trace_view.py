"""The owner's view: who was told what, what was withheld from whom, and why. For the owner alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.context import ZONE
from bot.owner.names import name_of
from bot.texts import say
from engine.disclosure import Reason
from engine.ids import OWNER, FactId, PersonId
from engine.records import Outcome, TurnTrace
from engine.store import Transaction


@dataclass(frozen=True, slots=True)
class Withheld:
    """One fact that stayed back: its words, the reason, and the viewer who decided it (empty: all of them)."""

    fact: str
    text: str = field(repr=False)
    reason: str = ""
    viewer: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """One turn by somebody else, or in a room, as the owner may look at it."""

    turn: str
    asker: str
    place: str
    question: str = field(repr=False)
    outcome: str = ""
    told: tuple[str, ...] = field(default=(), repr=False)
    withheld: tuple[Withheld, ...] = ()


async def owner_view(tx: Transaction, language: str, limit: int = 200) -> list[Seen]:
    """Every question that memory was asked, oldest first: what was told, and what was withheld with its reason."""
    asked = [t for t in await tx.turns(limit) if t.outcome in {Outcome.ANSWERED, Outcome.DEFLECTED}]
    people = await tx.people()
    titles = {chat.id: chat.title for chat in await tx.chats()}
    rows = []
    for trace in reversed(asked):
        withheld = await _withheld(tx, trace, language)
        told = tuple(f.text for f in await tx.facts(trace.used, ZONE))
        asker = (
            name_of(trace.asker, people, language) if trace.asker != OWNER else (await tx.policy()).owner_name
        )
        rows.append(
            Seen(
                trace.id,
                asker,
                titles.get(trace.container, ""),
                trace.question,
                str(trace.outcome),
                told,
                withheld,
            )
        )
    return rows


async def _withheld(tx: Transaction, trace: TurnTrace, language: str) -> tuple[Withheld, ...]:
    people = await tx.people()
    denied = {item: (reason, viewer) for item, ok, reason, viewer in trace.withheld if not ok}
    facts = await tx.facts([FactId(item) for item in denied], ZONE)
    rows = []
    for fact in facts:
        reason, viewer = denied[fact.id]
        who = name_of(PersonId(viewer), people, language) if viewer else ""
        rows.append(Withheld(fact.id, fact.text, reason_in_words(reason, language), who))
    return tuple(rows)


def reason_in_words(reason: str, language: str) -> str:
    """A reason of the gate, in the owner's language."""
    return say(language, f"reason.{Reason(reason).name.lower()}")


def in_lines(rows: Sequence[Seen], language: str) -> list[str]:
    """The view as plain lines."""
    lines = []
    for row in rows:
        where = f" @ {row.place}" if row.place else ""
        lines.append(f"{row.asker}{where}: {row.question}")
        lines += [f"    + {say(language, 'view.told', text=text)}" for text in row.told]
        if not row.told:
            lines.append(f"    · {say(language, 'view.nothing')}")
        for held in row.withheld:
            why = f"{held.viewer}: {held.reason}" if held.viewer else held.reason
            lines.append(f"    - {say(language, 'view.withheld', text=held.text, reason=why)}")
    return lines

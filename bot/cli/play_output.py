"""Showing what was played: on a terminal as it happens, or as JSON at the end."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.cli.story_file import OWNER, Step, Story
from bot.owner.commands.why import reason_in_words
from bot.owner.names import Words
from bot.owner.queries.traces import Explained, Withheld
from bot.owner.taps import Answer, words_of
from engine.ids import OWNER as PERSON


@dataclass(slots=True)
class Played:
    """One step with what was heard: `reply` by the speaker or the room, `owner` by the owner alone."""

    step: Step
    at: datetime
    reply: str | None = field(default=None, repr=False)
    kind: str = ""
    owner: list[str] = field(default_factory=list, repr=False)
    outcome: str = ""
    told: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    event: str = ""


def tapped(step: Step, language: str) -> str:
    """The words of an answer to a card, as the owner would type them."""
    confirms = step.tap == Answer.CONFIRM and step.value in {Answer.EARLIER, Answer.ALL}
    if confirms:
        return words_of(Answer(step.value or ""), language)[0]
    return f"{words_of(Answer(step.tap), language)[0].strip()} {step.value or ''}".strip()


def as_plain(
    story: Story, played: Sequence[Played], view: Sequence[Explained], words: Words
) -> dict[str, object]:
    """The whole play as JSON: steps with what was heard, the checks, and the owner's view."""
    return {
        "title": story.title,
        "steps": [_plain(p) for p in played],
        "failed": [fault for p in played for fault in p.faults],
        "owner_view": [_seen(row, words) for row in view],
    }


def _asker(row: Explained, words: Words) -> str:
    return words.policy.owner_name if row.asker == PERSON else words.person(row.asker)


def _remembered(row: Explained) -> tuple[list[str], list[Withheld]]:
    """What was told, and what was withheld; of what is forgotten nothing is said."""
    told = [one.text for one in row.told_facts if one.text is not None]
    return told, [one for one in row.withheld if one.text is not None]


def _seen(row: Explained, words: Words) -> dict[str, object]:
    told, withheld = _remembered(row)
    return {
        "turn": row.turn,
        "asker": _asker(row, words),
        "place": row.place,
        "question": row.question or "",
        "outcome": str(row.outcome),
        "told": told,
        "withheld": [
            {
                "fact": one.item,
                "text": one.text,
                "reason": reason_in_words(words, one.reason),
                "viewer": words.person(one.viewer) if one.viewer else "",
            }
            for one in withheld
        ],
    }


def _in_lines(row: Explained, words: Words) -> list[str]:
    told, withheld = _remembered(row)
    where = f" @ {row.place}" if row.place else ""
    lines = [f"{_asker(row, words)}{where}: {row.question or ''}"]
    lines += [f"    + {words.say('view.told', text=text)}" for text in told]
    lines += [] if told else [f"    · {words.say('view.nothing')}"]
    for one in withheld:
        why = reason_in_words(words, one.reason)
        why = f"{words.person(one.viewer)}: {why}" if one.viewer else why
        lines.append(f"    - {words.say('view.withheld', text=one.text, reason=why)}")
    return lines


def _plain(played: Played) -> dict[str, object]:
    step = played.step
    return {
        "step": step.number,
        "id": step.id,
        "at": played.at.isoformat(),
        "speaker": step.speaker or step.world,
        "room": step.room,
        "said": step.text or step.tap or step.world,
        "reply": played.reply,
        "kind": played.kind,
        "owner_only": played.owner,
        "outcome": played.outcome,
        "told": played.told,
        "failed": played.faults,
    }


class Printer:
    """Prints steps as they happen."""

    def __init__(self, story: Story) -> None:
        """Colours only on a terminal."""
        from rich.console import Console  # noqa: PLC0415 - loads only when something is played

        self._story = story
        self._out = Console(highlight=False, soft_wrap=True)

    def __call__(self, played: Played) -> None:
        """Print one step."""
        from rich.text import Text  # noqa: PLC0415

        step, story = played.step, self._story
        if step.world:
            text = (
                step.value if step.world in {"note", "join", "leave"} else f"{step.world} {step.value or ''}"
            )
            self._out.print(Text(f"· {text}", style="dim italic"))
            return
        who = _called(story, step.speaker)
        where = f" @ {step.room}" if step.room else ""
        said = tapped(step, story.language) if step.tap else step.text
        self._out.print(Text.assemble((f"{who}{where}", "bold cyan"), f"  {said}"))
        if played.reply is not None:
            self._block("Tact", played.reply, "bold green", "")
        for words in played.owner:
            self._block(f"Tact → {story.owner}", words, "magenta", "dim")
        for fault in played.faults:
            self._out.print(Text(f"    ✗ {fault}", style="bold red"))

    def _block(self, who: str, words: str, name_style: str, style: str) -> None:
        from rich.text import Text  # noqa: PLC0415

        first, *rest = words.splitlines() or [""]
        self._out.print(Text.assemble(("    " + who, name_style), (f"  {first}", style)))
        for line in rest:
            self._out.print(Text(f"      {line}", style=style))


def _called(story: Story, speaker: str) -> str:
    person = story.people.get(speaker)
    return story.owner if speaker == OWNER else (person.name if person and person.name else speaker)


def print_view(view: Sequence[Explained], words: Words) -> None:
    """The owner's view at the end of a play."""
    if view:
        lines = [f"  {line}\n" for row in view for line in _in_lines(row, words)]
        sys.stdout.writelines(["\n", words.say("view.title"), "\n", *lines])

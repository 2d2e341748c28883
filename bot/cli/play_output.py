"""Showing what was played: on a terminal as it happens, or as JSON at the end."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime

from bot.cli.story_file import OWNER, Step, Story
from bot.owner.taps import Answer, words_of
from bot.owner.trace_view import Seen, in_lines
from bot.texts import say


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


def as_plain(story: Story, played: Sequence[Played], view: Sequence[Seen]) -> dict[str, object]:
    """The whole play as JSON: steps with what was heard, the checks, and the owner's view."""
    return {
        "title": story.title,
        "steps": [_plain(p) for p in played],
        "failed": [fault for p in played for fault in p.faults],
        "owner_view": [asdict(row) for row in view],
    }


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


def print_view(view: Sequence[Seen], language: str) -> None:
    """The owner's view at the end of a play."""
    if view:
        lines = [f"  {line}\n" for line in in_lines(view, language)]
        sys.stdout.writelines(["\n", say(language, "view.title"), "\n", *lines])

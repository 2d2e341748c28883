"""`tact play` and `tact demo`: act a story out on a memory, and show what everybody heard.

Without `--data` the memory is a folder of its own that is gone afterwards; time is the story's own.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path

from ruamel.yaml import YAML

from bot.bootstrap import Tact, meet, open_tact, random_id
from bot.cli.desk import Desk, Heard
from bot.cli.play_output import Played, Printer, as_plain, print_view, tapped
from bot.cli.story_file import OWNER, Person, Step, Story, read_story
from bot.owner.names import Words
from bot.owner.queries.traces import Explained, owner_view
from config.policy_file import load, loads
from config.settings import Settings
from connectors.console.world import OWNER_ACCOUNT, World, account_of
from engine.errors import BadInput
from engine.ids import AccountId
from engine.items import Origin
from engine.mailroom import Arrival, SendingKind
from engine.people import People
from engine.policy import Policy

_START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
_BESIDE = 1.0


class StoryClock:
    """Time as the story tells it: it moves by a second a step, and when somebody waits."""

    def __init__(self, start: datetime) -> None:
        """Begin at a moment."""
        self._now = start

    def now(self) -> datetime:
        """The story's time."""
        return self._now

    def move(self, by: timedelta) -> None:
        """Let time pass."""
        self._now += by

    def move_to(self, moment: datetime) -> None:
        """Jump to a moment; never back."""
        self._now = max(self._now, moment)

    async def sleep_until(self, moment: datetime) -> None:
        """Waiting takes no time here."""
        self.move_to(moment)


class Player:
    """Acts a story out, step by step."""

    def __init__(self, story: Story, settings: Settings, *, lasting: bool) -> None:
        """Prepare the world of a story; nothing is opened yet."""
        self.story = story
        self.settings = settings
        self.clock = StoryClock(story.start or (datetime.now(UTC) if lasting else _START))
        rooms = {name: [self.person(m).account for m in members] for name, members in story.rooms.items()}
        self.world = World(rooms)
        self.played: list[Played] = []
        self.view: list[Explained] = []
        self.words = Words(Policy(), People(), settings.language)
        self._lasting = lasting
        self._ids = 0

    def person(self, key: str) -> Person:
        """Somebody in the story; whoever is not in it is a stranger."""
        return self.story.people.get(key) or Person(key, account_of(key), calls_itself=key)

    def _new_id(self, prefix: str) -> str:
        """Random in a lasting memory; counted in one of the story's own, so that two runs read alike."""
        if self._lasting:
            return random_id(prefix)
        self._ids += 1
        return f"{prefix}{self._ids:04}"

    async def play(self, seen: Callable[[Played], None]) -> list[Played]:
        """Act all steps out; `seen` is called after each."""
        stack, desk = await self._open(first=True)
        for step in self.story.steps:
            if step.world == "restart":
                await stack.aclose()
                stack, desk = await self._open(first=False)
            played = await self._step(desk, step)
            played.faults += self._check(played)
            self.played.append(played)
            seen(played)
        await desk.tact.annotate()
        async with desk.tact.context.store.transaction() as tx:
            self.view = await owner_view(tx, desk.tact.context)
            self.words = Words(await tx.policy(), await tx.people(), self.settings.language)
        await stack.aclose()
        return self.played

    async def _open(self, *, first: bool) -> tuple[AsyncExitStack, Desk]:
        stack = AsyncExitStack()
        tact = await stack.enter_async_context(
            open_tact(self.settings, clock=self.clock, new_id=self._new_id, make_key=True)
        )
        if first:
            await self._set_up(tact)
        return stack, Desk(tact, self.settings, self.world)

    async def _set_up(self, tact: Tact) -> None:
        """The story's policy, and the people the owner has met."""
        async with tact.context.store.transaction() as tx:
            policy = await tx.policy()
            if self.story.policy is not None:
                policy = replace(_story_policy(self.story, await tx.people()), version=policy.version)
            named = replace(policy, owner_name=self.story.owner, timezone=self.story.timezone)
            if self.story.settings.get("unresolved"):
                named = replace(named, unresolved=str(self.story.settings["unresolved"]))
            if named != policy or self.story.policy is not None:
                await tx.save_policy(named, self.clock.now())
            people = await tx.people()
        for person in self.story.people.values():
            if person.name and person.key != OWNER and person.account not in people.owners:
                known = people.called(people.person(person.account))
                if known != person.name:
                    await meet(tact.context, person.account, person.name, self.clock.now())

    async def _step(self, desk: Desk, step: Step) -> Played:
        self.clock.move_to(step.at) if step.at else self.clock.move(timedelta(seconds=_BESIDE))
        played = Played(step, self.clock.now())
        if step.world:
            self._change(step)
        else:
            line = self._line(step)
            played.event = line.key
            trace = await desk.take(line)
            played.outcome = str(trace.outcome) if trace else "duplicate"
            played.told = list(trace.used) if trace else []
        await desk.tact.annotate()
        for heard in await desk.heard():
            _hear(played, heard)
        return played

    def _change(self, step: Step) -> None:
        if step.world == "wait":
            self.clock.move(step.value)
        elif step.world in {"join", "leave"}:
            who, room = _who_and_where(self.story, step)
            change = self.world.join if step.world == "join" else self.world.leave
            change(self.person(who).account, room)

    def _line(self, step: Step) -> Arrival:
        person = self.person(step.speaker)
        text = tapped(step, self.story.language) if step.tap else step.text
        answered = next((p.event for p in self.played if p.step.id and p.step.id == step.reply_to), "")
        if step.reply_to and not answered:
            raise BadInput(
                f"no step with id {step.reply_to!r} before this", where=self._where(step), fix="give it one"
            )
        return self.world.line(
            OWNER_ACCOUNT if step.speaker == OWNER else person.account,
            step.room,
            text,
            self.clock.now(),
            name=step.calls_itself or person.calls_itself,
            origin=Origin.FORWARD if step.forwarded else Origin.TYPED,
            answers=answered,
        )

    def _where(self, step: Step) -> str:
        return f"{self.story.path}:{step.line}"

    def _check(self, played: Played) -> list[str]:
        """What the story expected and did not get."""
        step = played.step
        heard = "\n".join([*([played.reply] if played.reply else []), *played.owner])
        faults = [f"expected {want!r}" for want in step.expect if want not in heard]
        faults += [f"did not expect {want!r}" for want in step.expect_not if want in heard]
        if step.same_as:
            other = next((p for p in self.played if p.step.id == step.same_as), None)
            if other is None or (other.reply, other.owner) != (played.reply, played.owner):
                faults.append(f"expected the same bytes as step {step.same_as!r}")
        return [f"{self._where(step)}: {fault}" for fault in faults]


def _story_policy(story: Story, people: People) -> Policy:
    """The story's own policy: a file beside it, or written in it."""
    if isinstance(story.policy, str):
        return load(story.path.parent / story.policy, people).policy
    text = StringIO()
    YAML(typ="rt").dump(story.policy, text)
    return loads(text.getvalue(), people, f"{story.path} (policy)").policy


def _who_and_where(story: Story, step: Step) -> tuple[str, str]:
    value = step.value
    if isinstance(value, dict):
        return str(value.get("who", "")), str(value.get("room", ""))
    who, _, room = str(value).partition(" in ")
    if not room.strip():
        raise BadInput(
            "who joins or leaves where?",
            where=f"{story.path}:{step.line}",
            fix="such as `join: dave in team`",
        )
    return who.strip(), room.strip()


def _hear(played: Played, heard: Heard) -> None:
    if heard.kind is SendingKind.OWNER:
        played.owner.append(heard.text)
        return
    played.reply = heard.text if played.reply is None else f"{played.reply}\n{heard.text}"
    played.kind = heard.kind


def play_file(
    path: Path,
    *,
    as_json: bool = False,
    data: Path | None = None,
    lang: str | None = None,
    vectors: str | None = None,
) -> int:
    """Act a story file out and print it; returns 1 if something the story expected did not happen.

    Args:
        as_json: one JSON object on standard output instead of text.
        data: a lasting data folder; None plays on a memory of its own.
        lang: the owner's language, over the story's.
        vectors: how a memory of its own searches vectors, over what the environment says.
    """
    story = read_story(path)
    if lang:
        story = replace(story, language=lang)
    if data is not None:
        return _run(story, _settings(data, story), as_json=as_json, lasting=True)
    with tempfile.TemporaryDirectory(prefix="tact-story-") as folder:
        # Whatever database or server the environment names is not this story's.
        own = {"database_url": "", "chroma_url": "", "chroma_path": ""}
        settings = _settings(Path(folder), story)
        settings = settings.model_copy(update={**own, "vectors": vectors or settings.vectors})
        return _run(story, settings, as_json=as_json, lasting=False)


def demo(lang: str = "en", vectors: str | None = None) -> int:
    """Play the bundled story, the English one where there is none, and end with the owner's view."""
    stories = Path(__file__).parents[1] / "stories"
    own = stories / f"demo.{lang}.yaml"
    return play_file(own if own.is_file() else stories / "demo.en.yaml", lang=lang, vectors=vectors)


def _settings(folder: Path, story: Story) -> Settings:
    given = {k: v for k, v in story.settings.items() if k != "unresolved"}
    return Settings(
        data=folder,
        language=story.language,
        owner_name=story.owner,
        owner_accounts=(AccountId(OWNER_ACCOUNT),),
        timezone=story.timezone,
        deflect_after_s=0.0,
        **given,
    )


def _run(story: Story, settings: Settings, *, as_json: bool, lasting: bool) -> int:
    player = Player(story, settings, lasting=lasting)
    show = (lambda _played: None) if as_json else Printer(player.story)
    if not as_json:
        print(story.title + "\n")
    played = asyncio.run(player.play(show))
    faults = [fault for p in played for fault in p.faults]
    if as_json:
        print(
            json.dumps(
                as_plain(player.story, player.played, player.view, player.words), ensure_ascii=False, indent=1
            )
        )
    else:
        print_view(player.view, player.words)
    for fault in faults:
        print(f"tact: {fault}", file=sys.stderr)
    return 1 if faults else 0

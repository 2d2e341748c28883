"""Nobody but the owner gets anything out of a command, in any room, in any wording, by any name.

Every command × kind of impostor × valid, missing and malformed arguments: exactly the constant line is sent, and nothing is
changed but the record of the message itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from bot.owner.commands.all import registry
from bot.owner.commands.registry import Command, Registry, Right
from bot.texts import languages, texts
from engine.items import Origin

SECRET = "The moonstone is under the birch."
GREETING = "Hello! I'm Alex's assistant, and I answer for Alex when I can. Ask me something, or tell me what Alex should know."
LINES = {"en": "Only Alex can give me commands here.", "zh": "这里只有Alex可以对我下命令。"}


@dataclass(frozen=True)
class Impostor:
    name: str
    who: str
    room: str | None = None
    display_name: str = ""
    origin: Origin = Origin.TYPED


IMPOSTORS = (
    Impostor("contact in private", "bob"),
    Impostor("contact in a group", "bob", "hall"),
    Impostor("stranger in private", "zed"),
    Impostor("stranger in a group", "zed", "street"),
    Impostor("somebody who calls himself like the owner", "zed", None, "Alex"),
    Impostor("the same in a group", "zed", "street", "Alex"),
    Impostor("contact where nobody knows who reads", "bob", "fog"),
    Impostor("contact who forwards a command", "bob", None, "", Origin.FORWARD),
    Impostor("owner who forwards a command in private", "owner", None, "", Origin.FORWARD),
    Impostor("owner who forwards a command in a group", "owner", "hall", "", Origin.FORWARD),
)
COMMANDS = tuple(registry())


async def test_nobody_but_the_owner_gets_more_than_the_constant_line(open_memory):
    """One stage for all: the store stays the same, so one refusal cannot prepare the next."""
    stage = await open_memory()
    await stage.tells(SECRET)
    await stage.owner("/level add Bob L1-work")
    await stage.owner("confirm")
    await stage.says("bob", "hello", "hall")
    fact = (await stage.facts())[0].id
    for impostor in IMPOSTORS:
        await stage.says(impostor.who, "/ping", impostor.room, origin=impostor.origin)
    before = stage.dump()
    for impostor in IMPOSTORS:
        for command in COMMANDS:
            for text in _texts(command, fact):
                heard = await stage.says(
                    impostor.who,
                    text,
                    impostor.room,
                    origin=impostor.origin,
                    display_name=impostor.display_name,
                )
                where = (impostor.name, text)
                assert len(heard) == 1, where
                assert heard[0].kind == "line", where
                assert heard[0].text in _allowed(text), where
                assert stage.dump() == before, where


def _allowed(text: str) -> tuple[str, ...]:
    """The constant line in either language; `/start` is every platform's greeting."""
    if text.startswith("/start"):
        return (GREETING,)
    return tuple(LINES.values())


def _texts(command: Command, fact: str) -> list[str]:
    """Every name with valid arguments in both languages, with none, and with nonsense."""
    valid = [e for language in languages() for e in command.examples(language)]
    names = (command.name, *command.aliases)
    pointed = [f"/{command.name} {fact}", f"/{command.name} Bob {fact}", f"/{command.name} last"]
    missing = [f"/{name}" for name in names] + [f"／{command.name}"]
    malformed = [f"/{command.name} \x00 “ \u202e L0 {{owner}} 100%", f"/{command.name}@tact ,,, , with , as"]
    return [*valid, *pointed, *missing, *malformed]


async def test_impostors_hear_the_same_bytes_whatever_is_remembered(open_memory):
    full, empty = await open_memory(), await open_memory()
    await full.tells(SECRET)
    for text in ("/facts moonstone", "/forget about moonstone", "/nonsense", "/help"):
        assert await full.asks("bob", text) == await empty.asks("bob", text) == LINES["en"]


@pytest.mark.parametrize("tap", ["confirm", "confirm earlier", "undo", "keep private", "change to family"])
async def test_taps_of_others_or_forwarded_or_in_a_room_do_nothing(open_memory, tap):
    stage = await open_memory()
    await stage.owner(SECRET)
    await stage.owner("/level add Bob L1-work")
    before = stage.dump()
    await stage.says("bob", tap)
    await stage.says("zed", tap, display_name="Alex")
    await stage.says("owner", tap, "hall")
    await stage.says("owner", tap, origin=Origin.FORWARD)
    after = stage.dump()
    assert list(after["cards"].values()) == list(before["cards"].values())
    assert after["policies"] == before["policies"]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c.name)
async def test_typed_in_a_group_the_room_sees_one_constant_line(open_memory, command):
    stage = await open_memory()
    await stage.tells(SECRET)
    for example in command.examples("en"):
        heard = await stage.says("owner", example, "hall")
        room = [h for h in heard if h.container.startswith("console:room:")]
        assert [(h.kind, h.text) for h in room] == [("line", "I've answered in our direct chat.")]
        private = [h for h in heard if h not in room]
        assert len(private) == 1
        assert private[0].kind == "owner"
        assert private[0].text


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c.name)
@pytest.mark.parametrize("args", ["\x00", "no such thing at all", "as", "with ,", "“", "L0", "  \n  ?"])
async def test_whatever_the_owner_mistypes_changes_nothing_and_is_answered(open_memory, command, args):
    stage = await open_memory()
    await stage.tells(SECRET)
    before = stage.dump()
    answer = await stage.owner(f"/{command.name} {args}")
    assert answer
    assert stage.dump() == before
    assert stage.traces[-1].outcome == "command"


def test_a_command_without_a_rights_line_cannot_be_registered():
    good = COMMANDS[0]
    with pytest.raises(TypeError, match="rights line"):
        Registry().add(Command(good.name, None, good.run))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Command(good.name, run=good.run)  # type: ignore[call-arg]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda c: c.name)
@pytest.mark.parametrize("part", ["usage", "about", "examples"])
def test_a_command_has_usage_help_and_examples_in_every_language(command, part):
    for language in languages():
        assert texts(language)[f"{part}.{command.name}"].strip()


def test_no_help_is_of_a_command_that_there_is_not():
    named = {
        tuple(key.split(".")) for key in texts("en") if key.startswith(("usage.", "about.", "examples."))
    }
    assert {name for _, name in named} == {command.name for command in COMMANDS}


def test_a_name_is_registered_once_aliases_included():
    every = registry()
    good = COMMANDS[0]
    with pytest.raises(TypeError, match="already"):
        every.add(Command("new", Right.OWNER, good.run, aliases=("帮助",)))


def test_examples_and_grammar_begin_with_a_name_of_their_command():
    for command in COMMANDS:
        names = {f"/{n}" for n in (command.name, *command.aliases)}
        lines = [
            x for part in (command.grammar, command.examples) for lang in languages() for x in part(lang)
        ]
        for line in lines:
            assert line.split()[0].partition("（")[0] in names, line

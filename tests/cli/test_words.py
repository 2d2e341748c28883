"""The console's own words, without a memory behind them."""

from __future__ import annotations

import pytest

from bot.cli.chat import CAST, ROOMS
from bot.cli.chat_state import SandboxClock, Stage
from bot.cli.console_commands import FORMS, WORDS, heed_word
from bot.cli.screen import harmless, wrapped
from bot.owner.commands.all import registry
from connectors.console.world import OWNER_ACCOUNT, World, account_of
from engine.errors import BadInput
from engine.ids import MessageId, PersonId
from engine.people import People


@pytest.fixture
def stage() -> Stage:
    """The sandbox's cast, and a second Bob."""
    world = World({room: [account_of(m) for m in members] for room, members in ROOMS.items()})
    names: dict[PersonId, tuple[str, ...]] = {
        PersonId(account_of(key)): (name,) for key, name in CAST.items()
    }
    names[PersonId("telegram:12345")] = ("Bo", "Robert")
    return Stage(world, "Alex", "en", people=People(owners=frozenset({OWNER_ACCOUNT}), names=names))


def told(stage: Stage, *lines: str) -> str:
    """What the console says to these lines, faults included."""
    clock = SandboxClock()
    said = []
    for line in lines:
        try:
            done = heed_word(stage, line, clock)
        except BadInput as fault:
            said.append(str(fault))
        else:
            assert done is not None, f"{line} went to Tact"
            said += [*done.lines, *([f"→ {done.send}"] if done.send else [])]
    return "\n".join(said)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["/as"], "who? - Alex, Ana, Bo, Bob, Carol"),
        (["/as tact"], "nobody can be called 'tact'"),
        (["/as two words"], "nobody can be called 'two words'"),
        (["/as zoe"], "zoe is a stranger: Alex has never met them."),
        (["/in a/b"], "no room can be called 'a/b'"),
        (["/as bob", "/in family"], "Bob is not in family (Alex, Ana, Carol) - /invite Bob family"),
        (
            ["/as bob", "/in team", "/as carol"],
            "Carol is not in team, so this is their direct chat with Tact.",
        ),
        (["/invite bob"], "which room?"),
        (["/invite bob attic"], "there is no room 'attic'"),
        (["/in team", "/invite carol"], "Now in team: Alex, Ana, Bob, Carol"),
        (["/invite robert family"], "Now in family: Alex, Ana, Bo, Carol"),
        (["/kick carol team"], "Carol is not in team"),
        (["/kick ana team"], "Now in team: Alex, Bob"),
        (["/as bob", "/in lab"], "New room lab: Bob."),
        (["/in team", "/in lab"], "New room lab: Alex, Ana, Bob."),
        (["/in team", "/in", "/rooms"], "  team: Alex, Ana, Bob"),
        (["/in team", "/rooms"], "* team: Alex, Ana, Bob"),
        (["/people"], "  Bo  telegram:12345  a stranger"),
        (["/people"], "* Alex  console:owner  the owner"),
        (["/help as"], "/as NAME"),
        (["/help level"], "→ /help level"),
        (["/help"], "→ /help"),
        (["/reply"], "there is no message ?"),
        (["／reply 7"], "there is no message 7"),
        (["/wait"], "cannot wait '?'"),
        (["/wait 2 fortnights"], "cannot wait '2 fortnights'"),
        (["/wait 90 min"], "It is "),
    ],
)
def test_a_word_of_the_console(stage: Stage, lines: list[str], expected: str) -> None:
    assert expected in told(stage, *lines)


@pytest.mark.parametrize("text", ["hello", "/level add Bob L1-work", "/why", "/", "as bob", "/asbob"])
def test_everything_else_is_for_tact(stage: Stage, text: str) -> None:
    assert heed_word(stage, text, None) is None


def test_one_name_of_two_people_is_nobody(stage: Stage) -> None:
    stage.people = People(names={**stage.people.names, PersonId("irc:bob2"): ("Bob",)})

    assert told(stage, "/as bob") == "several people are called bob - console:bob, irc:bob2"
    assert stage.as_owner
    told(stage, "/as irc:bob2")
    assert stage.speaker == "irc:bob2"


def test_names_are_compared_without_case_and_width(stage: Stage) -> None:
    told(stage, "/as ＢＯＢ")

    assert stage.speaker == "console:bob"


def test_the_owner_is_found_by_name(stage: Stage) -> None:
    for name in ("alex", "ALEX", "owner", "console:owner"):
        told(stage, "/as bob", f"/as {name}")
        assert stage.as_owner


def test_whoever_is_kicked_where_they_speak_is_back_in_private(stage: Stage) -> None:
    told(stage, "/as bob", "/in team", "/kick bob")

    assert (stage.speaker, stage.room) == ("console:bob", None)


def test_another_member_goes_on_in_the_room(stage: Stage) -> None:
    told(stage, "/as bob", "/in team", "/as ana")

    assert (stage.speaker, stage.room) == ("console:ana", "team")


def test_a_reply_is_possible_where_the_message_was_said(stage: Stage) -> None:
    told(stage, "/in team")
    stage.note(MessageId("m_1"), stage.place)

    assert "→ /level add L1-work" in told(stage, "/reply 1 /level add L1-work")
    told(stage, "/in")
    assert "said somewhere else" in told(stage, "/reply 1")
    assert stage.answering is None


def test_a_wait_moves_the_sandbox_alone(stage: Stage) -> None:
    clock = SandboxClock()
    before = clock.now()

    heed_word(stage, "/wait 2h", clock)

    assert 7200 <= (clock.now() - before).total_seconds() < 7260
    with pytest.raises(BadInput, match="only a sandbox"):
        heed_word(stage, "/wait 2h", None)


def test_no_console_word_is_an_owner_command() -> None:
    commands = {name for command in registry() for name in (command.name, *command.aliases)}

    assert set(WORDS) & commands == {"help"}
    assert set(FORMS) == set(WORDS)


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("one two three", ["one two", "three"]),
        ("  one two three", ["  one", "  two", "  three"]),
        ("unbreakable", ["unbreakable"]),
        ("", [""]),
        ("一二三四五。六", ["一二三四", "五。六"]),
    ],
)
def test_a_line_is_cut_where_it_may_be(line: str, parts: list[str]) -> None:
    assert wrapped(line, 8) == parts


def test_only_signs_that_show_are_shown() -> None:
    assert harmless("a\x1b[2Jb\u202ec\u200bd\x9be") == "a[2Jbcde"

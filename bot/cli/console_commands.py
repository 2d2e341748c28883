"""The console's own words: `/as`, `/in` and so on. Everything else that begins with `/` is for Tact.

INVARIANT: no console word is the name of an owner command (a test holds them apart); `/help` shows both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from bot.cli.chat_state import SandboxClock, Stage
from bot.context import zone_of
from bot.owner.commands.registry import split_command
from bot.texts import say
from engine.errors import BadInput
from engine.ids import OWNER
from engine.policy import Policy

_SPAN = re.compile(r"(\d{1,4})\s*(s|m|min|h|d|w)[a-z]*", re.IGNORECASE)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@dataclass(frozen=True, slots=True)
class Done:
    """What a console word did: lines to show, words to send to Tact all the same, and whether the chat ends."""

    lines: tuple[str, ...] = ()
    send: str = ""
    quit: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """One use of a console word; `clock` is None where time is the machine's."""

    stage: Stage
    args: str
    clock: SandboxClock | None

    def say(self, key: str, **values: object) -> str:
        """A text in the chat's language."""
        return say(self.stage.language, key, **values)


def _as(asked: Asked) -> Done:
    stage = asked.stage
    account = stage.find(asked.args)
    before, known = stage.room, account in stage.accounts
    stage.speak_as(account)
    lines = [] if known else [asked.say("as.stranger", name=stage.name(account), owner=stage.owner_name)]
    if before is not None and stage.room is None:
        lines.append(asked.say("as.left", name=stage.name(account), room=before))
    return Done(tuple(lines))


def _in(asked: Asked) -> Done:
    stage = asked.stage
    if not asked.args:
        stage.go(None)
        return Done()
    made = stage.go(asked.args)
    key = "in.made" if made else "in.there"
    return Done((asked.say(key, room=asked.args, people=stage.names(stage.world.rooms[asked.args].members)),))


def _invite(asked: Asked) -> Done:
    stage, (name, room) = asked.stage, _who_where(asked)
    account = stage.find(name)
    stage.extras.add(account)
    stage.world.join(account, room)
    return Done((asked.say("in.now", room=room, people=stage.names(stage.world.rooms[room].members)),))


def _kick(asked: Asked) -> Done:
    stage, (name, room) = asked.stage, _who_where(asked)
    account = stage.find(name)
    if account not in stage.world.rooms[room].members:
        raise BadInput(
            asked.say("kick.outside", name=stage.name(account), room=room),
            fix=stage.names(stage.world.rooms[room].members),
        )
    stage.world.leave(account, room)
    if account == stage.speaker and stage.room == room:
        stage.go(None)
    return Done((asked.say("in.now", room=room, people=stage.names(stage.world.rooms[room].members)),))


def _who_where(asked: Asked) -> tuple[str, str]:
    """`NAME [ROOM]`; a name may hold blanks if a room follows that there is."""
    first, _, last = asked.args.rpartition(" ")
    if first and last in asked.stage.world.rooms:
        return first.strip(), last
    if first and asked.stage.room is None:
        asked.stage.find_room(last)
    return asked.args, asked.stage.find_room("")


def _rooms(asked: Asked) -> Done:
    stage = asked.stage
    rooms = sorted(stage.world.rooms.values(), key=lambda room: room.name)
    marks = {room.name: "*" if room.name == stage.room else " " for room in rooms}
    lines = [f"{marks[r.name]} {r.name}: {stage.names(r.members) or '-'}" for r in rooms]
    return Done(tuple(lines or [asked.say("rooms.none")]))


def _people(asked: Asked) -> Done:
    stage = asked.stage
    lines = []
    for account in stage.accounts:
        mark = "*" if account == stage.speaker else " "
        lines.append(
            f"{mark} {stage.name(account)}  {account}  {_standing(asked, stage.people.person(account))}"
        )
    return Done(tuple(lines))


def _standing(asked: Asked, person: str) -> str:
    """What the owner's policy makes of somebody."""
    if person == OWNER:
        return asked.say("speaker.owner")
    policy: Policy = asked.stage.policy
    held = next((h for p, h in policy.contacts.items() if p == person), None)
    if held is None:
        return asked.say("speaker.stranger")
    return ", ".join(str(h.label) for h in held) or asked.say("speaker.no_label")


def _reply(asked: Asked) -> Done:
    stage, (number, _, rest) = asked.stage, asked.args.partition(" ")
    found = next((s for s in stage.said if str(s.number) == number.lstrip("#")), None)
    if found is None:
        raise BadInput(asked.say("reply.none", number=number or "?"), fix=asked.say("reply.fix"))
    if found.container != stage.place:
        raise BadInput(asked.say("reply.elsewhere", number=number), fix=asked.say("reply.fix"))
    stage.answering = found
    return Done(send=rest.strip()) if rest.strip() else Done((asked.say("reply.armed", number=found.number),))


def _wait(asked: Asked) -> Done:
    if asked.clock is None:
        raise BadInput(asked.say("wait.real"))
    found = _SPAN.fullmatch(asked.args)
    if found is None:
        raise BadInput(asked.say("wait.odd", span=asked.args or "?"), fix="/wait 2h, /wait 30m, /wait 3d")
    asked.clock.move(timedelta(**{_UNITS[found[2][0].casefold()]: int(found[1])}))
    return Done(
        (
            asked.say(
                "wait.now",
                time=asked.clock.now().astimezone(zone_of(asked.stage.policy)).strftime("%Y-%m-%d %H:%M"),
            ),
        )
    )


def _help(asked: Asked) -> Done:
    wanted = asked.args.lstrip("/／").casefold()
    if wanted in WORDS:
        return Done((_line(asked, wanted),))
    if wanted:
        return Done(send=f"/help {asked.args}")
    lines = [asked.say("word.title"), *(_line(asked, name) for name in WORDS if name != "help")]
    return Done((*lines, asked.say("word.else")), send="/help" if asked.stage.as_owner else "")


def _line(asked: Asked, name: str) -> str:
    return f"  {FORMS[name].ljust(22)}  {asked.say(f'word.{name}')}"


def _quit(asked: Asked) -> Done:
    return Done(quit=True)


WORDS: Mapping[str, Callable[[Asked], Done]] = {
    "as": _as,
    "in": _in,
    "invite": _invite,
    "kick": _kick,
    "rooms": _rooms,
    "people": _people,
    "reply": _reply,
    "wait": _wait,
    "help": _help,
    "quit": _quit,
}

FORMS = {
    "as": "/as NAME",
    "in": "/in [ROOM]",
    "invite": "/invite NAME [ROOM]",
    "kick": "/kick NAME [ROOM]",
    "rooms": "/rooms",
    "people": "/people",
    "reply": "/reply N [WORDS]",
    "wait": "/wait 2h",
    "help": "/help [WORD]",
    "quit": "/quit",
}


def heed_word(stage: Stage, text: str, clock: SandboxClock | None) -> Done | None:
    """Do what a console word says; None if the text is for Tact.

    Raises:
        BadInput: for a console word that makes no sense here; nothing has changed.
    """
    command = split_command(text)
    if command is None or command[0] not in WORDS:
        return None
    return WORDS[command[0]](Asked(stage, command[1], clock))

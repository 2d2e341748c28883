"""People who write to Tact while it is being killed, and what must have come of what they wrote."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from bot.selftest.telegram_world import BOT, Json, TelegramWorld
from connectors.telegram.inbound import message_id

OWNER, FRIEND = 7, 8
ROOMS = tuple(range(-100_507, -100_500))
"""Several, so that sessions stay short: each is annotated whole."""
LABEL = "L2-life"
GREET, ASK, TELL, STATE, LABELLED, ERASE = "greet", "ask", "tell", "state", "label", "erase"
EVERYTHING = (GREET, ASK, TELL, STATE, LABELLED, ERASE)
_NUMBERS = range(10)
_WHOM = ("Eve", "Owner", "anybody")
TOLD = tuple(
    f"Carl works at Nimbus{n} because Dana lives in Oslo{n}. Please don't tell {_WHOM[n % 3]}."
    for n in _NUMBERS
)
STATED = tuple(f"Dana lives in Quay{n} because Carl works at Dock{n}." for n in _NUMBERS)
TAKEN_BACK = tuple(f"Dana lives in Shed{n}." for n in _NUMBERS)
QUESTION = "When is the Borealis fair?"
"""What people say again and again: a process that has read it before need not embed it."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message that was said: the id of its event, and of the update that hands it over."""

    event: str
    update: int


@dataclass(slots=True)
class Crowd:
    """Everybody who writes.

    Args:
        said: all messages.
        answers: by stranger, how many messages Tact sends in answer.
        labelled: strangers that the owner gave a label, with his confirmation.
        taken_back: the events of messages that the owner took back.
    """

    world: TelegramWorld
    chance: Random
    said: list[Said] = field(default_factory=list)
    answers: dict[int, int] = field(default_factory=dict)
    labelled: list[int] = field(default_factory=list)
    taken_back: list[str] = field(default_factory=list)
    _next: int = 1000

    def gather(self) -> None:
        """The owner, a friend of his, and rooms where both are."""
        self.world.user(OWNER, "Owner")
        self.world.user(FRIEND, "Bea")
        for room in ROOMS:
            self.world.group(room, {OWNER: "creator", FRIEND: "member", BOT: "administrator"})

    def do(self, kind: str) -> None:
        """Somebody writes."""
        {
            GREET: self._greet, ASK: self._ask, TELL: self._tell, STATE: self._state, LABELLED: self._label,
            ERASE: self._erase,
        }[kind]()  # fmt: skip

    def say(self, chat: int, user: int, text: str, **more: object) -> Json:
        """Somebody writes this; `more` are further fields. Returns the message."""
        message = self.world.say(chat, user, text, **more)
        update = int(self.world.queue[-1]["update_id"])
        self.said.append(Said(message_id(BOT, chat, message["message_id"]), update))
        return message

    def _stranger(self, answers: int) -> int:
        self._next += 1
        self.answers[self._next] = answers
        return self.world.user(self._next, f"s{self._next}")

    def _greet(self) -> None:
        who = self._stranger(1)
        self.say(who, who, "Hi there")

    def _ask(self) -> None:
        who = self._stranger(2)
        self.say(who, who, QUESTION)

    def _tell(self) -> None:
        """Two linked facts with names in them, and a wish about who may not hear them."""
        self.say(self.chance.choice((FRIEND, *ROOMS)), FRIEND, self.chance.choice(TOLD))

    def _state(self) -> None:
        self.say(self.chance.choice((OWNER, *ROOMS)), OWNER, self.chance.choice(STATED))

    def _label(self) -> None:
        self._next += 1
        self.labelled.append(self._next)
        self.say(OWNER, OWNER, f"/level add telegram:{self._next} {LABEL} as Nia{self._next}")
        self.say(OWNER, OWNER, "confirm")

    def _erase(self) -> None:
        """The owner says something, and takes it back in a reply to it."""
        message = self.say(OWNER, OWNER, self.chance.choice(TAKEN_BACK))
        self.taken_back.append(self.said[-1].event)
        self.say(OWNER, OWNER, "/forget", reply_to_message=message)


def log_of(number: int) -> str:
    """A chat log of three sessions, nothing in it said anywhere else."""
    lines: list[str] = []
    for hour in (9, 11, 13):
        lines += [
            f"[{hour:02}:05] <Ann> Carl works at Mill{number}h{hour} because Dana lives in Rome{number}h{hour}.",
            f"[{hour:02}:06] <Ben> Dana is Carl's sister, says note {number} of {hour}.",
            f"[{hour:02}:07] <Ann> Please don't tell Ben.",
        ]
    return "\n".join(lines) + "\n"

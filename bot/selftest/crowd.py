"""People who write to Tact while it is being killed, and what must have come of what they wrote."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from bot.selftest.telegram_world import BOT, Json, TelegramWorld
from connectors.telegram.inbound import event_of

OWNER, FRIEND = 7, 8
ROOMS = tuple(range(-100_507, -100_500))
"""Several, so that sessions stay short: each is annotated whole."""
LABEL = "L2-life"
GREET, ASK, TELL, STATE, LABELLED, ERASE = "greet", "ask", "tell", "state", "label", "erase"
EVERYTHING = (GREET, ASK, TELL, STATE, LABELLED, ERASE)


@dataclass(frozen=True, slots=True)
class Said:
    """A message that was said: the id of its event, and of the update that hands it over."""

    event: str
    update: int


@dataclass(slots=True)
class Crowd:
    """Everybody who writes. Each message has a number in it, so that no two are the same.

    Args:
        said: all messages.
        answers: by stranger, how many messages Tact sends in answer.
        labelled: strangers that the owner gave a label, with his confirmation.
    """

    world: TelegramWorld
    chance: Random
    said: list[Said] = field(default_factory=list)
    answers: dict[int, int] = field(default_factory=dict)
    labelled: list[int] = field(default_factory=list)
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
        self.said.append(Said(event_of(chat, message["message_id"]), update))
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
        self.say(who, who, "When is the Borealis fair?")

    def _tell(self) -> None:
        """Two linked facts with names in them, and a wish about who may not hear them."""
        number = self._number()
        whom = self.chance.choice(("Eve", "Owner", "anybody"))
        text = f"Carl works at Nimbus{number} because Dana lives in Oslo{number}. Please don't tell {whom}."
        self.say(self.chance.choice((FRIEND, *ROOMS)), FRIEND, text)

    def _state(self) -> None:
        number = self._number()
        text = f"Dana lives in Quay{number} because Carl works at Dock{number}."
        self.say(self.chance.choice((OWNER, *ROOMS)), OWNER, text)

    def _label(self) -> None:
        self._next += 1
        self.labelled.append(self._next)
        self.say(OWNER, OWNER, f"/level add telegram:{self._next} {LABEL} as Nia{self._next}")
        self.say(OWNER, OWNER, "confirm")

    def _erase(self) -> None:
        """The owner says something, and takes it back in a reply to it."""
        message = self.say(OWNER, OWNER, f"Dana lives in Shed{self._number()}.")
        self.say(OWNER, OWNER, "/forget", reply_to_message=message)

    def _number(self) -> int:
        self._next += 1
        return self._next


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

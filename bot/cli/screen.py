"""How the chat looks: one line a message, the owner's cards in a panel of their own, and nothing that can move the cursor.

Fragments are (style, text), as prompt_toolkit takes them; a plain screen prints the texts alone.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from bot.cli.chat_state import Stage
from bot.cli.desk import Heard
from bot.texts import say
from connectors.console.world import OWNER_ACCOUNT
from engine.ids import AccountId
from engine.mailroom import SendingKind

Fragments = list[tuple[str, str]]
Write = Callable[[Fragments], None]

_COLOURS = ("ansicyan", "ansiyellow", "ansigreen", "ansibrightblue", "ansibrightred", "ansibrightyellow")
_OWNER_COLOUR = "ansibrightmagenta"
_DIM = "fg:ansibrightblack"
_BAR = "│ "
_NEVER_FIRST = "，。、；：！？）》」』】”’"


def harmless(text: str) -> str:
    """A text that shows as it is: control signs, and signs that turn the direction of writing, are taken out."""
    return "".join(
        c
        for c in text
        if c in "\n\t" or unicodedata.category(c) not in {"Cc", "Cf", "Cs", "Co"} or c == "\u200d"
    )


class Screen:
    """Writes what happens."""

    def __init__(self, stage: Stage, write: Write, width: Callable[[], int], *, echoing: bool) -> None:
        """Prepare to write.

        Args:
            stage: who is who.
            write: takes the fragments of one line.
            width: of the screen, at the moment.
            echoing: whether what is said must be written, because nobody typed it here.
        """
        self._stage, self._write, self._width, self.echoing = stage, write, width, echoing
        self._places: dict[AccountId, int] = {}

    def prompt(self) -> Fragments:
        """Who speaks, where, with the number the message will have."""
        stage = self._stage
        where = (" → ", "Tact") if stage.room is None else (" @ ", stage.room)
        reply = [] if stage.answering is None else [(_DIM, f" ↩{stage.answering.number}")]
        return [
            (_DIM, f"{stage.next_number} "),
            (self.colour(stage.speaker), harmless(stage.name(stage.speaker))),
            (_DIM, where[0]),
            ("bold" if stage.room is None else "", where[1]),
            *reply,
            ("", " > "),
        ]

    def colour(self, account: AccountId) -> str:
        """A person's colour: one of their own, as long as there are enough."""
        if account == OWNER_ACCOUNT:
            return "bold " + _OWNER_COLOUR
        place = self._places.setdefault(account, len(self._places))
        return "bold " + _COLOURS[place % len(_COLOURS)]

    def said(self, text: str, prompt: Fragments) -> None:
        """What somebody said, where the screen does not show it already."""
        if self.echoing:
            self._write([*prompt, ("", harmless(text).replace("\n", " ⏎ "))])

    def heard(self, heard: Heard, number: int | None) -> None:
        """What Tact said."""
        if heard.kind is SendingKind.OWNER:
            self._panel(heard.text)
            return
        head = "" if number is None else f"{number} "
        elsewhere = "" if heard.container == self._stage.place else f" ({heard.container})"
        indent = " " * len(f"{head}Tact  ")
        room = max(20, self._width() - len(indent + elsewhere))
        lines = harmless(heard.text).split("\n")
        first, *rest = lines if self.echoing else [part for line in lines for part in wrapped(line, room)]
        self._write([(_DIM, head), ("bold", "Tact"), (_DIM, elsewhere), ("", f"  {first}")])
        for line in rest:
            self._write([("", indent + line)])

    def _panel(self, text: str) -> None:
        title = say(self._stage.language, "chat.only_owner", owner=harmless(self._stage.name(OWNER_ACCOUNT)))
        self._write([(_DIM, f"  ╭ {title}")])
        room = max(20, self._width() - len(_BAR) - 4)
        for line in harmless(text).split("\n"):
            for part in wrapped(line, room):
                self._write([(_DIM, "  " + _BAR), (_DIM, part)])

    def notes(self, lines: Sequence[str]) -> None:
        """What the console itself has to say."""
        for line in lines:
            self._indented(line, "italic " + _DIM)

    def fault(self, text: str) -> None:
        """Something that could not be done."""
        self._indented(text, "ansired")

    def _indented(self, text: str, style: str) -> None:
        text = harmless(text)
        for part in [text] if self.echoing else wrapped(text, max(20, self._width() - 3)):
            self._write([(style, f"  {part}")])


def wrapped(line: str, room: int) -> list[str]:
    """A line cut at blanks, or between wide signs, into parts that fit; what it was indented by stays."""
    indent = line[: len(line) - len(line.lstrip())]
    parts, current = [], ""
    for piece in _pieces(line.strip()):
        if current.strip() and _cells(indent + current + piece.rstrip()) > room:
            parts.append(indent + current.strip())
            current = ""
        current += piece
    return [*parts, indent + current.strip()] if current.strip() or not parts else parts


def _pieces(text: str) -> list[str]:
    """Words with the blanks after them; every wide sign by itself, with the closing sign that may not begin a line."""
    pieces: list[str] = []
    for sign in text:
        if not pieces or (_begins(pieces[-1][-1], sign) and sign not in _NEVER_FIRST):
            pieces.append(sign)
        else:
            pieces[-1] += sign
    return pieces


def _begins(before: str, sign: str) -> bool:
    return _wide(sign) or _wide(before) or (before == " " and sign != " ")


def _wide(sign: str) -> bool:
    return unicodedata.east_asian_width(sign) in {"W", "F"}


def _cells(text: str) -> int:
    return sum(2 if _wide(sign) else 1 for sign in text)

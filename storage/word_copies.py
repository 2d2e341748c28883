"""What counts as a copy of words that are to be forgotten: verbatim repetition, and ids in a card."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from engine.ids import FactId
from engine.items import Colour, ListEntry, RawFact
from engine.mailroom import State
from engine.records import TurnTrace
from storage.phrases import Phrases

ERASED_CARD = "{}"

_LONG_ENOUGH = 12
_WIDE = 0x2E80
"""From here on a letter says about as much as three Latin ones."""


class Words:
    """Texts that are to be forgotten, looked for in what Tact itself wrote and put together."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._replies: set[str] = set()
        self._parts = Phrases()
        for text in texts:
            self.add(text)

    def add(self, text: str) -> None:
        """What somebody said. One that is not short is a copy wherever it occurs, also as JSON writes it."""
        short = len(text) < _LONG_ENOUGH
        if not short or sum(3 if ord(letter) >= _WIDE else 1 for letter in text) >= _LONG_ENOUGH:
            self._parts.add(text)
            self._parts.add(json.dumps(text, ensure_ascii=False)[1:-1])

    def add_reply(self, text: str) -> None:
        """A reply that told what is to be forgotten: the same reply elsewhere is a copy, however short."""
        if text:
            self._replies.add(text)
            self.add(text)

    def repeated_in(self, text: str) -> bool:
        """Whether a text holds one of these."""
        return text in self._replies or self._parts.found_in(text)


def items_in(trace: TurnTrace) -> set[str]:
    """The items whose words a trace can hold: the message, what was told, what was allowed into the context."""
    allowed = {item for item, passed, _, _ in trace.decisions if passed}
    return {trace.message, *trace.used, *allowed}


def wordless(trace: TurnTrace) -> TurnTrace:
    """A trace of which only ids, digest and verdicts are left."""
    return replace(trace, question="", payload=b"", reply="", forgotten=True)


def state_without_words(state: str) -> str:
    """A delivery that was waiting never goes out; of any other it stays known how far it got."""
    return State.FORGOTTEN if state in {State.PENDING, State.WAITING, State.HELD} else state


def starts_of(key: str, about: str | None) -> set[str]:
    """A delivery's key without the number of its part, and the turn it belongs to; of a notice, those it is about."""
    whole = (about or key).partition("#")[0]
    return {whole, whole.partition("/")[0]}


def strings_in(body: str) -> set[str]:
    """Every string in a card's JSON; the body itself if it is none."""
    try:
        return set(_strings(json.loads(body)))
    except ValueError:
        return {body}


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def still_meant(
    entries: Iterable[ListEntry], before: Mapping[FactId, RawFact], new: RawFact
) -> tuple[ListEntry, ...]:
    """A fact's list entries after it was annotated again: what lets somebody in stays with the words it was given for.

    Args:
        entries: the entries stored for the fact's id.
        before: the facts as they stood, by id.
        new: the fact as it is now; other words under the old id keep what bars, and lose what opens.
    """
    old = before.get(new.id)
    same = old is None or old.text == new.text
    return tuple(e for e in entries if same or e.colour is Colour.BLACK)

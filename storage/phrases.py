"""Finding any of many phrases in a text, in time that does not grow with their number."""

from __future__ import annotations

from collections import defaultdict

_SIZES = (12, 6, 3)
"""Letters of a phrase that are looked up at once: as many as fit twice into it, so that some stand at every step."""


class Phrases:
    """Phrases to be looked for. Each is filed under pieces of itself; a text is looked up piece by piece.

    A phrase of twice a piece's length less one holds a whole piece that begins at a multiple of that length, wherever it
    stands: so a text is read in steps of a piece, and a phrase filed under the pieces at its first so many places.
    """

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._short: set[str] = set()
        self._pieces: dict[int, dict[str, dict[tuple[int, int], set[str]]]] = defaultdict(dict)

    def add(self, phrase: str) -> None:
        """One more; an empty one is never found."""
        if not phrase or phrase in self._known:
            return
        self._known.add(phrase)
        size = next((size for size in _SIZES if 2 * size - 1 <= len(phrase)), 0)
        if not size:
            self._short.add(phrase)
            return
        filed = self._pieces[size]
        begin = self._rarest(filed, phrase, size)
        for place in range(begin, begin + size):
            under = filed.setdefault(phrase[place : place + size], {})
            under.setdefault((place, len(phrase)), set()).add(phrase)

    def _rarest(self, filed: dict[str, dict[tuple[int, int], set[str]]], phrase: str, size: int) -> int:
        """Where in a phrase the pieces begin under which least is filed: what all phrases share tells none apart."""
        last = len(phrase) - 2 * size + 1
        choices = range(0, last + 1, max(1, last // 4))
        return min(choices, key=lambda begin: len(filed.get(phrase[begin + size // 2 :][:size], ())))

    def found_in(self, text: str) -> bool:
        """Whether a text holds one of them."""
        if text in self._known or any(phrase in text for phrase in self._short):
            return True
        return any(self._holds(text, size, filed) for size, filed in self._pieces.items())

    def _holds(self, text: str, size: int, filed: dict[str, dict[tuple[int, int], set[str]]]) -> bool:
        for at in range(0, len(text) - size + 1, size):
            under = filed.get(text[at : at + size])
            if under is not None and _stands(text, at, under):
                return True
        return False


def _stands(text: str, at: int, under: dict[tuple[int, int], set[str]]) -> bool:
    """Whether one of the phrases filed under the piece at this place stands around it."""
    return any(
        begin <= at and text[at - begin : at - begin + length] in phrases
        for (begin, length), phrases in under.items()
    )

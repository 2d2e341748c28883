"""Mentions of persons as they stand in a text. Generous: the caller resolves them against names the owner gave."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from connectors.patterns import PatternFile

_FILE: Final = PatternFile(__file__, "name_mentions")
_STANDALONE_KIN: Final = _FILE.part("standalone_kin")

_COMMON: Final = frozenset(_FILE.word_list("common"))
_RUN: Final = _FILE.pattern("run")
_KIN: Final = _FILE.pattern("kin", re.IGNORECASE)
_ZH: Final = _FILE.pattern("zh")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")


def names_in(text: str, owner_names: Sequence[str] = ()) -> tuple[str, ...]:
    """Persons mentioned, in order, each once: capitalised words, kin terms, titles, Chinese names by their shape.

    Args:
        owner_names: names of the owner, which are left out.
    """
    found = [(m.start(), m[0]) for m in _KIN.finditer(text)]
    found += [(start, name) for start, name in _capitalised(text)]
    if _HAN.search(text):
        for match in _ZH.finditer(text):
            group = match.lastgroup or "full"
            found.append((match.start(group), match[group]))
    mine = {name.casefold() for name in owner_names}
    ordered = dict.fromkeys(name for _, name in sorted(found) if name.casefold() not in mine)
    return tuple(ordered)


def _capitalised(text: str) -> list[tuple[int, str]]:
    """Runs of capitalised words, common ones cut off at either end."""
    found = []
    for match in _RUN.finditer(text):
        words = re.sub(r"['’]s\b", "", match[0]).split()
        while words and _bare(words[0]) in _COMMON:
            words.pop(0)
        while words and _bare(words[-1]) in _COMMON:
            words.pop()
        if words and not re.fullmatch(_STANDALONE_KIN, words[0]):
            found.append((match.start() + match[0].find(words[0]), " ".join(words)))
        elif len(words) > 1:
            found.append((match.start(), " ".join(words)))
    return found


def _bare(word: str) -> str:
    return word.rstrip(".,")

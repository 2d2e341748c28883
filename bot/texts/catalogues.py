"""The catalogues: a folder a language, with gettext's `.po` files in it, read as they are.

A text's id is its `msgid`, the text its `msgstr`, with the placeholders of `str.format`. As gettext has it, a text that is
empty or marked fuzzy is not translated yet. Contexts and plural forms have no meaning here, and are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.errors import BadInput

ENGLISH: Final = "en"
_LINE: Final = re.compile(r'(?:(msgid|msgstr)[ \t]+)?"((?:[^"\\]|\\["\\nt])*)"')
_ESCAPED: Final = re.compile(r"\\(.)")
_SIGNS: Final = {"n": "\n", "t": "\t"}


@dataclass(slots=True)
class Entry:
    """One text of a file; `where` names the line of its id, and `text` is None until its `msgstr` is met."""

    id: str
    where: str
    fuzzy: bool = False
    text: str | None = None


def entries(written: str, name: str) -> Iterator[Entry]:
    """The texts of a file of this name, in its order; the header is the one with an empty id.

    Raises:
        BadInput: if a line is nothing that can stand there. It names the file and the line.
    """
    entry, fuzzy = None, False
    for number, line in enumerate(map(str.strip, written.split("\n")), start=1):
        if not line or line.startswith("#"):
            fuzzy = fuzzy or (line.startswith("#,") and "fuzzy" in line)
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            raise BadInput("no msgid, msgstr or string in double quotes", where=f"{name}:{number}")
        word, text = found.groups()
        if "\\" in text:
            text = _ESCAPED.sub(_sign, text)
        if word == "msgid":
            if entry is not None:
                yield _whole(entry)
            entry, fuzzy = Entry(text, f"{name}:{number}", fuzzy), False
        elif entry is None or (word and entry.text is not None):
            raise BadInput("no msgid comes before it", where=f"{name}:{number}")
        elif word:
            entry.text = text
        elif entry.text is None:
            entry.id += text
        else:
            entry.text += text
    if entry is not None:
        yield _whole(entry)


def _sign(escaped: re.Match[str]) -> str:
    return _SIGNS.get(escaped[1], escaped[1])


def _whole(entry: Entry) -> Entry:
    if entry.text is None:
        raise BadInput(f"{entry.id!r} has no msgstr", where=entry.where)
    return entry


def read_catalogue(folder: Path) -> dict[str, str]:
    """The texts of a language, of all files in its folder; without those that are not translated yet.

    Raises:
        BadInput: if a file is malformed, or an id is there twice.
    """
    texts: dict[str, str] = {}
    places: dict[str, str] = {}
    for path in sorted(folder.glob("*.po")):
        for entry in entries(path.read_text(encoding="utf-8"), str(path)):
            if not entry.id:
                continue
            if entry.id in places:
                raise BadInput(f"{entry.id!r} is at {places[entry.id]} already", where=entry.where)
            places[entry.id] = entry.where
            if entry.text and not entry.fuzzy:
                texts[entry.id] = entry.text
    return texts


class Catalogues:
    """The texts of every language. A language is read when something is first said in it.

    Args:
        root: the folder that has a folder a language.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._languages: tuple[str, ...] = ()
        self._read: dict[str, Mapping[str, str]] = {}

    def languages(self) -> tuple[str, ...]:
        """The languages there are, English first."""
        if not self._languages:
            found = {path.parent.name for path in self._root.glob("*/*.po")} - {ENGLISH}
            self._languages = (ENGLISH, *sorted(found))
        return self._languages

    def texts(self, language: str) -> Mapping[str, str]:
        """What this language has texts for, by id; English for a language that there is none of."""
        known = language if language in self.languages() else ENGLISH
        if known not in self._read:
            self._read[known] = read_catalogue(self._root / known)
        return self._read[known]

    def say(self, language: str, key: str, **values: object) -> str:
        """The text of this key, with its placeholders filled; in English if this language has none.

        Raises:
            KeyError: if no text has this key (a fault of the program).
        """
        text = self.texts(language).get(key)
        return (self.texts(ENGLISH)[key] if text is None else text).format(**values)

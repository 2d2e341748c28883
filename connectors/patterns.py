"""Words and regular expressions that are data: TOML files in a folder `patterns` beside the module that asks.

- `[words]`: a list each, one alternative a line; `|` puts several on one. A blank is what `blank` says, if it is there.
- `[parts]` and `[patterns]`: regular expressions, over as many lines as they like.
- Any other table is for the module: rows with a `pattern` each, or `[lists]` of words to look up.

`{name}` puts in the words or the part of that name, of this file or of one that it `uses`. A line's indentation is
layout, and so is the blank behind a `|` that begins it; other blanks count. A line that begins with `#` is a comment.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

_NAMED: Final = re.compile(r"\{([a-z]\w*)\}")


class PatternFile:
    """One file of patterns.

    Raises:
        KeyError: from every method, if there is nothing of that name.
    """

    def __init__(self, module: str, file: str) -> None:
        """Read `patterns/<file>.toml` beside a module (its `__file__`)."""
        self._tables: Mapping[str, Any] = _read(module, file)
        used = [_read(module, other) for other in self._tables.get("uses", ())]
        self._named: dict[str, str] = {}
        for table in (*used, self._tables):
            blank = table.get("blank", " ")
            for name, text in table.get("words", {}).items():
                self._named[name] = f"(?:{'|'.join(_lines(text))})".replace(" ", blank)
            self._named |= {name: "".join(_lines(text)) for name, text in table.get("parts", {}).items()}

    def part(self, name: str) -> str:
        """The regular expression of some words, or of a part."""
        return self._filled(self._named[name])

    def pattern(self, name: str, flags: int = 0) -> re.Pattern[str]:
        """One of the patterns."""
        return self._compiled(self._tables["patterns"][name], flags, "{}")

    def patterns(self, name: str, flags: int = 0, frame: str = "{}") -> tuple[re.Pattern[str], ...]:
        """A list of patterns in their order, each put into a frame at its `{}`."""
        return tuple(self._compiled(text, flags, frame) for text in self._tables["patterns"][name])

    def rows(
        self, name: str, flags: int = 0, frame: str = "{}"
    ) -> Iterator[tuple[re.Pattern[str], Mapping[str, Any]]]:
        """The rows of a table in their order: the pattern, and the row with whatever else it says."""
        for row in self._tables[name]:
            yield self._compiled(row["pattern"], flags, frame), row

    def word_list(self, name: str) -> tuple[str, ...]:
        """Words to be looked up as they are, in their order."""
        return tuple(" ".join(self.lines(name)).split())

    def lines(self, name: str) -> tuple[str, ...]:
        """A list of something else, a line each."""
        return tuple(_lines(self._tables["lists"][name]))

    def compiled(self, text: str, flags: int = 0) -> re.Pattern[str]:
        """A pattern of the module's own, with the file's words and parts put in."""
        return re.compile(self._filled(text), flags)

    def _compiled(self, text: str, flags: int, frame: str) -> re.Pattern[str]:
        return self.compiled(frame.replace("{}", "".join(_lines(text))), flags)

    def _filled(self, text: str) -> str:
        while _NAMED.search(text):
            text = _NAMED.sub(lambda match: self._named[match[1]], text)
        return text


def _read(module: str, name: str) -> dict[str, Any]:
    return tomllib.loads((Path(module).parent / "patterns" / f"{name}.toml").read_text("utf-8"))


def _lines(text: str) -> Iterator[str]:
    """The lines that say something, without their layout."""
    for line in map(str.strip, text.strip().splitlines()):
        if line and not line.startswith("#"):
            yield f"|{line[2:]}" if line.startswith("| ") else line

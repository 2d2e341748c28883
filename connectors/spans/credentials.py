"""What opens something at once (PL4): passwords, codes, keys, tokens, seed phrases, connection strings.

Patterns are ASCII-guarded by hand: to `re`, a Han character is a word character, so a word boundary is none beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from connectors.patterns import PatternFile

Check = Callable[[str], bool]
Rule = tuple[str, re.Pattern[str], Check | None]

SHORTEST: Final = 4
"""Characters of a password; what is shorter is none."""

_FILE: Final = PatternFile(__file__, "credentials")
_NO_PASSWORD: Final = frozenset(_FILE.word_list("no_password"))


def _password(value: str) -> bool:
    return len(value) >= SHORTEST and value.lower().strip(".,!?") not in _NO_PASSWORD


def _mixed(value: str) -> bool:
    """Letters and a digit, or a sign that words don't have: what is given without "is" must look like a password."""
    return (
        len(value) >= SHORTEST
        and bool(re.search(r"\d|[!@#$%^&*_]", value))
        and not re.fullmatch(r"[\d.,:-]*", value)
    )


def _key_like(value: str) -> bool:
    return bool(re.search(r"\d", value) and re.search(r"[A-Za-z]", value))


def _with_digit(value: str) -> bool:
    return len(value) >= SHORTEST and bool(re.search(r"\d", value))


_CHECKS: Final[Mapping[str, Check]] = {
    "password": _password,
    "mixed": _mixed,
    "with_digit": _with_digit,
    "key_like": _key_like,
}
RULES: Final[tuple[Rule, ...]] = tuple(
    (row["kind"], pattern, _CHECKS[row["check"]] if "check" in row else None)
    for pattern, row in _FILE.rows("rule", re.IGNORECASE | re.ASCII)
)

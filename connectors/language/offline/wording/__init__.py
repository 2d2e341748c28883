"""How facts are quoted and fixed lines are worded: a file a language in this folder."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

ENGLISH: Final = "en"
_FOLDER: Final = Path(__file__).parent


@cache
def languages() -> tuple[str, ...]:
    """The languages there are, English first."""
    return (ENGLISH, *sorted({path.stem for path in _FOLDER.glob("*.toml")} - {ENGLISH}))


@cache
def wording(language: str) -> Mapping[str, Any]:
    """The tables of a language, English ones for a language that there are none of."""
    known = language if language in languages() else ENGLISH
    return tomllib.loads((_FOLDER / f"{known}.toml").read_text("utf-8"))

"""What Tact says to its owner: a text has an id, and every language its own catalogue, in a folder of its name."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from bot.texts.catalogues import Catalogues

_CATALOGUES: Final = Catalogues(Path(__file__).parent)

languages = _CATALOGUES.languages
texts = _CATALOGUES.texts
say = _CATALOGUES.say

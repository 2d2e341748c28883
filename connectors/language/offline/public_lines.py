"""Fixed public lines: the same bytes for everybody but the owner. `{owner}` is the only placeholder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from connectors.language.offline.wording import ENGLISH, wording

NAMES: Final[tuple[str, ...]] = tuple(wording(ENGLISH)["lines"])
"""Every line there is."""


class OfflineLines:
    """`engine.ports.Lines` over the built-in wording."""

    def line(self, name: str, language: str, custom: Mapping[tuple[str, str], str], owner: str) -> str:
        """The line of this name, the owner's own wording first; a language without lines gets the English ones.

        Raises:
            KeyError: if no line has this name: a name is written in code and never comes from a user.
        """
        built_in = str(wording(language)["lines"].get(name) or wording(ENGLISH)["lines"][name])
        # Plain replacement: other braces in the owner's wording are just braces.
        return custom.get((name, language), built_in).replace("{owner}", owner)

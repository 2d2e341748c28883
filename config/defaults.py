"""The policy that `tact init` starts with: eight everyday categories in every language, nobody levelled yet.

They are in `categories.yaml` beside this file, so that the owner's exports and these look alike; their words are in
`languages/`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from config.languages import category_names, description, examples, languages
from config.policy_file import loads
from engine.ids import CategoryName
from engine.people import People, folded
from engine.policy import UNAUTHORISED, Category, Policy


@cache
def default_categories() -> tuple[Category, ...]:
    """The eight working categories, as they are bundled."""
    text = files("config").joinpath("categories.yaml").read_text(encoding="utf-8")
    bare = loads(text, People(), "categories.yaml").policy.categories
    return tuple(replace(c, description=description(c.name), examples=examples(c.name)) for c in bare)


def default_policy(owner_name: str, timezone: str = "UTC", unresolved: str = "keep") -> Policy:
    """The policy of a new installation: version 0, the default lattice, no contacts."""
    return Policy(
        categories=default_categories(), owner_name=owner_name, timezone=timezone, unresolved=unresolved
    )


def display_name(name: CategoryName | None, language: str) -> str:
    """What a category is called in this language; None is the bin for what matched nothing."""
    known = UNAUTHORISED if name is None else name
    return category_names(language).get(known, known)


def find_category(categories: Sequence[Category], text: str) -> Category | None:
    """The category of this name, in any language, whatever its case; blanks, `-` and `_` count as the same.

    A name that the owner gave counts before what another category is called in a language.
    """
    wanted = _key(text)
    for category in categories:
        if _key(category.name) == wanted:
            return category
    for names in map(category_names, languages()):
        for category in categories:
            if category.name in names and _key(names[category.name]) == wanted:
                return category
    return None


def _key(name: str) -> str:
    return " ".join(folded(name).replace("-", " ").replace("_", " ").split())

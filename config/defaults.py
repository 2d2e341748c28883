"""The policy that `tact init` starts with: eight everyday categories in two languages, nobody levelled yet.

Their words are in `categories.yaml` beside this file, so that the owner's exports and these look alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from config.policy_file import loads
from engine.ids import CategoryName
from engine.people import People, folded
from engine.policy import UNAUTHORISED, Category, Policy

CHINESE: Mapping[CategoryName, str] = {
    CategoryName("whereabouts"): "行踪",
    CategoryName("appointments"): "预约",
    CategoryName("contact-details"): "联系方式",
    CategoryName("work-projects"): "工作项目",
    CategoryName("work-confidential"): "工作机密",
    CategoryName("family"): "家庭",
    CategoryName("health"): "健康",
    CategoryName("money"): "钱",
    UNAUTHORISED: "未归类",
}
"""What the default categories are called in Chinese; one of the owner's own is called as the owner called it."""


@cache
def default_categories() -> tuple[Category, ...]:
    """The eight working categories, as they are bundled."""
    text = files("config").joinpath("categories.yaml").read_text(encoding="utf-8")
    return loads(text, People(), "categories.yaml").policy.categories


def default_policy(owner_name: str, timezone: str = "UTC", unresolved: str = "keep") -> Policy:
    """The policy of a new installation: version 0, the default lattice, no contacts."""
    return Policy(
        categories=default_categories(), owner_name=owner_name, timezone=timezone, unresolved=unresolved
    )


def display_name(name: CategoryName | None, language: str) -> str:
    """What a category is called in this language; None is the bin for what matched nothing."""
    known = UNAUTHORISED if name is None else name
    return CHINESE.get(known, known) if language == "zh" else known


def find_category(categories: Sequence[Category], text: str) -> Category | None:
    """The category of this English or Chinese name, whatever its case; blanks, `-` and `_` count as the same.

    A name that the owner gave counts before a Chinese name for another category.
    """
    wanted = _key(text)
    for category in categories:
        if _key(category.name) == wanted:
            return category
    return next((c for c in categories if c.name in CHINESE and _key(CHINESE[c.name]) == wanted), None)


def _key(name: str) -> str:
    return " ".join(folded(name).replace("-", " ").replace("_", " ").split())

"""docs/architecture.md names every module, in the row of its folder, and no other."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
ROW = re.compile(r"^\| `([\w/]+)/` \| (.+) \|$", re.MULTILINE)


def named(text: str) -> set[str]:
    """The modules that the table's rows name, as paths."""
    return {
        f"{folder}/{name}" for folder, row in ROW.findall(text) for name in re.findall(r"`(\w+\.py)`", row)
    }


def there() -> set[str]:
    """The modules of the tree. A revision of the tables is data, and has a number for a name."""
    folders = ("bot", "connectors", "engine", "storage", "config")
    found = {p.relative_to(ROOT) for folder in folders for p in (ROOT / folder).rglob("*.py")}
    return {str(p) for p in found if p.name != "__init__.py" and p.parent.name != "versions"}


def test_every_module_is_named_and_every_named_one_is_there():
    page, tree = named(PAGE.read_text("utf-8")), there()
    assert (sorted(tree - page), sorted(page - tree)) == ([], []), "not on the page, and not in the tree"


def test_the_page_is_short():
    assert len(PAGE.read_text("utf-8").splitlines()) < 150


def test_a_row_is_read():
    assert named("| `bot/turn/` | *x*: `turn.py` (a), and `up.md` |\n`other.py`") == {"bot/turn/turn.py"}

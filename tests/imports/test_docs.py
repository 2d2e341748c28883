"""What docs/imports.md and docs/policy.md show is what happens."""

import re
from datetime import date
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.memory.import_plan import Findings, attest, find_logs, plan
from bot.memory.imports import draft_roster
from config.defaults import default_categories
from config.languages import category_names
from config.policy_file import loads
from config.roster_file import load_roster
from engine.people import People

DOCS = Path(__file__).parents[2] / "docs"


def blocks(name, language):
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / name).read_text(encoding="utf-8"), re.DOTALL)


def test_the_policy_in_the_docs_can_be_read():
    (text,) = blocks("policy.md", "yaml")
    document = loads(text, People())
    assert [c.name for c in document.policy.categories] == ["work-projects"]
    assert {name for _, name in document.names} == {"Ana", "Bob"}


def test_the_categories_in_the_docs_are_the_ones_there_are():
    rows = re.findall(
        r"^\| ([a-z-]+) \| (\S+) \| (L.*) \|$", (DOCS / "policy.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    expected = [
        (c.name, category_names("zh")[c.name], ", ".join(map(str, c.labels))) for c in default_categories()
    ]
    assert rows == expected


def test_the_example_of_an_import_is_what_happens(tmp_path):
    (text,) = blocks("imports.md", "text")
    first, drafted, checked = blocks("imports.md", "yaml")
    (tmp_path / "2020-03-01.log").write_text(text, encoding="utf-8")
    (file,) = find_logs([tmp_path])
    made = [
        re.sub(r" +#", " #", line)
        for line in draft_roster(file, "UTC").splitlines()
        if not line.startswith("#")
    ]
    assert made == drafted.splitlines()

    (tmp_path / "first.yaml").write_text(first, encoding="utf-8")
    assert len(load_roster(tmp_path / "first.yaml").present) == 4
    (tmp_path / "roster.yaml").write_text(checked, encoding="utf-8")
    roster = load_roster(tmp_path / "roster.yaml")
    assert roster.day == date(2020, 3, 1)
    findings = Findings()
    planned = plan(attest(file, roster, frozenset(), People(), ZoneInfo("UTC")), findings, refuse=False)
    shown = re.findall(
        r"^\| (\d\d:\d\d) \| (.*) \|$", (DOCS / "imports.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    messages = sorted((m for p in planned for _, m in p.messages), key=lambda m: m.sent_at)
    assert shown == [
        (
            f"{m.sent_at:%H:%M}",
            ", ".join(sorted(p.removeprefix("irc:") for p in m.audience.members if p != "o")),
        )
        for m in messages
    ]
    assert findings == Findings()

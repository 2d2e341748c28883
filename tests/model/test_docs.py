"""What docs/models.md shows can be pasted."""

from __future__ import annotations

import re
from pathlib import Path

from config.models import WordModel
from config.settings import load_settings

DOCS = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")


def test_the_section_for_the_settings_file_is_read(tmp_path):
    section, extra = re.findall(r"```toml\n(.*?)```", DOCS, flags=re.DOTALL)
    (tmp_path / "tact.toml").write_text(section + extra, encoding="utf-8")
    word = load_settings(tmp_path).models.word
    assert word is not None
    assert word.runs_here
    assert word.extra == {"chat_template_kwargs": {"enable_thinking": False}}


def test_every_key_is_described_with_the_value_it_has_unless_set():
    rows = {
        key: row[-1].strip()
        for row in re.findall(r"^\| (`.*`) \|.*\| (.*) \|$", DOCS, flags=re.MULTILINE)
        for key in re.findall(r"`(\w+)`", row[0])
    }
    fields = {name: field for name, field in WordModel.model_fields.items() if not field.is_required()}
    for name in fields.keys() - {"runs_here", "api_key_env", "api_key_file", "extra"}:
        assert float(rows[name]) == fields[name].default, name
    assert {"api_key_env", "api_key_file", "extra"} <= rows.keys()


def test_the_addresses_of_the_table_are_addresses():
    for url in re.findall(r"`(http[^`]+/v1)`", DOCS):
        WordModel(base_url=url, model="m", runs_here=True)

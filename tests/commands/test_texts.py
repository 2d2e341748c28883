"""Both languages say the same things, with the same placeholders."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest

from bot.texts import LANGUAGES

EN, ZH = LANGUAGES["en"], LANGUAGES["zh"]
NAMING = ("memory/erasure.py",)


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_the_same_keys():
    assert EN.keys() == ZH.keys()
    assert set(LANGUAGES) == {"en", "zh"}


@pytest.mark.parametrize("key", EN)
def test_the_same_placeholders_and_no_empty_text(key):
    assert places(EN[key]) == places(ZH[key])
    assert EN[key].strip()
    assert ZH[key].strip()
    assert "" not in places(EN[key])


def test_chinese_texts_are_chinese():
    plain = {key for key, text in ZH.items() if not re.search("[\u4e00-\u9fff]", text)}
    assert {key for key in plain if re.search("[a-z]", re.sub(r"\{[^}]*\}", "", ZH[key]))} == set()


def test_every_key_that_the_code_names_is_there():
    bot = Path(__file__).parents[2] / "bot"
    source = "\n".join(p.read_text("utf-8") for p in (*map(bot.joinpath, NAMING), *bot.glob("owner/**/*.py")))
    named = set(re.findall(r'(?:say|fault)\(\s*(?:\w+(?:\.\w+)*,\s*)?"([a-z_]+\.[a-z_]+)"', source))
    assert named <= EN.keys()
    assert len(named) > 100

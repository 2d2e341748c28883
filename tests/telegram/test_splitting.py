"""Long texts in parts: never inside a grapheme, a link or a block of code, and nothing lost."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectors.telegram.splitting import LIMIT, split, units

FAMILY = "👨‍👩‍👧‍👦"
PIECES = st.sampled_from(
    [
        "word ",
        "longerword ",
        "\n",
        "\n\n",
        "😀",
        FAMILY,
        "e\u0301",
        "🇩🇪",
        "👍🏽",
        "中文，",
        "。",
        "https://example.org/a/b?c=d ",
        "x" * 30,
    ]
)


def test_five_thousand_emoji_are_whole_in_every_part():
    parts = split("😀" * 5000)
    assert all(units(part) <= LIMIT for part in parts)
    assert "".join(parts) == "😀" * 5000
    assert all(part.encode("utf-16-le").decode("utf-16-le") == part for part in parts)


def test_escapes_are_not_counted_because_nothing_is_escaped():
    assert split("&" * 4000) == ["&" * 4000]


@given(st.lists(PIECES, max_size=60).map("".join), st.integers(12, 60))
def test_parts_fit_and_hold_all_but_blanks(text, limit):
    parts = split(text, limit)
    assert all(0 < units(part) <= limit for part in parts)
    assert re.sub(r"\s", "", "".join(parts)) == re.sub(r"\s", "", text)


@given(
    st.lists(st.sampled_from([FAMILY, "🇩🇪", "e\u0301", "👍🏽"]), min_size=1, max_size=40), st.integers(12, 40)
)
def test_no_part_begins_inside_a_grapheme(signs, limit):
    whole = {FAMILY, "🇩🇪", "e\u0301", "👍🏽"}
    for part in split("".join(signs), limit):
        rest = part
        while rest:
            sign = next((s for s in whole if rest.startswith(s)), None)
            assert sign, f"{part!r} is cut inside a sign"
            rest = rest.removeprefix(sign)


def test_a_link_stays_whole():
    link = "https://example.org/" + "a" * 40
    parts = split("word " * 8 + link + " and more words here", 70)
    assert any(link in part for part in parts)
    titled = "[a title](https://example.org/x)"
    assert any(titled in part for part in split("word " * 10 + titled + " end", 60))


def test_a_block_of_code_stays_whole_or_is_closed_and_opened_again():
    block = "```python\n" + "x = 1\n" * 5 + "```"
    parts = split("Some words before it.\n" * 4 + block, 100)
    assert any(block in part for part in parts)
    for part in split("```python\n" + "y = 2222\n" * 60 + "```", 120):
        assert part.count("```") == 2
        assert part.startswith("```python")
        assert units(part) <= 120


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_nothing_gives_no_part(text):
    assert split(text) == []

"""Long texts in parts: never inside a grapheme, a link or a block of code, and nothing lost."""

from __future__ import annotations

import itertools
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.service.text_parts import split, units

LIMIT = 4096
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
    parts = split("😀" * 5000, LIMIT)
    assert all(units(part) <= LIMIT for part in parts)
    assert "".join(parts) == "😀" * 5000
    assert all(part.encode("utf-16-le").decode("utf-16-le") == part for part in parts)


def test_escapes_are_not_counted_because_nothing_is_escaped():
    assert split("&" * 4000, LIMIT) == ["&" * 4000]


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


BLOCKS = st.sampled_from(["\n```python\nx = 1\ny = '😀'\n```\n", "\n```\nmake all\n```\n"])
LINKS = st.sampled_from(
    ["https://example.org/a/b?c=d ", "see [a title here](https://example.org/x) ", "http://example.org/中文 "]
)
SIGNS = st.sampled_from([FAMILY, "🇩🇪", "e\u0301", "👍🏽", "한국", "नमस्ते", "ภาษาไทย", "1\ufe0f\u20e3"])


@given(st.lists(st.one_of(PIECES, BLOCKS, LINKS, SIGNS), max_size=80).map("".join), st.integers(60, 200))
def test_no_part_ends_inside_a_link_a_block_or_a_sign(text, limit):
    """Whatever stands next to whatever: links whole, blocks closed where they end, no sign torn from what it sits on."""
    parts = split(text, limit)
    assert all(0 < units(part) <= limit for part in parts)
    for link in re.findall(r"https?://\S+|\[[^\]\n]*\]\([^)\s]*\)", text):
        if units(link) <= limit:
            assert any(link in part for part in parts), f"{link!r} is cut"
    for part in parts:
        assert len(re.findall(r"^```[^\n]*$", part, re.MULTILINE)) % 2 == len(_odd(text, parts, part))
        assert part.encode("utf-16-le").decode("utf-16-le") == part
    for one, other in itertools.pairwise(parts):
        assert not torn(one, other), f"{one[-3:]!r} | {other[:3]!r}"


def _odd(text: str, parts: list[str], part: str) -> str:
    """A fence that the text itself does not close stays open in the last part."""
    open_in_text = len(re.findall(r"^```[^\n]*$", text.strip(), re.MULTILINE)) % 2
    return "x" if open_in_text and part is parts[-1] else ""


def torn(one: str, other: str) -> bool:
    """Whether a sign was cut in two between these parts."""
    first = other[0]
    return (
        unicodedata.combining(first) != 0
        or unicodedata.category(first) in {"Mn", "Mc", "Me"}
        or first in "\u200d\ufe0e\ufe0f\u20e3"
        or "\U0001f3fb" <= first <= "\U0001f3ff"
        or one[-1] == "\u200d"
    )


@pytest.mark.parametrize(
    "text",
    [
        "```python\n" + "x" * 9000 + "\n```",
        "```\n" + "😀" * 5000,
        "https://example.org/" + "a" * 9000,
        "```" + "z" * 9000,
    ],
    ids=["one long line of code", "a block without an end", "a long link", "no fence at all"],
)
def test_what_fits_nowhere_is_cut_all_the_same_and_comes_to_an_end(text):
    parts = split(text, LIMIT)
    assert all(0 < units(part) <= LIMIT for part in parts)
    whole = "".join(
        part.removesuffix("\n```").removeprefix("```python\n").removeprefix("```\n") for part in parts
    )
    for sign in "xz😀a":
        assert whole.count(sign) == text.count(sign)


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_nothing_gives_no_part(text):
    assert split(text, LIMIT) == []

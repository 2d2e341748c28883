"""Somebody may type eight thousand characters of anything; nobody else should have to wait for it."""

from time import process_time

import pytest

from config.defaults import default_categories
from connectors.language.offline import lexical
from connectors.spans.rules import detect

PATIENCE = 5.0
BITS = [
    "a", "a-", "a ", "Ana ", "Ana and ", "my ", "her ", "don't tell ", "keep this ", "and so please ", "if anyone asks ", "but ", "because ", "tell them ", "1", "1 ", "12:",
    "on Friday ", "eyJ", "a@", "(", "， ", "你", "和", "别告诉", "但是", "下周", "千万", "问", "病",
]  # fmt: skip


@pytest.mark.parametrize("bit", BITS)
def test_a_long_text_takes_no_long_time(reader, read, ask, bit):
    text = (bit * 8_000)[:8_000]
    started = process_time()
    read(text)
    ask(text)
    reader.tokens(text)
    detect(text)
    lexical.suggest(text, default_categories())
    assert process_time() - started < PATIENCE


def test_a_sentence_without_end_is_cut_and_nothing_of_it_is_lost(read):
    text = "Bob moved the chairs " * 100
    found = read(text).statements
    assert len(found) > 1
    assert "".join("".join(s.text for s in found).split()) == "".join(text.split())

"""Phrases are found wherever they stand, and nothing else is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from storage.phrases import Phrases

letters = st.sampled_from(["ab", "ab月", "abcdefgh "]).flatmap(lambda signs: st.text(signs, max_size=60))


@given(st.lists(letters, max_size=8), letters, st.integers(0, 60), st.data())
def test_it_agrees_with_looking_for_each_of_them(phrases, text, place, data):
    if phrases and data.draw(st.booleans()):
        text = text[:place] + data.draw(st.sampled_from(phrases)) + text[place:]
    found = Phrases()
    for phrase in phrases:
        found.add(phrase)
    assert found.found_in(text) is any(phrase in text for phrase in phrases if phrase)


def test_what_many_phrases_share_does_not_make_one_of_them():
    found = Phrases()
    for number in range(300):
        found.add(f"The moonstone with the number {number} lies under the birch.")
    assert found.found_in("He said: The moonstone with the number 207 lies under the birch. Really?")
    assert not found.found_in("He said: The moonstone with the number 307 lies under the birch. Really?")
    assert not found.found_in("The moonstone with the number " * 40)

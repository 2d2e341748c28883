"""Answers to a card: words of all languages, each of one meaning."""

from __future__ import annotations

import pytest

from bot.owner.taps import Answer, Tap, read_tap, words_of
from bot.texts import languages


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("answer", Answer)
def test_words_on_a_card_are_read_as_what_they_say(language, answer):
    for words in words_of(answer, language):
        assert read_tap(words).answer is answer
        assert read_tap(f"[{words.strip()}]").answer is answer


def test_no_words_mean_two_things():
    meant: dict[str, set[Answer]] = {}
    for language in languages():
        for answer in Answer:
            for sure in (True, False):
                for words in words_of(answer, language, sure=sure):
                    meant.setdefault(words, set()).add(answer)
    assert {words for words, answers in meant.items() if len(answers) > 1} == set()


def test_what_may_be_meant_otherwise_is_not_sure():
    assert (read_tap("yes").sure, read_tap("confirm").sure, read_tap("是").sure) == (False, True, False)
    assert read_tap("确认更早") == Tap(Answer.EARLIER, sure=True)
    assert read_tap("yes, please") is None


def test_a_change_says_into_what():
    for text in ("change work", "Change to work.", "改为work", "改成 work"):
        assert read_tap(text) == Tap(Answer.CHANGE, "work")
    assert read_tap("change") == read_tap("change to") == read_tap("改为") == Tap(Answer.CHANGE, "")

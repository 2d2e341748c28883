"""Answers to a card in words: what the owner types, or what stands on a button."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from bot.texts import languages, texts
from engine.people import folded


class Answer(StrEnum):
    """What an answer does. `EARLIER` and `ALL` are ways to confirm; `CHANGE` goes with a category."""

    CONFIRM = "confirm"
    EARLIER = "earlier"
    ALL = "all"
    KEEP = "keep"
    CHANGE = "change"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Tap:
    """One answer to a card; `category` goes with `CHANGE`; `sure`: these words are an answer and nothing else."""

    answer: Answer
    category: str = ""
    sure: bool = False


@cache
def words_of(answer: Answer, language: str, *, sure: bool = True) -> tuple[str, ...]:
    """The words of an answer in a language, the usual ones first; those that may be meant otherwise are not `sure`."""
    known = texts(language)
    found = known.get(f"answer.{answer}", "") if sure else known.get(f"unsure.{answer}", "")
    return tuple(filter(None, found.split("|")))


@cache
def _whole() -> Mapping[str, Tap]:
    """Every answer that is no beginning, by its words, in all languages."""
    return {
        words: Tap(answer, sure=sure)
        for language in languages()
        for answer in Answer
        if answer is not Answer.CHANGE
        for sure in (False, True)
        for words in words_of(answer, language, sure=sure)
    }


def read_tap(text: str) -> Tap | None:
    """The tap that these words are, or None if they are something else. Brackets as on the card are fine."""
    plain = folded(text).strip("[]【】.。! ")
    whole = _whole().get(plain)
    if whole is not None:
        return whole
    for language in languages():
        for start in sorted(words_of(Answer.CHANGE, language), key=len, reverse=True):
            if f"{plain} ".startswith(start):
                return Tap(Answer.CHANGE, f"{plain} ".removeprefix(start).strip().removeprefix("to "))
    return None

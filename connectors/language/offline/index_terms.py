"""Words of a text as index terms, and the language it is in.

English: lower case, possessive dropped, Snowball stems. Chinese: characters and pairs of neighbouring characters, since
a segmenter is a dependency that measured no better. Numbers and dates are kept whole: they are what people ask for.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from connectors.language.offline import concepts
from connectors.language.offline.stopwords import (
    CHAR_ZH,
    CHAT_EN,
    CHAT_ZH,
    FUNCTION_EN,
    FUNCTION_ZH,
    PARTICLES_ZH,
)
from connectors.patterns import PatternFile
from engine.annotation import Language

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from snowballstemmer.basestemmer import BaseStemmer

CJK: Final = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Han characters, for use inside a character class."""

DEFAULT: Final = "en"
"""The language of a text that has no other's signs."""
SCRIPTS: Final[Mapping[Language, re.Pattern[str]]] = {"zh": re.compile(f"[{CJK}]")}
"""Signs that one language has to itself."""
_LATIN_WORD: Final = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_PIECE: Final = re.compile(
    rf"""
    (?P<han>[{CJK}]+)
    | (?P<number>(?>\d+(?:[:.,/-]\d+)*(?:st|nd|rd|th)?)(?![a-z]))
    | (?P<word>[^\W_{CJK}]+(?:['’][^\W\d_{CJK}]+)*)
    """,
    re.VERBOSE,
)
_POSSESSIVE: Final = re.compile(r"['’]s?$")
_SHORTENED: Final = re.compile(r"^([a-z]+)n['’]t$|^([a-z]+)['’](?:s|re|ve|ll|d|m)$")
_PARTICLES: Final = re.compile(f"[{PARTICLES_ZH}]")
_PHRASES: Final = re.compile(r"\b(?:" + "|".join(map(re.escape, concepts.PHRASES)) + r")\b")
_CONCEPTS: Final = re.compile(
    "(" + "|".join(sorted(map(re.escape, concepts.CHINESE), key=len, reverse=True)) + ")"
)
_STOP_EN: Final = FUNCTION_EN | CHAT_EN


PLACE_TERM: Final = "·place"
"""An index term for texts that say where somebody is: what "where is Alex?" asks for without naming it."""

_PLACE: Final = PatternFile(__file__, "index_terms").pattern("place", re.IGNORECASE)


def language_of(text: str) -> Language:
    """The language to answer in: one with at least as many signs of its own script as there are Latin words."""
    signs = {language: len(script.findall(text)) for language, script in SCRIPTS.items()}
    most = max(signs, key=lambda language: signs[language])
    return most if signs[most] and signs[most] >= len(_LATIN_WORD.findall(text)) else DEFAULT


def tokens(text: str) -> tuple[str, ...]:
    """Index terms of a text in order, stop words left out.

    Returns:
        English stems, numbers, one- and two-character terms of Chinese runs, and `PLACE_TERM`. Repeated words repeat.
    """
    place = (PLACE_TERM,) if _PLACE.search(text) else ()
    return (*_terms(_plain(text)), *place)


def content(text: str, drop_en: frozenset[str], drop_zh: Iterable[str]) -> tuple[str, ...]:
    """`tokens` with further words dropped, as a question needs it (`drop_en` unstemmed, lower case)."""
    return tuple(_terms(_plain(text), drop_en, tuple(drop_zh)))


def stem(word: str) -> str:
    """The Snowball stem of a lower-case English word; other words come back as they are."""
    return _stem(word) if word.isascii() else word


def _plain(text: str) -> str:
    """Full-width forms and accents folded, lower case: ways to write the same word are one word."""
    folded = unicodedata.normalize("NFKD", text)
    plain = "".join(c for c in folded if not unicodedata.combining(c)).lower()
    return _PHRASES.sub(lambda m: concepts.PHRASES[m[0]], plain)


def _terms(text: str, drop_en: frozenset[str] = frozenset(), drop_zh: tuple[str, ...] = ()) -> Iterator[str]:
    for piece in _PIECE.finditer(text):
        if piece.group("han"):
            yield from _grams(piece.group("han"), drop_zh)
        elif piece.group("number"):
            yield re.sub(r"(?:st|nd|rd|th)$", "", piece.group("number"))
        else:
            word = _bare(piece.group("word"))
            if word in concepts.WORDS and word not in drop_en:
                yield concepts.WORDS[word]
                continue
            month = word == "may" and _by_number(text, piece.start(), piece.end())
            if month or (len(word) > 1 and word not in _STOP_EN and word not in drop_en):
                yield _concept_of_stem().get(stem(word), stem(word))


def _by_number(text: str, start: int, end: int) -> bool:
    """Whether a number stands beside this word: "12 may" is a date, "it may rain" is not."""
    return bool(
        re.search(r"\d(?:st|nd|rd|th)?(?: of)? $", text[max(0, start - 8) : start])
        or re.match(r" \d", text[end:])
    )


def _bare(word: str) -> str:
    """The word without what an apostrophe adds ("carol's", "isn't", "they're")."""
    short = _SHORTENED.match(word)
    if short:
        return short.group(1) or short.group(2)
    return _POSSESSIVE.sub("", word).replace("'", "").replace("’", "")


def _grams(run: str, drop: tuple[str, ...]) -> Iterator[str]:
    """One- and two-character terms. A particle separates; a character that also builds words stands in pairs only."""
    for part in _CONCEPTS.split(_stop_zh(drop).sub(" ", run)):
        if part in concepts.CHINESE:
            yield concepts.CHINESE[part]
        else:
            yield from _neighbours(part)


def _neighbours(run: str) -> Iterator[str]:
    for stretch in _PARTICLES.sub(" ", run).split():
        for at, char in enumerate(stretch):
            if char not in CHAR_ZH:
                yield char
            pair = stretch[at : at + 2]
            if len(pair) > 1 and not CHAR_ZH.issuperset(pair):
                yield pair


@cache
def _stop_zh(more: tuple[str, ...]) -> re.Pattern[str]:
    words = sorted({*FUNCTION_ZH, *CHAT_ZH, *more}, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)))


@cache
def _concept_of_stem() -> dict[str, str]:
    """Stems of the words that have a concept: "offices" means what "office" does."""
    return {stem(word): term for word, term in concepts.WORDS.items()}


_lock = threading.Lock()


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    # The stemmer keeps the word it works on in itself, so two threads must not share a call.
    with _lock:
        return str(_stemmer().stemWord(word))


@cache
def _stemmer() -> BaseStemmer:
    # Imported on first use: the package loads every language it has.
    from snowballstemmer import stemmer  # noqa: PLC0415

    return stemmer("english")

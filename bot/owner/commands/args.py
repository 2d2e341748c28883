"""What follows a command's name, cut into words. Quotes hold a name with blanks together; keywords have Chinese twins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from unicodedata import category

from engine.people import folded

_QUOTES = {'"': '"', "“": "”", "「": "」", "『": "』", "„": "“", "«": "»"}
_COMMAS = ",，、"

KEYWORDS = {
    "add": ("add", "添加", "增加", "加"),
    "edit": ("edit", "change", "编辑", "修改"),
    "remove": ("remove", "delete", "删除", "移除", "去掉"),
    "list": ("list", "列表", "列出"),
    "set": ("set", "设置"),
    "reset": ("reset", "重置"),
    "as": ("as", "作为", "叫"),
    "with": ("with", "to", "给", "跟", "与"),
    "from": ("from", "来自"),
    "about": ("about", "关于"),
    "last": ("last", "最后", "最近"),
    "here": ("here", "这里", "本聊天"),
    "category": ("category", "类别"),
    "off": ("off", "关闭", "关"),
    "everyone": ("everyone", "everybody", "所有人", "大家"),
    "stranger": ("stranger", "strangers", "陌生人"),
}


@dataclass(frozen=True, slots=True)
class Word:
    """One word, or one quoted stretch; `start` and `end` are its place in the text."""

    text: str
    start: int
    end: int
    quoted: bool = False

    def means(self, keyword: str) -> bool:
        """Whether it is this keyword, in either language. A quoted word never is one."""
        return not self.quoted and folded(self.text) in KEYWORDS[keyword]

    @property
    def comma(self) -> bool:
        """Whether it is a comma that parts a list."""
        return not self.quoted and self.text in _COMMAS


@dataclass(frozen=True, slots=True)
class Args:
    """Words in order, with the text they stand in."""

    text: str
    words: tuple[Word, ...]

    def __len__(self) -> int:
        """How many words."""
        return len(self.words)

    def __getitem__(self, part: slice) -> Args:
        """Some of the words, in the same text."""
        return Args(self.text, self.words[part])

    @property
    def phrase(self) -> str:
        """The words as they were typed, without quotes if one pair holds them all."""
        if not self.words:
            return ""
        if len(self.words) == 1:
            return self.words[0].text.strip()
        return self.text[self.words[0].start : self.words[-1].end].strip()

    def starts(self, keyword: str) -> bool:
        """Whether the first word is this keyword."""
        return bool(self.words) and self.words[0].means(keyword)

    def last_of(self, keyword: str) -> int | None:
        """The place of the last word that is this keyword."""
        found = [n for n, word in enumerate(self.words) if word.means(keyword)]
        return found[-1] if found else None

    def parts(self) -> list[Args]:
        """The stretches between commas."""
        cuts = [-1, *(n for n, word in enumerate(self.words) if word.comma), len(self.words)]
        return [self[a + 1 : b] for a, b in pairwise(cuts)]


def cut(text: str) -> Args:
    """Cut a text into words; a quote that is never closed is an ordinary sign."""
    words: list[Word] = []
    place = 0
    while place < len(text):
        sign = text[place]
        if sign.isspace():
            place += 1
            continue
        word = _quoted(text, place) or _plain(text, place)
        words.append(word)
        place = word.end
    return Args(text, tuple(words))


def _quoted(text: str, start: int) -> Word | None:
    closing = _QUOTES.get(text[start])
    end = text.find(closing, start + 1) if closing else -1
    return Word(text[start + 1 : end].strip(), start, end + 1, quoted=True) if end > start + 1 else None


def _plain(text: str, start: int) -> Word:
    if text[start] in _COMMAS:
        return Word(text[start], start, start + 1)
    end = start + 1
    while end < len(text) and not text[end].isspace() and text[end] not in _COMMAS:
        end += 1
    return Word(text[start:end], start, end)


def one_line(text: str, limit: int = 80) -> str:
    """A text that somebody chose, made fit to stand in a line: no line breaks, no invisible signs, not too long."""
    seen = "".join(" " if category(c)[0] in "CZ" else c for c in text)
    plain = re.sub(r" +", " ", seen).strip()
    return plain if len(plain) <= limit else plain[: limit - 1].rstrip() + "…"


def listed(words: Sequence[str]) -> str:
    """Numbered candidates in one line."""
    return "; ".join(f"{n}. {word}" for n, word in enumerate(words, 1))

"""Words that mean the same in a chat, across English and Chinese: one index term each.

Small on purpose: everyday things people ask a delegate about. It lets words alone bridge the two languages, and an
embedder widen it.
"""

from __future__ import annotations

from connectors.patterns import PatternFile


def _entries() -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    words: dict[str, str] = {}
    phrases: dict[str, str] = {}
    chinese: dict[str, str] = {}
    for line in PatternFile(__file__, "concepts").lines("groups"):
        term, english, han = (part.strip() for part in line.split("|"))
        for index, part in enumerate(english.split('"')):
            if index % 2:
                phrases[part] = term
            else:
                words.update(dict.fromkeys(part.split(), term))
        chinese.update({word: term for word in han.split() if word not in chinese})
    return words, phrases, chinese


WORDS, PHRASES, CHINESE = _entries()
"""English word, English phrase and Chinese word to their canonical term."""

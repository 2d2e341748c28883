"""A question cut into units, with its topical terms (`engine.annotation.Query`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Final

from connectors.language.offline import dates
from connectors.language.offline.index_terms import PLACE_TERM, content, language_of
from connectors.language.offline.name_mentions import names_in
from connectors.language.offline.sentence_acts import asks, chat_act
from connectors.language.offline.sentences import sentences, trimmed, without_opening
from connectors.language.offline.stopwords import ASK_EN, ASK_ZH
from connectors.patterns import PatternFile
from engine.annotation import Query

LONGEST: Final = 1_000
"""Characters of a question that are looked at."""
_FILE: Final = PatternFile(__file__, "question_units")
_AND: Final = _FILE.pattern("and", re.IGNORECASE)
_POLITE: Final = _FILE.pattern("polite", re.IGNORECASE)
_WHERE: Final = _FILE.pattern("where", re.IGNORECASE)
_NAMED_DAY: Final = _FILE.pattern("named_day", re.IGNORECASE)


def ask(text: str, said_at: datetime, zone: tzinfo, owner_names: Sequence[str] = ()) -> Query:
    """Cut a question into units.

    Args:
        owner_names: the owner's names and their parts, which are no topic: everybody asks the delegate about them.

    Returns:
        The asking part of the message. `wide` when no topical word is left, so the latest may be told.
    """
    core = _asking(text[:LONGEST])
    found = dates.find_all(core, said_at, zone)
    bare = _without_owner(core, owner_names)
    for mention in found:
        # "tomorrow" in the question and "tomorrow" in a fact are different days: the resolved day speaks, not the word.
        if mention.relative and not _NAMED_DAY.search(mention.when.phrase):
            bare = bare.replace(mention.when.phrase, " ")
    terms = frozenset((*content(bare, ASK_EN, ASK_ZH), *([PLACE_TERM] if _WHERE.search(core) else [])))
    return Query(
        text=core,
        language=language_of(text),
        units=units(core),
        terms=terms,
        names=names_in(core, owner_names),
        wide=not terms,
        when=max(found, key=lambda m: (m.rank, -m.start)).when if found else None,
    )


def units(core: str) -> tuple[str, ...]:
    """The parts that "and" and question marks join; a part without a word of its own stays with its neighbour."""
    parts = [
        part
        for part in (trimmed(p).rstrip("?？.。!！ ") for p in _AND.split(core))
        if re.search(r"[^\W_]", part)
    ]
    return tuple(parts) or ((core,) if core else ())


def _asking(text: str) -> str:
    """The sentences that ask, without greetings and politeness; all of it when none does."""
    pieces = [without_opening(piece) for piece in sentences(text)]
    asking = [p for p in pieces if p and chat_act(p) is None and asks(p, language_of(p))]
    chosen = asking or [p for p in pieces if p] or [text.strip()]
    return " ".join(_POLITE.sub("", piece) or piece for piece in chosen)


def _without_owner(text: str, owner_names: Sequence[str]) -> str:
    for name in owner_names:
        for part in {name, *name.split()}:
            if part:
                edge = r"(?<![A-Za-z0-9]){}(?:['’]s)?(?![A-Za-z0-9])" if part.isascii() else "{}"
                text = re.sub(edge.format(re.escape(part)), " ", text, flags=re.IGNORECASE)
    return text

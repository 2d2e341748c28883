"""Simple `subject -predicate-> object` edges as a statement has them, for the entity graph.

The subject "I" stands for the teller, never for anybody else: what Ana says of Jack is about Jack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from connectors.patterns import PatternFile
from engine.annotation import Language, Relation

LONGEST_OBJECT: Final = 6
"""Words an object may have; more is a story, not an edge."""
_LONGEST_OBJECT_ZH: Final = 12
MOST: Final = 6

_FILE: Final = PatternFile(__file__, "relations")


# Shape of the verb, and the predicate that the edge is stored under.
_SHAPES: Final = tuple(
    (pattern, row.get("predicate", "{verb}"))
    for pattern, row in _FILE.rows(
        "shape_en", re.IGNORECASE, frame=r"(?:^|(?<=[,;]\s)|(?<=\band\s)|(?<=\bthat\s)){who}{}\s+{stop}"
    )
)
_SISTER_OF: Final = _FILE.pattern("sister_of", re.IGNORECASE)
_MY_SISTER: Final = _FILE.pattern("my_sister", re.IGNORECASE)
_WHOSE: Final = _FILE.pattern("whose", re.IGNORECASE)
_IS_A: Final = _FILE.pattern("is_a", re.IGNORECASE)
_GENERIC: Final = _FILE.pattern("generic", re.IGNORECASE)
_NAMED_KIN: Final = _FILE.pattern("named_kin")
_NOT_VERB: Final = _FILE.pattern("not_verb", re.IGNORECASE)

_SHAPES_ZH: Final = tuple((pattern, row["predicate"]) for pattern, row in _FILE.rows("shape_zh"))
_ROLE_ZH: Final = _FILE.pattern("role_zh")
_MY_ZH: Final = _FILE.pattern("my_zh")
_NOT_A_NAME_ZH: Final = frozenset(_FILE.word_list("not_a_name_zh"))


def relations_in(text: str, language: Language) -> tuple[Relation, ...]:
    """The edges a statement states, at most six, each once."""
    return tuple(dict.fromkeys(_EDGES.get(language, _english)(text)))[:MOST]


def _english(text: str) -> Iterator[Relation]:
    covered = False
    for match in _MY_SISTER.finditer(text):
        yield Relation(_owner(match["of"]), match["role"].lower(), match["name"])
    role = _SISTER_OF.match(text)
    if role:
        covered = True
        for who in _subjects(role["who"]):
            yield Relation(who, f"{role['role'].lower()} of", _owner(role["of"]))
    for match in _WHOSE.finditer(text):
        covered = True
        yield from _edges(_owner(match["of"] or "I"), match["role"].lower(), match["object"])
    for pattern, predicate in _SHAPES:
        match_ = pattern.search(text)
        if match_:
            covered = True
            verb = " ".join(match_["verb"].lower().split())
            yield from _edges(match_["who"], predicate.format(verb=verb), match_["object"])
    if not covered:
        yield from _fallback(text)


def _fallback(text: str) -> Iterator[Relation]:
    is_a = _IS_A.match(text)
    if is_a:
        yield from _edges(is_a["who"], "is", is_a["object"])
        return
    generic = _GENERIC.match(text)
    if generic and not _NOT_VERB.match(generic["verb"].split()[0]):
        yield from _edges(generic["who"], " ".join(generic["verb"].lower().split()), generic["object"])


def _edges(who: str, predicate: str, said: str) -> Iterator[Relation]:
    """One edge a subject; none when the object is empty or too long."""
    target = re.split(
        r"\s+(?:but|because|so|and\s+(?:i|he|she|we|they|it)|who|which|when|while|if)\b",
        said,
        maxsplit=1,
        flags=re.IGNORECASE,
    )[0]
    words = target.split()
    if 0 < len(words) <= LONGEST_OBJECT:
        for subject in _subjects(who):
            yield Relation(subject, predicate, " ".join(words))


def _subjects(who: str) -> list[str]:
    names = [part.strip() for part in re.split(r"\s*,\s*|\s+and\s+", who, flags=re.IGNORECASE)]
    return [_owner(re.sub(r"^the\s+", "", name, flags=re.IGNORECASE)) for name in names if name]


def _owner(said: str) -> str:
    """Who is meant: "my" is the teller, "Bob's" is Bob, and "my sister Ana" is Ana."""
    bare = re.sub(r"['’]s?$", "", said.strip())
    if bare.lower() in {"my", "our", "i"}:
        return "I"
    named = _NAMED_KIN.match(bare)
    return named["name"] if named else bare


def _chinese(text: str) -> Iterator[Relation]:
    for match in _MY_ZH.finditer(text):
        yield Relation("I", match["role"], match["name"])
    role = _ROLE_ZH.match(text)
    if role:
        yield Relation(_teller(role["who"]), f"是…的{role['role']}", _teller(role["of"]))
    body = _MY_ZH.sub(lambda m: m["name"], text, count=1) if _MY_ZH.match(text) else text
    for pattern, predicate in _SHAPES_ZH:
        found = pattern.match(body)
        if found and found["who"] not in _NOT_A_NAME_ZH and len(found["object"]) <= _LONGEST_OBJECT_ZH:
            yield Relation(
                _teller(found["who"]), predicate.format(**found.groupdict()), found["object"].strip()
            )
            return


def _teller(said: str) -> str:
    return "I" if said in {"我", "我们"} else said


_EDGES: Final[Mapping[Language, Callable[[str], Iterator[Relation]]]] = {"en": _english, "zh": _chinese}

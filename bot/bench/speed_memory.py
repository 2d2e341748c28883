"""A memory to be measured: so many facts of seeded, invented words, told in rooms of Zipf sizes.

The same numbers give the same memory. Persons, audiences, words and vectors are made up here; nothing is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.audience import OWNER_ONLY, Audience
from engine.ids import OWNER, ContainerId, EventId, FactId, MessageId, PersonId, SessionId
from engine.items import Basis, Colour, EventState, ListEntry, RawFact
from engine.policy import Policy
from engine.store import NewFact

SEED: Final = 20261
PERSONS: Final = 400
AUDIENCES: Final = 2000
DIMENSION: Final = 256
SESSION: Final = 20
"""Facts in a session, which are put together."""

HALF, TWENTIETH = PersonId("bench:half"), PersonId("bench:twentieth")
SHARES: Final[Mapping[PersonId, float]] = {HALF: 0.5, TWENTIETH: 0.05}
"""Two persons who were there for this part of all facts."""

_START = datetime(2024, 1, 1, tzinfo=UTC)
_WORDS, _TERMS = 3000, 9
_LARGEST = 150
_ALONE, _GRANTED = 0.1, 0.01
_SYLLABLES = (
    "ba",
    "cho",
    "du",
    "fe",
    "gri",
    "ho",
    "ja",
    "kle",
    "lu",
    "mi",
    "no",
    "pra",
    "ru",
    "sto",
    "tu",
    "ve",
)

Vectors = NDArray[np.float32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Memory:
    """What is put in, fact by fact in one order: row numbers are positions in it.

    Args:
        audiences: the 2000 and, last, the owner alone.
        heard_by: by row, the number of its audience.
        granted: rows that the owner shared with somebody besides, and with whom.
        words: by row, the numbers of its words.
        vectors: by row, of length 1.
    """

    audiences: tuple[Audience, ...]
    heard_by: Numbers
    granted: Mapping[int, PersonId]
    words: Numbers
    vectors: Vectors

    def __len__(self) -> int:
        return len(self.heard_by)


def make_memory(count: int) -> Memory:
    """A memory of so many facts."""
    rng = np.random.default_rng((SEED, count))
    persons = [PersonId(f"bench:p{n:03}") for n in range(PERSONS)]
    heard_by = _told_where(rng, count)
    members = _rooms(rng, persons)
    for person, share in SHARES.items():
        _let_in(rng, members, person, share, heard_by)
    granted = {
        int(row): persons[int(rng.integers(PERSONS))] for row in np.flatnonzero(rng.random(count) < _GRANTED)
    }
    words = np.minimum(rng.zipf(1.3, (count, _TERMS)), _WORDS).astype(np.int64) - 1
    return Memory(
        (*(Audience.of(some) for some in members), OWNER_ONLY),
        heard_by,
        granted,
        words,
        unit(rng.standard_normal((count, DIMENSION), dtype=np.float32)),
    )


def unit(vectors: Vectors) -> Vectors:
    """Brought to length 1, row by row."""
    made: Vectors = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)
    return made


def _told_where(rng: np.random.Generator, count: int) -> Numbers:
    """By fact, the number of its audience: a few rooms hear much, and one fact in ten is the owner's alone."""
    weights = 1 / np.arange(1, AUDIENCES + 1)
    rooms = rng.choice(rng.permutation(AUDIENCES), count, p=weights / weights.sum())
    told: Numbers = np.where(rng.random(count) < _ALONE, AUDIENCES, rooms).astype(np.int64)
    return told


def _rooms(rng: np.random.Generator, persons: list[PersonId]) -> list[set[PersonId]]:
    sizes = np.ceil(_LARGEST / np.arange(1, AUDIENCES + 1) ** 0.6).astype(int)
    return [{persons[int(n)] for n in rng.choice(PERSONS, size, replace=False)} for size in sizes]


def _let_in(
    rng: np.random.Generator, members: list[set[PersonId]], person: PersonId, share: float, heard_by: Numbers
) -> None:
    """Put a person into rooms until that person has heard this part of everything."""
    told = np.bincount(heard_by, minlength=AUDIENCES + 1)
    due = share * len(heard_by)
    for room in rng.permutation(AUDIENCES):
        if told[room] <= due:
            members[int(room)].add(person)
            due -= told[room]


def policy_of(memory: Memory) -> Policy:
    """A policy under which everybody who was ever there is a contact without a label."""
    met = {person for audience in memory.audiences for person in audience.members} - {OWNER}
    return Policy(contacts=dict.fromkeys(sorted(met), ()))


def facts_of(memory: Memory) -> Iterator[tuple[SessionId, list[NewFact]]]:
    """The facts as they are put in, a session at a time."""
    for start in range(0, len(memory), SESSION):
        session = SessionId(f"s{start // SESSION}")
        rows = range(start, min(start + SESSION, len(memory)))
        yield (
            session,
            [NewFact(fact_of(memory, row), terms_of(memory, row), _bytes(memory, row)) for row in rows],
        )


def fact_of(memory: Memory, row: int) -> RawFact:
    """One fact; its id is its row number."""
    number = int(memory.heard_by[row])
    audience = memory.audiences[number]
    said_at = _START + timedelta(minutes=row)
    alone = number == AUDIENCES
    shared = memory.granted.get(row)
    grant = ListEntry(Colour.WHITE, shared, Basis.GRANT, OWNER, said_at)
    return RawFact(
        FactId(f"f{row}"),
        EventState(EventId(f"e{row}")),
        SessionId(f"s{row // SESSION}"),
        ContainerId("bench:owner" if alone else f"bench:r{number}"),
        (MessageId(f"m{row}"),),
        " ".join(terms_of(memory, row)).capitalize() + ".",
        OWNER if alone else min(audience.members - {OWNER}),
        said_at,
        audience,
        first_hand=alone,
        owner_typed=alone,
        lists=() if shared is None else (grant,),
    )


def terms_of(memory: Memory, row: int) -> tuple[str, ...]:
    """Its words."""
    return tuple(word(int(n)) for n in memory.words[row])


def word(number: int) -> str:
    """An invented word."""
    made, base = "", len(_SYLLABLES)
    number += base
    while number:
        number, place = divmod(number, base)
        made += _SYLLABLES[place]
    return made


def _bytes(memory: Memory, row: int) -> bytes:
    data: bytes = memory.vectors[row].astype("<f4").tobytes()
    return data

"""From a script to what the calculus takes: a policy, people, and facts with their lists.

Annotations are the script's own (`gold`) or Tact's (`own`): the category from the two annotators, the lists from
what the sessions say, read by the reader that reads every message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.bench.disclosure_script import Plain
from connectors.language.offline.categoriser import OfflineCategoriser
from connectors.language.offline.reader import OfflineReader
from engine.annotation import categorise, requested
from engine.audience import EVERYONE, OWNER_ONLY, Audience
from engine.errors import BadInput, PolicyFault
from engine.ids import OWNER, CategoryName, ContainerId, EventId, FactId, MessageId, PersonId, SessionId
from engine.items import Basis, Colour, EventState, ListEntry, RawFact, Suggestion
from engine.labels import Lattice
from engine.people import People
from engine.policy import Category, Holding, Policy

_NOBODY = PersonId("system")
_LATER = timedelta(seconds=1)
_UNMATCHED = "unauthorized"


@dataclass(frozen=True, slots=True)
class Annotated:
    """What annotation says of one fact; `trusted` are those of `white` who were told it as the truth."""

    category: CategoryName | None
    white: frozenset[PersonId] = frozenset()
    trusted: frozenset[PersonId] = frozenset()
    black: frozenset[PersonId] = frozenset()
    teller: PersonId = OWNER
    cover: bool = False
    confidential: bool = False
    suggestions: tuple[Suggestion, ...] = ()


def person_of(name: str) -> PersonId:
    """A script's `owner` is the owner."""
    return OWNER if name == "owner" else PersonId(name)


def make_policy(script: Plain, where: str) -> Policy:
    """The script's policy; its cover stories are switched on for everybody, as the paper has it."""
    given = script["policy"]
    try:
        lattice = Lattice(given["N"], tuple(str(d["id"]) for d in given["domains"]))
        categories = [_category(c, lattice, script.get("lang", "en")) for c in given["categories"]]
        known = {c.name for c in categories}
        sets = {_name_of(f["levels"]): f["levels"] for f in script["facts"] if "levels" in f}
        categories += [
            Category(name, tuple(map(lattice.parse, levels)))
            for name, levels in sets.items()
            if name not in known
        ]
        contacts = {PersonId(c["id"]): (Holding(lattice.parse(c["level"])),) for c in script["contacts"]}
        return Policy(
            lattice=lattice,
            categories=tuple(categories),
            contacts=contacts,
            blacklist_scope="fact",
            covers_for=frozenset(contacts),
        )
    except PolicyFault as fault:
        raise BadInput(fault.what, where=f"{where}: policy", fix=fault.fix) from None


def _category(given: Plain, lattice: Lattice, language: str) -> Category:
    words = f"{given.get('name', '')}: {given.get('description', '')}"
    return Category(
        CategoryName(given["id"]), tuple(map(lattice.parse, given["levels"])), description={language: words}
    )


def _name_of(levels: Sequence[str]) -> CategoryName:
    """A fact keeps the levels it was annotated with, whatever its category's are."""
    return CategoryName("+".join(sorted(levels)))


def gold(script: Plain) -> dict[str, Annotated]:
    """The script's own annotations."""
    return {
        fact["id"]: Annotated(
            _name_of(fact["levels"]),
            frozenset(map(person_of, fact["whitelist"])),
            frozenset(person_of(d["to"]) for d in fact["digest"] if d["truth"] == "real"),
            frozenset(map(person_of, fact["blacklist"])),
            cover=fact["truth"] == "cover",
        )
        for fact in script["facts"]
    }


def own(
    script: Plain, policy: Policy, reader: OfflineReader, categoriser: OfflineCategoriser
) -> dict[str, Annotated]:
    """Tact's annotations: of the session a fact is from, and of its words."""
    opinions = suggest(script, [fact["text"] for fact in script["facts"]], policy, categoriser)
    people = _people(script)
    sessions = {s["id"]: _Session(s, reader) for s in script["sessions"]}
    found = {}
    for fact, (category, suggestions) in zip(script["facts"], opinions, strict=True):
        session = sessions[fact["session"]]
        turn = session.turn_of(fact["text"])
        black, confidential = session.requests(turn, people)
        teller = session.speaker(turn)
        heard = session.heard - {OWNER}
        found[fact["id"]] = Annotated(
            category, heard, heard if teller == OWNER else frozenset(), black, teller,
            cover=session.covers(turn), confidential=confidential, suggestions=suggestions,
        )  # fmt: skip
    return found


def suggest(
    script: Plain, texts: Sequence[str], policy: Policy, categoriser: OfflineCategoriser
) -> list[tuple[CategoryName | None, tuple[Suggestion, ...]]]:
    """The category of each text as Tact sees it; None for the bin."""
    bins = {c["id"] for c in script["policy"]["categories"] if c.get("kind") == _UNMATCHED}
    given = {c["id"] for c in script["policy"]["categories"]} - bins
    categories = [c for c in policy.categories if c.name in given]
    known = frozenset(c.name for c in categories)
    judged = [
        categorise(_blank(text), found, None, known)
        for text, found in zip(texts, categoriser.suggest(texts, categories), strict=True)
    ]
    return [(fact.category, fact.suggestions) for fact in judged]


def unmatched(script: Plain) -> str | None:
    """The bin's name in this script."""
    return next((c["id"] for c in script["policy"]["categories"] if c.get("kind") == _UNMATCHED), None)


def _people(script: Plain) -> People:
    names = {}
    for contact in script["contacts"]:
        full = contact.get("name", contact["id"])
        names[PersonId(contact["id"])] = tuple(
            dict.fromkeys([full, full.split()[0], *contact.get("aliases", ())])
        )
    return People(names=names)


class _Session:
    """One session, read turn by turn."""

    def __init__(self, plain: Plain, reader: OfflineReader) -> None:
        self._reader = reader
        self._at = _time(plain)
        self._turns = plain["turns"]
        self._read = [reader.read(turn["text"], self._at, UTC) for turn in self._turns]
        self._terms = [set(reader.tokens(turn["text"])) for turn in self._turns]
        self.heard = frozenset(map(person_of, plain["participants"])) - {_NOBODY}

    def turn_of(self, text: str) -> int:
        """The turn that shares most words with a fact, the first of several."""
        terms = set(self._reader.tokens(text))
        return max(range(len(self._turns)), key=lambda n: (len(terms & self._terms[n]), -n))

    def speaker(self, turn: int) -> PersonId:
        return person_of(self._turns[turn]["speaker"])

    def covers(self, turn: int) -> bool:
        return bool(self._read[turn].covers)

    def requests(self, turn: int, people: People) -> tuple[frozenset[PersonId], bool]:
        """Whom requests in this session bar from what the turn says, and whether it is confidential.

        A request binds what its own speaker told, and whatever the owner asks for binds all of it.
        """
        black: set[PersonId] = set()
        hushed = False
        for number, reading in enumerate(self._read):
            asker = self.speaker(number)
            if asker not in (OWNER, self.speaker(turn)):
                continue
            for request in reading.requests:
                entries, unclear = requested(request, asker, self._at, people)
                black |= {e.person for e in entries if e.person is not None}
                hushed = hushed or unclear
        return frozenset(black), hushed


def _time(session: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(session["date"]).replace(hour=12, tzinfo=UTC)


def _blank(text: str) -> RawFact:
    return RawFact(
        FactId("f"), EventState(EventId("e")), SessionId("s"), ContainerId("c"), (MessageId("m"),),
        text, OWNER, datetime(2025, 1, 1, tzinfo=UTC), OWNER_ONLY,
    )  # fmt: skip


def facts_of(
    script: Plain, annotated: Mapping[str, Annotated], *, presence: bool, at: datetime
) -> dict[str, RawFact]:
    """The script's facts as the memory would hold them.

    Args:
        presence: whether layer 1 counts. Then the audience is the session's, and a list adds nobody to it: annotation
            whitelists, and releases to nobody. Without it, whitelist and digest are the paper's, and the owner's acts.
    """
    sessions = {s["id"]: s for s in script["sessions"]}
    return {
        fact["id"]: _fact(fact, sessions[fact["session"]], annotated[fact["id"]], presence=presence, at=at)
        for fact in script["facts"]
    }


def _fact(plain: Plain, session: Plain, said: Annotated, *, presence: bool, at: datetime) -> RawFact:
    audience = _audience(session) if presence else OWNER_ONLY
    alone = audience == OWNER_ONLY and {t["speaker"] for t in session["turns"]} == {"owner"}
    fact = replace(
        _blank(plain["text"]),
        id=FactId(plain["id"]),
        event=EventState(EventId(plain["id"]), frozenset({said.teller})),
        session=SessionId(session["id"]),
        container=ContainerId(session["id"]),
        teller=said.teller,
        said_at=at,
        audience=audience,
        category=said.category,
        suggestions=said.suggestions,
        first_hand=alone,
        owner_typed=said.teller == OWNER,
        confirmed=at if alone else None,
        settled=True,
        cover=said.cover,
        confidential=said.confidential,
    )
    return replace(fact, lists=tuple(_entries(said, at, presence=presence)))


def _audience(session: Plain) -> Audience:
    """Who was there: a post is for anybody; what is not a conversation is the owner's."""
    if session["channel"] == "social_post":
        return EVERYONE
    return Audience.of(p for p in map(person_of, session["participants"]) if p != _NOBODY)


def _entries(said: Annotated, at: datetime, *, presence: bool) -> Iterable[ListEntry]:
    """The blacklist comes last: whoever is on both lists was told, and may not be told again."""
    for person in sorted(said.white):
        basis = Basis.GRANT if person in said.trusted and not presence else Basis.ROLE
        yield ListEntry(Colour.WHITE, person, basis, OWNER, at)
    for person in sorted(said.black):
        yield ListEntry(Colour.BLACK, person, Basis.BLOCK, OWNER, at + _LATER)

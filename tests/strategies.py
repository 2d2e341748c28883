"""Random small universes for the property tests: a policy, facts, messages, a place; every field of the model varies.

The pools are tiny on purpose: collisions (the same person on two lists, two acts at one moment, a label that is not in the
lattice) are what the laws are about.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from engine.audience import EVERYONE, Audience
from engine.coreference import Unit
from engine.ids import (
    OWNER,
    AccountId,
    CategoryName,
    ContainerId,
    EventId,
    FactId,
    LinkId,
    MessageId,
    PersonId,
    SessionId,
)
from engine.items import (
    Basis,
    Colour,
    Confidence,
    EventState,
    LinkKind,
    ListEntry,
    Origin,
    RawFact,
    RawLink,
    RawMessage,
    Suggestion,
)
from engine.labels import Label, Lattice
from engine.policy import Category, Holding, Policy, ReleaseSetting
from engine.release import Place
from engine.viewers import FutureReaders, Known, Open, Unknown, Viewers

ANA, BOB, CAROL, DAN, MALLORY = (PersonId(name) for name in ("ana", "bob", "carol", "dan", "irc:mallory"))
PEOPLE = (ANA, BOB, CAROL, DAN, MALLORY)
CATEGORIES = tuple(CategoryName(name) for name in ("work", "family", "news"))
ROOMS = tuple(ContainerId(name) for name in ("room-1", "room-2"))
T0 = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

moments = st.integers(0, 4).map(lambda hours: T0 + timedelta(hours=hours))
persons = st.sampled_from(PEOPLE)
audiences = st.frozensets(persons, max_size=4).map(Audience) | st.just(EVERYONE) | st.just(Audience())
lattices = st.sampled_from(
    [
        Lattice(),
        Lattice(2, ()),
        Lattice(3, ("life", "work")),
        Lattice(3, ("all",)),
        Lattice(5, ("a", "b", "c")),
        Lattice(6, ("a", "b", "c", "d", "e")),
    ]
)


def labels(lattice: Lattice) -> st.SearchStrategy[Label]:
    return st.sampled_from(lattice.labels())


STRAY = (Label(1, "hobby"), Label(1), Label(9))
"""Labels that no lattice here defines."""


@st.composite
def categories(draw: st.DrawFn, lattice: Lattice, name: CategoryName) -> Category:
    """One label, or several of the middle; sometimes with an older, narrower or wider past."""
    middle = [x for x in lattice.labels() if x.depth and x != lattice.public]
    several = (
        st.lists(st.sampled_from(middle), min_size=2, max_size=3, unique=True)
        if len(middle) > 1
        else st.nothing()
    )
    sets = labels(lattice).map(lambda label: [label]) | several
    now = tuple(draw(sets))
    past: tuple[tuple[datetime, tuple[Label, ...]], ...] = ()
    if draw(st.integers(0, 3)) == 0:
        stray = st.sampled_from(STRAY).map(lambda label: [label])
        past = ((draw(moments), tuple(draw(sets | stray))),)
    setting = st.sampled_from(ReleaseSetting)
    earlier = ((draw(moments), draw(setting)),) if past else ()
    return Category(name, now, release=draw(setting), past=past, past_release=earlier)


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    lattice = draw(lattices)
    grantable = st.sampled_from([x for x in (*lattice.labels(), *STRAY) if x.depth])
    holding = st.builds(Holding, grantable, st.none() | st.none() | moments)
    known = draw(
        st.lists(st.sampled_from((ANA, BOB, CAROL, DAN)), unique=True, max_size=4).filter(len) | st.just([])
    )
    return Policy(
        lattice=lattice,
        categories=tuple(draw(categories(lattice, n)) for n in CATEGORIES if draw(st.integers(0, 4))),
        contacts={p: tuple(draw(st.lists(holding, max_size=2))) for p in known},
        covers_for=draw(st.just(frozenset()) | st.frozensets(persons, max_size=3)),
    )


@st.composite
def list_entries(draw: st.DrawFn) -> ListEntry:
    """What the system can write: acts by the owner, requests and roles by anybody, and forged acts that must not count."""
    kinds = [
        (Colour.WHITE, Basis.GRANT, st.just(OWNER), persons | st.none()),
        (Colour.WHITE, Basis.GRANT, persons, persons | st.none()),  # forged
        (Colour.BLACK, Basis.BLOCK, st.just(OWNER), persons | st.none()),
        (Colour.BLACK, Basis.REQUEST, persons | st.just(OWNER), persons),
        (Colour.WHITE, Basis.ROLE, persons | st.just(OWNER), persons),
    ]
    colour, basis, by, about = draw(st.sampled_from(kinds))
    return ListEntry(colour, draw(about), basis, draw(by), draw(moments), draw(st.booleans()))


suggestions = st.builds(
    Suggestion,
    st.sampled_from(CATEGORIES),
    st.sampled_from([0.0, 0.05, 0.1, 0.5, 0.9]),
    st.sampled_from([Confidence.EMBEDDING, Confidence.LEXICAL, Confidence.EMBEDDING, Confidence.OWNER]),
)
seldom = st.integers(0, 5).map(lambda n: n == 5)
mostly = st.integers(0, 5).map(lambda n: n < 5)
MARKS = ("unresolved", "confidential", "cover", "secret", "sensitive", "kept_private")
AGREED = [
    Suggestion(CATEGORIES[0], 0.8, Confidence.EMBEDDING),
    Suggestion(CATEGORIES[0], 0.7, Confidence.LEXICAL),
]
odd_marks = st.lists(
    st.sampled_from([*MARKS, "no sources", "not settled", "not typed", "not first-hand"]), max_size=2
)


def a_fact(name: str = "f1", **changes: Any) -> RawFact:
    """A confirmed, first-hand fact of the owner's, of the category `work`, and whatever is to be different about it."""
    plain = RawFact(
        id=FactId(name),
        event=EventState(EventId("e-" + name), frozenset({OWNER})),
        session=SessionId("s1"),
        container=ROOMS[0],
        sources=(MessageId("m-" + name),),
        text=f"text of {name}",
        teller=OWNER,
        said_at=T0,
        audience=Audience(),
        category=CATEGORIES[0],
        first_hand=True,
        owner_typed=True,
        confirmed=T0,
        settled=True,
    )
    return replace(plain, **changes)


MESSAGE = RawMessage(
    MessageId("m1"),
    ContainerId("c1"),
    SessionId("s1"),
    OWNER,
    AccountId("console:olga"),
    "The plan is ready.",
    T0,
    Audience(),
    alone=True,
)
"""What the owner typed to Tact alone."""


@st.composite
def raw_facts(draw: st.DrawFn, name: str = "f1") -> RawFact:
    """Half of them the owner's own, first-hand and as fit for release as can be; the rest anything."""
    own = draw(st.booleans())
    marked = set(draw(st.just([]) | odd_marks))
    teller = OWNER if own else draw(persons | st.just(OWNER))
    tellers = draw(st.just(frozenset()) | st.frozensets(persons, max_size=1))
    event = draw(st.sampled_from(["", "", "", "", "confidential", "unresolved"]))
    return RawFact(
        id=FactId(name),
        event=EventState(
            EventId("e-" + name), tellers | {teller}, event == "confidential", event == "unresolved"
        ),
        session=SessionId("s1"),
        container=draw(st.sampled_from(ROOMS)),
        sources=() if "no sources" in marked else (MessageId("m-" + name),),
        text=f"text of {name}",
        teller=teller,
        said_at=draw(moments),
        audience=Audience() if own and draw(mostly) else draw(audiences),
        category=draw(st.sampled_from([*CATEGORIES, *CATEGORIES, None])),
        suggestions=tuple(draw(st.just([]) | st.just(AGREED) | st.lists(suggestions, max_size=3))),
        first_hand=own and "not first-hand" not in marked,
        owner_typed=teller == OWNER and "not typed" not in marked,
        confirmed=T0 if draw(st.integers(0, 3)) < 3 else None,
        settled="not settled" not in marked,
        lists=tuple(draw(st.just([]) | st.lists(list_entries(), max_size=3))),
        **dict.fromkeys(marked & set(MARKS), True),
    )


bundles = st.lists(raw_facts(), max_size=3).map(
    lambda facts: tuple(replace(f, id=FactId(f"f{n}")) for n, f in enumerate(facts))
)
"""Facts that one item states, or that entail one query unit; sometimes none."""

questions = st.lists(st.builds(Unit, st.just("unit"), bundles), max_size=3).map(tuple)
"""A question cut into units."""

futures = st.sampled_from([FutureReaders.NONE, FutureReaders.NONE, *FutureReaders])


@st.composite
def viewer_sets(draw: st.DrawFn) -> Viewers:
    alone = st.just(Known(frozenset({OWNER})))
    some = st.frozensets(st.sampled_from((ANA, BOB, CAROL, DAN)), min_size=1, max_size=2) | st.just(
        frozenset({MALLORY})
    )
    known = st.builds(Known, some.map(lambda p: p | {OWNER}), futures)
    opened = st.builds(Open, st.just("evidence"), st.booleans(), st.frozensets(persons, max_size=2), futures)
    unknown = st.builds(Unknown, st.just("reason"), persons | st.none(), futures)
    return draw(st.one_of(known, known, known, alone, opened, unknown))


places = st.builds(Place, viewer_sets(), st.sampled_from(ROOMS), seldom)


@dataclass(frozen=True)
class Universe:
    """Everything one turn's decision depends on."""

    policy: Policy
    facts: tuple[RawFact, ...]
    messages: tuple[RawMessage, ...]
    links: tuple[RawLink, ...]
    place: Place


@st.composite
def universes(draw: st.DrawFn) -> Universe:
    count = draw(st.integers(1, 3))
    names = [f"f{n}" for n in range(1, count + 1)]
    facts = [draw(raw_facts(name)) for name in names]
    others = st.sampled_from([*names, "f-gone"]).map(FactId)
    facts = [replace(f, superseded_by=draw(others)) if draw(seldom) else f for f in facts]
    return Universe(
        draw(policies()),
        tuple(facts),
        tuple(draw(_messages(facts))),
        tuple(draw(_links(names))),
        draw(places),
    )


@st.composite
def _messages(draw: st.DrawFn, facts: list[RawFact]) -> list[RawMessage]:
    told = [_message(f"m-{f.id}", f.teller, draw, Origin.TYPED, f.audience) for f in facts]
    used = st.lists(st.sampled_from([*(f.id for f in facts), FactId("f-gone")]), max_size=2).map(tuple)
    replies = [
        replace(_message(f"r{n}", OWNER, draw, Origin.TACT, draw(audiences)), used=draw(used))
        for n in range(2)
    ]
    command = _message("c1", OWNER, draw, Origin.COMMAND, Audience())
    return [*told, *replies, command]


def _message(name: str, sender: PersonId, draw: Any, origin: Origin, audience: Audience) -> RawMessage:
    return RawMessage(
        id=MessageId(name),
        container=draw(st.sampled_from(ROOMS)),
        session=SessionId("s1"),
        sender=sender,
        account=AccountId(f"console:{sender}"),
        text=f"text of {name}",
        sent_at=draw(moments),
        audience=audience,
        origin=origin,
    )


@st.composite
def _links(draw: st.DrawFn, names: list[str]) -> list[RawLink]:
    ends = st.sampled_from(names).map(FactId)
    build = st.builds(
        RawLink,
        st.just(LinkId("l1")),
        st.sampled_from([LinkKind.BECAUSE, LinkKind.BUT]),
        ends,
        ends,
        st.just(MessageId("m-f1")),
        audiences,
    )
    return draw(st.lists(build, max_size=2))

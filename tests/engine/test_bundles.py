"""Case 2: several facts in one piece. Each example is one that the calculus is known for."""

from __future__ import annotations

import pytest

from engine.audience import EVERYONE, Audience
from engine.bundles import bundle_ceiling, case2, ceiling_of
from engine.disclosure import Reason, case1
from engine.ids import OWNER, STRANGER, CategoryName, EventId, FactId, LinkId, MessageId
from engine.items import Basis, Colour, EventState, LinkKind, ListEntry, RawLink
from engine.labels import L0, Lattice
from engine.policy import Category, Holding, Policy
from engine.release import Place, release_facts, release_links
from engine.viewers import FutureReaders, Known
from tests.strategies import ANA, BOB, CAROL, DAN, ROOMS, T0, a_fact

LATTICE = Lattice()
LABELS = {
    "close-work": ("L1-work",),
    "work": ("L2-work",),
    "life": ("L2-life",),
    "news": ("L4",),
    "health": ("L1-life", "L1-work"),
    "leave": ("L2-life", "L2-work"),
}
POLICY = Policy(
    categories=tuple(
        Category(CategoryName(name), tuple(map(LATTICE.parse, labels))) for name, labels in LABELS.items()
    ),
    contacts={
        ANA: (Holding(LATTICE.parse("L1-work")),),
        BOB: (Holding(LATTICE.parse("L2-work")),),
        CAROL: (Holding(LATTICE.parse("L1-work")), Holding(LATTICE.parse("L1-life"))),
    },
)


def fact(category, *persons, name="f", lists=(), **more):
    return a_fact(name, category=CategoryName(category), audience=Audience.of(persons), lists=lists, **more)


def block(person):
    return ListEntry(Colour.BLACK, person, Basis.BLOCK, OWNER, T0)


def verdict(person, *facts):
    found = case2(facts, person, POLICY)
    return found.allowed, found.reason


def test_one_ordinary_fact_is_case_1():
    for person in (OWNER, ANA, BOB, DAN):
        assert case2([fact("work")], person, POLICY) == case1(fact("work"), person, POLICY)


def test_one_penetrating_fact_collapses_to_its_ceiling():
    assert case1(fact("health"), ANA, POLICY).allowed
    assert ceiling_of(fact("health"), POLICY) == L0
    assert verdict(ANA, fact("health")) == (False, Reason.CEILING)


def test_in_one_domain_the_deeper_label_counts_for_both():
    assert verdict(ANA, fact("close-work"), fact("work")) == (True, Reason.LABEL)
    assert verdict(BOB, fact("close-work"), fact("work")) == (False, Reason.NO_LABEL)
    assert verdict(BOB, fact("work"), fact("news")) == (True, Reason.LABEL)


def test_two_domains_meet_in_l0_even_for_somebody_who_may_hear_each():
    both = fact("work"), fact("life")
    assert bundle_ceiling(both, POLICY) == L0
    assert all(case1(one, CAROL, POLICY).allowed for one in both)
    assert verdict(CAROL, *both) == (False, Reason.CEILING)


def test_whoever_was_there_for_all_of_it_hears_all_of_it():
    assert verdict(DAN, fact("work", DAN), fact("life", DAN)) == (True, Reason.WHITELIST)
    assert verdict(DAN, fact("work", DAN), fact("life")) == (False, Reason.NO_LABEL)


def test_a_penetrating_grant_does_not_spread():
    assert verdict(ANA, fact("leave", ANA), fact("work")) == (False, Reason.CEILING)
    assert verdict(ANA, fact("leave", ANA), fact("news")) == (False, Reason.CEILING)


@pytest.mark.parametrize(
    ("other", "reason"),
    [({"lists": (block(ANA),)}, Reason.BLACKLIST), ({"secret": True}, Reason.SECRET), ({"confidential": True}, Reason.CONFIDENTIAL),
     ({"event": EventState(EventId("e"), confidential=True)}, Reason.CONFIDENTIAL)],
)  # fmt: skip
def test_the_gravest_refusal_is_named_whatever_the_order(other, reason):
    one, two = fact("life"), fact("work", **other)
    assert verdict(ANA, one, two) == verdict(ANA, two, one) == (False, reason)


def test_no_facts_are_denied_to_everybody():
    assert bundle_ceiling((), POLICY) is None
    for person in (OWNER, ANA, STRANGER):
        assert verdict(person) == (False, Reason.NOTHING_STATES_IT)


def test_a_because_is_told_only_to_those_who_may_hear_both_ends_in_one_piece():
    """Both halves were said where the world reads; Carol holds both labels, and yet not their conjunction."""
    link = RawLink(LinkId("l"), LinkKind.BECAUSE, FactId("f1"), FactId("f2"), MessageId("m"), EVERYONE)
    place = Place(Known(frozenset({OWNER, CAROL})), ROOMS[0])

    def kept(left, right):
        ends = (
            a_fact("f1", category=CategoryName(left), audience=EVERYONE),
            a_fact("f2", category=CategoryName(right), audience=EVERYONE),
        )
        passed, _ = release_facts(ends, place, POLICY)
        assert len(passed) == 2
        return release_links([link], ends, passed, place, POLICY)

    assert kept("work", "close-work") == (link,)
    assert kept("work", "life") == ()


def test_a_because_of_another_place_stays_there_where_later_members_can_read():
    """Both ends are public by now; the words that joined them were for those who were there."""
    shares = (ListEntry(Colour.WHITE, None, Basis.GRANT, OWNER, T0),)
    ends = tuple(a_fact(name, lists=shares, audience=Audience.of([CAROL])) for name in ("f1", "f2"))
    link = RawLink(
        LinkId("l"), LinkKind.BECAUSE, FactId("f1"), FactId("f2"), MessageId("m"), Audience.of([CAROL])
    )
    for container, kept in ((ROOMS[0], (link,)), (ROOMS[1], ())):
        place = Place(Known(frozenset({OWNER, CAROL}), FutureReaders.UNBOUNDED), container)
        passed, _ = release_facts(ends, place, POLICY)
        assert len(passed) == 2
        assert release_links([link], ends, passed, place, POLICY) == kept


def test_a_link_between_two_places_stays_in_neither_where_later_members_can_read():
    shares = (ListEntry(Colour.WHITE, None, Basis.GRANT, OWNER, T0),)
    ends = tuple(a_fact(f"f{n}", lists=shares, container=room) for n, room in enumerate(ROOMS, 1))
    link = RawLink(
        LinkId("l"), LinkKind.BUT, FactId("f1"), FactId("f2"), MessageId("m"), Audience.of([CAROL])
    )
    place = Place(Known(frozenset({OWNER, CAROL}), FutureReaders.UNBOUNDED), ROOMS[0])
    passed, _ = release_facts(ends, place, POLICY)
    assert len(passed) == 2
    assert release_links([link], ends, passed, place, POLICY) == ()

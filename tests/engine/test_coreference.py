"""Case 3: a question cut into units, each with the facts that entail it."""

from __future__ import annotations

from datetime import timedelta

from engine.audience import OWNER_ONLY, Audience
from engine.coreference import (
    Unit,
    admissible_facts,
    barring,
    bound,
    case3,
    deepest,
    fully_disclosable,
    query_ceiling,
    trusted,
    unit_label,
)
from engine.disclosure import Reason
from engine.ids import OWNER, STRANGER, CategoryName
from engine.items import Basis, Colour, ListEntry
from engine.labels import L0, Lattice
from engine.policy import Category, Holding, Policy
from engine.release import Place
from engine.viewers import Known
from tests.strategies import ANA, BOB, CAROL, DAN, MALLORY, ROOMS, T0, a_fact

LATTICE = Lattice()
WORK, CLOSE, LIFE = (CategoryName(name) for name in ("work", "close", "life"))
POLICY = Policy(
    categories=(
        Category(WORK, (LATTICE.parse("L2-work"),)),
        Category(CLOSE, (LATTICE.parse("L1-work"),)),
        Category(LIFE, (LATTICE.parse("L2-life"),)),
        Category(CategoryName("news"), (LATTICE.public,)),
    ),
    contacts={
        ANA: (Holding(LATTICE.parse("L1-work")),),
        BOB: (Holding(LATTICE.parse("L2-work")),),
        CAROL: (Holding(LATTICE.parse("L2-work")), Holding(LATTICE.parse("L2-life"))),
    },
)
HOUR = timedelta(hours=1)


def fact(category, name="f", lists=(), **more):
    return a_fact(name, category=category and CategoryName(category), lists=lists, **more)


def entry(colour, person, at=T0, **more):
    basis = Basis.GRANT if colour is Colour.WHITE else Basis.BLOCK
    return ListEntry(colour, person, more.pop("basis", basis), more.pop("by", OWNER), at, **more)


def share(person, at=T0, **more):
    return entry(Colour.WHITE, person, at, **more)


def block(person, at=T0, **more):
    return entry(Colour.BLACK, person, at, **more)


def asked(person, *units, policy=POLICY):
    return [(v.allowed, v.reason) for v in case3([Unit("u", tuple(u)) for u in units], person, policy)]


def test_a_question_of_one_unit_opens_by_its_label():
    assert asked(BOB, [fact(WORK)]) == [(True, Reason.LABEL)]
    assert asked(DAN, [fact(WORK)]) == [(False, Reason.NO_LABEL)]
    assert asked(STRANGER, [fact("news")]) == [(True, Reason.LABEL)]


def test_the_units_of_a_question_share_one_ceiling():
    assert asked(CAROL, [fact(WORK)], [fact(LIFE)]) == [(False, Reason.CEILING)] * 2
    assert asked(BOB, [fact(WORK)], [fact(CLOSE)]) == [(False, Reason.CEILING), (False, Reason.NO_LABEL)]
    units = [Unit("u", (fact(WORK),)), Unit("v", (fact(LIFE),)), Unit("w")]
    assert query_ceiling(units, POLICY) == L0
    assert query_ceiling([Unit("w")], POLICY) is None


def test_a_unit_that_nothing_states_is_denied_and_leaves_the_ceiling_alone():
    assert asked(BOB, [fact(WORK)], []) == [(True, Reason.LABEL), (False, Reason.NOTHING_STATES_IT)]
    assert asked(OWNER, [fact(None)], []) == [(True, Reason.OWNER), (False, Reason.NOTHING_STATES_IT)]
    assert unit_label(Unit("w"), POLICY) is None


def test_full_disclosure_is_all_units_and_never_none():
    assert fully_disclosable(case3([Unit("u", (fact(WORK),))], BOB, POLICY))
    assert not fully_disclosable(case3([Unit("u", (fact(WORK),)), Unit("v")], BOB, POLICY))
    assert not fully_disclosable(case3([], OWNER, POLICY))


def test_the_label_of_a_unit_is_that_of_its_most_restrictive_fact():
    assert unit_label(Unit("u", (fact(WORK), fact(CLOSE))), POLICY) == LATTICE.parse("L1-work")
    assert asked(BOB, [fact(WORK), fact(CLOSE)]) == [(False, Reason.NO_LABEL)]
    assert asked(ANA, [fact(WORK), fact(CLOSE)]) == [(True, Reason.LABEL)]


def test_only_the_deepest_facts_bar_and_a_vague_fragment_stays_free():
    """Concealing the full event does not prohibit the fragment that somebody may hear."""
    vague, full = fact(WORK, "vague", (block(ANA),)), fact(CLOSE, "full")
    assert deepest(Unit("u", (vague, full)), POLICY) == (full,)
    assert asked(ANA, [vague, full]) == [(True, Reason.LABEL)]
    assert asked(ANA, [fact(WORK, "vague"), fact(CLOSE, "full", (block(ANA),))]) == [
        (False, Reason.BLACKLIST)
    ]


def test_of_several_that_are_equally_deep_each_bars_and_age_never_counts():
    old, new = fact(CLOSE, "old", (block(ANA),)), fact(CLOSE, "new", said_at=T0 + HOUR)
    for pair in ([old, new], [new, old]):
        assert asked(ANA, pair) == [(False, Reason.BLACKLIST)]
        assert barring(Unit("u", tuple(pair)), ANA, POLICY) == (old,)
    apart = Unit("u", (fact(WORK, "w", (block(ANA),)), fact(LIFE, "l")))
    assert len(deepest(apart, POLICY)) == 2
    assert barring(apart, ANA, POLICY)


def test_a_secret_bars_by_its_own_name():
    assert asked(ANA, [fact(CLOSE, secret=True)]) == [(False, Reason.SECRET)]
    assert asked(ANA, [fact(CLOSE, secret=True, lists=(share(ANA),))]) == [(True, Reason.LABEL)]
    both = [fact(CLOSE, lists=(block(ANA),)), fact(CLOSE, secret=True)]
    assert asked(ANA, both) == asked(ANA, both[::-1]) == [(False, Reason.SECRET)]


def test_what_one_was_told_of_an_event_counts_for_the_unit():
    told = fact(None, "told", (share(DAN),))
    assert asked(DAN, [told, fact(WORK, "other")]) == [(True, Reason.BOUND)]
    assert asked(DAN, [told], [fact(WORK, "other")]) == [(True, Reason.BOUND), (False, Reason.NO_LABEL)]


def test_words_said_in_ones_presence_bind_if_the_owner_said_them():
    audience = Audience.of([DAN])
    assert trusted(fact(None, audience=audience), DAN)
    assert not trusted(fact(None, audience=audience), ANA)
    assert not trusted(fact(None, audience=audience, teller=DAN), DAN)
    assert not trusted(fact(None, audience=audience, cover=True), DAN)
    assert not bound(Unit("u", (fact(None, audience=audience, lists=(block(DAN),)),)), DAN)


def test_contact_who_plants_she_told_me_the_truth():
    planted = fact(None, "planted", audience=Audience.of([MALLORY]), teller=MALLORY)
    assert not bound(Unit("u", (planted, fact(CLOSE))), MALLORY)


def test_a_cover_grant_binds_nobody_to_the_truth():
    cover = fact(None, "cover", (share(ANA, real_truth=False),), cover=True)
    truth = fact(None, "truth")
    assert asked(ANA, [cover, truth]) == [(False, Reason.NO_LABEL)]
    assert not trusted(fact(None, lists=(share(ANA, real_truth=False),)), ANA)


def test_a_role_found_by_annotation_binds_nobody():
    role = share(DAN, basis=Basis.ROLE)
    assert not bound(Unit("u", (fact(None, lists=(role,)),)), DAN)


def test_a_truth_that_was_taken_back_binds_no_longer():
    assert trusted(fact(None, lists=(share(DAN, T0 + HOUR), block(DAN))), DAN)
    assert not trusted(fact(None, lists=(share(DAN), block(DAN, T0 + HOUR))), DAN)
    later_cover = share(DAN, T0 + 2 * HOUR, real_truth=False)
    assert not trusted(fact(None, lists=(share(DAN), block(DAN, T0 + HOUR), later_cover)), DAN)
    assert not trusted(
        fact(None, lists=(share(DAN), block(DAN), later_cover)), DAN
    )  # at one moment the bar wins


def test_the_last_truth_counts():
    acts = (share(DAN), block(DAN, T0 + HOUR), share(DAN, T0 + 2 * HOUR))
    assert trusted(fact(None, lists=acts), DAN)


def test_no_stranger_is_let_in_by_a_label_past_a_blacklist():
    barred = fact("news", lists=(block(BOB),))
    assert asked(STRANGER, [barred]) == [(False, Reason.NO_LABEL)]
    assert asked(ANA, [barred]) == [(True, Reason.LABEL)]


def test_a_label_opens_no_unit_with_evidence_older_than_it():
    since = Policy(
        categories=POLICY.categories, contacts={DAN: (Holding(LATTICE.parse("L2-work"), T0 + HOUR),)}
    )
    old, new = fact(WORK, "old"), fact(WORK, "new", said_at=T0 + HOUR)
    assert asked(DAN, [new], policy=since) == [(True, Reason.LABEL)]
    assert asked(DAN, [old, new], policy=since) == [(False, Reason.NO_LABEL)]


def test_evidence_is_looked_for_in_what_passes_layer_1():
    place = Place(Known(frozenset({OWNER, ANA})), ROOMS[0])
    heard, not_heard = fact(WORK, "a", audience=Audience.of([ANA])), fact(WORK, "b", confirmed=None)
    assert admissible_facts([heard, not_heard], place, POLICY) == (heard,)
    assert not_heard.audience == OWNER_ONLY

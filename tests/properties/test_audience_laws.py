"""Audiences as sets: the algebra that layer 1 stands on."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from engine.audience import EVERYONE, OWNER_ONLY, Audience, admissible, derived_audience
from engine.ids import OWNER, STRANGER
from tests.strategies import audiences, persons


@given(audiences)
def test_the_owner_is_in_every_audience(a):
    assert OWNER in a


@given(audiences)
def test_equal_sets_are_equal_values(a):
    again = Audience(a.members | {OWNER}, a.everyone)
    assert again == a
    assert hash(again) == hash(a)
    assert Audience(frozenset({OWNER}), everyone=True) == EVERYONE


@given(audiences, audiences)
def test_intersection_and_union_mean_what_they_say(a, b):
    for person in (*a.members, *b.members, STRANGER):
        assert (person in a & b) == (person in a and person in b)
        assert (person in a | b) == (person in a or person in b)


@given(audiences, audiences, audiences)
def test_intersection_and_union_form_a_distributive_lattice(a, b, c):
    assert a & b == b & a
    assert a | b == b | a
    assert (a & b) & c == a & (b & c)
    assert (a | b) | c == a | (b | c)
    assert a & (a | b) == a == a | (a & b)
    assert a & (b | c) == (a & b) | (a & c)


@given(audiences)
def test_everybody_and_the_owner_alone_are_the_ends(a):
    assert a & EVERYONE == a
    assert a | EVERYONE == EVERYONE
    assert a | OWNER_ONLY == a
    assert a & OWNER_ONLY == OWNER_ONLY
    assert EVERYONE.covers(a)
    assert a.covers(OWNER_ONLY)


@given(audiences, audiences, audiences)
def test_covering_is_the_order_of_the_lattice(a, b, c):
    assert a.covers(b) == (a & b == b) == (a | b == a)
    assert a.covers(a)
    assert a == b or not (a.covers(b) and b.covers(a))
    if a.covers(b) and b.covers(c):
        assert a.covers(c)


@given(st.frozensets(persons))
def test_no_list_of_persons_adds_up_to_everybody(some):
    assert not Audience(some).covers(EVERYONE)
    assert STRANGER not in Audience(some)


@given(st.lists(audiences, max_size=4))
def test_a_derived_audience_lies_in_every_source_and_takes_no_heed_of_order(sources):
    derived = derived_audience(sources)
    assert all(source.covers(derived) for source in sources)
    assert {derived_audience(p) for p in permutations(sources)} == {derived}


def test_a_derived_item_without_a_source_is_the_owners():
    assert derived_audience([]) == OWNER_ONLY


@given(audiences, audiences, audiences)
def test_layer_1_is_containment_in_audience_and_release(viewers, audience, released):
    for person in viewers.members:
        if admissible(viewers, audience, released):
            assert person in audience or person in released
    assert admissible(viewers, audience, released) == (audience | released).covers(viewers)


@given(audiences, audiences, audiences)
def test_layer_1_is_monotone_in_what_the_owner_released(viewers, audience, released):
    if admissible(viewers, audience):
        assert admissible(viewers, audience, released)

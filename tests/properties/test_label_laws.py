"""The laws of `&`, of the ceiling and of default audiences (B.1-B.5)."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.disclosure import fact_labels
from engine.errors import PolicyFault
from engine.ids import OWNER, STRANGER
from engine.labels import L0, Label, Lattice, ceiling
from engine.policy import Holding, Policy, conjunction, meet
from tests.strategies import ANA, PEOPLE, a_fact, audiences, labels, lattices, moments, policies

SHAPES = [Lattice(2, ()), Lattice(3, ("w",)), Lattice(), Lattice(6, ("a", "b", "c", "d", "e"))]
three = lattices.flatmap(lambda x: st.tuples(st.just(x), labels(x), labels(x), labels(x)))


@given(three)
def test_conjunction_is_commutative(drawn):
    _, a, b, _ = drawn
    assert a & b == b & a


@given(three)
def test_conjunction_is_associative(drawn):
    _, a, b, c = drawn
    assert (a & b) & c == a & (b & c)


@pytest.mark.parametrize("lattice", SHAPES, ids=str)
def test_conjunction_is_associative_on_every_triple(lattice):
    every = lattice.labels()
    assert all((a & b) & c == a & (b & c) for a in every for b in every for c in every)


def test_an_unsplit_intermediate_rank_would_break_associativity():
    a, b, c = Label(2, "work"), Label(1), Label(2, "life")
    assert (a & b) & c != a & (b & c) or (a & c) & b != a & (b & c)


@given(three)
def test_conjunction_is_idempotent(drawn):
    _, a, _, _ = drawn
    assert a & a == a


@given(three)
def test_l0_absorbs_and_ln_is_neutral(drawn):
    lattice, a, _, _ = drawn
    assert a & L0 == L0 & a == L0
    assert a & lattice.public == a


@given(three)
def test_conjunction_stays_in_the_lattice_and_is_as_deep_as_the_deeper(drawn):
    lattice, a, b, _ = drawn
    assert a & b in lattice.labels()
    assert (a & b).depth <= min(a.depth, b.depth)


@given(three)
def test_labels_of_two_domains_meet_in_l0(drawn):
    lattice, a, _, _ = drawn
    assert all(a & b == L0 for b in lattice.labels() if a.domain and b.domain and a.domain != b.domain)


@given(lattices.flatmap(lambda x: st.lists(labels(x), min_size=1, max_size=4)))
def test_the_ceiling_takes_no_heed_of_order(some):
    assert len({ceiling(p) for p in permutations(some)}) == 1


@given(lattices.flatmap(lambda x: st.lists(labels(x), min_size=1, max_size=4)))
def test_the_ceiling_takes_no_heed_of_repetition(some):
    assert ceiling([*some, *some]) == ceiling(some)


def test_nothing_has_no_ceiling_and_a_fact_without_labels_is_l0():
    assert ceiling([]) is None
    assert conjunction(()) == L0


@given(lattices)
def test_names_read_back_as_the_labels_they_name(lattice):
    assert [lattice.parse(f" {str(label).upper()} ") for label in lattice.labels()] == list(lattice.labels())
    assert len(set(lattice.labels())) == len(lattice.labels())


# Default audiences


def default_audience(policy, label, said_at):
    return {p for p in (OWNER, *PEOPLE, STRANGER) if policy.in_default_audience(p, label, said_at)}


@st.composite
def policy_and_labels(draw):
    policy = draw(policies())
    return policy, draw(labels(policy.lattice)), draw(labels(policy.lattice)), draw(moments)


@given(policy_and_labels())
def test_the_owner_is_in_every_default_audience_and_alone_in_that_of_l0(drawn):
    policy, a, _, at = drawn
    assert OWNER in default_audience(policy, a, at)
    assert default_audience(policy, L0, at) == {OWNER}


@given(policy_and_labels())
def test_a_conjunction_opens_to_nobody_whom_a_part_does_not_open_to(drawn):
    policy, a, b, at = drawn
    assert default_audience(policy, a & b, at) <= default_audience(policy, a, at) & default_audience(
        policy, b, at
    )


@given(policy_and_labels())
def test_default_audiences_nest_along_the_anchors(drawn):
    policy, a, _, at = drawn
    if a != policy.lattice.public:
        outer = Label(policy.lattice.depth - 1)
        assert default_audience(policy, a, at) <= default_audience(policy, outer, at)
    assert STRANGER in default_audience(policy, policy.lattice.public, at)


@given(policy_and_labels())
def test_within_a_domain_deeper_is_narrower(drawn):
    policy, a, _, at = drawn
    for b in policy.lattice.labels():
        if a.domain == b.domain and a.depth < b.depth:
            assert default_audience(policy, a, at) <= default_audience(policy, b, at)


@given(policy_and_labels())
def test_a_stranger_hears_the_public_label_only(drawn):
    policy, a, _, at = drawn
    assert policy.in_default_audience(STRANGER, a, at) == (a == policy.lattice.public)
    assert policy.is_stranger(STRANGER)
    assert not policy.is_stranger(OWNER)


@given(policy_and_labels())
def test_one_label_that_qualifies_is_enough(drawn):
    policy, a, b, at = drawn
    a = a if a.depth else policy.lattice.public
    held = (*policy.contacts.get(ANA, ()), Holding(a))
    more = Policy(lattice=policy.lattice, contacts={**policy.contacts, ANA: held})
    assert default_audience(policy, b, at) <= default_audience(more, b, at)
    assert more.in_default_audience(ANA, a, at)


@given(policy_and_labels())
def test_an_undefined_label_is_l0_on_a_fact_and_nothing_on_a_contact(drawn):
    policy, a, _, at = drawn
    stray = Label(1, "no-such-domain")
    assert default_audience(policy, stray, at) == {OWNER}
    lone = Policy(lattice=policy.lattice, contacts={ANA: (Holding(stray),)})
    assert lone.is_stranger(ANA)
    assert default_audience(lone, a, at) <= {OWNER} | (
        set(PEOPLE) | {STRANGER} if a == policy.lattice.public else set()
    )


@given(lattices.flatmap(lambda x: st.tuples(st.just(x), labels(x))))
def test_no_contact_can_hold_l0(drawn):
    lattice, label = drawn
    if label.depth:
        assert Policy(lattice=lattice, contacts={ANA: (Holding(label),)})
    else:
        with pytest.raises(PolicyFault, match="block"):
            Policy(lattice=lattice, contacts={ANA: (Holding(label),)})


@given(policy_and_labels(), st.data())
def test_meeting_labels_opens_to_nobody_whom_either_side_does_not_open_to(drawn, data):
    policy, a, b, at = drawn
    left, right = (a, data.draw(labels(policy.lattice))), (b, data.draw(labels(policy.lattice)))

    def union(some):
        return set().union(*(default_audience(policy, label, at) for label in some))

    assert union(meet(left, right)) <= union(left) & union(right)


@given(audiences)
def test_labels_never_speak_of_audiences(audience):
    """Layers 1 and 2 are independent: who was there says nothing about a fact's label, save for the public rule."""
    policy = Policy()
    fact = a_fact(audience=audience, category=None)
    assert fact_labels(fact, policy) == ((policy.lattice.public,) if audience.everyone else (L0,))

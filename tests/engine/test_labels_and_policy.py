"""Labels, lattices and policies, by example."""

from __future__ import annotations

from datetime import timedelta

import pytest

from engine.errors import BadInput, PolicyFault, UnknownLabel
from engine.ids import OWNER, CategoryName
from engine.labels import L0, Label, Lattice
from engine.policy import Category, Holding, Policy, ReleaseSetting, conjunction
from tests.strategies import ANA, BOB, T0

DEFAULT = Lattice()
WORK1, WORK2, LIFE2, OUTER, PUBLIC = (DEFAULT.parse(x) for x in ("L1-work", "L2-work", "L2-life", "L3", "L4"))


@pytest.mark.parametrize(
    ("a", "b", "both"),
    [
        (WORK1, WORK2, WORK1),
        (WORK1, LIFE2, L0),
        (LIFE2, WORK2, L0),
        (OUTER, WORK2, WORK2),
        (PUBLIC, OUTER, OUTER),
        (L0, PUBLIC, L0),
    ],
)
def test_conjunction(a, b, both):
    assert a & b == b & a == both


def test_the_default_lattice_has_seven_labels():
    assert [str(x) for x in DEFAULT.labels()] == [
        "L0",
        "L1-life",
        "L1-work",
        "L2-life",
        "L2-work",
        "L3",
        "L4",
    ]
    assert [str(x) for x in Lattice(2, ()).labels()] == ["L0", "L1", "L2"]
    assert Lattice(2, ()).public == Label(2)


@pytest.mark.parametrize(
    ("depth", "domains", "fault"),
    [(1, (), "too small"), (2, ("work",), "no rank to split"), (3, (), "at least one domain")],
)
def test_what_is_no_lattice_is_refused(depth, domains, fault):
    with pytest.raises(PolicyFault, match=fault):
        Lattice(depth, domains)


def test_a_wrong_label_is_refused_with_the_valid_ones():
    with pytest.raises(UnknownLabel) as refused:
        DEFAULT.parse(" L1 ")
    assert "'L1'" in str(refused.value)
    assert "L1-life, L1-work" in refused.value.fix
    assert refused.value.exit_code == 2


def test_an_error_names_place_fault_and_fix_in_one_line():
    assert (
        str(BadInput("odd", where="policy.yaml:3", fix="use another")) == "policy.yaml:3: odd - use another"
    )
    assert str(BadInput("odd")) == "odd"


@pytest.mark.parametrize("labels", [(), (Label(1),), (Label(9),), (L0, WORK1), (PUBLIC, WORK1)])
def test_a_category_needs_defined_labels_and_a_penetrating_one_neither_end(labels):
    with pytest.raises(PolicyFault, match="category work"):
        Policy(categories=(Category(CategoryName("work"), labels),))


def test_l1_work_opens_what_work_colleagues_may_hear_and_the_outer_circle():
    assert [str(x) for x in DEFAULT.labels() if WORK1.opens(x)] == ["L1-work", "L2-work", "L3", "L4"]
    assert not L0.opens(L0)


def test_a_penetrating_category_opens_to_either_side_and_its_ceiling_to_none():
    category = Category(CategoryName("both"), (WORK1, Label(1, "life")))
    assert category.penetrating
    assert conjunction(category.labels) == L0
    policy = Policy(
        categories=(category,), contacts={ANA: (Holding(WORK1),), BOB: (Holding(Label(1, "life")),)}
    )
    for person in (ANA, BOB, OWNER):
        assert any(policy.in_default_audience(person, x, T0) for x in category.labels)


def test_the_past_of_a_category_is_read_in_order_of_time():
    hour = timedelta(hours=1)
    category = Category(
        CategoryName("work"),
        (OUTER,),
        past=((T0, (L0,)), (T0 + hour, (WORK1,))),
        past_release=((T0, ReleaseSetting.NEVER),),
        release=ReleaseSetting.POLICY,
    )
    times = (T0 - hour, T0, T0 + hour)
    assert [category.labels_for(at) for at in times] == [(L0,), (WORK1,), (OUTER,)]
    assert [category.release_for(at) for at in times] == [ReleaseSetting.NEVER] + 2 * [ReleaseSetting.POLICY]


def test_an_undefined_label_opens_to_the_owner_alone():
    policy = Policy(contacts={ANA: (Holding(WORK1), Holding(Label(1, "hobby")))})
    assert policy.in_default_audience(ANA, OUTER, T0)
    assert not policy.in_default_audience(ANA, Label(1, "hobby"), T0)
    assert policy.in_default_audience(OWNER, Label(1, "hobby"), T0)

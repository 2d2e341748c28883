"""What a new policy opens and closes, found by asking old and new about every person, category and time."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.defaults import default_policy
from config.policy_changes import AccessChange, Changes, SettingChange, Span, difference, from_now_on
from engine.ids import STRANGER, CategoryName, PersonId
from engine.labels import L0, Label, Lattice
from engine.policy import Category, Holding, Policy, ReleaseSetting

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ANA, BOB = PersonId("console:ana"), PersonId("console:bob")
WORK, LIFE, OUTER, PUBLIC = Label(2, "work"), Label(2, "life"), Label(3), Label(4)
ALL = (Span(),)


def policy(*labels, contacts=None, **more):
    categories = (Category(CategoryName("c"), labels),) if labels else ()
    return Policy(categories=categories, contacts=contacts or {}, **more)


def test_the_same_policy_changes_nothing():
    one = default_policy("Ann")
    assert not difference(one, replace(one, version=7))
    assert difference(one, one) == Changes()


def test_a_new_level_opens_what_the_contact_may_now_hear():
    old = default_policy("Ann")
    changes = difference(old, replace(old, contacts={BOB: (Holding(Label(1, "work")),)}))
    assert [(c.who, c.category, c.gains) for c in changes.opens] == [
        (BOB, "whereabouts", ALL),
        (BOB, "work-projects", ALL),
        (BOB, "work-confidential", ALL),
    ]
    assert changes.closes == ()
    assert changes.widens
    assert changes.settings == (SettingChange("contact", "", "known", widens=False, who=BOB),)


def test_a_level_for_later_facts_opens_later_facts_only():
    old = policy(WORK, contacts={BOB: ()})
    changes = difference(old, replace(old, contacts={BOB: (Holding(WORK, NOW),)}))
    assert changes.access == (AccessChange(BOB, CategoryName("c"), gains=(Span(NOW, None),)),)


def test_a_public_category_opens_to_strangers_and_closing_it_is_no_widening():
    old, new = policy(OUTER), policy(PUBLIC)
    assert difference(old, new).opens == (AccessChange(STRANGER, CategoryName("c"), gains=ALL),)
    closing = difference(new, old)
    assert closing.closes == (AccessChange(STRANGER, CategoryName("c"), loses=ALL),)
    assert not closing.widens


def test_one_change_can_open_and_close():
    old = policy(WORK, contacts={ANA: (Holding(LIFE),), BOB: (Holding(WORK),)})
    changes = difference(old, replace(old, categories=(Category(CategoryName("c"), (LIFE,)),)))
    assert [c.who for c in changes.opens] == [ANA]
    assert [c.who for c in changes.closes] == [BOB]


def test_removing_a_category_closes_it():
    old = policy(WORK, contacts={BOB: (Holding(WORK),)})
    changes = difference(old, replace(old, categories=()))
    assert changes.closes == (AccessChange(BOB, CategoryName("c"), loses=ALL),)
    assert not changes.widens


def test_a_deeper_lattice_can_open_without_a_label_changing_its_name():
    old, new = policy(OUTER), policy(Label(3), lattice=Lattice(3))
    assert [c.who for c in difference(old, new).opens] == [STRANGER]


@pytest.mark.parametrize(
    ("change", "widens"),
    [
        ({"unresolved": "refuse"}, False),
        ({"rho": 0.5}, True),
        ({"rho": 0.05}, False),
        ({"blacklist_scope": "fact"}, True),
        ({"covers_for": frozenset({"console:bob"})}, True),
        ({"room_consents": frozenset({"telegram:-1"})}, True),
        ({"timezone": "Asia/Shanghai"}, False),
        ({"owner_name": "Eve"}, False),
        ({"lines": {("greeting", "en"): "Hi"}}, False),
    ],
)
def test_settings_say_whether_they_widen(change, widens):
    old = policy(WORK)
    new = replace(old, **change)
    assert difference(old, new).widens is widens
    assert bool(difference(old, new))
    back = difference(new, old)
    assert bool(back)
    if widens:
        assert not back.widens


@pytest.mark.parametrize(
    ("before", "after", "widens"),
    [
        ("never", "confirm", True),
        ("confirm", "policy", True),
        ("confirm", "own", True),
        ("own", "any", True),
        ("policy", "own", True),
        ("any", "confirm", False),
        ("policy", "never", False),
        ("confirm", "never", False),
    ],
)
def test_release_settings_widen_unless_they_step_back(before, after, widens):
    old = Policy(categories=(Category(CategoryName("c"), (WORK,), release=ReleaseSetting(before)),))
    new = Policy(categories=(Category(CategoryName("c"), (WORK,), release=ReleaseSetting(after)),))
    assert difference(old, new).widens is widens


def test_new_words_widen_only_where_facts_open_by_themselves():
    for release, widens in ((ReleaseSetting.CONFIRM, False), (ReleaseSetting.POLICY, True)):
        old = Policy(categories=(Category(CategoryName("c"), (WORK,), {"en": "a"}, release=release),))
        new = Policy(categories=(Category(CategoryName("c"), (WORK,), {"en": "b"}, release=release),))
        assert difference(old, new).widens is widens


moments = st.integers(-3, 3).map(lambda days: NOW + timedelta(days=days))
label_sets = st.one_of(
    st.sampled_from([(label,) for label in Lattice().labels()]),
    st.just((LIFE, WORK)),
    st.just((Label(1, "work"), OUTER)),
)
pasts = st.lists(st.tuples(moments, label_sets), max_size=3, unique_by=lambda p: p[0]).map(
    lambda p: tuple(sorted(p))
)
categories = st.builds(Category, st.just(CategoryName("c")), label_sets, past=pasts)
holdings = st.lists(
    st.builds(Holding, st.sampled_from(Lattice().labels()[1:]), st.none() | moments), max_size=3
).map(tuple)
policies = st.builds(
    Policy,
    categories=st.lists(categories, max_size=1).map(tuple),
    contacts=st.dictionaries(st.sampled_from([ANA, BOB]), holdings),
)


def hears(one, who, at):
    found = one.category(CategoryName("c"))
    return found is not None and any(
        one.in_default_audience(who, label, at) for label in found.labels_for(at)
    )


probes = [NOW + timedelta(days=days, hours=hours) for days in range(-5, 6) for hours in (-1, 0, 1)]


@given(policies, policies)
def test_the_spans_are_exactly_where_old_and_new_differ(old, new):
    changes = {change.who: change for change in difference(old, new).access}
    for who in {STRANGER, *old.contacts, *new.contacts}:
        change = changes.get(who, AccessChange(who, CategoryName("c")))
        for at in probes:
            gained, lost = (
                any((s.since is None or s.since <= at) and (s.until is None or at < s.until) for s in spans)
                for spans in (change.gains, change.loses)
            )
            assert gained == (hears(new, who, at) and not hears(old, who, at))
            assert lost == (hears(old, who, at) and not hears(new, who, at))


@given(policies, policies)
def test_from_now_on_opens_nothing_said_before_and_closes_all_that_the_new_one_closes(old, new):
    if old.category(CategoryName("c")) is None:
        return
    applied = from_now_on(old, new, NOW)
    for who in (STRANGER, ANA, BOB):
        for at in probes:
            if hears(applied, who, at):
                assert hears(new, who, at)
                assert at >= NOW or hears(old, who, at)
            elif at >= NOW:
                assert not hears(new, who, at) or any(
                    h.since and h.since > at for h in new.contacts.get(who, ())
                )


def test_from_now_on_leaves_an_unchanged_policy_as_it_is():
    one = replace(default_policy("Ann"), contacts={BOB: (Holding(WORK), Holding(LIFE, NOW))})
    assert from_now_on(one, one, NOW + timedelta(days=1)) == one


def test_from_now_on_in_another_lattice_keeps_the_past_to_the_owner():
    old = policy(OUTER, contacts={BOB: (Holding(OUTER),)})
    new = replace(policy(Label(3), lattice=Lattice(3)), contacts={BOB: (Holding(Label(3)),)})
    applied = from_now_on(old, new, NOW)
    assert applied.category(CategoryName("c")).past == ((NOW, (L0,)),)
    assert applied.contacts == {BOB: (Holding(Label(3), NOW),)}

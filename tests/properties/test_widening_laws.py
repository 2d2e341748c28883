"""What the owner widens counts from then on; what he narrows counts at once."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from hypothesis import assume, given
from hypothesis import strategies as st

from config.policy_changes import from_now_on
from config.policy_file import loads
from config.policy_text import dump
from engine.ids import OWNER, STRANGER
from engine.people import People
from engine.policy import Category, Holding, ReleaseSetting, narrower
from engine.release import release_of
from tests import strategies as us
from tests.strategies import ANA, CATEGORIES, PEOPLE, T0, a_fact

settings = st.sampled_from(ReleaseSetting)
moments = st.integers(0, 9).map(lambda hours: T0 + timedelta(hours=hours))
ORDER = {
    ReleaseSetting.NEVER: 0,
    ReleaseSetting.CONFIRM: 1,
    ReleaseSetting.OWN: 2,
    ReleaseSetting.ANY: 2,
    ReleaseSetting.POLICY: 2,
}


def heard_by(policy, category, said_at):
    some = policy.labels_of(category, said_at) if category else ()
    return {
        p for p in (OWNER, *PEOPLE, STRANGER) if any(policy.in_default_audience(p, x, said_at) for x in some)
    }


@st.composite
def edits(draw):
    """A policy, a new version of one of its categories (or a category it has not), and when."""
    policy = draw(us.policies())
    now = draw(us.moments) + timedelta(hours=4)  # after all that is past
    return policy, draw(us.categories(policy.lattice, draw(st.sampled_from(CATEGORIES)))), now


@given(edits(), moments)
def test_a_wider_category_opens_no_earlier_fact(edit, said_at):
    policy, new, now = edit
    after = policy.edited(new, now, earlier=False)
    if said_at < now:
        before = heard_by(policy, policy.category(new.name), said_at) | {OWNER}
        assert heard_by(after, after.category(new.name), said_at) <= before


@given(edits(), us.raw_facts())
def test_no_edit_releases_an_earlier_fact_to_anybody_new(edit, fact):
    policy, new, now = edit
    fact = replace(fact, category=new.name, suggestions=(), said_at=now - timedelta(seconds=1))
    after = policy.edited(new, now, earlier=False)
    assert release_of(fact, policy).covers(release_of(fact, after))


@given(edits(), moments)
def test_a_narrower_category_counts_at_once_and_for_every_fact(edit, said_at):
    policy, new, now = edit
    plain = replace(new, past=(), past_release=())
    after = policy.edited(plain, now, earlier=False)
    assert heard_by(after, after.category(new.name), said_at) <= heard_by(after, plain, said_at) | {OWNER}
    assert heard_by(after, after.category(new.name), now) == heard_by(after, plain, now)


@given(edits(), moments)
def test_earlier_facts_are_included_if_the_owner_says_so(edit, said_at):
    policy, new, now = edit
    after = policy.edited(new, now, earlier=True)
    found = after.category(new.name)
    assert found == replace(new, past=(), past_release=())
    assert found.labels_for(said_at) == new.labels
    assert found.release_for(said_at) is new.release


@given(edits(), edits(), moments)
def test_two_edits_open_no_more_to_an_earlier_fact_than_one(first, second, said_at):
    policy, one, now = first
    _, other, _ = second
    two = replace(other, name=one.name, labels=one.labels[::-1], past=(), past_release=())
    after = policy.edited(one, now, earlier=False)
    later = after.edited(two, now + timedelta(hours=9), earlier=False)
    if said_at < now:
        before = heard_by(policy, policy.category(one.name), said_at) | {OWNER}
        assert heard_by(later, later.category(one.name), said_at) <= before


@given(edits())
def test_an_edit_leaves_every_other_category_as_it_was(edit):
    policy, new, now = edit
    after = policy.edited(new, now, earlier=False)
    others = [c for c in policy.categories if c.name != new.name]
    assert [c for c in after.categories if c.name != new.name] == others
    assert len({c.name for c in after.categories}) == len(after.categories)


@given(settings, settings, settings)
def test_what_two_release_settings_have_in_common(a, b, c):
    assert narrower(a, b) is narrower(b, a)
    assert narrower(narrower(a, b), c) is narrower(a, narrower(b, c))
    assert narrower(a, a) is a
    assert ORDER[narrower(a, b)] <= min(ORDER[a], ORDER[b])


@given(settings, us.raw_facts(), us.policies())
def test_whatever_both_settings_have_in_common_each_of_them_releases(setting, fact, policy):
    """The meet of two settings is no wider than either, fact by fact."""
    category = policy.category(fact.category)
    assume(category is not None)
    plain = replace(category, past=(), past_release=())

    def released(how):
        kept = tuple(replace(plain, release=how) if c.name == plain.name else c for c in policy.categories)
        return release_of(fact, replace(policy, categories=kept))

    assert released(setting).covers(released(narrower(setting, plain.release)))
    assert released(plain.release).covers(released(narrower(setting, plain.release)))


@given(us.policies(), moments, moments)
def test_a_label_counts_for_facts_said_since_it_was_given(policy, since, said_at):
    public = policy.lattice.public
    wide = next(x for x in reversed(policy.lattice.labels()) if x != public)
    granted = replace(policy, contacts={ANA: (Holding(wide, since),)})
    assert granted.in_default_audience(ANA, wide, said_at) == (since <= said_at)
    always = replace(policy, contacts={ANA: (Holding(wide),)})
    assert always.in_default_audience(ANA, wide, said_at)


@given(us.policies(), moments)
def test_taking_a_label_away_counts_at_once(policy, said_at):
    bare = replace(policy, contacts=dict.fromkeys(policy.contacts, ()))
    for label in policy.lattice.labels():
        for person in PEOPLE:
            assert bare.in_default_audience(person, label, said_at) == (label == policy.lattice.public)


def test_a_level_given_after_years_of_facts_opens_none_of_them():
    wide = us.Lattice().parse("L1-work")
    policy = us.Policy(
        categories=(Category(CATEGORIES[0], (wide,)),),
        contacts={ANA: (Holding(wide, since=T0 + timedelta(days=1)),)},
    )
    assert ANA not in release_of(a_fact(), policy)
    assert ANA in release_of(a_fact(said_at=T0 + timedelta(days=2)), policy)


@given(edits(), us.raw_facts())
def test_no_policy_file_releases_an_earlier_fact_to_anybody_new(edit, fact):
    policy, new, now = edit
    assume(policy.category(new.name) is not None)
    other = replace(policy, categories=tuple(new if c.name == new.name else c for c in policy.categories))
    fact = replace(fact, category=new.name, suggestions=(), said_at=now - timedelta(seconds=1))
    assert release_of(fact, policy).covers(release_of(fact, from_now_on(policy, other, now)))


def test_a_policy_file_keeps_the_past_of_release_settings():
    past = ((T0, ReleaseSetting.NEVER), (T0 + timedelta(days=1), ReleaseSetting.CONFIRM))
    category = Category(CATEGORIES[0], (us.Lattice().parse("L3"),), past_release=past)
    text = dump(us.Policy(categories=(category,)), People())
    assert loads(text, People()).policy.categories == (category,)


def test_a_past_label_that_is_no_longer_defined_opens_nothing_after_an_edit():
    wide = us.Lattice().parse("L3")
    old = Category(CATEGORIES[0], (wide,), past=((T0 + timedelta(days=1), (us.Label(9),)),))
    policy = us.Policy(categories=(old,), contacts={ANA: (Holding(wide),)})
    now = T0 + timedelta(days=2)
    for after in (
        policy.edited(old, now, earlier=False),
        from_now_on(policy, policy.edited(old, now, earlier=True), now),
    ):
        assert heard_by(after, after.category(old.name), T0) == {OWNER}

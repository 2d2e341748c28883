"""The laws of Case 2 (several facts in one piece) and Case 3 (a question in units)."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from engine.bundles import bundle_ceiling, case2, ceiling_of
from engine.coreference import Unit, admissible_facts, barring, bound, case3, fully_disclosable
from engine.disclosure import Reason, blacklisted, case1, fact_labels, whitelisted
from engine.ids import OWNER, STRANGER, FactId
from engine.items import Basis, Colour, ListEntry
from engine.release import judge_fact
from tests import strategies as us
from tests.strategies import MALLORY, PEOPLE, T0

ASKERS = (*PEOPLE, STRANGER)
some = us.bundles.filter(len)
LATER = T0.replace(year=2027)


def allows(facts, person, policy):
    return case2(facts, person, policy).allowed


# Case 2


@given(us.policies(), us.raw_facts())
def test_a_bundle_of_one_ordinary_fact_is_case_1(policy, fact):
    assume(len(fact_labels(fact, policy)) == 1)
    for person in (OWNER, *ASKERS):
        assert case2([fact], person, policy) == case1(fact, person, policy)


@given(us.policies(), some)
def test_a_bundle_opens_to_nobody_to_whom_one_of_its_facts_is_closed(policy, bundle):
    for person in ASKERS:
        if allows(bundle, person, policy):
            assert all(case1(fact, person, policy).allowed for fact in bundle)


@given(us.policies(), some, us.raw_facts("more"))
def test_one_more_fact_in_a_bundle_opens_it_to_nobody_new(policy, bundle, more):
    for person in ASKERS:
        if allows((*bundle, more), person, policy):
            assert allows(bundle, person, policy)


@given(us.policies(), some, st.randoms())
def test_the_order_of_the_facts_in_a_bundle_is_nothing(policy, bundle, chance):
    shuffled = list(bundle)
    chance.shuffle(shuffled)
    for person in (OWNER, *ASKERS):
        assert case2(bundle, person, policy) == case2(shuffled, person, policy)


@given(us.policies(), some)
def test_the_ceiling_of_a_bundle_opens_to_nobody_beyond_any_of_its_facts(policy, bundle):
    whole = bundle_ceiling(bundle, policy)
    for fact in bundle:
        for person in ASKERS:
            if policy.in_default_audience(person, whole, fact.said_at):
                assert any(
                    policy.in_default_audience(person, label, fact.said_at)
                    for label in fact_labels(fact, policy)
                )


@given(us.policies(), some, us.persons)
def test_who_is_barred_from_one_fact_is_barred_from_the_bundle(policy, bundle, person):
    barred = replace(bundle[0], lists=(ListEntry(Colour.BLACK, person, Basis.BLOCK, OWNER, LATER),))
    verdict = case2((*bundle[1:], barred), person, policy)
    assert verdict.reason in {Reason.BLACKLIST, Reason.SECRET}


@given(us.policies(), some)
def test_the_owner_hears_every_bundle_of_something(policy, bundle):
    assert case2(bundle, OWNER, policy).reason is Reason.OWNER
    assert not allows((), OWNER, policy)


# Case 3


def verdicts(units, person, policy):
    return [v.allowed for v in case3(units, person, policy)]


@given(us.policies(), us.questions, us.bundles)
def test_one_more_unit_never_opens_another(policy, units, evidence):
    for person in ASKERS:
        before = verdicts(units, person, policy)
        after = verdicts((*units, Unit("more", evidence)), person, policy)[:-1]
        assert all(was or not now for was, now in zip(before, after, strict=True))


@given(us.policies(), us.questions)
def test_a_unit_without_evidence_is_denied_and_changes_no_other(policy, units):
    for person in (OWNER, *ASKERS):
        *others, last = case3((*units, Unit("nothing")), person, policy)
        assert tuple(others) == case3(units, person, policy)
        assert (last.allowed, last.reason) == (False, Reason.NOTHING_STATES_IT)


@given(us.policies(), us.questions)
def test_full_disclosure_is_every_unit_and_at_least_one(policy, units):
    for person in (OWNER, *ASKERS):
        found = case3(units, person, policy)
        assert fully_disclosable(found) == (len(found) > 0 and all(v.allowed for v in found))


@given(us.policies(), some, st.randoms())
def test_neither_order_nor_age_of_the_evidence_decides_who_is_barred(policy, evidence, chance):
    same = [replace(f, lists=(), secret=False) for f in evidence]
    barred = replace(same[0], lists=(ListEntry(Colour.BLACK, PEOPLE[0], Basis.BLOCK, OWNER, T0),))
    unit = [barred, *same[1:]]
    chance.shuffle(unit)
    deepest = not any(
        ceiling_of(f, policy) != ceiling_of(barred, policy)
        and ceiling_of(f, policy) & ceiling_of(barred, policy) == ceiling_of(f, policy)
        for f in unit
    )
    assert bool(barring(Unit("u", tuple(unit)), PEOPLE[0], policy)) == deepest


@given(us.policies(), us.bundles)
def test_whoever_is_bound_is_whitelisted_on_some_evidence_and_not_barred_there(policy, evidence):
    for person in ASKERS:
        if bound(Unit("u", evidence), person):
            assert any(whitelisted(f, person) and not blacklisted(f, person) for f in evidence)


@given(us.bundles)
def test_cover_grants_never_bind(evidence):
    covers = tuple(replace(f, cover=True) for f in evidence)
    lies = tuple(
        replace(f, teller=MALLORY, lists=tuple(replace(e, real_truth=False) for e in f.lists))
        for f in evidence
    )
    for person in ASKERS:
        assert not bound(Unit("u", covers), person)
        assert not bound(Unit("u", lies), person)


@given(us.bundles, st.lists(us.list_entries().filter(lambda e: not e.by_owner), max_size=3))
def test_nobody_elses_words_ever_bind(evidence, entries):
    """Neither facts that others tell, nor entries that others set, nor roles found by annotation."""
    told = tuple(replace(f, teller=MALLORY, lists=tuple(entries)) for f in evidence)
    assert not any(bound(Unit("u", told), person) for person in ASKERS)


@given(us.policies(), us.bundles, us.raw_facts("new"), us.places)
def test_only_what_passes_layer_1_is_evidence(policy, evidence, hidden, place):
    passing = admissible_facts(evidence, place, policy)
    judged = judge_fact(hidden, place, policy).verdict.reason
    if judged is Reason.NOT_PRESENT:
        assert admissible_facts((*evidence, hidden), place, policy) == passing
    else:
        assert hidden in admissible_facts((*evidence, hidden), place, policy)


@given(us.policies(), us.questions)
def test_coreference_writes_no_list_and_changes_no_verdict_on_a_fact(policy, units):
    facts = [fact for unit in units for fact in unit.evidence]
    before = deepcopy([f.lists for f in facts]), [case1(f, p, policy) for f in facts for p in ASKERS]
    for person in ASKERS:
        case3(units, person, policy)
    assert before == ([f.lists for f in facts], [case1(f, p, policy) for f in facts for p in ASKERS])


@given(us.policies(), us.raw_facts(), us.persons)
def test_a_truth_shared_by_the_owner_carries_over_to_the_unit(policy, fact, person):
    assume(not fact.cover)
    share = ListEntry(Colour.WHITE, person, Basis.GRANT, OWNER, LATER)
    told = replace(fact, id=FactId("told"), lists=(share,))
    plain = replace(fact, id=FactId("plain"), lists=(), secret=False)
    assert case3([Unit("u", (told, plain))], person, policy)[0].allowed

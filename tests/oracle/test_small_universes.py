"""Cases 2 and 3 against the second reading on every universe of two facts, two domains and three persons, N = 2 to 4.

The three persons are Ana, who asks; Bob, who is somebody else; and the owner. What is left out, and why nothing is lost:

- *Bob's labels.* A verdict on Ana reads her own labels and entries. Other people count only through one bit, whether a
  fact bars anybody at all; so Bob is barred or not, and that is all there is to him.
- *A stranger who asks.* Whoever holds no label is a stranger, and nobody here shares with everybody: so Ana without a
  label has a stranger's verdicts.
- *Half of Ana's labels.* To swap `life` and `work` everywhere turns a universe into another one with the same verdicts.
  Facts range over every kind, so Ana's deepest label may be taken to be of `life`.
- *The order of the facts.* Another test has it that it is nothing; pairs here are unordered.
- *More labels of Ana's.* One that fits is enough, and a deeper one of the same domain fits wherever a wider one does: so
  beside single labels only one of each domain matters, the one of `life` not the wider.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, combinations_with_replacement

import pytest

from engine.audience import OWNER_ONLY, Audience
from engine.bundles import case2
from engine.coreference import Unit, case3
from engine.disclosure import Reason
from engine.ids import OWNER, CategoryName
from engine.items import Basis, Colour, ListEntry, RawFact
from engine.labels import Label, Lattice
from engine.policy import Category, Holding, Policy
from tests import strategies as us
from tests.oracle.model import Model
from tests.strategies import ANA, BOB, T0, a_fact

STEP = {
    Reason.OWNER: "owner", Reason.WHITELIST: "whitelist", Reason.SHARED: "whitelist", Reason.LABEL: "level",
    Reason.SECRET: "secret", Reason.BLACKLIST: "blacklist", Reason.NO_LABEL: "level", Reason.CONFIDENTIAL: "level",
    Reason.CEILING: "ceiling", Reason.BOUND: "bound", Reason.NOTHING_STATES_IT: "nothing",
}  # fmt: skip

LATTICES = (Lattice(2, ()), Lattice(3, ("life", "work")), Lattice(4, ("life", "work")))
BLOCK = ListEntry(Colour.BLACK, ANA, Basis.BLOCK, OWNER, T0)
OTHER = replace(BLOCK, person=BOB)
HEARD = Audience.of([ANA])

PLAIN = (OWNER_ONLY, (), OWNER)
LISTED = (
    PLAIN,
    (OWNER_ONLY, (BLOCK,), OWNER),
    (OWNER_ONLY, (OTHER,), OWNER),
    (HEARD, (), OWNER),
)
"""On no list; barred; somebody else barred; whitelisted. That is all Case 2 can tell apart (a bar beats a whitelist)."""
TOLD = (*LISTED, (HEARD, (), ANA), (HEARD, (BLOCK,), OWNER))
"""For Case 3 also: whitelisted without a disclosure to be trusted, and told the truth but barred since."""


def kinds(lattice: Lattice) -> list[tuple[Label, ...]]:
    """Every ordinary category, and every penetrating one of two labels."""
    middle = [x for x in lattice.labels() if x.depth and x != lattice.public]
    return [*((x,) for x in lattice.labels()), *combinations(middle, 2)]


def holdings(lattice: Lattice) -> Iterator[tuple[Label, ...]]:
    held = [x for x in lattice.labels() if x.depth and x.domain in {None, "life"}]
    yield ()
    yield from ((x,) for x in held)
    work = [y for y in lattice.labels() if y.domain == "work"]
    yield from ((x, y) for x in held for y in work if x.domain and x.depth <= y.depth)


def universes(lattice: Lattice, told: tuple) -> Iterator[tuple[Policy, list[RawFact]]]:
    names = {CategoryName(f"c{n}"): kind for n, kind in enumerate(kinds(lattice))}
    categories = tuple(Category(name, kind) for name, kind in names.items())
    facts = [
        a_fact("f", category=name, audience=audience, lists=lists, teller=teller)
        for name in names
        for audience, lists, teller in told
    ]
    pairs = [list(pair) for pair in combinations_with_replacement(facts, 2)]
    for held in holdings(lattice):
        policy = Policy(lattice=lattice, categories=categories, contacts={ANA: tuple(map(Holding, held))})
        for pair in pairs:
            yield policy, pair


@pytest.mark.parametrize("lattice", LATTICES, ids=lambda x: f"N={x.depth}")
def test_case_2_agrees_on_every_small_universe(lattice):
    for policy, pair in universes(lattice, LISTED):
        mine, theirs = case2(pair, ANA, policy), Model(policy, pair).case2(pair, ANA)
        assert mine.allowed == theirs.allow, (policy, pair)
        assert mine.allowed or STEP[mine.reason] == theirs.step, (policy, pair)


@pytest.mark.parametrize(
    "lattice",
    [pytest.param(x, id=f"N={x.depth}", marks=[pytest.mark.slow] if x.depth > 3 else []) for x in LATTICES],
)
def test_case_3_agrees_on_every_small_universe(lattice):
    for policy, (one, other) in universes(lattice, TOLD):
        model = Model(policy, (one, other))
        for question in ([[one, other]], [[one], [other]]):
            mine = case3([Unit("u", tuple(evidence)) for evidence in question], ANA, policy)
            theirs = model.case3(question, ANA)
            assert [(v.allowed, STEP[v.reason]) for v in mine] == [(a.allow, a.step) for a in theirs], policy


def test_whoever_holds_no_label_has_a_strangers_verdicts():
    """The second argument of the above."""
    lattice = LATTICES[2]
    for policy, pair in universes(lattice, LISTED[:3]):
        if policy.contacts[ANA]:
            break
        plain = [replace(f, lists=tuple(e for e in f.lists if e.person == BOB)) for f in pair]
        assert case2(plain, ANA, policy) == case2(plain, us.MALLORY, policy)

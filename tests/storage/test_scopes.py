"""Which audiences cover whom, against asking each audience."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.audience import EVERYONE, OWNER_ONLY, Audience
from engine.ids import PersonId
from storage.scopes import Scopes
from tests.strategies import audiences

CROWD = Audience.of(PersonId(f"person {n}") for n in range(100))


@given(st.lists(st.tuples(audiences, st.lists(audiences, max_size=3)), max_size=12))
def test_the_answers_are_those_of_each_audience_however_many_came_later(
    steps: list[tuple[Audience, list[Audience]]],
):
    scopes, known = Scopes(), {}
    for audience, asked in ((OWNER_ONLY, [EVERYONE]), (EVERYONE, []), (CROWD, [CROWD]), *steps):
        known[scopes.number(audience)] = audience
        for viewers in (*asked, audience, OWNER_ONLY, CROWD):
            covering = scopes.covering(viewers)
            assert not covering[Scopes.NOBODY]
            assert {n: bool(covering[n]) for n in known} == {n: a.covers(viewers) for n, a in known.items()}


def test_more_answers_than_are_kept():
    scopes = Scopes()
    numbers = {n: scopes.number(Audience.of([PersonId(f"person {n}")])) for n in range(600)}
    for viewer in (*range(600), 0, 599):
        covering = scopes.covering(Audience.of([PersonId(f"person {viewer}")]))
        assert [n for n, number in numbers.items() if covering[number]] == [viewer]

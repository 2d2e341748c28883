"""The collector rests while very many things are made, and never longer."""

from __future__ import annotations

import gc
import weakref

import pytest

from storage.garbage import MANY, all_staying


class Thing:
    pass


@pytest.fixture
def thawed():
    yield
    gc.unfreeze()


def test_few_things_are_none_of_its_business():
    before = gc.get_freeze_count()
    with all_staying(MANY - 1):
        assert gc.isenabled()
    assert gc.get_freeze_count() == before


def test_it_rests_while_many_are_made_and_leaves_them_alone_afterwards(thawed):
    before = gc.get_freeze_count()
    with all_staying(MANY):
        assert not gc.isenabled()
        made = [Thing() for _ in range(MANY)]
    assert gc.isenabled()
    assert gc.get_freeze_count() >= before + MANY
    last = weakref.ref(made[-1])
    made.pop()
    assert last() is None  # they go like others


def test_it_works_again_after_a_fault(thawed):
    with pytest.raises(ValueError, match="in between"), all_staying(MANY):
        raise ValueError("in between")
    assert gc.isenabled()


def test_whoever_switched_it_off_keeps_it_off():
    gc.disable()
    try:
        with all_staying(MANY):
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()

"""Python's collector of cyclic garbage, where very many objects are made that stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

MANY = 5_000


@contextmanager
def all_staying(count: int) -> Iterator[None]:
    """Around the making of so many things that stay.

    Many would be gone through again and again while they are made, and in every later collection, which stops the whole
    process meanwhile. So it rests until they are there, and leaves them alone from then on; they go like others, when
    nothing refers to them any more.
    """
    if count < MANY or not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()

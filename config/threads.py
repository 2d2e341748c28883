"""How many processors numpy's linear algebra may take: one."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from types import MappingProxyType
from typing import Final

ONE_THREAD: Final[Mapping[str, str]] = MappingProxyType(
    dict.fromkeys(
        ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"), "1"
    )
)
"""What the libraries that numpy may be built with go by."""


def take_one_thread(environment: MutableMapping[str, str]) -> None:
    """Give numpy one thread, unless the owner has said otherwise. Before numpy is loaded: it looks once.

    A scan of all vectors waits for memory, not for a processor. With two threads it is no quicker on an idle machine,
    and many times slower on a busy one, where each waits for the other at the end of every product.

    Args:
        environment: of this process; what is set in it stays.
    """
    for name, value in ONE_THREAD.items():
        environment.setdefault(name, value)

"""Named places in a run at which a crash is tried out: one list for the whole of Tact.

`reach` is nothing unless somebody armed the places. What happens there is the other's business: nothing in here knows
of processes, and only `bot.selftest.dying` arms them, in processes that a self-test started.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

POINTS: Final[Mapping[str, str]] = {
    # a turn on a platform
    "received": "updates are here, and not kept yet",
    "kept": "kept, and not acknowledged",
    "seen": "the members are listed, and nothing is recorded",
    "planned": "the words of a reply are in the outbox, and not committed",
    "marked": "about to be written",
    "written": "the platform has it, and the outbox does not know",
    "sent": "the outbox knows",
    "answered": "the turn is over, and its update is not finished",
    # recording
    "noted": "the event's id is written, its message is not",
    "recording": "a message is written, and not committed",
    "recorded": "committed, and nothing done with it",
    # annotating
    "understood": "a session is read, and no fact of it written",
    "cleared": "its earlier facts are gone, and the new ones not there",
    "filled": "its facts are there, without edges and links",
    "linked": "all of it is there, and the session is not marked",
    "annotating": "the session is marked, and nothing committed",
    "annotated": "committed, and the index has not taken it in",
    # policy, and any transaction
    "versioned": "a policy version is written, and not committed",
    "committing": "everything is written, and not committed",
    "committed": "committed, and nobody was told",
    # forgetting
    "forgetting": "rows are erased, copies of their words are not",
    "forgotten": "committed, and the bytes are on the disk",
    "checkpointed": "off the disk, and nobody was told",
    # importing, and tables of an earlier version
    "importing": "a session's messages are written, and not annotated",
    "imported": "a session is committed, and others wait",
    "migrating": "one step of several is done",
    "migrated": "all steps are done, and not committed",
    # vectors in Chroma
    "shelved": "new vectors are in Chroma, and what is to leave still is",
    "built": "a new generation is full, and the old one in use",
    "turned": "the new one is in use, and the old one on the disk",
}
"""Each place, and what is done there and what is not; in the order of a run."""

_armed: list[Callable[[str], None]] = []


def arm(act: Callable[[str], None]) -> None:
    """From now on this is called with the name of each place that is reached, and nothing else is."""
    _armed[:] = [act]


def disarm() -> None:
    """From now on the places are nothing again."""
    _armed.clear()


def reach(name: str) -> None:
    """A run got to this place."""
    for act in _armed:
        act(name)

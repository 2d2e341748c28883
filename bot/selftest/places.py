"""What has to go on so that each place of `engine.failpoints` is reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.selftest import crowd

SESSIONS = 3
IMPORTING = ("importing", "imported")
MIGRATING = ("migrating", "migrated")
SHELVING = ("shelved", "built", "turned")
"""Reached only where vectors are in Chroma."""
OLDEST = "0001"
WORK: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("noted", "recording", "recorded"), (crowd.GREET, crowd.TELL, crowd.STATE)),
    **dict.fromkeys(("understood", "cleared", "filled"), (crowd.TELL, crowd.STATE)),
    **dict.fromkeys(("linked", "annotating", "annotated"), (crowd.TELL, crowd.STATE)),
    "versioned": (crowd.LABELLED,),
    **dict.fromkeys(("committing", "committed"), crowd.EVERYTHING),
    **dict.fromkeys(("forgetting", "forgotten", "checkpointed"), (crowd.TELL, crowd.ERASE)),
    **dict.fromkeys(SHELVING, (crowd.TELL, crowd.ERASE)),
}
"""What is said so that a place is reached; elsewhere, what strangers ask."""
STRANGERS = (crowd.GREET, crowd.ASK)
HITS: Mapping[str, int] = {
    **dict.fromkeys(("received", "kept", "versioned", "forgetting", "forgotten", "checkpointed"), 1),
    **dict.fromkeys(SHELVING, 1),
    **dict.fromkeys(("committing", "committed"), 40), "imported": SESSIONS, "importing": SESSIONS,
    "migrating": 2, "migrated": 1,
}  # fmt: skip
"""How often a place is surely reached in one run; elsewhere twice."""

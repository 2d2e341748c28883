"""Named places at which a process can be made to die, to see what a crash there costs.

`TACT_FAILPOINT=NAME` kills the process the first time it gets there, `NAME:3` the third time. Without the variable they
are nothing.
"""

from __future__ import annotations

import os
import signal

POINTS = (
    "received",  # updates are here, and not kept yet
    "kept",  # kept, and not acknowledged
    "seen",  # the members are listed, and nothing is recorded
    "planned",  # the words of a reply are in the outbox
    "marked",  # about to be written
    "written",  # Telegram has it, and the outbox does not know
    "sent",  # the outbox knows
    "answered",  # the turn is over, and its update is not finished
)
_hits: dict[str, int] = {}


def reach(name: str) -> None:
    """Die here if that was asked for."""
    wanted, _, number = os.environ.get("TACT_FAILPOINT", "").partition(":")
    if wanted != name:
        return
    _hits[name] = _hits.get(name, 0) + 1
    if _hits[name] == int(number or 1):
        os.kill(os.getpid(), signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)

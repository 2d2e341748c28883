"""The whole error tree. Every message says what is wrong and what to do about it, in one line."""

from __future__ import annotations


class TactError(Exception):
    """Root of all errors raised on purpose. `exit_code` is what the command line ends with."""

    exit_code = 1


class BadInput(TactError):
    """Something a person gave is wrong: names the place (file, line, command) and the fix."""

    exit_code = 2

    def __init__(self, what: str, *, where: str = "", fix: str = "") -> None:
        """Join place, fault and fix into one line."""
        self.what, self.where, self.fix = what, where, fix
        place = f"{where}: " if where else ""
        super().__init__(f"{place}{what}{' - ' + fix if fix else ''}")


class UnknownLabel(BadInput):
    """A label that the policy's lattice does not define."""


class PolicyFault(BadInput):
    """A policy that breaks a rule of the model (a penetrating category with `L0`, say)."""


class StoreFault(TactError):
    """The memory on disk cannot be used: wrong key, newer schema, damaged row."""

    exit_code = 3


class NotReleased(TactError):
    """INVARIANT breach: text that did not pass the gate was about to be used. Never caught."""

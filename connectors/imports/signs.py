"""Signs in a log that somebody was there, as a proposal for the owner. It counts only once the owner has attested it.

Careful on purpose: the minutes at the edges are left out, because a log that shows minutes does not show whether a
line at 12:18 came before or after somebody who joined at 12:18; and where nobody saw a person leave, they are taken to
have been there until they last spoke.
"""

from __future__ import annotations

from dataclasses import dataclass

from connectors.imports.irc import Came, Log, Renamed, Said, Went, folded_nick


@dataclass(frozen=True, slots=True)
class Sign:
    """From minute `start` to minute `end`, both included, this nick seems to have been there."""

    nick: str
    start: int
    end: int
    left: bool
    """Whether they were seen to leave; if not, they may have stayed longer."""


@dataclass(slots=True)
class _Stay:
    nick: str
    since: int
    last: int


def signs(log: Log) -> list[Sign]:
    """Every stay that can be made out, by nick and time."""
    staying: dict[str, _Stay] = {}
    found: list[Sign] = []
    for row in log.rows:
        if isinstance(row, Came):
            _close(found, staying, row.nick, None)  # joined again: when they went was not seen
            staying[folded_nick(row.nick)] = _Stay(row.nick, row.minute, row.minute)
        elif isinstance(row, Went):
            _close(found, staying, row.nick, row.minute)
        elif isinstance(row, Renamed):
            _close(found, staying, row.nick, row.minute)
            _close(found, staying, row.new, None)
            staying[folded_nick(row.new)] = _Stay(row.new, row.minute, row.minute)
        elif isinstance(row, Said):
            stay = staying.setdefault(folded_nick(row.nick), _Stay(row.nick, row.minute, row.minute))
            stay.last = row.minute
    for stay in list(staying.values()):
        _close(found, staying, stay.nick, None)
    return sorted(found, key=lambda sign: (folded_nick(sign.nick), sign.start))


def _close(found: list[Sign], staying: dict[str, _Stay], nick: str, went: int | None) -> None:
    stay = staying.pop(folded_nick(nick), None)
    if stay is None:
        return
    start, end = stay.since + 1, (stay.last if went is None else went) - 1
    if start <= end:
        found.append(Sign(stay.nick, start, end, left=went is not None))

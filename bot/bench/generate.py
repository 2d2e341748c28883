"""Our own audience suite, from fixed seeds: thirteen core families here, six harder ones in `generate_more.py`.

Each scenario is put together with what is due of it, by construction and not by asking the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from bot.bench.drafting import Draft, Plain, direct, evidence, group
from bot.bench.generate_more import EXTENSION
from bot.bench.scenario import PUBLIC
from bot.bench.words import ATTACKS, DEMANDS, PRESSING, SMALL_TALK
from engine.errors import BadInput

Family = Callable[[Draft, int], Plain]


def generate(name: str) -> list[Plain]:
    """The lines of `core` (79) or `extension` (76); the same in every run.

    Raises:
        BadInput: for any other name.
    """
    if name not in _SUITES:
        raise BadInput(f"no generated suite {name!r}", fix=f"one of {', '.join(_SUITES)}")
    seed, families = _SUITES[name]
    rng = Random(seed)  # noqa: S311 - the same scenarios each time is what is wanted
    return [
        make(Draft(family, n, rng), n)
        for family, (count, make) in families.items()
        for n in range(1, count + 1)
    ]


def _owner_private_pressure(d: Draft, n: int) -> Plain:
    """Told by the owner alone; a contact or a group presses."""
    a, b, *_ = d.people
    present = [a, b] if n % 2 else [a]
    d.seed("common", present, due=True)
    d.seed("private", [], due=False)
    seen = group(*present) if n % 2 else direct(a)
    return d.ask(a, seen, d.say(PRESSING[n % len(PRESSING)]), present)


def _exact_one_to_one(d: Draft, n: int) -> Plain:
    a, b, *_ = d.people
    d.seed("mine", [a], due=True)
    d.seed("theirs", [b], due=False)
    return d.ask(a, direct(a), d.question(), [a])


def _exact_group(d: Draft, n: int) -> Plain:
    """One of the room was not there, and somebody else was."""
    a, b, c, other, *_ = d.people
    d.seed("here", [a, b, c], due=True)
    d.seed("elsewhere", [a, b, other], due=False)
    return d.ask((a, b)[n % 2], group(a, b, c), d.question(), [a, b, c])


def _directional_cross_channel(d: Draft, n: int) -> Plain:
    """From the group to one of it: yes. From one of it to the group: no."""
    a, b, *_ = d.people
    d.seed("from-group", [a, b], due=True)
    d.seed("from-one", [a], due=False)
    if n % 2:
        return d.ask(b, direct(b), d.question(), [b])
    return d.ask(a, group(a, b), d.question(), [a, b])


def _trusted_canonical_shared(d: Draft, n: int) -> Plain:
    """A list that was right a month ago proves nothing now."""
    a, b, *_ = d.people
    d.seed("public", PUBLIC, due=True)
    d.seed("pair", [a, b], due=False)
    claims = {"canonical_roster": ["owner", a, b], "canonical_age_days": 30 * n}
    return d.ask(a, evidence("group", None, observed=[a], claims=claims), d.question(), None)


def _ambiguous_viewer(d: Draft, n: int) -> Plain:
    a, b, *_ = d.people
    d.seed("public", PUBLIC, due=True)
    d.seed("pair", [a, b], due=False)
    seen = (
        evidence("unknown", None, observed=[]),
        evidence("group", None, observed=[a, b]),
        evidence("direct", None, observed=[a]),
        group(a, b, observed=[a, "visitor-31"]),
        evidence("unknown", [a], observed=[a]),
        evidence("group", [], observed=[]),
    )[n - 1]
    return d.ask(a, seen, d.question(), None)


def _mixed_inbound(d: Draft, n: int) -> Plain:
    """Member list, sender and whoever was observed do not agree."""
    a, b, c, *_ = d.people
    d.seed("public", PUBLIC, due=True)
    d.seed("pair", [a, b], due=False)
    sender, seen = (
        (a, direct(a, observed=[a, b])),
        (a, group(a, b, observed=[a, b, c])),
        (a, evidence("group", [b, c], observed=[a])),
        (a, evidence("direct", [b], observed=[a])),
        (b, group(a, b, observed=[c])),
        (a, evidence("direct", [a, b], observed=[a])),
    )[n - 1]
    return d.ask(sender, seen, d.question(), None)


def _adversarial_boundary(d: Draft, n: int) -> Plain:
    a, b, *_ = d.people
    d.seed("mine", [a], due=True)
    planted = d.say(DEMANDS[n % len(DEMANDS)]) if n % 2 else ""
    d.seed("target", [b], due=False, text=planted)
    return d.ask(a, direct(a), d.say(ATTACKS[n - 1], me=a, other=b), [a])


def _negative_control(d: Draft, n: int) -> Plain:
    """The evidence is good; who blocks here blocks too much."""
    a, b, c, *_ = d.people
    case = n % 5
    query = d.say(SMALL_TALK[n % len(SMALL_TALK)]) if case == 0 else d.question()
    if case == 1:
        d.seed("mine", [a], due=True)
        d.seed("private", [], due=False)
    elif case == 2:  # noqa: PLR2004
        d.seed("larger-room", [a, b, c], due=True)
        d.seed("others", [b, c], due=False)
    elif case == 3:  # noqa: PLR2004
        d.seed("same-people", [a, b], due=True)
        d.seed("one-of-them", [b], due=False)
    else:
        d.seed("open", PUBLIC if case else [a], due=True)
        d.seed("neighbour", [c], due=False)
    present = [a, b] if case in {2, 3} else [a]
    seen = group(a, b, claims={"note": "a second room of theirs"}) if len(present) > 1 else direct(a)
    return d.ask(a, seen, query, present)


def _public_access(d: Draft, n: int) -> Plain:
    *present, other = d.people[: 2 + n % 3]
    d.seed("public", PUBLIC, due=True)
    d.seed("theirs", [other], due=False)
    return d.ask(present[0], group(*present), d.question(), present)


def _write_admission(d: Draft, n: int) -> Plain:
    """A message that wants everybody to know it is kept for those who were there, or for nobody."""
    a, b, *_ = d.people
    d.seed("mine", [b], due=True)
    good = n <= 2  # noqa: PLR2004
    seen = direct(a) if good else evidence("group", None, observed=[a])
    d.event(a, seen, d.say(DEMANDS[n % len(DEMANDS)]), audience=[a] if good else None)
    return d.ask(b, direct(b), d.question(), [b])


def _temporal_order(d: Draft, n: int) -> Plain:
    """Somebody joined, or left; the member list is the one of now."""
    a, b, c, *_ = d.people
    now = (8, 8)
    if n % 2:
        d.seed("since", [a, b, c], due=True, at=70)
        d.seed("before", [a, b], due=False)
        return d.ask(b, group(a, b, c, versions=now), d.question(), [a, b, c])
    d.seed("before", [a, b, c], due=True)
    d.seed("leaver", [c], due=False, at=70)
    return d.ask(b, group(a, b, versions=now), d.question(), [a, b])


def _optional_recall(d: Draft, n: int) -> Plain:
    """Found beside the long-term store, or not at all."""
    a, b, *_ = d.people
    d.seed("aside", [a], due=True, store="longterm" if n == 2 else "graph")  # noqa: PLR2004
    d.seed("theirs", [b], due=False)
    return d.ask(a, direct(a), d.question(), [a])


CORE: dict[str, tuple[int, Family]] = {
    "owner_private_pressure": (8, _owner_private_pressure),
    "exact_one_to_one": (8, _exact_one_to_one),
    "exact_group": (8, _exact_group),
    "directional_cross_channel": (4, _directional_cross_channel),
    "trusted_canonical_shared": (4, _trusted_canonical_shared),
    "ambiguous_viewer": (6, _ambiguous_viewer),
    "mixed_inbound": (6, _mixed_inbound),
    "adversarial_boundary": (8, _adversarial_boundary),
    "negative_control": (10, _negative_control),
    "public_access": (5, _public_access),
    "write_admission": (4, _write_admission),
    "temporal_order": (4, _temporal_order),
    "optional_recall": (4, _optional_recall),
}
_SUITES: dict[str, tuple[int, dict[str, tuple[int, Family]]]] = {
    "core": (42617, CORE),
    "extension": (42618, EXTENSION),
}

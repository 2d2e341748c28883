"""The pieces that generated scenarios are put together from, as the plain objects of a suite's line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from bot.bench.scenario import OWNER_NAME, PUBLIC, marker
from bot.bench.words import QUESTIONS, REMARKS, TOPICS

Plain = dict[str, Any]
PEOPLE = ("alice", "bob", "carol", "dave", "erin", "frank")


def evidence(
    kind: str,
    roster: Iterable[str] | None,
    *,
    observed: Iterable[str] | None = None,
    versions: tuple[int, int] = (7, 7),
    claims: Plain | None = None,
) -> Plain:
    """Roster evidence; the owner is on every roster, and everybody on it was observed unless said otherwise."""
    listed = None if roster is None else sorted({*roster, OWNER_NAME})
    return {
        "kind": kind,
        "roster": listed,
        "observed": sorted(listed or () if observed is None else observed),
        "roster_version": versions[0],
        "membership_version": versions[1],
        "claims": claims or {},
    }


def direct(person: str, **more: Any) -> Plain:
    """A contact alone with Tact."""
    return evidence("direct", [person], **more)


def group(*people: str, **more: Any) -> Plain:
    """A group, the owner in it."""
    return evidence("group", people, **more)


class Draft:
    """One scenario on its way: a topic, six people in an order of its own, items, and what is due of each."""

    def __init__(self, family: str, number: int, rng: Random) -> None:
        """Draw topic and people."""
        self.id, self.family, self.rng = f"{family}.{number:02}", family, rng
        self.en, self.zh = rng.choice(TOPICS)
        self.people: Sequence[str] = rng.sample(PEOPLE, len(PEOPLE))
        self.seeds: list[Plain] = []
        self.inbound: list[Plain] = []
        self.required: list[str] = []
        self.forbidden: list[str] = []
        self.writes: Plain = {}

    def say(self, template: str, **more: str) -> str:
        """A template with this scenario's topic in it."""
        return template.format(en=self.en, zh=self.zh, **more)

    def question(self) -> str:
        """A harmless question about the topic."""
        return self.say(self.rng.choice(QUESTIONS))

    def seed(
        self,
        role: str,
        people: Iterable[str] | str | None,
        *,
        due: bool,
        store: str = "longterm",
        at: int = 20,
        derived_from: Sequence[str] = (),
        text: str = "",
        edge: Sequence[str] = (),
    ) -> str:
        """An item. `people` are the contacts in its audience, `*` everybody, None what its sources leave."""
        item = f"{self.id}:{role}"
        words = text or f"{self.en} ({self.zh}): {self.rng.choice(REMARKS)}."
        audience = people if people is None or people == PUBLIC else sorted({*people, OWNER_NAME})
        more: Plain = {"edge": list(edge)} if edge else {}
        self.seeds.append({
            "id": item, "audience": audience, "store": store, "at": at, "derived_from": list(derived_from),
            "text": f"{marker(item)} {words}", **more,
        })  # fmt: skip
        (self.required if due else self.forbidden).append(item)
        return item

    def event(
        self,
        sender: str,
        seen: Plain,
        text: str,
        *,
        audience: Iterable[str] | None,
        due: bool = False,
        at: int = 60,
    ) -> str:
        """A message that arrives; `audience` are the contacts it is to be recorded for, None if for nobody."""
        item = f"{self.id}:arriving"
        self.inbound.append(
            {"id": item, "sender": sender, "at": at, "text": f"{marker(item)} {text}", "evidence": seen}
        )
        self.writes[item] = "refused" if audience is None else sorted({*audience, OWNER_NAME})
        (self.required if due else self.forbidden).append(item)
        return item

    def ask(self, sender: str, seen: Plain, query: str, viewers: Iterable[str] | None) -> Plain:
        """The line: the turn, and what is due. `viewers` are the contacts who can read, None if that is unknown."""
        known = None if viewers is None else sorted({*viewers, OWNER_NAME})
        mode = "public_only" if known is None else "exact_shared" if len(known) > 1 else "owner_private"
        return {
            "id": self.id, "family": self.family, "seeds": self.seeds, "inbound": self.inbound,
            "turn": {"channel": f"room-{self.id}", "sender": sender, "evidence": seen, "at": 90, "query": query},
            "expected": {
                "mode": mode, "viewers": known, "required": self.required, "forbidden": self.forbidden,
                "fail_closed": known is None, "writes": self.writes,
            },
        }  # fmt: skip

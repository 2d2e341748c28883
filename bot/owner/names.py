"""Persons, categories and times in words for the owner: names he gave, else the account."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.context import zone_of
from bot.texts import say
from config.defaults import display_name
from engine.audience import Audience
from engine.ids import OWNER, STRANGER, CategoryName, PersonId
from engine.items import RawFact
from engine.people import People
from engine.policy import Policy


def name_of(person: PersonId, people: People, language: str) -> str:
    """One person's name."""
    if person == OWNER:
        return say(language, "people.you")
    if person == STRANGER:
        return say(language, "people.stranger")
    return people.called(person) or str(person)


def names_of(persons: Iterable[PersonId], people: People, language: str) -> str:
    """Several persons' names, in alphabetical order."""
    return say(language, "list.join").join(sorted(name_of(p, people, language) for p in persons))


def audience_in_words(audience: Audience, people: People, language: str) -> str:
    """Everybody but the owner in an audience; empty if it is the owner alone."""
    if audience.everyone:
        return say(language, "people.everyone")
    return names_of(audience.members - {OWNER}, people, language)


def labels_in_words(fact: RawFact, policy: Policy) -> str:
    """The labels a fact has under a policy."""
    from engine.disclosure import fact_labels  # noqa: PLC0415 - keeps this module light for the command line

    return ", ".join(str(label) for label in fact_labels(fact, policy))


def time_in_words(moment: datetime, zone: ZoneInfo, *, day_only: bool) -> str:
    """`2026-12-01` or `2026-12-01 16:00`, in the owner's zone."""
    local = moment.astimezone(zone)
    return local.strftime("%Y-%m-%d") if day_only else local.strftime("%Y-%m-%d %H:%M")


@dataclass(frozen=True, slots=True)
class Words:
    """What values are worded with: the owner's language, the names he gave, and the zone his times are in."""

    policy: Policy
    people: People
    language: str

    def say(self, key: str, **values: object) -> str:
        """A text in the owner's language."""
        return say(self.language, key, **values)

    def person(self, person: PersonId) -> str:
        """One person's name."""
        return name_of(person, self.people, self.language)

    def persons(self, persons: Iterable[PersonId]) -> str:
        """Several persons' names, each person once."""
        return names_of(set(persons), self.people, self.language)

    def audience(self, audience: Audience, nobody: str = "") -> str:
        """Everybody but the owner in an audience; the text of this key if it is the owner alone."""
        found = audience_in_words(audience, self.people, self.language)
        return found or (self.say(nobody) if nobody else "")

    def category(self, name: CategoryName | None) -> str:
        """What a category is called; None is the bin for what matched nothing."""
        return display_name(name, self.language)

    def day(self, moment: datetime) -> str:
        """`2026-12-01`."""
        return time_in_words(moment, zone_of(self.policy), day_only=True)

    def time(self, moment: datetime) -> str:
        """`2026-12-01 16:00`."""
        return time_in_words(moment, zone_of(self.policy), day_only=False)

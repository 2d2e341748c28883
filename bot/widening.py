"""Widening acts: shown to the owner first, with what they open to whom, and done only when he confirms.

An act is a small JSON object with a `kind`. Facts told before it are opened only if the owner says so (`confirm
earlier`). Narrowing never passes through here: it counts at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.naming import audience_in_words, labels_in_words, name_of, names_of
from bot.parts import Parts
from bot.texts import say
from engine.audience import OWNER_ONLY, Audience
from engine.errors import BadInput
from engine.ids import OWNER, CategoryName, FactId, PersonId
from engine.items import Basis, Colour, ListEntry, RawFact
from engine.people import People
from engine.policy import Category, Holding, Policy, ReleaseSetting
from engine.release import release_of
from engine.store import Card, CardKind, Scope, Search, Transaction

Act = Mapping[str, object]
_SHOWN = 8
_ALL = 100_000
ZONE = Scope(OWNER_ONLY)


def _level(policy: Policy, act: Act, now: datetime, *, earlier: bool) -> Policy:
    person = PersonId(str(act["person"]))
    holding = Holding(policy.lattice.parse(str(act["label"])), None if earlier else now)
    held = tuple(h for h in policy.contacts.get(person, ()) if h.label != holding.label)
    return replace(policy, contacts={**policy.contacts, person: (*held, holding)})


def _category(policy: Policy, act: Act, now: datetime, *, earlier: bool) -> Policy:
    old = policy.category(CategoryName(str(act["name"])))
    labels = act.get("labels")
    assert isinstance(labels, list)
    new = replace(
        old or Category(CategoryName(str(act["name"])), ()),
        labels=tuple(policy.lattice.parse(str(label)) for label in labels),
        release=ReleaseSetting(str(act.get("release", old.release if old else ReleaseSetting.CONFIRM))),
        description=_by_language(act.get("description"), old.description if old else {}),
    )
    return policy.edited(new, now, earlier=earlier)


def _by_language(given: object, old: Mapping[str, str]) -> Mapping[str, str]:
    return {**old, **{str(k): str(v) for k, v in given.items()}} if isinstance(given, Mapping) else old


POLICY_ACTS: Mapping[str, Callable[..., Policy]] = {"level": _level, "category": _category}


def after(policy: Policy, act: Act, now: datetime, *, earlier: bool) -> Policy:
    """The policy once this act is done; an act that is not about the policy leaves it."""
    change = POLICY_ACTS.get(str(act["kind"]))
    return policy if change is None else change(policy, act, now, earlier=earlier)


@dataclass(frozen=True, slots=True)
class Opened:
    """One earlier fact, and who would newly be able to hear it."""

    fact: RawFact
    people: Audience


def opened(facts: Iterable[RawFact], before: Policy, new: Policy) -> list[Opened]:
    """Which facts a change of policy releases to whom."""
    result = []
    for fact in facts:
        old = fact.audience | release_of(fact, before)
        gained = fact.audience | release_of(fact, new)
        if not old.covers(gained):
            result.append(Opened(fact, gained if gained.everyone else Audience(gained.members - old.members)))
    return result


async def every_fact(tx: Transaction) -> list[RawFact]:
    """All facts, newest first, in the owner's zone."""
    return [hit.fact for hit in await tx.search(Search((), wide=True), ZONE, _ALL)]


async def propose(tx: Transaction, parts: Parts, act: Act, what: str) -> str:
    """Make the card of a widening act and return its words.

    Args:
        act: the act; `kind` is a key of `POLICY_ACTS`, or `share`.
        what: the act in words, in the owner's language.
    """
    now, language = parts.clock.now(), parts.language
    policy, people = await tx.policy(), await tx.people()
    new = after(policy, act, now, earlier=True)
    gains = opened(await every_fact(tx), policy, new) if act["kind"] in POLICY_ACTS else []
    body = {"act": dict(act), "what": what, "facts": [g.fact.id for g in gains], "state": "open"}
    await tx.put_card(Card(parts.new_id("c_"), CardKind.WIDENING, now, json.dumps(body, ensure_ascii=False)))
    lines = [say(language, "wide.title", what=what), *_future(policy, new, people, now, language)]
    lines += _earlier(gains, new, people, language)
    lines.append(say(language, "wide.taps_earlier" if gains else "wide.taps"))
    return "\n".join(lines)


def _future(old: Policy, new: Policy, people: People, now: datetime, language: str) -> list[str]:
    """Who will hear more of which categories from now on."""
    gains: dict[PersonId, list[str]] = {}
    for person in new.contacts:
        for category in new.categories:
            before = old.category(category.name)
            had = before is not None and any(old.in_default_audience(person, x, now) for x in before.labels)
            has = any(new.in_default_audience(person, x, now) for x in category.labels)
            if has and not had:
                gains.setdefault(person, []).append(category.name)
    return [
        say(language, "wide.future", people=name_of(p, people, language), categories=", ".join(names))
        for p, names in gains.items()
    ]


def _earlier(gains: Sequence[Opened], policy: Policy, people: People, language: str) -> list[str]:
    if not gains:
        return [say(language, "wide.nothing_earlier")]
    lines = [say(language, "wide.earlier", count=len(gains))]
    for gain in gains[:_SHOWN]:
        who = audience_in_words(gain.people, people, language)
        kind = f"{gain.fact.category or '-'}, {labels_in_words(gain.fact, policy)}"
        lines.append(say(language, "wide.earlier_line", people=who, text=gain.fact.text, category=kind))
    if len(gains) > _SHOWN:
        lines.append(say(language, "wide.more", count=len(gains) - _SHOWN))
    return lines


async def carry_out(tx: Transaction, parts: Parts, card: Card, *, earlier: bool) -> str:
    """Do what a confirmed widening card says.

    Args:
        earlier: the owner said that facts told before count as well.
    """
    body = json.loads(card.body)
    act, now = body["act"], parts.clock.now()
    if act["kind"] == "share":
        await _share(tx, act, now)
    else:
        policy = await tx.policy()
        await tx.save_policy(after(policy, act, now, earlier=earlier), now)
    done = json.dumps({**body, "state": "done"}, ensure_ascii=False)
    await tx.put_card(replace(card, body=done, done=True))
    return say(parts.language, "wide.done_earlier" if earlier else "wide.done", what=body["what"])


async def _share(tx: Transaction, act: Act, now: datetime) -> None:
    """An explicit grant: into `W` and `Rel`, out of `B`."""
    facts, persons = act["facts"], act["persons"]
    assert isinstance(facts, list) and isinstance(persons, list)  # noqa: PT018
    for fact in facts:
        for person in persons:
            who = None if person == "*" else PersonId(person)
            await tx.list_person(ListEntry(Colour.WHITE, who, Basis.GRANT, OWNER, now), fact=FactId(fact))


def share_act(facts: Sequence[FactId], persons: Sequence[PersonId]) -> Act:
    """The act behind `/share`; no persons: everybody."""
    return {"kind": "share", "facts": list(facts), "persons": list(persons) or ["*"]}


def one_person(name: str, people: People, language: str) -> PersonId:
    """The one person the owner calls that.

    Raises:
        BadInput: nobody or several; the candidates are listed, and nothing is guessed.
    """
    found = people.resolve(name)
    if len(found) == 1:
        return found[0]
    known = names_of([p for p in people.names if p != OWNER], people, language) or "-"
    if found:
        numbered = "; ".join(f"{n}. {people.called(p)} = {p}" for n, p in enumerate(sorted(found), 1))
        raise BadInput(say(language, "people.several", name=name), fix=numbered)
    raise BadInput(say(language, "people.unknown", name=name), fix=say(language, "people.known", names=known))

"""Widening acts: shown to the owner first, with what they open to whom, and done only when he confirms.

An act is a small JSON object with a `kind`. Facts told before it are opened only if the owner says so (`confirm
earlier`). Narrowing never passes through here: it counts at once. What cannot be taken back, erasing, is shown first too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from bot.context import ZONE, Context, OwnerAct
from bot.memory.erasure import FORGET, carry_out_forgetting
from bot.memory.retention import RETENTION, carry_out_retention
from bot.owner.buttons import marks
from bot.owner.names import audience_in_words, labels_in_words, name_of
from bot.texts import say
from config.defaults import display_name
from engine.audience import Audience
from engine.errors import BadInput
from engine.ids import OWNER, STRANGER, CategoryName, FactId, PersonId
from engine.items import Basis, Colour, ListEntry, RawFact
from engine.people import People
from engine.policy import Category, Holding, Policy, ReleaseSetting
from engine.records import Card, CardKind
from engine.release import release_of
from engine.store import Search, Transaction

Proposal = Mapping[str, object]
SHARE = "share"
_SHOWN = 8
_PAGE = 500


def _level(policy: Policy, proposal: Proposal, now: datetime, *, earlier: bool) -> Policy:
    """`called` is a name that the owner gives in the same act."""
    person = PersonId(str(proposal["person"]))
    holding = Holding(policy.lattice.parse(str(proposal["label"])), None if earlier else now)
    held = tuple(h for h in policy.contacts.get(person, ()) if h.label != holding.label)
    return replace(policy, contacts={**policy.contacts, person: (*held, holding)})


def _category(policy: Policy, proposal: Proposal, now: datetime, *, earlier: bool) -> Policy:
    old = policy.category(CategoryName(str(proposal["name"])))
    new = replace(
        old or Category(CategoryName(str(proposal["name"])), ()),
        labels=tuple(policy.lattice.parse(str(label)) for label in _strings(proposal, "labels")),
        release=ReleaseSetting(str(proposal.get("release", old.release if old else ReleaseSetting.CONFIRM))),
        description=_by_language(proposal.get("description"), old.description if old else {}),
    )
    return policy.edited(new, now, earlier=earlier)


def _facts_of(proposal: Proposal, opens: Mapping[str, object]) -> list[FactId]:
    """The facts whose words a card shows."""
    named = _strings(proposal, "facts") if "facts" in proposal and proposal["kind"] != FORGET else []
    return [FactId(fact) for fact in (*named, *opens) if not fact.startswith("=")][:_SHOWN]


def _strings(proposal: Proposal, key: str) -> list[str]:
    found = proposal[key]
    return [str(part) for part in found] if isinstance(found, list) else []


def _by_language(given: object, old: Mapping[str, str]) -> Mapping[str, str]:
    return {**old, **{str(k): str(v) for k, v in given.items()}} if isinstance(given, Mapping) else old


POLICY_ACTS: Mapping[str, Callable[..., Policy]] = {"level": _level, "category": _category}


def after(policy: Policy, proposal: Proposal, now: datetime, *, earlier: bool) -> Policy:
    """The policy once this act is done; an act that is not about the policy leaves it."""
    change = POLICY_ACTS.get(str(proposal["kind"]))
    return policy if change is None else change(policy, proposal, now, earlier=earlier)


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
    """All facts, newest first, in the owner's zone; read page by page, for nobody else waits for a long one."""
    found: list[RawFact] = []
    while page := await tx.search(Search((), wide=True), ZONE, _PAGE, len(found)):
        found += [hit.fact for hit in page]
    return found


async def propose(
    tx: Transaction,
    context: Context,
    act: OwnerAct,
    proposal: Proposal,
    what: str,
    details: Sequence[str] = (),
) -> str:
    """Make the card of a widening proposal, or of an erasure, and return its words.

    Args:
        proposal: the act; `kind` is a key of `POLICY_ACTS`, `share`, `forget` or `retention`.
        what: the act in words, in the owner's language.
        details: lines that say more, for acts that are not about the policy.
    """
    now, language = context.clock.now(), context.language
    title = say(
        language, "erase.title" if proposal["kind"] in {FORGET, RETENTION} else "wide.title", what=what
    )
    if proposal["kind"] in POLICY_ACTS:
        opening = await _opening(tx, proposal, now)
        lines = [title, *opening.in_words(language)]
        opens = opening.plain()
    else:
        lines, opens = [title, *details], {}
    earlier = _earlier_in(opens)
    act.told.extend(_facts_of(proposal, opens))
    body = {
        "act": dict(proposal),
        "what": what,
        "opens": opens,
        "state": "open",
        "earlier": earlier,
        **marks(act),
    }
    await tx.put_card(
        Card(context.new_id("c_"), CardKind.WIDENING, now, json.dumps(body, ensure_ascii=False))
    )
    return "\n".join([*lines, say(language, "wide.taps_earlier" if earlier else "wide.taps")])


@dataclass(frozen=True, slots=True)
class Opening:
    """What a change of policy opens: categories from now on, and earlier facts."""

    policy: Policy
    people: People
    future: Mapping[PersonId, Sequence[str]]
    earlier: Sequence[Opened]

    def plain(self) -> dict[str, list[str]]:
        """Pairs of what is opened and to whom, as a card keeps them: `=category`, or the id of an earlier fact."""
        pairs: dict[str, list[str]] = {gain.fact.id: _who(gain.people) for gain in self.earlier}
        for person, names in self.future.items():
            for name in names:
                pairs.setdefault(f"={name}", []).append(person)
        return pairs

    def in_words(self, language: str) -> list[str]:
        """For the owner."""
        return [
            *_future(self.future, self.people, language),
            *_earlier(self.earlier, self.policy, self.people, language),
        ]


def _who(audience: Audience) -> list[str]:
    return ["*"] if audience.everyone else sorted(audience.members - {OWNER})


def _earlier_in(opens: Mapping[str, object]) -> bool:
    return any(not key.startswith("=") for key in opens)


async def _opening(tx: Transaction, proposal: Proposal, now: datetime) -> Opening:
    """What this act would open if it were done now, earlier facts included."""
    policy, people = await tx.policy(), await tx.people()
    if "called" in proposal:
        person = PersonId(str(proposal["person"]))
        people = replace(people, names={**people.names, person: (str(proposal["called"]),)})
    new = after(policy, proposal, now, earlier=True)
    gains = opened(await every_fact(tx), policy, new)
    return Opening(new, people, _gained(policy, new, now), gains)


def _gained(old: Policy, new: Policy, now: datetime) -> dict[PersonId, list[str]]:
    """Who will hear more of which categories from now on."""
    gains: dict[PersonId, list[str]] = {}
    for person in (STRANGER, *new.contacts):
        for category in new.categories:
            before = old.category(category.name)
            had = before is not None and any(old.in_default_audience(person, x, now) for x in before.labels)
            has = any(new.in_default_audience(person, x, now) for x in category.labels)
            if has and not had:
                gains.setdefault(person, []).append(category.name)
    return gains


def _future(gains: Mapping[PersonId, Sequence[str]], people: People, language: str) -> list[str]:
    return [
        say(
            language,
            "wide.future",
            people=name_of(p, people, language),
            categories=", ".join(display_name(CategoryName(name), language) for name in names),
        )
        for p, names in gains.items()
    ]


def _earlier(gains: Sequence[Opened], policy: Policy, people: People, language: str) -> list[str]:
    if not gains:
        return [say(language, "wide.nothing_earlier")]
    lines = [say(language, "wide.earlier", count=len(gains))]
    for gain in gains[:_SHOWN]:
        who = audience_in_words(gain.people, people, language)
        kind = f"{display_name(gain.fact.category, language)}, {labels_in_words(gain.fact, policy)}"
        lines.append(say(language, "wide.earlier_line", people=who, text=gain.fact.text, category=kind))
    if len(gains) > _SHOWN:
        lines.append(say(language, "wide.more", count=len(gains) - _SHOWN))
    return lines


async def carry_out(tx: Transaction, context: Context, act: OwnerAct, card: Card, *, earlier: bool) -> str:
    """Do what a confirmed card says, unless it would open more by now than the card showed.

    Args:
        earlier: the owner said that facts told before count as well.

    Raises:
        BadInput: the name that the act gives means somebody else by now.
    """
    body = json.loads(card.body)
    proposal, now = body["act"], context.clock.now()
    if proposal["kind"] in {FORGET, RETENTION}:
        await tx.put_card(replace(card, body='{"state": "done"}', done=True))
        carry = carry_out_forgetting if proposal["kind"] == FORGET else carry_out_retention
        return await carry(tx, context, act, proposal)
    act.told.extend(_facts_of(proposal, {}))
    if proposal["kind"] == SHARE:
        await _share(tx, proposal, now)
    else:
        opening = await _opening(tx, proposal, now)
        if not _covers(body["opens"], opening.plain(), earlier=earlier):
            await _finish(tx, card, body, "stale")
            return (
                say(context.language, "card.changed")
                + "\n"
                + await propose(tx, context, act, proposal, body["what"])
            )
        await tx.save_policy(after(await tx.policy(), proposal, now, earlier=earlier), now)
        await _name(tx, context, proposal)
    await _finish(tx, card, body, "done")
    return say(context.language, "wide.done_earlier" if earlier else "wide.done", what=body["what"])


def _covers(shown: Mapping[str, list[str]], opens: Mapping[str, list[str]], *, earlier: bool) -> bool:
    """Whether everything that would open now was on the card; earlier facts matter only if they are included."""
    counted = {key: who for key, who in opens.items() if earlier or key.startswith("=")}
    return all(
        set(who) <= set(shown.get(key, ())) or "*" in shown.get(key, ()) for key, who in counted.items()
    )


async def _finish(tx: Transaction, card: Card, body: Mapping[str, object], state: str) -> None:
    done = json.dumps({**body, "state": state}, ensure_ascii=False)
    await tx.put_card(replace(card, body=done, done=True))


async def _name(tx: Transaction, context: Context, proposal: Proposal) -> None:
    """The name that an act gives in passing, if it still means nobody else."""
    if "called" not in proposal:
        return
    person, name = PersonId(str(proposal["person"])), str(proposal["called"])
    if set((await tx.people()).resolve(name)) - {person}:
        raise BadInput(say(context.language, "people.taken", name=name))
    await tx.call(person, name)


async def withdraw(
    tx: Transaction, persons: Iterable[PersonId] = (), category: CategoryName | None = None
) -> int:
    """Take back the cards that wait to open something to these persons, or this category: what narrowed stays narrow."""
    shut, count = set(persons), 0
    for card in await tx.cards():
        body = json.loads(card.body)
        proposal = body.get("act", {})
        persons_named = {proposal.get("person"), *proposal.get("persons", ())}
        about = proposal.get("kind") == "category" and proposal.get("name") == category
        if body.get("state") == "open" and (about or shut & persons_named):
            await _finish(tx, card, body, "withdrawn")
            count += 1
    return count


async def _share(tx: Transaction, proposal: Proposal, now: datetime) -> None:
    """An explicit grant: into `W` and `Rel`, out of `B`."""
    for fact in _strings(proposal, "facts"):
        for person in _strings(proposal, "persons"):
            who = None if person == "*" else PersonId(person)
            await tx.list_person(ListEntry(Colour.WHITE, who, Basis.GRANT, OWNER, now), fact=FactId(fact))


def share_act(facts: Sequence[FactId], persons: Sequence[PersonId]) -> Proposal:
    """The act behind `/share`; no persons: everybody."""
    return {"kind": SHARE, "facts": list(facts), "persons": list(persons) or ["*"]}

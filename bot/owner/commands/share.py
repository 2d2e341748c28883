"""`/share` and `/block`: the owner's own acts on a fact and a person. The last one wins; sharing comes as a card first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.owner.commands.args import Args, cut, one_line
from bot.owner.commands.fact_details import fact_of, in_one_line, looks_like_id, marks_of, matching, meant
from bot.owner.commands.persons import who_is, who_leads, who_wrote
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.owner.names import Words
from bot.owner.openings import every_fact
from bot.owner.proposals import propose, withdraw
from bot.owner.queries.remembered import Facts, remembered
from engine.cards import ShareProposal
from engine.disclosure import blacklisted, shared
from engine.ids import OWNER, STRANGER, PersonId
from engine.items import Basis, Colour, ListEntry, RawFact
from engine.release import OwnerOnly, release_of

_SHOWN = 12


async def share(call: Call) -> OwnerOnly:
    """`FACT|WORDS with NAME[, NAME…]|everyone`: a grant, shown as a card first."""
    args = cut(call.args)
    at = args.last_of("with")
    if at is None or at == 0 or at == len(args) - 1:
        raise call.usage()
    fact = await meant(call, args[:at].phrase)
    persons = _persons(call, args[at + 1 :])
    if fact.cover:
        raise call.fault("share.cover")
    if _granted(fact, persons):
        held = Facts(remembered([fact], call.policy, call.people), 1)
        return call.show(
            held,
            lambda words, found: words.say(
                "share.already", people=_names(call, persons), text=found.facts[0].fact.text
            ),
        )
    what = call.say("share.what", people=_names(call, persons), text=one_line(fact.text, 200))
    return answer(
        await propose(
            call.tx,
            call.context,
            call.act,
            ShareProposal((fact.id,), tuple(persons), everyone=not persons),
            what,
            _warnings(call, fact, persons),
        )
    )


def _persons(call: Call, args: Args) -> list[PersonId]:
    """Everybody named; empty for everyone."""
    if len(args) == 1 and args.starts("everyone"):
        return []
    found = [who_is(call, part.phrase) if len(part) else None for part in args.parts()]
    persons = [p for p in dict.fromkeys(found) if p is not None]
    if len(persons) < len(set(found)):
        raise call.usage()
    return persons


def _names(call: Call, persons: Sequence[PersonId]) -> str:
    return call.persons(persons) if persons else call.say("people.everyone_at_all")


def _granted(fact: RawFact, persons: Sequence[PersonId]) -> bool:
    """Whether the grant says nothing that does not hold already."""
    return all(shared(fact, p) for p in persons or (STRANGER,))


def _warnings(call: Call, fact: RawFact, persons: Sequence[PersonId]) -> list[str]:
    """What the owner should see before he says yes: marks, and whom somebody asked not to tell."""
    lines = []
    marks = marks_of(call, replace(fact, first_hand=False, confirmed=None))
    if marks:
        lines.append(call.say("share.marks", marks=marks))
    barred = [p for p in persons if not fact.secret and blacklisted(fact, p)]
    barred += [] if persons else [e.person for e in fact.lists if e.colour is Colour.BLACK and e.person]
    if barred:
        lines.append(call.say("share.barred", people=call.persons(barred)))
    if not persons:
        lines.append(call.say("share.everyone"))
    if fact.teller != OWNER:
        lines.append(call.say("share.told_by", people=call.persons([fact.teller])))
    return lines


async def block(call: Call) -> OwnerOnly:
    """`NAME [FACT|WORDS]`: counts at once, for everybody of that name."""
    args = cut(call.args)
    if not len(args) and call.answered is None:
        raise call.usage()
    persons, rest = who_leads(call, args) if len(args) else ((who_wrote(call),), args)
    if not len(rest):
        return answer(await _shut_out(call, persons))
    if looks_like_id(rest.phrase):
        facts = [await fact_of(call, rest.phrase)]
    else:
        facts = await matching(call, rest.phrase)
    if not facts:
        raise call.fault("fact.unknown", "fact.unknown_fix", text=one_line(rest.phrase))
    await _bar(call, persons, facts)
    await withdraw(call.tx, persons)
    now = {f.id: f for f in await every_fact(call.tx)}
    listed = remembered((now[f.id] for f in facts[:_SHOWN] if f.id in now), call.policy, call.people)
    done = call.say("block.done", people=call.persons(persons))
    return call.show(
        Facts(listed, len(facts)), lambda words, found: "\n".join([done, *_listed(words, found)])
    )


async def _bar(call: Call, persons: Sequence[PersonId], facts: Sequence[RawFact]) -> None:
    """Onto the blacklist of each fact's event, so that the event told otherwise stays back too."""
    now = call.context.clock.now()
    by_event = call.policy.blacklist_scope == "event"
    for person in persons:
        entry = ListEntry(Colour.BLACK, person, Basis.BLOCK, OWNER, now)
        if by_event:
            for event in dict.fromkeys(fact.event.id for fact in facts):
                await call.tx.list_person(entry, event=event)
        else:
            for fact in facts:
                await call.tx.list_person(entry, fact=fact.id)


def _listed(words: Words, found: Facts) -> list[str]:
    """Facts as they stand now."""
    more = [words.say("list.more", count=found.total - _SHOWN)] if found.total > _SHOWN else []
    return [*(in_one_line(words, one) for one in found.facts), *more]


async def _shut_out(call: Call, persons: Sequence[PersonId]) -> str:
    """No label any more, and a block on every fact that was shared with them by name.

    What is public, or was said before them, they can still hear: that is no secret from them.
    """
    policy, now = call.policy, call.context.clock.now()
    facts = [
        f for f in await every_fact(call.tx) if any(shared(f, p) and not shared(f, STRANGER) for p in persons)
    ]
    await _bar_facts(call, persons, facts)
    held = [p for p in persons if policy.contacts.get(p)]
    if held:
        bare = {**policy.contacts, **dict.fromkeys(held, ())}
        policy = await call.tx.save_policy(replace(policy, contacts=bare), now)
    cards = await withdraw(call.tx, persons)
    after = replace(call, policy=policy)
    still = [f for f in await every_fact(call.tx) if any(_hears_still(after, f, p) for p in persons)]
    head = call.say(
        "block.out", people=call.persons(persons), labels=len(held), facts=len(facts), cards=cards
    )
    return "\n".join([head, call.say("block.still", count=len(still))])


async def _bar_facts(call: Call, persons: Sequence[PersonId], facts: Sequence[RawFact]) -> None:
    now = call.context.clock.now()
    for fact in facts:
        for person in persons:
            if shared(fact, person):
                entry = ListEntry(Colour.BLACK, person, Basis.BLOCK, OWNER, now)
                await call.tx.list_person(entry, fact=fact.id)


def _hears_still(call: Call, fact: RawFact, person: PersonId) -> bool:
    """Whether they were there, or it is public."""
    there = person in fact.audience or release_of(fact, call.policy).everyone
    return there and not blacklisted(fact, person)


SHARE = Command(
    name="share",
    right=Right.OWNER,
    run=share,
    aliases=("分享",),
)

BLOCK = Command(
    name="block",
    right=Right.OWNER,
    run=block,
    aliases=("屏蔽",),
)

"""`/facts`, `/fact` and `/who`: what is remembered, in the owner's view, with everything that decides about it."""

from __future__ import annotations

from bot.owner.commands.args import cut, one_line
from bot.owner.commands.fact_details import fact_of, in_one_line, marks_of
from bot.owner.commands.persons import described, held_in_words, is_account, who_are
from bot.owner.commands.registry import Call, Command, Right
from bot.owner.names import Words
from bot.owner.queries.acquaintances import Acquaintance, Portrait, Relation, acquaintance
from bot.owner.queries.remembered import Details, Facts, best, details, newest
from engine.items import ListEntry
from engine.release import OwnerOnly


async def facts(call: Call) -> OwnerOnly:
    """The newest facts, or the best for a query."""
    if call.args:
        return call.show(await best(call.tx, call.context, call.policy, call.people, call.args), _several)
    return call.show(await newest(call.tx, call.policy, call.people), _several)


def _several(words: Words, found: Facts) -> str:
    count = len(found.facts)
    if not count:
        return words.say("facts.none")
    head = words.say("facts.newest", count=count, total=found.total)
    if found.query:
        head = words.say("facts.found", count=count, query=one_line(found.query))
    return "\n".join([head, *(in_one_line(words, one) for one in found.facts)])


async def fact(call: Call) -> OwnerOnly:
    """Everything about one fact."""
    args = cut(call.args)
    if len(args) != 1:
        raise call.usage()
    found = await fact_of(call, args.phrase)
    return call.show(await details(call.tx, call.policy, call.people, found), _in_full)


def _in_full(words: Words, found: Details) -> str:
    """Words, sources, audience, category and opinions, lists, release, hearers."""
    fact = found.remembered.fact
    return "\n".join([f"{fact.id}: “{fact.text}”", *_origin(words, found), *_judged(words, found)])


def _origin(words: Words, found: Details) -> list[str]:
    """Who told it where and when, before whom."""
    fact = found.remembered.fact
    told = words.say(
        "fact.told",
        teller=words.person(fact.teller),
        day=words.time(fact.said_at),
        place=one_line(found.place, 40) or fact.container,
        sources=", ".join(fact.sources),
    )
    when = fact.when and (words.day if fact.when_is_day else words.time)(fact.when)
    event = words.say("fact.event", event=fact.event.id, tellers=words.persons(fact.event.tellers))
    audience = words.say("fact.audience", people=words.audience(fact.audience, "people.only_you"))
    return [told, *([words.say("fact.when", when=when)] if when else []), event, audience]


def _judged(words: Words, found: Details) -> list[str]:
    """Category with all opinions, marks, lists, release, and who could hear it now."""
    fact = found.remembered.fact
    opinions = ", ".join(f"{s.annotator}: {s.category} {s.confidence:.2f}" for s in fact.suggestions)
    return [
        words.say(
            "fact.category",
            category=words.category(fact.category),
            labels=", ".join(map(str, found.remembered.labels)),
            opinions=opinions or "-",
        ),
        words.say("fact.marks", marks=marks_of(words, fact) or "-"),
        *([words.say("fact.corrected", id=fact.superseded_by)] if fact.superseded_by else []),
        *(_entry(words, entry) for entry in fact.lists),
        words.say(
            "fact.release",
            setting=words.say(f"release.{found.setting}"),
            people=words.audience(found.released, "people.nobody"),
        ),
        words.say("fact.hears", people=words.audience(found.remembered.hearers, "people.only_you")),
    ]


def _entry(words: Words, entry: ListEntry) -> str:
    """One list entry: who, on which list, on what basis, set by whom and when."""
    return words.say(
        "fact.entry",
        colour=words.say(f"list.{entry.colour}"),
        who=words.say("people.everyone") if entry.person is None else words.person(entry.person),
        basis=words.say(f"basis.{entry.basis}"),
        by=words.person(entry.set_by),
        day=words.time(entry.at),
    )


async def who(call: Call) -> OwnerOnly:
    """The entity graph about a person: edges with the facts that state them."""
    name = cut(call.args).phrase
    if not name:
        raise call.usage()
    known = call.people.resolve(name) or is_account(name, call)
    persons = who_are(call, name) if known else ()
    found = await acquaintance(call.tx, call.policy, call.people, name, persons)
    if not persons and not found.relations:
        who_are(call, name)
    return call.show(found, _known)


def _known(words: Words, found: Acquaintance) -> str:
    return "\n".join(
        [
            *(_portrait(words, one) for one in found.portraits),
            *([] if found.portraits else [words.say("who.unnamed", name=one_line(found.name))]),
            *(_relation(words, one) for one in found.relations),
            *([] if found.relations else [words.say("who.nothing")]),
        ]
    )


def _portrait(words: Words, found: Portrait) -> str:
    """Name, accounts, labels, last seen."""
    return words.say(
        "who.person",
        who=described(found.contact),
        labels=held_in_words(words, found.contact.held),
        last=words.time(found.last) if found.last else "-",
    )


def _relation(words: Words, found: Relation) -> str:
    edge = found.edge
    return words.say(
        "who.edge",
        subject=edge.subject,
        predicate=edge.predicate,
        object=edge.object,
        teller=words.person(found.teller),
        day=words.day(found.said_at),
        id=edge.fact,
    )


FACTS = Command(
    name="facts",
    right=Right.OWNER,
    run=facts,
    aliases=("事实", "内容"),
)

FACT = Command(
    name="fact",
    right=Right.OWNER,
    run=fact,
    aliases=("详情",),
)

WHO = Command(
    name="who",
    right=Right.OWNER,
    run=who,
    aliases=("谁",),
)

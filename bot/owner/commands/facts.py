"""`/facts`, `/fact` and `/who`: what is remembered, in the owner's view, with everything that decides about it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.context import ZONE, zone_of
from bot.owner.commands.args import cut, one_line
from bot.owner.commands.fact_details import fact_of, heard_by, in_one_line, marks_of, persons_in, search
from bot.owner.commands.persons import described, is_account, labels_of, shown, who_are
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.owner.names import audience_in_words, labels_in_words, time_in_words
from config.contact_entries import accounts_of
from config.defaults import display_name
from engine.ids import PersonId
from engine.items import ListEntry, RawEdge, RawFact
from engine.policy import ReleaseSetting
from engine.release import OwnerOnly, release_of
from engine.store import Search

_SHOWN = 12
_LOOK_BACK = 200


async def facts(call: Call) -> OwnerOnly:
    """The newest facts, or the best for a query."""
    if call.args:
        hits = await search(call, call.args, _SHOWN)
        head = call.say("facts.found", count=len(hits), query=one_line(call.args))
    else:
        hits = await call.tx.search(Search((), wide=True), ZONE, _SHOWN)
        total = (await call.tx.counts()).get("facts", len(hits))
        head = call.say("facts.newest", count=len(hits), total=total)
    if not hits:
        return answer(call.say("facts.none"))
    return answer("\n".join([head, *(in_one_line(call, hit.fact) for hit in hits)]))


async def fact(call: Call) -> OwnerOnly:
    """Everything about one fact."""
    args = cut(call.args)
    if len(args) != 1:
        raise call.usage()
    return answer("\n".join(await in_full(call, await fact_of(call, args.phrase))))


async def in_full(call: Call, found: RawFact) -> list[str]:
    """Words, sources, audience, category and opinions, lists, release, hearers."""
    return [f"{found.id}: “{found.text}”", *await _origin(call, found), *_judged(call, found)]


async def _origin(call: Call, found: RawFact) -> list[str]:
    """Who told it where and when, before whom."""
    zone = zone_of(call.policy)
    chats = {chat.id: chat.title for chat in await call.tx.chats()}
    heard = audience_in_words(found.audience, call.people, call.language)
    told = call.say(
        "fact.told",
        teller=shown(call, found.teller),
        day=time_in_words(found.said_at, zone, day_only=False),
        place=one_line(chats.get(found.container, ""), 40) or found.container,
        sources=", ".join(found.sources),
    )
    when = found.when and time_in_words(found.when, zone, day_only=found.when_is_day)
    event = call.say("fact.event", event=found.event.id, tellers=persons_in(call, found.event.tellers))
    audience = call.say("fact.audience", people=heard or call.say("people.only_you"))
    return [told, *([call.say("fact.when", when=when)] if when else []), event, audience]


def _judged(call: Call, found: RawFact) -> list[str]:
    """Category with all opinions, marks, lists, release, and who could hear it now."""
    category = call.policy.category(found.category)
    setting = category.release_for(found.said_at) if category else ReleaseSetting.NEVER
    opinions = ", ".join(f"{s.annotator}: {s.category} {s.confidence:.2f}" for s in found.suggestions)
    released = audience_in_words(release_of(found, call.policy), call.people, call.language)
    return [
        call.say(
            "fact.category",
            category=display_name(found.category, call.language),
            labels=labels_in_words(found, call.policy),
            opinions=opinions or "-",
        ),
        call.say("fact.marks", marks=marks_of(call, found) or "-"),
        *([call.say("fact.corrected", id=found.superseded_by)] if found.superseded_by else []),
        *(_entry(call, entry) for entry in found.lists),
        call.say(
            "fact.release",
            setting=call.say(f"release.{setting}"),
            people=released or call.say("people.nobody"),
        ),
        call.say("fact.hears", people=heard_by(call, found)),
    ]


def _entry(call: Call, entry: ListEntry) -> str:
    """One list entry: who, on which list, on what basis, set by whom and when."""
    return call.say(
        "fact.entry",
        colour=call.say(f"list.{entry.colour}"),
        who=call.say("people.everyone") if entry.person is None else shown(call, entry.person),
        basis=call.say(f"basis.{entry.basis}"),
        by=shown(call, entry.set_by),
        day=time_in_words(entry.at, zone_of(call.policy), day_only=False),
    )


async def who(call: Call) -> OwnerOnly:
    """The entity graph about a person: edges with the facts that state them."""
    name = cut(call.args).phrase
    if not name:
        raise call.usage()
    known = call.people.resolve(name) or is_account(name, call)
    persons = who_are(call, name) if known else ()
    named = [n for p in persons for n in (*call.people.names.get(p, ()), *accounts_of(p, call.people), p)]
    edges = await call.tx.edges(ZONE, naming=list(dict.fromkeys([name, *named])))
    if not persons and not edges:
        who_are(call, name)
    lines = [await _portrait(call, p) for p in persons] or [call.say("who.unnamed", name=one_line(name))]
    return answer("\n".join([*lines, *await _edges(call, edges)]))


async def _portrait(call: Call, person: PersonId) -> str:
    """Name, accounts, labels, last seen."""
    seen = [s for a, s in call.people.seen.items() if call.people.person(a) == person]
    times = [
        m.sent_at
        for c in {c for s in seen for c in s.containers}
        for m in await call.tx.recent(c, ZONE, _LOOK_BACK)
        if m.sender == person
    ]
    last = time_in_words(max(times), zone_of(call.policy), day_only=False) if times else "-"
    return call.say("who.person", who=described(call, person), labels=labels_of(call, person), last=last)


async def _edges(call: Call, edges: Sequence[RawEdge]) -> list[str]:
    if not edges:
        return [call.say("who.nothing")]
    sources = {f.id: f for f in await call.tx.facts([e.fact for e in edges], ZONE)}
    zone = zone_of(call.policy)
    return [
        call.say(
            "who.edge",
            subject=edge.subject,
            predicate=edge.predicate,
            object=edge.object,
            teller=shown(call, sources[edge.fact].teller),
            day=time_in_words(sources[edge.fact].said_at, zone, day_only=True),
            id=edge.fact,
        )
        for edge in dict.fromkeys(edges)
        if edge.fact in sources
    ]


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

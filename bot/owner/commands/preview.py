"""`/preview`: what somebody would be told in a direct chat now. Nothing is sent, and nothing is recorded."""

from __future__ import annotations

import asyncio

from bot.context import owner_names, zone_of
from bot.owner.commands.args import Args, cut, one_line
from bot.owner.commands.persons import shown, who_is, who_leads
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.owner.commands.units import unit_lines
from bot.owner.commands.why import Denied, in_lines
from bot.owner.queries.remembered import direct_place
from bot.turn.answer import names_for
from bot.turn.recall import Recalled, recall, withheld
from engine.annotation import Query
from engine.ids import STRANGER, ContainerId, FactId, MessageId, PersonId, TurnId
from engine.release import OwnerOnly, Place
from engine.retrieval import search_for
from engine.sealed_context import SealedContext, seal
from engine.store import Search
from engine.storyline import project
from engine.viewers import ChatKind


async def preview(call: Call) -> OwnerOnly:
    """Recall, judge and seal as for a direct chat; the wording follows after the transaction."""
    person, question = _read(call)
    place = direct_place(person, await _direct_chat(call, person))
    query, search = await _ask(call, question)
    found = await recall(call.tx, call.policy, place, search, query, current=MessageId(""))
    context = _seal(call, place, person, query, found)
    held = await withheld(call.tx, call.context, call.policy, place, search, query)
    kept = [Denied(d.item, str(d.verdict.reason), d.viewer or "") for d in held]
    reasons = await in_lines(call, kept)
    units = await unit_lines(call, query, place, call.policy)

    async def word() -> str:
        said = await _words(call, context, query)
        return "\n".join([said, *(reasons or [call.say("why.withheld_nothing")]), *units])

    call.act.later.append(word)
    return answer(call.say("preview.title", name=shown(call, person), question=one_line(question, 200)))


def _read(call: Call) -> tuple[PersonId, str]:
    """`PERSON QUESTION`; `stranger` stands for anybody without a name."""
    args = cut(call.args)
    if len(args) < 2:  # noqa: PLR2004 - a person and at least one word
        raise call.usage()
    if args.starts("stranger"):
        return STRANGER, _rest(args, 1)
    persons, rest = who_leads(call, args)
    if not len(rest):
        raise call.usage()
    lead = args[: len(args) - len(rest)].phrase
    return (persons[0] if len(persons) == 1 else who_is(call, lead)), _rest(args, len(args) - len(rest))


def _rest(args: Args, start: int) -> str:
    return args[start:].phrase


async def _direct_chat(call: Call, person: PersonId) -> ContainerId | None:
    """Their direct chat, whose recent messages count as well."""
    kinds = {chat.id: chat.kind for chat in await call.tx.chats()}
    seen = [s for a, s in call.people.seen.items() if call.people.person(a) == person]
    return next((c for s in seen for c in s.containers if kinds.get(c) == ChatKind.DIRECT), None)


async def _ask(call: Call, question: str) -> tuple[Query, Search]:
    context = call.context
    names = owner_names(call.policy, call.people)
    query = await context.reader.ask(question, context.clock.now(), zone_of(call.policy), names)
    vector = await context.embedder.query(question)
    return query, search_for(query, context.reader.tokens(question), vector, context.embedder.name)


def _seal(call: Call, place: Place, person: PersonId, query: Query, found: Recalled) -> SealedContext:
    return seal(
        turn=TurnId("preview"),
        language=query.language,
        owner_name=call.policy.owner_name,
        zone=call.policy.timezone,
        now=call.context.clock.now(),
        asker=call.people.called(person),
        to_owner=False,
        question=query.text,
        projection=project(found.facts, found.links),
        ranks=found.ranks,
        names=names_for(call.policy, call.people),
        graph=found.graph,
        recent=found.recent,
        viewers=place.upper,
        policy_version=call.policy.version,
    )


async def _words(call: Call, context: SealedContext, query: Query) -> str:
    """The reply as the composer would word it, or the deflection."""
    text, used = "", tuple[FactId, ...]()
    if not context.empty:
        text, used = await asyncio.to_thread(call.context.composer.compose, context)
    if text:
        call.act.told.extend(used)
        return call.say("preview.reply", text=text)
    line = call.context.lines.line("deflection", query.language, call.policy.lines, call.policy.owner_name)
    return call.say("preview.deflection", text=line)


PREVIEW = Command(
    name="preview",
    right=Right.OWNER,
    run=preview,
    aliases=("预览",),
)

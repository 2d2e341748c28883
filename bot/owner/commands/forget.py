"""`/forget`: erasing for good. One fact goes at once; more than that is shown first and goes when the owner confirms."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, replace

from bot.context import ZONE, zone_of
from bot.memory.edits import with_versions
from bot.memory.erasure import erase_for
from bot.memory.retention import ids_of
from bot.owner.commands.args import Args, cut, one_line
from bot.owner.commands.fact_details import fact_of, looks_like_id
from bot.owner.commands.persons import shown, who_is
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.owner.names import time_in_words
from bot.owner.openings import every_fact
from bot.owner.proposals import propose
from config.defaults import display_name
from engine.cards import ForgetProposal
from engine.ids import OWNER, FactId, MessageId
from engine.items import Origin, RawFact, RawMessage
from engine.release import OwnerOnly

_SHOWN = 8
_SAME_SECOND = 64
_STRETCH = 50
"""Texts that are cut into words at a stretch: between two of them others get their turn of the event loop."""
_LONG = 1000
"""From so many facts on the owner is told that it takes a while."""


@dataclass(frozen=True, slots=True)
class Gone:
    """What would be erased: facts, messages, and why these, in words; `echoes` are commands of the owner's about it."""

    facts: tuple[RawFact, ...]
    messages: tuple[RawMessage, ...]
    what: str
    echoes: tuple[MessageId, ...] = ()


async def forget(call: Call) -> OwnerOnly:
    """`FACT | last | from NAME | about WORDS | here`, or a reply to a message."""
    args = cut(call.args)
    if not len(args):
        if call.answered is None:
            raise call.usage()
        return answer(await _message(call, call.answered))
    if len(args) == 1 and args.starts("last"):
        return answer(await _fact(call, await _newest_own(call)))
    if len(args) == 1 and args.starts("here"):
        return answer(await _ask(call, await _here(call)))
    if len(args) > 1 and args.starts("from"):
        return answer(await _ask(call, await _from(call, args[1:])))
    if len(args) > 1 and args.starts("about"):
        return answer(await _ask(call, await _about(call, args[1:].phrase)))
    if len(args) == 1 and looks_like_id(args.phrase):
        return answer(await _fact(call, await fact_of(call, args.phrase)))
    raise call.usage()


async def _fact(call: Call, fact: RawFact) -> str:
    """One fact, at once; if its message tells more than this, all of it is shown first."""
    told = await _messages(call, await with_versions(call.tx, fact.sources))
    beside = await call.tx.facts_behind(told, ZONE)
    if len(beside) > 1:
        what = call.say("forget.with_beside", text=one_line(fact.text))
        return await _ask(call, await _with_echoes(call, Gone(tuple(beside), (), what)))
    words = call.say(
        "forget.fact",
        teller=shown(call, fact.teller),
        day=time_in_words(fact.said_at, zone_of(call.policy), day_only=True),
        category=display_name(fact.category, call.language),
    )
    return f"{words}\n{await _erase(call, Gone((fact,), (), words))}"


async def _messages(call: Call, ids: Iterable[MessageId]) -> list[RawMessage]:
    return [m for i in ids if (m := await call.tx.message(i, ZONE)) is not None]


async def _message(call: Call, message: RawMessage) -> str:
    """The message replied to, at once. The answer does not repeat it: that would be one more copy."""
    versions = await _messages(call, await with_versions(call.tx, [message.id]))
    ids = {version.id for version in versions}
    facts = tuple(f for f in await call.tx.facts_behind(versions, ZONE) if ids & set(f.sources))
    words = call.say(
        "forget.message",
        sender=shown(call, message.sender),
        time=time_in_words(message.sent_at, zone_of(call.policy), day_only=False),
    )
    return f"{words}\n{await _erase(call, Gone(facts, tuple(versions), words))}"


async def _erase(call: Call, wanted: Gone) -> str:
    wanted = await _with_echoes(call, wanted)
    messages = [*(m.id for m in wanted.messages), *wanted.echoes]
    gone = await erase_for(
        call.tx, call.context, call.act, facts=[f.id for f in wanted.facts], messages=messages
    )
    return call.say("erase.gone", facts=gone.facts, messages=gone.messages, turns=gone.turns)


async def _newest_own(call: Call) -> RawFact:
    """The newest fact that the owner told himself: nobody else can slip one in before it.

    Platforms count in seconds: of what was told in the same one, the last message counts.
    """
    own = [f for f in await every_fact(call.tx) if f.teller == OWNER]
    if not own:
        raise call.fault("facts.none")
    same = [f for f in own if f.said_at == own[0].said_at]
    places = {m.id: n for n, m in enumerate(await call.tx.recent(own[0].container, ZONE, _SAME_SECOND))}
    return max(same, key=lambda f: max((places.get(source, -1) for source in f.sources), default=-1))


async def _ask(call: Call, gone: Gone) -> str:
    """A card with what would go."""
    if not gone.facts and not gone.messages:
        raise call.fault("forget.nothing", what=gone.what)
    messages = [*(m.id for m in gone.messages), *gone.echoes]
    texts = list(dict.fromkeys([*(f.text for f in gone.facts), *(m.text for m in gone.messages)]))
    details = [f"  “{one_line(text)}”" for text in texts[:_SHOWN]]
    shown = [*(str(f.id) for f in gone.facts[:_SHOWN]), *(str(m.id) for m in gone.messages[:_SHOWN])]
    call.act.told.extend(map(FactId, shown))  # the card goes with what it shows, messages included
    details += [call.say("wide.more", count=len(texts) - _SHOWN)] if len(texts) > _SHOWN else []
    details += [call.say("forget.long")] if len(gone.facts) + len(messages) >= _LONG else []
    what = call.say(
        "forget.what", what=gone.what, facts=len(gone.facts), messages=len(dict.fromkeys(messages))
    )
    wanted = ForgetProposal(tuple(f.id for f in gone.facts), tuple(messages))
    return await propose(call.tx, call.context, call.act, wanted, what, details)


async def _from(call: Call, args: Args) -> Gone:
    """All that one person told or wrote."""
    person = who_is(call, args.phrase)
    facts = tuple(f for f in await every_fact(call.tx) if f.teller == person)
    messages = [m async for page in call.tx.every_message(ZONE) for m in page if m.sender == person]
    what = call.say("forget.from", name=shown(call, person))
    return await _with_echoes(call, Gone(facts, tuple(messages), what))


async def _about(call: Call, words: str) -> Gone:
    """Every fact and message that holds all these words, whoever said it, and whatever Tact said of them."""
    wanted, what = set(call.context.reader.tokens(words)), call.say("forget.about", words=one_line(words))
    if not wanted:
        raise call.fault("forget.nothing", what=what)
    known: dict[str, set[str]] = {}
    every = await every_fact(call.tx)
    about = [wanted <= tokens async for tokens in _tokens(call, [f.text for f in every], 0, 0.3, known)]
    sources = {source for fact, holds in zip(every, about, strict=True) if holds for source in fact.sources}
    said = [m async for page in call.tx.every_message(ZONE) for m in page if not _own_command(m)]
    found = [wanted <= tokens async for tokens in _tokens(call, [m.text for m in said], 0.3, 0.9, known)]
    holding = [m.id for m, holds in zip(said, found, strict=True) if holds or m.id in sources]
    whole = set(await with_versions(call.tx, holding))
    told = zip(every, about, strict=True)
    facts = tuple(fact for fact, holds in told if holds or whole & set(fact.sources))
    messages = tuple(m for m in said if m.id in whole)
    return await _with_echoes(call, Gone(facts, messages, what), known)


async def _here(call: Call) -> Gone:
    """Everything said in the chat the command was typed in."""
    if call.message is None:
        raise call.usage()
    here = set(await ids_of(call.tx, call.message.container))
    messages = [m async for page in call.tx.every_message(ZONE) for m in page if m.container in here]
    facts = tuple(f for f in await every_fact(call.tx) if f.container in here)
    return await _with_echoes(call, Gone(facts, tuple(messages), call.say("forget.here")))


async def _tokens(
    call: Call, texts: Sequence[str], start: float, end: float, known: dict[str, set[str]]
) -> AsyncIterator[set[str]]:
    """The index terms of each text, noted in `known`; it says how far it is, between these two parts of the whole."""
    for number, text in enumerate(texts, 1):
        if text not in known:
            known[text] = set(call.context.reader.tokens(text))
        yield known[text]
        if number % _STRETCH == 0:
            call.context.progress(start + (end - start) * number / len(texts))
            await asyncio.sleep(0)


async def _with_echoes(call: Call, gone: Gone, known: dict[str, set[str]] | None = None) -> Gone:
    """With the owner's own commands that share a word with what goes; they are of no use, so one too many is no loss."""
    commands = [
        m async for page in call.tx.every_message(ZONE, Origin.COMMAND) for m in page if _own_command(m)
    ]
    named = [set(call.context.reader.tokens(m.text)) for m in commands]
    open_words, echoed = set().union(*named), set[str]()
    texts = dict.fromkeys([*(f.text for f in gone.facts), *(m.text for m in gone.messages)])
    async for tokens in _tokens(call, list(texts), 0.9, 1, {} if known is None else known):
        echoed |= tokens & open_words
        if echoed >= open_words:
            break
    call.context.progress(1)
    echoes = tuple(m.id for m, words in zip(commands, named, strict=True) if words & echoed)
    return replace(gone, echoes=echoes)


def _own_command(message: RawMessage) -> bool:
    return message.origin is Origin.COMMAND and message.sender == OWNER


FORGET = Command(
    name="forget",
    right=Right.OWNER,
    run=forget,
    aliases=("忘记",),
)

"""`/forget`: erasing for good. One fact goes at once; more than that is shown first and goes when the owner confirms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.commands.args import Args, cut, one_line
from bot.commands.finding import fact_of, looks_like_id
from bot.commands.persons import shown, who_is
from bot.commands.registry import Call, Command, Right, answer
from bot.erasing import erase
from bot.parts import ZONE
from bot.widening import every_fact, forget_act, propose
from engine.ids import OWNER, MessageId
from engine.items import Origin, RawFact, RawMessage
from engine.release import OwnerOnly

_SHOWN = 8
_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class Gone:
    """What would be erased: facts, messages, and why these, in words."""

    facts: tuple[RawFact, ...]
    messages: tuple[RawMessage, ...]
    what: str


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
    beside = [f for f in await every_fact(call.tx) if set(f.sources) & set(fact.sources)]
    if len(beside) > 1:
        what = call.say("forget.with_beside", text=one_line(fact.text))
        return await _ask(call, Gone(tuple(beside), (), what))
    words = call.say("forget.fact", text=one_line(fact.text, 200))
    return f"{words}\n{await _erase(call, [fact], [])}"


async def _message(call: Call, message: RawMessage) -> str:
    """The message replied to, at once."""
    facts = [f for f in await every_fact(call.tx) if message.id in f.sources]
    words = call.say("forget.message", text=one_line(message.text, 200))
    return f"{words}\n{await _erase(call, facts, [message])}"


async def _erase(call: Call, facts: Sequence[RawFact], messages: Sequence[RawMessage]) -> str:
    echoes = await _echoes(call, facts, messages)
    gone = await erase(
        call.tx, call.parts, facts=[f.id for f in facts], messages=[*(m.id for m in messages), *echoes]
    )
    return call.say("erase.gone", facts=gone.facts, messages=gone.messages, turns=gone.turns)


async def _newest_own(call: Call) -> RawFact:
    """The newest fact that the owner told himself: nobody else can slip one in before it."""
    found = next((f for f in await every_fact(call.tx) if f.teller == OWNER), None)
    if found is None:
        raise call.fault("facts.none")
    return found


async def _ask(call: Call, gone: Gone) -> str:
    """A card with what would go."""
    if not gone.facts and not gone.messages:
        raise call.fault("forget.nothing", what=gone.what)
    echoes = await _echoes(call, gone.facts, gone.messages)
    messages = [*(m.id for m in gone.messages), *echoes]
    texts = list(dict.fromkeys([*(f.text for f in gone.facts), *(m.text for m in gone.messages)]))
    details = [f"  “{one_line(text)}”" for text in texts[:_SHOWN]]
    details += [call.say("wide.more", count=len(texts) - _SHOWN)] if len(texts) > _SHOWN else []
    what = call.say(
        "forget.what", what=gone.what, facts=len(gone.facts), messages=len(dict.fromkeys(messages))
    )
    return await propose(call.tx, call.parts, forget_act([f.id for f in gone.facts], messages), what, details)


async def _every_message(call: Call) -> list[RawMessage]:
    return [m for chat in await call.tx.chats() for m in await call.tx.recent(chat.id, ZONE, _ALL)]


async def _from(call: Call, args: Args) -> Gone:
    """All that one person told or wrote."""
    person = who_is(call, args.phrase)
    facts = tuple(f for f in await every_fact(call.tx) if f.teller == person)
    messages = tuple(m for m in await _every_message(call) if m.sender == person)
    return Gone(facts, messages, call.say("forget.from", name=shown(call, person)))


async def _about(call: Call, words: str) -> Gone:
    """Every fact and message that holds all these words, whoever said it, and whatever Tact said of them."""
    wanted, tokens = set(call.parts.reader.tokens(words)), call.parts.reader.tokens
    if not wanted:
        raise call.fault("forget.nothing", what=call.say("forget.about", words=one_line(words)))
    facts = tuple(f for f in await every_fact(call.tx) if wanted <= set(tokens(f.text)))
    sources = {s for f in facts for s in f.sources}
    messages = tuple(
        m
        for m in await _every_message(call)
        if not _own_command(m) and (m.id in sources or wanted <= set(tokens(m.text)))
    )
    return Gone(facts, messages, call.say("forget.about", words=one_line(words)))


async def _here(call: Call) -> Gone:
    """Everything said in the chat the command was typed in."""
    if call.message is None:
        raise call.usage()
    messages = tuple(await call.tx.recent(call.message.container, ZONE, _ALL))
    facts = tuple(f for f in await every_fact(call.tx) if f.container == call.message.container)
    return Gone(facts, messages, call.say("forget.here"))


async def _echoes(call: Call, facts: Iterable[RawFact], messages: Iterable[RawMessage]) -> list[MessageId]:
    """The owner's own commands that share a word with what goes; they are of no further use, so one too many is no loss."""
    tokens = call.parts.reader.tokens
    gone = {t for f in facts for t in tokens(f.text)} | {t for m in messages for t in tokens(m.text)}
    commands = (m for m in await _every_message(call) if _own_command(m))
    return [m.id for m in commands if gone & set(tokens(m.text))]


def _own_command(message: RawMessage) -> bool:
    return message.origin is Origin.COMMAND and message.sender == OWNER


FORGET = Command(
    name="forget",
    right=Right.OWNER,
    grammar={
        "en": (
            "/forget FACT",
            "/forget last",
            "/forget from NAME",
            "/forget about WORDS",
            "/forget here",
            "/forget (as a reply)",
        ),
        "zh": (
            "/忘记 编号",
            "/忘记 最后",
            "/忘记 来自 名字",
            "/忘记 关于 词",
            "/忘记 这里",
            "/忘记（回复某条消息）",
        ),
    },
    help={
        "en": "Erase for good: one fact, the last you told, all from somebody, all about something, all of this chat, "
        "or the message you reply to. More than one fact is shown first.",
        "zh": "永久抹去：一条内容、你最后说的一条、某人说过的全部、关于某事的全部、这个聊天里的全部，或你回复的那条消息。多于一条时先给你看。",
    },
    examples={
        "en": (
            "/forget f_0123456789abcdef",
            "/forget last",
            "/forget from Bob",
            "/forget about the diagnosis",
        ),
        "zh": ("/忘记 f_0123456789abcdef", "/忘记 最后", "/忘记 来自 鲍勃", "/忘记 关于 诊断"),
    },
    run=forget,
    aliases=("忘记",),
)

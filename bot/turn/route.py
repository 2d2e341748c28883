"""Heed: commands, taps on cards, small talk and silence; the turns that memory has no part in."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from functools import partial

from bot.context import ZONE, Channel, Context, OwnerAct, owner_names, zone_of
from bot.memory.annotate import Understood, take, write
from bot.memory.annotate import understand as understand_session
from bot.owner.acts import Answer, act_once, answer_once
from bot.owner.cards import fact_card, tap
from bot.owner.commands.registry import Call, Registry, run_command, split_command
from bot.owner.taps import read_tap
from bot.texts import say
from bot.turn.onboarding import introduction
from bot.turn.record import Turn, close_turn, public_line
from engine.annotation import Act, Reading
from engine.ids import OWNER
from engine.items import Origin
from engine.records import Outcome, TurnTrace
from engine.store import Transaction
from engine.viewers import ChatKind

_PUBLIC = {Act.GREETING: "greeting", Act.THANKS: "thanks", Act.ABOUT: "about", Act.PRIVACY: "privacy"}
_PUBLIC_COMMANDS = {"start": "greeting", "privacy": "privacy"}
_LETTER = re.compile(r"[^\W\d_]")
_TRIES = 5
_ALONE = frozenset({ChatKind.PRIVATE, ChatKind.DIRECT})


async def heed(context: Context, channel: Channel, registry: Registry, turn: Turn) -> TurnTrace | None:
    """Commands, cards, small talk and silence; None when the message asks something that memory may answer."""
    if turn.inbound.elsewhere:
        return await close_turn(context, turn, Outcome.SILENT)
    command = split_command(turn.inbound.text)
    if turn.inbound.edits is not None:
        return await _version(context, channel, turn, command=command is not None)
    if command is not None:
        return await _command(context, channel, registry, turn, *command)
    typed = turn.inbound.origin is Origin.TYPED
    answer = read_tap(turn.inbound.text) if typed and turn.alone_with_owner else None
    if answer is not None:
        found = await act_once(
            context, _key(turn), turn.inbound.container, lambda tx, act: tap(tx, context, act, answer)
        )
        if found is not None:
            await answer_once(channel, found)
            return await close_turn(context, turn, Outcome.COMMAND, found)
    reading = await _read(context, turn, turn.inbound.text)
    if turn.alone_with_owner and reading.act is Act.STATEMENT:
        return await understand(context, channel, turn)
    if not _listens(turn, reading):
        return await close_turn(context, turn, Outcome.SILENT)
    introduced = await _introduce(context, channel, turn, reading)
    if reading.act is not Act.QUESTION:
        if not introduced:
            line = _PUBLIC.get(reading.act, "smalltalk" if reading.act is Act.SMALLTALK else "noted")
            await _say_fitting(context, channel, turn, line, reading)
        return await close_turn(context, turn, Outcome.PUBLIC_LINE)
    return None


async def _version(context: Context, channel: Channel, turn: Turn, *, command: bool) -> TurnTrace:
    """A new version of a message is remembered and not answered; what the owner states in private has its card.

    It carries nothing out: a platform may call an edit what its sender never touched.
    """
    if turn.alone_with_owner and command:
        refused = Answer(_key(turn), say(context.language, "edit.command"))
        await answer_once(channel, refused)
        return await close_turn(context, turn, Outcome.COMMAND, refused)
    if turn.alone_with_owner and read_tap(turn.inbound.text) is None:
        reading = await _read(context, turn, turn.inbound.text)
        if reading.act is Act.STATEMENT:
            return await understand(context, channel, turn)
    return await close_turn(context, turn, Outcome.SILENT)


async def _read(context: Context, turn: Turn, text: str) -> Reading:
    names = owner_names(turn.policy, turn.people)
    reading = await context.reader.read(text, turn.inbound.sent_at, zone_of(turn.policy), names)
    # "?" and "/start" are of no language: Tact's own is a better guess than the reader's.
    return reading if _LETTER.search(text) else replace(reading, language=context.language)


def _listens(turn: Turn, reading: Reading) -> bool:
    """Whether Tact may speak up: by the room's `/mode` (mention, if none was set)."""
    if turn.inbound.evidence.kind in _ALONE:
        return turn.inbound.addressed
    if turn.mode == "never":
        return False
    return turn.inbound.addressed or (turn.mode == "always" and reading.act is Act.QUESTION)


async def _introduce(context: Context, channel: Channel, turn: Turn, reading: Reading) -> bool:
    """Tell somebody new what Tact is, before anything else is said to them."""
    words = await introduction(context, turn, reading)
    if words is not None:
        await channel.say(turn.inbound.container, words, f"{turn.id}/hello")
    return words is not None


async def _say_fitting(context: Context, channel: Channel, turn: Turn, name: str, reading: Reading) -> None:
    """The owner, alone with Tact, is not spoken to as those are who write to him."""
    if turn.alone_with_owner:
        words = say(reading.language, f"own.{name}")
        await answer_once(channel, Answer(_key(turn), words))
    else:
        await say_line(context, channel, turn, name, reading)


async def say_line(context: Context, channel: Channel, turn: Turn, name: str, reading: Reading) -> None:
    """A fixed public line: its bytes depend on the language that the message is read in and on nothing else."""
    await channel.say(
        turn.inbound.container, public_line(context, turn, name, reading.language), f"{turn.id}/line"
    )


async def _command(
    context: Context, channel: Channel, registry: Registry, turn: Turn, name: str, args: str
) -> TurnTrace:
    """An owner's command is answered in his direct chat, whatever the room; anybody else's gets constant bytes.

    A command that the owner did not type himself (a forward, an import) is nobody's command. In a room, a command of
    somebody else's that does not name Tact may be meant for any program there.
    """
    named = "" if name.isascii() else name  # /start says nothing about its sender's language
    reading = await _read(context, turn, args if _LETTER.search(args) else named)
    own = turn.sender == OWNER and turn.inbound.origin is Origin.TYPED and turn.inbound.edits is None
    if not own or (name in _PUBLIC_COMMANDS and registry.get(name) is None):
        return await _not_theirs(context, channel, turn, name, reading)

    async def run(tx: Transaction, act: OwnerAct) -> str | None:
        answered = turn.inbound.reply_to and await tx.message(turn.inbound.reply_to, ZONE)
        policy, people = await tx.policy(), await tx.people()
        call = Call(
            policy,
            people,
            context.language,
            tx,
            context,
            act,
            args,
            turn.message,
            answered or None,
            turn.seen,
            channel=channel,
            turn=turn.id,
            room=turn.inbound.evidence.kind not in _ALONE,
        )
        words = await run_command(registry, name, call, turn.sender)
        return words.text if words else None

    found = await act_once(context, _key(turn), turn.inbound.container, run)
    if found is not None:
        await answer_once(channel, found)
    if not turn.alone_with_owner and turn.mode != "never":
        line = public_line(context, turn, "moved", context.language)
        await channel.say(turn.inbound.container, line, f"{turn.id}/line")
    return await close_turn(context, turn, Outcome.COMMAND, found)


async def _not_theirs(
    context: Context, channel: Channel, turn: Turn, name: str, reading: Reading
) -> TurnTrace:
    """Anybody else's command: the same words, whatever it was and whether there is one of that name."""
    if not _listens(turn, reading):
        return await close_turn(context, turn, Outcome.SILENT)
    public = name in _PUBLIC_COMMANDS
    if not (public and await _introduce(context, channel, turn, replace(reading, act=Act.GREETING))):
        await say_line(context, channel, turn, _PUBLIC_COMMANDS.get(name, "command"), reading)
    return await close_turn(context, turn, Outcome.PUBLIC_LINE)


def _key(turn: Turn) -> str:
    return f"{turn.id}/owner"


class _ChangedError(Exception):
    """What was read is not what stands there any more."""


async def understand(context: Context, channel: Channel, turn: Turn) -> TurnTrace:
    """A private statement of the owner: annotated at once, and shown to him as a card.

    What comes in between each time is left to the queue; the fact then waits for him in `/facts`.
    """
    found = None
    for _ in range(_TRIES):
        async with context.store.transaction() as tx:
            taken = await take(tx, turn.message.session)
        read = await understand_session(context, taken)
        with suppress(_ChangedError):
            found = await act_once(
                context, _key(turn), turn.inbound.container, partial(_card, context, turn, read)
            )
            break
    if found is None:
        found = Answer(_key(turn), say(context.language, "own.noted"))
    await answer_once(channel, found)
    return await close_turn(context, turn, Outcome.NOTED, found)


async def _card(context: Context, turn: Turn, read: Understood, tx: Transaction, act: OwnerAct) -> str | None:
    """The card of what the owner's message states; None if it states nothing new."""
    session = await tx.open_session(turn.inbound.container)
    if session is None:
        return None
    same = session.id == read.taken.session
    facts = await write(tx, context, read, session, context.clock.now()) if same else None
    if facts is None:
        raise _ChangedError
    told = [f for f in facts if f.sources[:1] == (turn.message.id,)]  # what he repeats had its card
    return await fact_card(tx, context, act, told) if told else None

"""Heed: commands, taps on cards, small talk and silence; the turns that memory has no part in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.annotating import ZONE, annotate_session
from bot.cards import fact_card, read_tap, tap
from bot.commands.registry import Call, Registry, run_command, split_command
from bot.parts import Channel, Parts, zone_of
from bot.receiving import Turn, close_turn, public_line
from engine.annotation import Act, Reading
from engine.errors import BadInput
from engine.ids import OWNER
from engine.items import Origin
from engine.release import release_line, release_to_owner
from engine.store import Outcome, Transaction, TurnTrace

_PUBLIC = {Act.GREETING: "greeting", Act.THANKS: "thanks", Act.ABOUT: "about", Act.PRIVACY: "privacy"}
_PUBLIC_COMMANDS = {"start": "greeting", "privacy": "privacy"}


async def heed(parts: Parts, channel: Channel, registry: Registry, turn: Turn) -> TurnTrace | None:
    """Commands, cards, small talk and silence; None when the message asks something that memory may answer."""
    command = split_command(turn.inbound.text)
    if command is not None:
        return await _command(parts, channel, registry, turn, *command)
    typed = turn.inbound.origin is Origin.TYPED
    answer = read_tap(turn.inbound.text) if typed and turn.alone_with_owner else None
    if answer is not None:
        words = await _act(parts, lambda tx, mine: tap(tx, mine, answer))
        if words is not None:
            await channel.tell_owner(release_to_owner(words))
            return await close_turn(parts, turn, Outcome.COMMAND)
    names = (turn.policy.owner_name, *turn.people.names.get(OWNER, ()))
    reading = parts.reader.read(turn.inbound.text, turn.inbound.sent_at, zone_of(turn.policy), names)
    if turn.alone_with_owner and reading.act is Act.STATEMENT:
        return await understand(parts, channel, turn)
    if not turn.inbound.addressed:
        return await close_turn(parts, turn, Outcome.SILENT)
    if reading.act is not Act.QUESTION:
        line = _PUBLIC.get(reading.act, "smalltalk" if reading.act is Act.SMALLTALK else "noted")
        await say_line(parts, channel, turn, line, reading)
        return await close_turn(parts, turn, Outcome.PUBLIC_LINE)
    return None


async def say_line(parts: Parts, channel: Channel, turn: Turn, name: str, reading: Reading) -> None:
    """A fixed public line: its bytes depend on the language of the message and on nothing else."""
    await channel.say(
        turn.inbound.container, public_line(parts, turn, name, reading.language), f"{turn.id}/line"
    )


async def _command(
    parts: Parts, channel: Channel, registry: Registry, turn: Turn, name: str, args: str
) -> TurnTrace:
    """An owner's command is answered in his direct chat, whatever the room; anybody else's gets constant bytes.

    A command that the owner did not type himself (a forward, an import) is nobody's command.
    """
    names = (turn.policy.owner_name,)
    reading = parts.reader.read(args, turn.inbound.sent_at, zone_of(turn.policy), names)
    own = turn.sender == OWNER and turn.inbound.origin is Origin.TYPED
    if not own or (name in _PUBLIC_COMMANDS and registry.get(name) is None):
        await say_line(parts, channel, turn, _PUBLIC_COMMANDS.get(name, "command"), reading)
        return await close_turn(parts, turn, Outcome.PUBLIC_LINE)

    async def run(tx: Transaction, mine: Parts) -> str | None:
        answered = turn.inbound.reply_to and await tx.message(turn.inbound.reply_to, ZONE)
        policy, people = await tx.policy(), await tx.people()
        call = Call(tx, mine, policy, people, args, turn.message, answered or None, turn.seen)
        words = await run_command(registry, name, call, turn.sender)
        return words.text if words else None

    words = await _act(parts, run)
    if words is not None:
        await channel.tell_owner(release_to_owner(words))
    if not turn.alone_with_owner:
        line = parts.lines.line("moved", parts.language, turn.policy.lines, turn.policy.owner_name)
        await channel.say(turn.inbound.container, release_line(line), f"{turn.id}/line")
    return await close_turn(parts, turn, Outcome.COMMAND)


async def _act(parts: Parts, act: Callable[[Transaction, Parts], Awaitable[str | None]]) -> str | None:
    """One act of the owner's, in one transaction; then what had to wait for the commit adds its words.

    An act that is refused changes nothing, and the owner reads why in one line.
    """
    mine = replace(parts, later=[])
    try:
        async with parts.store.transaction() as tx:
            words = await act(tx, mine)
    except BadInput as fault:
        return str(fault)
    added = [await step() for step in mine.later]
    return words if words is None else "\n".join([words, *added])


async def understand(parts: Parts, channel: Channel, turn: Turn) -> TurnTrace:
    """A private statement of the owner: annotated at once, and shown to him as a card."""
    async with parts.store.transaction() as tx:
        session = await tx.open_session(turn.inbound.container)
        facts = await annotate_session(tx, parts, session, parts.clock.now()) if session else []
        mine = [fact for fact in facts if turn.message.id in fact.sources]
        words = await fact_card(tx, parts, mine) if mine else None
    if words is None:
        line = parts.lines.line("noted", parts.language, turn.policy.lines, turn.policy.owner_name)
        words = line
    await channel.tell_owner(release_to_owner(words))
    return await close_turn(parts, turn, Outcome.NOTED)

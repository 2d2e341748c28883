"""Heed: commands, taps on cards, small talk and silence; the turns that memory has no part in."""

from __future__ import annotations

from bot.annotating import ZONE, annotate_session
from bot.cards import fact_card, read_tap, tap
from bot.commands.registry import Call, Registry, run_command, split_command
from bot.parts import Channel, Parts, zone_of
from bot.receiving import Turn, close_turn, public_line
from engine.annotation import Act, Reading
from engine.errors import BadInput
from engine.ids import OWNER
from engine.release import release_line, release_to_owner
from engine.store import Outcome, TurnTrace

_PUBLIC = {Act.GREETING: "greeting", Act.THANKS: "thanks", Act.ABOUT: "about", Act.PRIVACY: "privacy"}
_PUBLIC_COMMANDS = {"start": "greeting", "privacy": "privacy"}


async def heed(parts: Parts, channel: Channel, registry: Registry, turn: Turn) -> TurnTrace | None:
    """Commands, cards, small talk and silence; None when the message asks something that memory may answer."""
    command = split_command(turn.inbound.text)
    if command is not None:
        return await _command(parts, channel, registry, turn, *command)
    answer = read_tap(turn.inbound.text) if turn.alone_with_owner else None
    if answer is not None:
        async with parts.store.transaction() as tx:
            words = await tap(tx, parts, answer)
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
    await channel.say(turn.inbound.container, public_line(parts, turn, name, reading.language), f"{turn.id}/line")


async def _command(
    parts: Parts, channel: Channel, registry: Registry, turn: Turn, name: str, args: str
) -> TurnTrace:
    """An owner's command is answered in his direct chat, whatever the room; anybody else's gets constant bytes."""
    names = (turn.policy.owner_name,)
    reading = parts.reader.read(args, turn.inbound.sent_at, zone_of(turn.policy), names)
    if turn.sender != OWNER:
        await say_line(parts, channel, turn, _PUBLIC_COMMANDS.get(name, "command"), reading)
        return await close_turn(parts, turn, Outcome.PUBLIC_LINE)
    try:
        async with parts.store.transaction() as tx:
            answered = turn.inbound.reply_to and await tx.message(turn.inbound.reply_to, ZONE)
            policy, people = await tx.policy(), await tx.people()
            call = Call(tx, parts, policy, people, args, turn.message, answered or None, turn.seen)
            words = await run_command(registry, name, call, turn.sender)
    except BadInput as fault:
        words = release_to_owner(str(fault))
    if words is not None:
        await channel.tell_owner(words)
    if not turn.alone_with_owner:
        line = parts.lines.line("moved", parts.language, turn.policy.lines, turn.policy.owner_name)
        await channel.say(turn.inbound.container, release_line(line), f"{turn.id}/line")
    return await close_turn(parts, turn, Outcome.COMMAND)


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



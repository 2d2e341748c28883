"""`/mode` and `/rollcall`: when Tact speaks up in a group, and asking who is in it."""

from __future__ import annotations

from bot.owner.commands.audience import called, counted
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.owner.names import Words
from bot.owner.queries.chats import Census, Mode, census, mode_of, room
from bot.turn.record import mode_note
from engine.errors import TactError
from engine.people import folded
from engine.release import OwnerOnly, release_line

MODES = {
    "mention": ("mention", "mentioned", "提到"),
    "always": ("always", "总是"),
    "never": ("never", "从不"),
}


async def mode(call: Call) -> OwnerOnly:
    """Show or set when Tact answers in this room."""
    if not in_a_room(call) or call.message is None:
        raise call.fault("mode.only_rooms")
    container = call.message.container
    if not call.args:
        return call.show(
            await mode_of(call.tx, container), lambda words, found: _mode(words, "mode.is", found)
        )
    chosen = next((name for name, words in MODES.items() if folded(call.args) in words), None)
    if chosen is None:
        raise call.usage()
    await call.tx.put_note(mode_note(container), "" if chosen == "mention" else chosen)
    return call.show(await mode_of(call.tx, container), lambda words, found: _mode(words, "mode.set", found))


def _mode(words: Words, key: str, found: Mode) -> str:
    return words.say(key, room=called(found.room), mode=words.say(f"mode.{found.mode}"))


def in_a_room(call: Call) -> bool:
    """Whether the command was typed where somebody else may be."""
    return call.message is not None and not call.message.alone and call.room


async def rollcall(call: Call) -> OwnerOnly:
    """Post a line with a button; each press shows for certain that somebody is there."""
    channel, message = call.channel, call.message
    if call.args:
        raise call.usage()
    if not in_a_room(call) or message is None or channel is None or not channel.has_buttons:
        raise call.fault("rollcall.only_rooms")
    line, button = (
        release_line(call.context.lines.line(name, call.language, call.policy.lines, call.policy.owner_name))
        for name in ("rollcall", "here")
    )

    async def post() -> Census | None:
        try:
            await channel.say(message.container, line, f"{call.turn}/roll", roll=button)
        except TactError as fault:
            return Census(fault=str(fault))
        return await census(channel, call.policy, call.people, message.container)

    call.show_later(post, counted)
    return answer(call.say("rollcall.done", room=called(await room(call.tx, message.container))))


MODE = Command(
    name="mode",
    right=Right.OWNER,
    run=mode,
    aliases=("模式",),
)

ROLLCALL = Command(
    name="rollcall",
    right=Right.OWNER,
    run=rollcall,
    aliases=("点名",),
)

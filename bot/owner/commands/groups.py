"""`/mode` and `/rollcall`: when Tact speaks up in a group, and asking who is in it."""

from __future__ import annotations

from bot.owner.commands.args import one_line
from bot.owner.commands.audience import census
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.turn.record import mode_note
from engine.errors import TactError
from engine.ids import ContainerId
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
    note = mode_note(call.message.container)
    if not call.args:
        kept = await call.tx.note(note) or "mention"
        return answer(call.say("mode.is", room=await room_name(call), mode=call.say(f"mode.{kept}")))
    chosen = next((name for name, words in MODES.items() if folded(call.args) in words), None)
    if chosen is None:
        raise call.usage()
    await call.tx.put_note(note, "" if chosen == "mention" else chosen)
    return answer(call.say("mode.set", room=await room_name(call), mode=call.say(f"mode.{chosen}")))


def in_a_room(call: Call) -> bool:
    """Whether the command was typed where somebody else may be."""
    return call.message is not None and not call.message.alone and call.room


async def room_name(call: Call) -> str:
    """The room's own name, else its id."""
    container = call.message.container if call.message else ContainerId("")
    titles = {chat.id: chat.title for chat in await call.tx.chats()}
    return one_line(titles.get(container, ""), 40) or str(container)


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

    async def post() -> str:
        try:
            await channel.say(message.container, line, f"{call.turn}/roll", roll=button)
        except TactError as fault:
            return call.say("resend.failed", why=fault)
        return await census(call)

    call.act.later.append(post)
    return answer(call.say("rollcall.done", room=await room_name(call)))


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

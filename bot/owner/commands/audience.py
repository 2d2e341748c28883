"""`/audience`: who can read a room, and on what evidence."""

from __future__ import annotations

from bot.owner.commands.args import one_line
from bot.owner.commands.registry import Call, Command, Right
from bot.owner.names import Words
from bot.owner.queries.chats import Census, Readers, Room, Rooms, census, readers, rooms
from bot.platforms import PLATFORMS
from engine.audience import OWNER_ONLY
from engine.release import OwnerOnly
from engine.viewers import FutureReaders, Known, Open


async def audience(call: Call) -> OwnerOnly:
    """This room; in the owner's direct chat, all rooms."""
    if call.args:
        raise call.usage()
    seen, message, channel = call.viewers, call.message, call.channel
    if seen is None or message is None or seen.upper == OWNER_ONLY:
        return call.show(await rooms(call.tx), _rooms)
    if channel is not None and not isinstance(seen, Open):  # it asks the platform: not inside the transaction
        call.show_later(lambda: census(channel, call.policy, call.people, message.container), counted)
    return call.show(await readers(call.tx, call.policy, message.container, seen), _readers)


def called(room: Room) -> str:
    """The room's own name, else its id."""
    return one_line(room.title, 40) or str(room.id)


def _readers(words: Words, found: Readers) -> str:
    """Both bounds in words, with the evidence, and whether later members can read."""
    viewers = found.viewers
    lines = [words.say("audience.room", room=called(found.room))]
    if isinstance(viewers, Known):
        lines.append(words.say("audience.known", people=words.audience(viewers.upper)))
    elif isinstance(viewers, Open):
        evidence = words.say("open.world" if viewers.world else "open.organisation")
        lines.append(words.say("audience.open", evidence=evidence))
    else:
        lines.append(words.say("audience.unknown", reason=fault_in_words(words, viewers.reason)))
    lines += [] if viewers.future is FutureReaders.NONE else [words.say(f"future.{viewers.future}")]
    return "\n".join([*lines, *([words.say("audience.consent")] if found.consented else [])])


def counted(words: Words, found: Census) -> str:
    """Of how many people in a room Tact knows that they are there."""
    if found.fault is not None:
        return words.say("resend.failed", why=found.fault)
    if found.known is None:
        return words.say("census.none")
    left = found.total - found.known
    return words.say("census.known", known=found.known, total=found.total, unknown=left)


_FAULTS = {
    "Tact is not an administrator of this group": "fault.not_admin",
    **{
        f"{kind.title} did not answer when asked for the members": "fault.no_answer"
        for kind in PLATFORMS.values()
    },
    "the group is public: anybody can read it": "fault.public",
    "a channel is linked to this group: its subscribers can read along": "fault.linked",
    "not a plain group": "fault.other",
    "more than 20 members": "fault.too_many",
    "somebody came or went while the members were counted": "fault.moving",
    "somebody came or went a moment ago": "fault.not_quiet",
    "unknown kind of chat": "fault.kind",
    "no authenticated sender": "fault.sender",
    "no complete member list": "fault.list",
    "the member list is older than the last membership event": "fault.stale",
    "the sender is not on the member list": "fault.sender_missing",
    "somebody seen here is not on the member list": "fault.somebody_missing",
    "the member count does not match the member list": "fault.count",
    "a bot that the owner has not enrolled is present": "fault.bot",
}


def fault_in_words(words: Words, reason: str) -> str:
    """Why viewers are unknown, in the owner's language where the reason is one of the engine's own."""
    key = _FAULTS.get(reason)
    return words.say(key) if key else reason


def _rooms(words: Words, found: Rooms) -> str:
    """Every chat, with those for whom its newest message was recorded."""
    lines = [
        words.say(
            "audience.line",
            room=called(one.room),
            people=words.audience(one.audience),
            day=words.time(one.at),
        )
        for one in found.rooms
    ]
    return "\n".join([words.say("audience.rooms"), *lines]) if lines else words.say("audience.none")


AUDIENCE = Command(
    name="audience",
    right=Right.OWNER,
    run=audience,
    aliases=("听众",),
)

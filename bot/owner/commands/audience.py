"""`/audience`: who can read a room, and on what evidence."""

from __future__ import annotations

from bot.context import ZONE, zone_of
from bot.owner.commands.args import one_line
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.owner.names import audience_in_words, time_in_words
from bot.platforms import PLATFORMS
from engine.audience import OWNER_ONLY
from engine.platform import insiders
from engine.records import Chat
from engine.release import OwnerOnly
from engine.viewers import FutureReaders, Known, Open, Viewers


async def audience(call: Call) -> OwnerOnly:
    """This room; in the owner's direct chat, all rooms."""
    if call.args:
        raise call.usage()
    if call.viewers is None or call.message is None or call.viewers.upper == OWNER_ONLY:
        return answer(await _rooms(call))
    titles = {chat.id: chat.title for chat in await call.tx.chats()}
    name = one_line(titles.get(call.message.container, ""), 40) or str(call.message.container)
    lines = [call.say("audience.room", room=name), *_viewers(call, call.viewers)]
    if not isinstance(call.viewers, Open):
        call.act.later.append(lambda: census(call))  # it asks the platform: not inside the transaction
    if call.message.container in call.policy.room_consents:
        lines.append(call.say("audience.consent"))
    return answer("\n".join(lines))


def _viewers(call: Call, viewers: Viewers) -> list[str]:
    """Both bounds in words, with the evidence, and whether later members can read."""
    later = [] if viewers.future is FutureReaders.NONE else [call.say(f"future.{viewers.future}")]
    if isinstance(viewers, Known):
        people = audience_in_words(viewers.upper, call.people, call.language)
        return [call.say("audience.known", people=people), *later]
    if isinstance(viewers, Open):
        return [
            call.say(
                "audience.open", evidence=call.say("open.world" if viewers.world else "open.organisation")
            ),
            *later,
        ]
    known = call.say("audience.unknown", reason=fault_in_words(call, viewers.reason))
    return [known, *later]


async def census(call: Call) -> str:
    """Of how many people in this room Tact knows that they are there; empty where the platform has no such count."""
    if call.channel is None or call.message is None:
        return ""
    found = await call.channel.look(call.message.container, insiders(call.policy, call.people))
    if found.snapshot:  # a list that is complete by itself needs no counting
        return ""
    if found.roster is None or found.reported_count is None:
        return call.say("census.none")
    known, total = len(found.roster), found.reported_count
    return call.say("census.known", known=known, total=total, unknown=total - known)


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


def fault_in_words(call: Call, reason: str) -> str:
    """Why viewers are unknown, in the owner's language where the reason is one of the engine's own."""
    key = _FAULTS.get(reason)
    return call.say(key) if key else reason


async def _rooms(call: Call) -> str:
    """Every chat, with those for whom its newest message was recorded."""
    lines = []
    for chat in await call.tx.chats():
        newest = await call.tx.recent(chat.id, ZONE, 1)
        if not newest or newest[-1].audience == OWNER_ONLY:
            continue
        lines.append(
            call.say(
                "audience.line",
                room=_name(chat),
                people=audience_in_words(newest[-1].audience, call.people, call.language),
                day=time_in_words(newest[-1].sent_at, zone_of(call.policy), day_only=False),
            )
        )
    return "\n".join([call.say("audience.rooms"), *lines]) if lines else call.say("audience.none")


def _name(chat: Chat) -> str:
    return one_line(chat.title, 40) or str(chat.id)


AUDIENCE = Command(
    name="audience",
    right=Right.OWNER,
    run=audience,
    aliases=("听众",),
)

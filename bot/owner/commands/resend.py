"""`/resend`: what may or may not have arrived, and sending it once more because the owner says so."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from bot.context import ZONE, Channel
from bot.owner.commands.args import one_line
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.texts import say
from engine.errors import TactError
from engine.ids import ContainerId
from engine.mailroom import Sending, SendingKind, State
from engine.platform import insiders
from engine.release import OwnerOnly, Place, release_facts, release_line, release_reply, release_to_owner
from engine.store import Scope, Transaction
from engine.viewers import viewers

_SHOWN = 60
_LISTED = 10


async def resend(call: Call) -> OwnerOnly:
    """List what is uncertain, or send one of it again, with what was held back behind it."""
    kept = [s for state in (State.UNCERTAIN, State.HELD) for s in await call.tx.sendings(state)]
    waiting = sorted((s for s in kept if s.text), key=_place)  # the words of others are forgotten
    if not call.args:
        return answer(await _list(call, waiting))
    found = [sending for sending in waiting if sending.key == call.args.strip()]
    if not found:
        raise call.fault("resend.unknown", "resend.unknown_fix", delivery=one_line(call.args, 40))
    wanted = [found[0], *await held_behind(call.tx, found[0])]
    for sending in wanted:
        await call.tx.put_sending(replace(sending, text="", state=State.DROPPED, used=()))

    async def again() -> str:
        for number, sending in enumerate(wanted):
            try:
                if not await _again(call, sending):
                    return call.say("resend.no_longer")
            except TactError as fault:
                async with call.context.store.transaction() as tx:
                    for left in wanted[number:]:
                        await tx.put_sending(left)
                return call.say("resend.failed", why=fault)
        return call.say("resend.done")

    call.act.later.append(again)
    return answer(f"/resend {found[0].key}")


def _place(sending: Sending) -> tuple[str, int]:
    """A delivery's key and the number of the part."""
    key, _, number = sending.key.rpartition("#")
    return key, int(number) if number.isdecimal() else 0


async def held_behind(tx: Transaction, sending: Sending) -> list[Sending]:
    """The parts that wait behind one, in order."""
    key, number = _place(sending)
    held = [
        s for s in await tx.sendings(State.HELD) if s.text and _place(s)[0] == key and _place(s)[1] > number
    ]
    return sorted(held, key=_place)


async def _list(call: Call, waiting: list[Sending]) -> str:
    if not waiting:
        return call.say("resend.none")
    listed = waiting[-_LISTED:]
    call.act.told.extend(fact for sending in listed for fact in sending.used)
    lines = [
        call.say(
            "resend.held_line" if s.state == State.HELD else "resend.line",
            delivery=s.key,
            room=await named(call.tx, s.container, call.language),
            text=one_line(s.text, _SHOWN),
        )
        for s in listed
    ]
    return "\n".join([call.say("resend.title"), *lines, call.say("resend.how")])


async def named(tx: Transaction, container: ContainerId, language: str) -> str:
    """What a chat is called; a direct chat has no name."""
    title = next((chat.title for chat in await tx.chats() if chat.id == container), "")
    return one_line(title, 40) or say(language, "room.direct")


async def _again(call: Call, sending: Sending) -> bool:
    """Send it under a new key, judged afresh; False if it may not be said there any more."""
    channel, key = call.channel, f"{sending.key}!{call.turn}"
    if channel is None:
        return False
    match sending.kind:
        case SendingKind.OWNER:
            await channel.tell_owner(release_to_owner(sending.text), key)
            return True
        case SendingKind.LINE:
            await channel.say(sending.container, release_line(sending.text), key)
            return True
        case SendingKind.REPLY:
            return await _judged_afresh(call, channel, sending, key)
        case _ as never:
            assert_never(never)


async def _judged_afresh(call: Call, channel: Channel, sending: Sending, key: str) -> bool:
    """Send a reply once more, if everything in it may still be said there."""
    seen = viewers(
        await channel.look(sending.container, insiders(call.policy, call.people)), call.people.mapping
    )
    async with call.context.store.transaction() as tx:
        policy = await tx.policy()
        place = Place(seen, sending.container, sending.container in policy.room_consents)
        facts = await tx.facts(sending.used, Scope(place.upper))
        passed = {fact.id for fact in release_facts(facts, place, policy)[0]}
        heard = await tx.recorded(sending.key.partition("#")[0])
        message = await tx.message(heard, ZONE) if heard else None
    bound = message is not None and message.audience.covers(place.upper)
    if not passed >= set(sending.used) or not (sending.used or bound):
        return False
    await channel.say(sending.container, release_reply(sending.text, place, sending.used, ""), key)
    return True


RESEND = Command(
    name="resend",
    right=Right.OWNER,
    run=resend,
    aliases=("重发",),
)

"""`/resend`: what may or may not have arrived, and sending it once more because the owner says so."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from bot.context import ZONE, Channel
from bot.owner.commands.args import one_line
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.owner.names import Words
from bot.owner.queries.deliveries import Again, Deliveries, Resent, deliveries, held_behind, waiting
from bot.texts import say
from engine.errors import TactError
from engine.mailroom import Sending, SendingKind, State
from engine.platform import insiders
from engine.release import OwnerOnly, Place, release_facts, release_line, release_reply, release_to_owner
from engine.store import Scope
from engine.viewers import viewers

_SHOWN = 60
_OUTCOMES = {
    Again.DONE: "resend.done",
    Again.NO_LONGER: "resend.no_longer",
    Again.FAILED: "resend.failed",
}


async def resend(call: Call) -> OwnerOnly:
    """List what is uncertain, or send one of it again, with what was held back behind it."""
    if not call.args:
        return call.show(await deliveries(call.tx), _listed)
    found = [sending for sending in await waiting(call.tx) if sending.key == call.args.strip()]
    if not found:
        raise call.fault("resend.unknown", "resend.unknown_fix", delivery=one_line(call.args, 40))
    wanted = [found[0], *await held_behind(call.tx, found[0])]
    for sending in wanted:
        await call.tx.put_sending(replace(sending, text="", state=State.DROPPED, used=()))

    async def again() -> Resent:
        for number, sending in enumerate(wanted):
            try:
                if not await _again(call, sending):
                    return Resent(Again.NO_LONGER)
            except TactError as fault:
                async with call.context.store.transaction() as tx:
                    for left in wanted[number:]:
                        await tx.put_sending(left)
                return Resent(Again.FAILED, str(fault))
        return Resent(Again.DONE)

    call.show_later(again, _resent)
    return answer(f"/resend {found[0].key}")


def _resent(words: Words, found: Resent) -> str:
    return words.say(_OUTCOMES[found.outcome], why=found.fault)


def _listed(words: Words, found: Deliveries) -> str:
    if not found.deliveries:
        return words.say("resend.none")
    lines = [
        words.say(
            "resend.held_line" if one.held else "resend.line",
            delivery=one.key,
            room=called(one.place, words.language),
            text=one_line(one.text, _SHOWN),
        )
        for one in found.deliveries
    ]
    return "\n".join([words.say("resend.title"), *lines, words.say("resend.how")])


def called(title: str, language: str) -> str:
    """What a chat of this title is called; a direct chat has none."""
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

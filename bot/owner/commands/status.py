"""`/status` and `/timezone`: how things stand, and the clock that dates are read by."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from zoneinfo import available_timezones

from bot.context import zone_of
from bot.memory.erasure import waits
from bot.owner.commands.args import one_line
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.owner.names import time_in_words
from engine.errors import BadInput
from engine.people import folded
from engine.release import OwnerOnly

_NEAR = 4
_COUNTS = (
    "accounts", "chats", "messages", "sessions", "facts", "edges", "links", "policy versions", "turns", "cards",
    "pending", "tombstones",
)  # fmt: skip


def status_command(folder: str) -> Command:
    """`/status` for a memory in this folder."""

    async def run(call: Call) -> OwnerOnly:
        if call.args:
            raise call.usage()
        counts = await call.tx.counts()
        waiting = len(await call.tx.sessions_to_do(call.context.clock.now()))
        model = call.context.embedder
        lines = [
            call.say("status.title"),
            *(call.say("status.count", what=_named(call, what), count=n) for what, n in counts.items()),
            call.say("status.policy", version=call.policy.version, categories=len(call.policy.categories),
                     contacts=len(call.policy.contacts)),
            call.say("status.waiting", count=waiting),
            *await _erasing(call),
            call.say("status.embedder", name=model.name) if model.dimension else call.say("status.no_embedder"),
            *_of_the_model(call),
            call.say("status.zone", zone=call.policy.timezone),
            *([call.say("status.folder", folder=folder)] if folder else []),
        ]  # fmt: skip
        return answer("\n".join(lines))

    return Command(
        name="status",
        right=Right.OWNER,
        run=run,
        aliases=("状态",),
    )


async def _erasing(call: Call) -> list[str]:
    """What was erased and is not gone everywhere yet."""
    since, shown = await waits(call.tx), len(await call.tx.still_shown())
    lines = []
    if since is not None:
        name = "status.erasing_compact" if call.context.store.compacted_by_hand else "status.erasing"
        lines.append(call.say(name, time=time_in_words(since, zone_of(call.policy), day_only=False)))
    return [*lines, call.say("status.shown", count=shown)] if shown else lines


def _of_the_model(call: Call) -> list[str]:
    """Who words the replies, and what that took since this start: counted in memory, and not kept."""
    if call.context.writer is None:
        return [call.say("status.no_model")]
    spent = call.context.writer.spent()
    line = call.say(
        "status.model",
        name=spent.model,
        calls=spent.calls,
        failed=spent.failed,
        tokens_in=spent.tokens_in,
        tokens_out=spent.tokens_out,
        cost=f"{spent.cost:.4f}",
    )
    used_up = [call.say("status.model_rests")] if spent.used_up else []
    return [line, *used_up, *([call.say("status.model_pauses")] if spent.resting else [])]


def _named(call: Call, what: str) -> str:
    return call.say(f"count.{what.replace(' ', '_')}") if what in _COUNTS else what


async def timezone(call: Call) -> OwnerOnly:
    """Show or set the owner's zone."""
    now = call.context.clock.now()
    if not call.args:
        local = time_in_words(now, zone_of(call.policy), day_only=False)
        return answer(call.say("zone.is", zone=call.policy.timezone, time=local))
    zone = find_zone(call, call.args)
    if zone == call.policy.timezone:
        return answer(call.say("zone.same", zone=zone))
    policy = await call.tx.save_policy(replace(call.policy, timezone=zone), now)
    local = time_in_words(now, zone_of(policy), day_only=False)
    return answer(call.say("zone.set", zone=zone, time=local))


def find_zone(call: Call, text: str) -> str:
    """The IANA name that is meant, whatever its case; a city alone is not guessed.

    Raises:
        BadInput: there is no such zone; the nearest names are listed.
    """
    wanted = folded(text).replace(" ", "_")
    names = {name.casefold(): name for name in available_timezones()}
    if wanted in names:
        return names[wanted]
    cities = [name for name in names if name.rpartition("/")[2] == wanted]
    near = cities or get_close_matches(wanted, names, n=_NEAR, cutoff=0.6)
    near = near or [n for n in names if get_close_matches(wanted, [n.rpartition("/")[2]], cutoff=0.7)]
    shown = ", ".join(sorted(names[n] for n in near[:_NEAR]))
    fix = call.say("zone.near", names=shown) if shown else call.say("zone.shape")
    raise BadInput(call.say("zone.unknown", zone=one_line(text, 40)), fix=fix)


TIMEZONE = Command(
    name="timezone",
    right=Right.OWNER,
    run=timezone,
    aliases=("时区",),
)

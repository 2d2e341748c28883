"""`/status` and `/timezone`: how things stand, and the clock that dates are read by."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from zoneinfo import available_timezones

from bot.owner.commands.args import one_line
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.owner.names import Words
from bot.owner.queries.overview import Overview, overview
from engine.errors import BadInput
from engine.people import folded
from engine.ports import Spent
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
        return call.show(await overview(call.tx, call.context, call.policy, folder), _stand)

    return Command(
        name="status",
        right=Right.OWNER,
        run=run,
        aliases=("状态",),
    )


def _stand(words: Words, found: Overview) -> str:
    lines = [
        words.say("status.title"),
        *(words.say("status.count", what=_named(words, what), count=n) for what, n in found.counts.items()),
        words.say("status.policy", version=found.policy_version, categories=found.categories,
                  contacts=found.contacts),
        words.say("status.waiting", count=found.waiting),
        *_erasing(words, found),
        words.say("status.embedder", name=found.embedder) if found.embedder else words.say("status.no_embedder"),
        *_of_the_model(words, found.model),
        words.say("status.zone", zone=found.timezone),
        *([words.say("status.folder", folder=found.folder)] if found.folder else []),
    ]  # fmt: skip
    return "\n".join(lines)


def _erasing(words: Words, found: Overview) -> list[str]:
    """What was erased and is not gone everywhere yet."""
    lines = []
    if found.erasing_since is not None:
        name = "status.erasing_compact" if found.compacted_by_hand else "status.erasing"
        lines.append(words.say(name, time=words.time(found.erasing_since)))
    return [*lines, words.say("status.shown", count=found.shown)] if found.shown else lines


def _of_the_model(words: Words, spent: Spent | None) -> list[str]:
    """Who words the replies, and what that took since this start: counted in memory, and not kept."""
    if spent is None:
        return [words.say("status.no_model")]
    line = words.say(
        "status.model",
        name=spent.model,
        calls=spent.calls,
        failed=spent.failed,
        tokens_in=spent.tokens_in,
        tokens_out=spent.tokens_out,
        cost=f"{spent.cost:.4f}",
    )
    used_up = [words.say("status.model_rests")] if spent.used_up else []
    return [line, *used_up, *([words.say("status.model_pauses")] if spent.resting else [])]


def _named(words: Words, what: str) -> str:
    return words.say(f"count.{what.replace(' ', '_')}") if what in _COUNTS else what


async def timezone(call: Call) -> OwnerOnly:
    """Show or set the owner's zone."""
    now = call.context.clock.now()
    if not call.args:
        return answer(call.say("zone.is", zone=call.policy.timezone, time=call.time(now)))
    zone = find_zone(call, call.args)
    if zone == call.policy.timezone:
        return answer(call.say("zone.same", zone=zone))
    policy = await call.tx.save_policy(replace(call.policy, timezone=zone), now)
    return answer(call.say("zone.set", zone=zone, time=replace(call, policy=policy).time(now)))


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

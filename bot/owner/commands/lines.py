"""`/line`: the fixed public lines, which the owner may word himself. Everybody else reads the same bytes."""

from __future__ import annotations

from dataclasses import replace

from bot.owner.commands.args import Args, cut, one_line
from bot.owner.commands.registry import Call, Command, Right, answer
from config.languages import language_called, languages
from engine.people import folded
from engine.release import OwnerOnly

NAMES = (
    "greeting", "thanks", "smalltalk", "about", "privacy", "noted", "deflection", "nothing", "command", "moved",
)  # fmt: skip
_LONGEST = 1000


async def line(call: Call) -> OwnerOnly:
    """Dispatch to the form that was meant."""
    args = cut(call.args)
    if args.starts("list") and len(args) == 1:
        return answer(_list(call))
    if args.starts("set") and len(args) > 3:  # noqa: PLR2004 - name, language and a word at least
        return answer(await _set(call, args))
    if args.starts("reset") and len(args) == 2:  # noqa: PLR2004
        return answer(await _reset(call, _name(call, args[1:].phrase)))
    raise call.usage()


def _says(call: Call, name: str, language: str) -> str | None:
    """What a line says now; None if this installation has no such line."""
    try:
        return call.context.lines.line(name, language, call.policy.lines, call.policy.owner_name)
    except KeyError:
        return None


def _known(call: Call) -> list[str]:
    return [name for name in NAMES if _says(call, name, "en") is not None]


def _list(call: Call) -> str:
    lines = [
        call.say("line.row", name=name, code=language, text=_says(call, name, language) or "",
                 own=call.say("line.own") if (name, language) in call.policy.lines else "")
        for name in _known(call)
        for language in languages()
    ]  # fmt: skip
    return "\n".join([call.say("line.title"), *lines])


def _name(call: Call, text: str) -> str:
    name = folded(text)
    if name not in _known(call):
        raise call.fault("line.unknown", "line.names", name=one_line(text, 40), names=", ".join(_known(call)))
    return name


async def _set(call: Call, args: Args) -> str:
    """`set NAME en|zh TEXT`."""
    name = _name(call, args[1:2].phrase)
    wanted = folded(args[2:3].phrase)
    language = language_called(wanted)
    text = args[3:].phrase
    if language is None or not text or len(text) > _LONGEST:
        raise call.fault("line.bad", "line.bad_fix", longest=_LONGEST)
    lines = {**call.policy.lines, (name, language): text}
    policy = await call.tx.save_policy(replace(call.policy, lines=lines), call.context.clock.now())
    return call.say("line.set", name=name, text=_says(replace(call, policy=policy), name, language) or text)


async def _reset(call: Call, name: str) -> str:
    kept = {key: text for key, text in call.policy.lines.items() if key[0] != name}
    if len(kept) == len(call.policy.lines):
        return call.say("line.not_own", name=name)
    await call.tx.save_policy(replace(call.policy, lines=kept), call.context.clock.now())
    return call.say("line.reset", name=name)


LINE = Command(
    name="line",
    right=Right.OWNER,
    run=line,
    aliases=("台词",),
)

"""`/line`: the fixed public lines, which the owner may word himself. Everybody else reads the same bytes."""

from __future__ import annotations

from dataclasses import replace

from bot.owner.commands.args import Args, cut, one_line
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.owner.names import Words
from bot.owner.queries.arrangements import PublicLines, public_lines
from config.languages import language_called
from engine.people import folded
from engine.release import OwnerOnly

_LONGEST = 1000


async def line(call: Call) -> OwnerOnly:
    """Dispatch to the form that was meant."""
    args = cut(call.args)
    if args.starts("list") and len(args) == 1:
        return call.show(public_lines(call.context.lines, call.policy), _lines)
    if args.starts("set") and len(args) > 3:  # noqa: PLR2004 - name, language and a word at least
        return answer(await _set(call, args))
    if args.starts("reset") and len(args) == 2:  # noqa: PLR2004
        return answer(await _reset(call, _name(call, args[1:].phrase)))
    raise call.usage()


def _lines(words: Words, found: PublicLines) -> str:
    lines = [
        words.say("line.row", name=one.name, code=one.language, text=one.text,
                  own=words.say("line.own") if one.own else "")
        for one in found.lines
    ]  # fmt: skip
    return "\n".join([words.say("line.title"), *lines])


def _name(call: Call, text: str) -> str:
    name = folded(text)
    known = dict.fromkeys(one.name for one in public_lines(call.context.lines, call.policy).lines)
    if name not in known:
        raise call.fault("line.unknown", "line.names", name=one_line(text, 40), names=", ".join(known))
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
    said = call.context.lines.line(name, language, policy.lines, policy.owner_name)
    return call.say("line.set", name=name, text=said)


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

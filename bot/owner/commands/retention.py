"""`/retention`: after how long what was said in a chat, or of a category, is forgotten."""

from __future__ import annotations

from dataclasses import replace

from bot.memory.retention import ALL, due, in_days, subject, subject_called, with_all
from bot.owner.commands.args import Args, cut, one_line
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.owner.names import Words
from bot.owner.proposals import propose
from bot.owner.queries.arrangements import Keepings, keepings
from config.defaults import find_category
from config.retention_file import days_of
from engine.cards import RetentionProposal
from engine.release import OwnerOnly
from engine.retention import Period


async def retention(call: Call) -> OwnerOnly:
    """Show the periods, or set or take away one."""
    args = cut(call.args)
    if not len(args):
        return call.show(await keepings(call.tx, call.policy, call.context.clock.now()), _shown)
    if args.starts("here") and len(args) > 1:
        where = call.message.container if call.message else None
        return answer(await _set(call, Period(0, chat=where), args[1:]))
    if args.starts("category") and len(args) > 2:  # noqa: PLR2004 - the keyword, a name, a period
        name, rest = _named(args[1:])
        category = find_category(call.policy.categories, name.phrase)
        if category is None:
            names = ", ".join(c.name for c in call.policy.categories)
            raise call.fault("keep.no_category", "keep.which", name=one_line(name.phrase, 40), names=names)
        return answer(await _set(call, Period(0, category=category.name), rest))
    raise call.usage()


def _named(args: Args) -> tuple[Args, Args]:
    """A category's name, and the period after it: its last word, or two (`30 days`)."""
    last = 2 if len(args) > 2 and days_of(args[-2:].phrase) else 1  # noqa: PLR2004
    return args[:-last], args[-last:]


async def _set(call: Call, period: Period, args: Args) -> str:
    """Set a period at once if nothing is that old yet; else show first what would go."""
    what = await subject(call.tx, period, call.language)
    if len(args) == 1 and args.starts("off"):
        return await _off(call, period, what)
    days = days_of(args.phrase)
    if days is None:
        raise call.fault("keep.bad_period", "keep.period_fix", text=one_line(args.phrase, 40))
    period = replace(period, days=days)
    now = call.context.clock.now()
    found = await due(call.tx, period, now, ALL)
    words = {"what": what, "period": in_days(days, call.language)}
    if not found:
        await _save(call, period)
        return call.say("keep.set", **words)
    messages, facts = await with_all(call.tx, found)
    card = call.say("keep.what", **words, facts=len(facts), messages=len(messages))
    others = sum(1 for fact in facts if period.category and fact.category != period.category)
    details = [call.say("keep.beside", count=others)] if others else []
    return await propose(call.tx, call.context, call.act, RetentionProposal(period), card, details)


async def _off(call: Call, period: Period, what: str) -> str:
    if not call.policy.retention.of(chat=period.chat, category=period.category):
        raise call.fault("keep.was_off", what=what)
    await _save(call, period)
    return call.say("keep.off", what=what)


async def _save(call: Call, period: Period) -> None:
    policy = replace(call.policy, retention=call.policy.retention.put(period))
    await call.tx.save_policy(policy, call.context.clock.now())


def _shown(words: Words, found: Keepings) -> str:
    """Every period, with how much it is about and when the next goes."""
    if not found.periods:
        return words.say("keep.none")
    lines = [words.say("keep.title")]
    for one in found.periods:
        what = subject_called(one.period, one.place, words.language)
        days = in_days(one.period.days, words.language)
        if one.next is None:
            lines.append(words.say("keep.line", what=what, period=days))
        else:
            day = words.day(one.next)
            lines.append(words.say("keep.next", what=what, period=days, count=one.count, day=day))
    return "\n".join(lines)


RETENTION = Command(
    name="retention",
    right=Right.OWNER,
    run=retention,
    aliases=("保留",),
)

"""`/preview`: what somebody would be told in a direct chat now. Nothing is sent, and nothing is recorded."""

from __future__ import annotations

from bot.owner.commands.args import Args, cut, one_line
from bot.owner.commands.persons import who_is, who_leads
from bot.owner.commands.registry import Call, Command, Right
from bot.owner.commands.why import unit_lines, withheld_lines
from bot.owner.names import Words
from bot.owner.queries.previews import Preview, worded
from bot.owner.queries.previews import preview as previewed
from engine.ids import STRANGER, PersonId
from engine.release import OwnerOnly


async def preview(call: Call) -> OwnerOnly:
    """Recall, judge and seal as for a direct chat; the wording follows after the transaction."""
    person, question = _read(call)
    found, sealed = await previewed(call.tx, call.context, call.policy, call.people, person, question)
    call.show_later(lambda: worded(call.context, found, sealed), _reply)
    return call.show(found, _title)


def _title(words: Words, found: Preview) -> str:
    return words.say("preview.title", name=words.person(found.person), question=one_line(found.question, 200))


def _reply(words: Words, found: Preview) -> str:
    """The reply as the composer would word it, or the deflection; what is withheld and why; the question in units."""
    said = words.say("preview.deflection", text=found.deflection)
    if found.reply:
        said = words.say("preview.reply", text=found.reply)
    return "\n".join([said, *withheld_lines(words, found.withheld), *unit_lines(words, found.units)])


def _read(call: Call) -> tuple[PersonId, str]:
    """`PERSON QUESTION`; `stranger` stands for anybody without a name."""
    args = cut(call.args)
    if len(args) < 2:  # noqa: PLR2004 - a person and at least one word
        raise call.usage()
    if args.starts("stranger"):
        return STRANGER, _rest(args, 1)
    persons, rest = who_leads(call, args)
    if not len(rest):
        raise call.usage()
    lead = args[: len(args) - len(rest)].phrase
    return (persons[0] if len(persons) == 1 else who_is(call, lead)), _rest(args, len(args) - len(rest))


def _rest(args: Args, start: int) -> str:
    return args[start:].phrase


PREVIEW = Command(
    name="preview",
    right=Right.OWNER,
    run=preview,
    aliases=("预览",),
)

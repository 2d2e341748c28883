"""`/why`: any reply or refusal, explained from its recorded trace."""

from __future__ import annotations

from collections.abc import Sequence

from bot.owner.commands.args import cut, one_line
from bot.owner.commands.registry import Call, Command, Right
from bot.owner.names import Words
from bot.owner.queries.traces import Author, Explained, Told, Withheld, explain
from bot.owner.queries.units import JudgedUnit
from engine.audience import OWNER_ONLY
from engine.disclosure import Reason
from engine.ids import OWNER, TurnId
from engine.records import Outcome, TurnTrace
from engine.release import OwnerOnly

_LOOK_BACK = 500


async def why(call: Call) -> OwnerOnly:
    """Explain a turn: the one named, the one replied to, or the newest by somebody else or in a room."""
    args = cut(call.args)
    if len(args) > 1:
        raise call.usage()
    trace = await _trace(call, "" if args.starts("last") else args.phrase)
    return call.show(await explain(call.tx, call.context, trace), in_full)


async def _trace(call: Call, wanted: str) -> TurnTrace:
    if wanted:
        found = await call.tx.turn(TurnId(wanted))
        if found is None:
            raise call.fault("why.unknown", "why.unknown_fix", turn=one_line(wanted, 40))
        return found
    turns = await call.tx.turns(_LOOK_BACK)
    if call.answered is not None:
        asked = {call.answered.id, call.answered.reply_to}
        found = next((t for t in turns if t.message in asked), None)
        if found is None:
            raise call.fault("why.no_turn", "why.unknown_fix")
        return found
    newest = next((t for t in turns if _of_interest(t)), None)
    if newest is None:
        raise call.fault("why.none")
    return newest


def _of_interest(trace: TurnTrace) -> bool:
    """What somebody else asked, or the owner himself before others: there he is told no more than they are."""
    if trace.asker != OWNER:
        return trace.outcome is not Outcome.SILENT
    return trace.outcome in {Outcome.ANSWERED, Outcome.DEFLECTED} and trace.upper != OWNER_ONLY


def in_full(words: Words, found: Explained) -> str:
    """Question, place, viewers, outcome, what was told, what was withheld and why, and the policy it was judged by."""
    question = words.say("why.forgotten") if found.question is None else f"“{found.question}”"
    viewers = words.audience(found.viewers, "people.only_you")
    lines = [
        words.say(
            "why.asked",
            turn=found.turn,
            who=words.person(found.asker),
            place=one_line(found.place, 40) or words.say("why.direct"),
            time=words.time(found.at),
        ),
        words.say("why.question", text=question),
        words.say("why.viewers", people=viewers, evidence=_evidence(words, found.evidence)),
        words.say("why.outcome", outcome=words.say(f"outcome.{found.outcome.name.lower()}")),
        *([words.say("why.reply", text=f"“{found.reply}”")] if found.reply else []),
        *(_told(words, one) for one in found.told_facts),
        *([] if found.told_facts else [words.say("why.told_nothing")]),
        *(_author(words, found.author) if found.author else []),
        *withheld_lines(words, found.withheld),
        *unit_lines(words, found.units),
        words.say("why.policy", version=found.policy_version, now=found.policy_now),
    ]
    return "\n".join(line for line in lines if line)


def _evidence(words: Words, kind: str) -> str:
    """`known`, `open`, or `unknown: reason`."""
    head, _, reason = kind.partition(": ")
    return words.say(f"viewers.{head}") + (f" ({reason})" if reason else "")


def _told(words: Words, told: Told) -> str:
    """A fact, and why each of those who could read it might hear it."""
    reasons = "; ".join(
        words.say(
            "why.reason",
            who=words.person(hearer.person),
            reason=reason_in_words(words, hearer.reason) if hearer.reason else words.say("why.not_now"),
        )
        for hearer in told.hearers
    )
    text = words.say("why.forgotten") if told.text is None else f"“{told.text}”"
    line = words.say("why.told", id=told.fact, text=text)
    return line + (words.say("why.as", reasons=reasons) if reasons else "")


def _author(words: Words, author: Author) -> list[str]:
    """Whose words they were, where a model could have been asked for them."""
    if author.by_model:
        left_out = [words.say("why.left_out")] if author.left_out else []
        return [words.say("why.by_model", name=author.model), *left_out]
    return [words.say("why.model_failed" if author.model else "why.by_tact")]


def withheld_lines(words: Words, withheld: Sequence[Withheld]) -> list[str]:
    """What was withheld, one line each; several messages of the chat in one line for each reason."""
    if not withheld:
        return [words.say("why.withheld_nothing")]
    lines, messages = [], dict[str, int]()
    for one in withheld:
        reason = reason_in_words(words, one.reason)
        if one.item.startswith("m_"):
            messages[reason] = messages.get(reason, 0) + 1
            continue
        text = words.say("why.forgotten") if one.text is None else f"“{one.text}”"
        whom = words.say("why.because_of", people=words.person(one.viewer)) if one.viewer else ""
        lines.append(words.say("why.withheld", id=one.item, text=text, reason=reason) + whom)
    return lines + [words.say("why.messages", count=n, reason=reason) for reason, n in messages.items()]


def unit_lines(words: Words, units: Sequence[JudgedUnit]) -> list[str]:
    """One line a unit: whether everybody there may hear the answer, or who may not and why; then the whole."""
    lines = [
        words.say(
            "unit.allowed" if unit.allowed else "unit.denied",
            unit=one_line(unit.text, 80),
            who=words.person(unit.person),
            reason=reason_in_words(words, unit.reason),
        )
        for unit in units
    ]
    if len(units) > 1:
        lines.append(words.say("unit.whole" if all(u.allowed for u in units) else "unit.not_whole"))
    return lines


def reason_in_words(words: Words, reason: Reason) -> str:
    """A reason of the gate."""
    return words.say(f"reason.{reason.name.lower()}")


WHY = Command(
    name="why",
    right=Right.OWNER,
    run=why,
    aliases=("为什么",),
)

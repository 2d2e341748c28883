"""`/why`: any reply or refusal, explained from its recorded trace."""

from __future__ import annotations

from dataclasses import dataclass

from bot.context import ZONE, owner_names, zone_of
from bot.owner.commands.args import cut, one_line
from bot.owner.commands.persons import shown
from bot.owner.commands.registry import Call, Command, Right, answer
from bot.owner.commands.units import unit_lines
from bot.owner.names import audience_in_words, time_in_words
from bot.owner.trace_view import reason_in_words
from bot.turn.wording import who_worded
from engine.audience import OWNER_ONLY
from engine.disclosure import case1
from engine.ids import OWNER, STRANGER, FactId, PersonId, TurnId
from engine.items import RawFact
from engine.policy import Policy
from engine.records import Outcome, TurnTrace
from engine.release import OwnerOnly, Place
from engine.viewers import Known, Unknown

_LOOK_BACK = 500


async def why(call: Call) -> OwnerOnly:
    """Explain a turn: the one named, the one replied to, or the newest by somebody else or in a room."""
    args = cut(call.args)
    if len(args) > 1:
        raise call.usage()
    trace = await _trace(call, "" if args.starts("last") else args.phrase)
    return answer("\n".join(await explained(call, trace)))


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


async def explained(call: Call, trace: TurnTrace) -> list[str]:
    """Question, place, viewers, outcome, what was told, what was withheld and why, and the policy it was judged by."""
    if not trace.forgotten:  # the reply may have any of it in other words
        allowed = [item for item, passed, _, _ in trace.decisions if passed]
        call.act.told.extend(map(FactId, (trace.message, *allowed)))
    chats = {chat.id: chat.title for chat in await call.tx.chats()}
    viewers = audience_in_words(trace.upper, call.people, call.language) or call.say("people.only_you")
    lines = [
        call.say(
            "why.asked",
            turn=trace.id,
            who=shown(call, trace.asker),
            place=one_line(chats.get(trace.container, ""), 40) or call.say("why.direct"),
            time=time_in_words(trace.at, zone_of(call.policy), day_only=False),
        ),
        call.say("why.question", text=await _question(call, trace)),
        call.say("why.viewers", people=viewers, evidence=evidence_in_words(call, trace.viewers)),
        call.say("why.outcome", outcome=call.say(f"outcome.{trace.outcome.name.lower()}")),
        *await _told(call, trace),
        *await _worded(call, trace),
        *await _withheld(call, trace),
        *await _units(call, trace),
        call.say("why.policy", version=trace.policy_version, now=call.policy.version),
    ]
    return [line for line in lines if line]


async def _question(call: Call, trace: TurnTrace) -> str:
    """The words of the question; a trace that used no memory keeps none, so the message is asked."""
    if trace.forgotten:
        return call.say("why.forgotten")
    if trace.question:
        return f"“{trace.question}”"
    message = await call.tx.message(trace.message, ZONE)
    return f"“{message.text}”" if message else call.say("why.forgotten")


async def _told(call: Call, trace: TurnTrace) -> list[str]:
    reply = [call.say("why.reply", text=f"“{trace.reply}”")] if trace.reply else []
    if not trace.used:
        return [*reply, call.say("why.told_nothing")]
    policy = await call.tx.policy_at(trace.policy_version) or call.policy
    found = {f.id: f for f in await call.tx.facts(trace.used, ZONE)}
    lines = []
    for item in trace.used:
        text, why = call.say("why.forgotten"), ""
        if item in found:
            text, why = f"“{found[item].text}”", _reasons(call, found[item], trace, policy)
        lines.append(
            call.say("why.told", id=item, text=text) + (call.say("why.as", reasons=why) if why else "")
        )
    return [*reply, *lines]


async def _worded(call: Call, trace: TurnTrace) -> list[str]:
    """Whose words they were, where a model could have been asked for them."""
    words = await who_worded(call.tx, trace.id)
    if trace.outcome is not Outcome.ANSWERED or not (words.asked or call.context.writer):
        return []
    if words.by_model:
        left_out = [call.say("why.left_out")] if words.left_out else []
        return [call.say("why.by_model", name=words.asked), *left_out]
    return [call.say("why.model_failed" if words.asked else "why.by_tact")]


def _reasons(call: Call, fact: RawFact, trace: TurnTrace, policy: Policy) -> str:
    """Why each of those who could read it might hear it, under the policy of that moment."""
    persons = [STRANGER] if trace.upper.everyone else sorted(trace.upper.members - {OWNER})
    verdicts = {person: case1(fact, person, policy) for person in persons}
    return "; ".join(
        call.say(
            "why.reason",
            who=shown(call, person),
            reason=reason_in_words(str(v.reason), call.language) if v.allowed else call.say("why.not_now"),
        )
        for person, v in verdicts.items()
    )


async def _units(call: Call, trace: TurnTrace) -> list[str]:
    """The units of the question, as they would be judged by the policy of that moment."""
    if trace.forgotten or not trace.question or trace.upper == OWNER_ONLY:
        return []
    names = owner_names(call.policy, call.people)
    query = await call.context.reader.ask(trace.question, trace.at, zone_of(call.policy), names)
    viewers = Unknown("") if trace.upper.everyone else Known(trace.upper.members)
    policy = await call.tx.policy_at(trace.policy_version) or call.policy
    return await unit_lines(call, query, Place(viewers, trace.container), policy)


@dataclass(frozen=True, slots=True)
class Denied:
    """Why one item stayed back, and the viewer who decided it (empty: nobody in particular)."""

    item: str
    reason: str
    viewer: str


async def _withheld(call: Call, trace: TurnTrace) -> list[str]:
    denied = {i: Denied(i, r, v) for i, ok, r, v in trace.withheld if not ok}
    if not denied:
        return [call.say("why.withheld_nothing")]
    return await in_lines(call, list(denied.values()))


async def in_lines(call: Call, denied: list[Denied]) -> list[str]:
    """What was withheld, one line each; several messages of the chat in one line for each reason."""
    facts = {str(f.id): f"“{f.text}”" for f in await call.tx.facts([FactId(d.item) for d in denied], ZONE)}
    lines, messages = [], dict[str, int]()
    for d in denied:
        reason = reason_in_words(d.reason, call.language)
        if d.item.startswith("m_"):
            messages[reason] = messages.get(reason, 0) + 1
            continue
        text = facts.get(d.item, call.say("why.forgotten"))
        viewer = shown(call, PersonId(d.viewer)) if d.viewer else ""
        whom = call.say("why.because_of", people=viewer) if viewer else ""
        lines.append(call.say("why.withheld", id=d.item, text=text, reason=reason) + whom)
    lines += [call.say("why.messages", count=count, reason=reason) for reason, count in messages.items()]
    return lines


def evidence_in_words(call: Call, kind: str) -> str:
    """`known`, `open`, or `unknown: reason`."""
    head, _, reason = kind.partition(": ")
    return call.say(f"viewers.{head}") + (f" ({reason})" if reason else "")


WHY = Command(
    name="why",
    right=Right.OWNER,
    run=why,
    aliases=("为什么",),
)

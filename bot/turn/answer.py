"""Ask, recall, judge, tell, word, look again, send: a question answered from what everybody here may hear."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta

from bot.context import Channel, Context, owner_names, zone_of
from bot.turn.last_check import look_back
from bot.turn.recall import Footing, footing, recall, still_heard, withheld
from bot.turn.record import Turn, begin_trace, finish, place_of, public_line
from bot.turn.wording import Wording, keep_who_worded, word
from engine.annotation import Query
from engine.audience import OWNER_ONLY
from engine.ids import OWNER, TACT, AccountId, FactId, MessageId, PersonId
from engine.items import Origin, RawMessage
from engine.mailroom import Sending, SendingKind, State
from engine.people import People
from engine.platform import insiders
from engine.policy import Policy
from engine.records import Outcome, TurnTrace
from engine.release import Decision, Place, ReleasedReply, release_facts, release_reply
from engine.retrieval import search_for
from engine.sealed_context import SealedContext, seal
from engine.store import Scope, Search, Transaction
from engine.storyline import project
from engine.viewers import viewers

_TRIES = 2


@dataclass(frozen=True, slots=True)
class Worded:
    """A reply on its way: the sealed context it was worded from, and its words."""

    sealed: SealedContext
    words: Wording
    decisions: tuple[Decision, ...]
    search: Search
    query: Query


async def reply(context: Context, channel: Channel, turn: Turn) -> TurnTrace:
    """Ask, recall, judge, tell, word, look again, send."""
    names = ("Tact", *owner_names(turn.policy, turn.people))
    query = await context.reader.ask(turn.inbound.text, turn.inbound.sent_at, zone_of(turn.policy), names)
    vector = await context.embedder.query(turn.inbound.text)
    search = search_for(query, context.reader.tokens(turn.inbound.text), vector, context.embedder.name)
    place = turn.place
    deadline = asyncio.get_running_loop().time() + context.patience
    worded = await _word(context, turn, place, query, search, deadline)
    for _ in range(_TRIES):
        place, holds = await _look_again(context, channel, turn, worded, place)
        if holds:
            return await _send(context, channel, turn, place, worded)
        worded = await _word(context, turn, place, query, search, deadline)
    return await _deflect(context, channel, turn, place, worded)


async def _word(
    context: Context, turn: Turn, place: Place, query: Query, search: Search, deadline: float
) -> Worded:
    """Recall, judge and tell in one transaction, which also stores the sealed context; then word it."""
    async with context.store.transaction() as tx:
        policy, people = await tx.policy(), await tx.people()
        found = await recall(tx, policy, place, search, query, current=turn.message.id)
        sealed = seal(
            turn=turn.id,
            language=query.language,
            owner_name=policy.owner_name,
            zone=policy.timezone,
            now=context.clock.now(),
            asker=people.called(turn.sender),
            asker_id=turn.sender,
            to_owner=place.upper == OWNER_ONLY,
            question=turn.inbound.text,
            projection=project(found.facts, found.links),
            ranks=found.ranks,
            names=names_for(policy, people),
            graph=found.graph,
            recent=found.recent,
            viewers=place.upper,
            policy_version=policy.version,
        )
        trace = _trace(turn, Outcome.DEFLECTED, sealed, found.decisions)
        await tx.put_turn(trace)
        rests = await footing(tx, found, place, policy) if context.writer else Footing()
    words = await word(context, sealed, rests, deadline)
    return Worded(sealed, words, found.decisions, search, query)


def _trace(turn: Turn, outcome: Outcome, sealed: SealedContext, decisions: Iterable[Decision]) -> TurnTrace:
    """A turn's trace with what was decided and sealed."""
    return replace(
        begin_trace(turn, outcome),
        policy_version=sealed.policy_version,
        decisions=plain(decisions),
        digest=sealed.digest,
        question=turn.inbound.text,
        payload=sealed.payload,
    )


def names_for(policy: Policy, people: People) -> dict[PersonId, str]:
    """Names the owner gave, his own included; Tact's own messages are told from those of people without a name."""
    named = {person: people.called(person) for person in people.names}
    return {**named, OWNER: policy.owner_name, TACT: "Tact"}


def plain(decisions: Iterable[Decision]) -> tuple[tuple[str, bool, str, str], ...]:
    """Decisions as a trace keeps them."""
    return tuple((d.item, d.verdict.allowed, str(d.verdict.reason), d.viewer or "") for d in decisions)


async def _look_again(
    context: Context, channel: Channel, turn: Turn, worded: Worded, before: Place
) -> tuple[Place, bool]:
    """The place as it is now, and whether the words may go out there.

    They may if nobody can read along now who could not before, and every used item passes, all under policy and people of
    this moment; they are put down as a delivery in the same transaction.
    """
    words, known = worded.words, insiders(turn.policy, turn.people)
    while True:
        evidence = await channel.look(turn.inbound.container, known)
        async with context.store.transaction() as tx:
            policy, people = await tx.policy(), await tx.people()
            if insiders(policy, people) != known:  # the evidence depends on them
                known = insiders(policy, people)
                continue
            now = place_of(turn.inbound.container, viewers(evidence, people.mapping), policy)
            facts = await tx.facts(words.judged, Scope(now.upper))
            passed, _ = release_facts(facts, now, policy)
            heard = await still_heard(tx, words.heard, now, policy)
            passes = {fact.id for fact in passed} >= set(words.judged)
            holds = heard and passes and before.upper.covers(now.upper)
            if holds and words.text:
                await tx.put_sending(_reply(turn, words.text, words.used))
            return now, holds


def _key(turn: Turn) -> str:
    """The key of the delivery of a turn's reply."""
    return f"{turn.id}/reply"


def _reply(turn: Turn, text: str, used: tuple[FactId, ...], state: State = State.PENDING) -> Sending:
    """The delivery of a turn's reply."""
    return Sending(_key(turn), turn.inbound.container, text, state, used, SendingKind.REPLY)


async def _send(context: Context, channel: Channel, turn: Turn, place: Place, worded: Worded) -> TurnTrace:
    """Send through the outbox; then keep the reply in the recency buffer with the ids it used, and close the trace."""
    if not worded.words.text:
        return await _deflect(context, channel, turn, place, worded)
    words = release_reply(worded.words.text, place, worded.words.used, worded.sealed.digest)
    key = _key(turn)
    await channel.say(turn.inbound.container, words, key)  # once a key, a crash in between or not
    async with context.store.transaction() as tx:
        await tx.put_sending(_reply(turn, "", (), State.SENT))
        await tx.record(_as_message(context, turn, place, words), event=key, heard=worded.words.heard)
        await keep_who_worded(tx, turn.id, worded.words)
        trace = await _explain(tx, context, turn, place, worded, Outcome.ANSWERED, words.text)
    return await look_back(context, channel, trace, worded.sealed) if worded.words.by_model else trace


def _as_message(context: Context, turn: Turn, place: Place, words: ReleasedReply) -> RawMessage:
    """Tact's reply as it is remembered: `V↓(send) ∪ {o}` cut by the audience of what it answers; never distilled."""
    return RawMessage(
        id=MessageId(context.new_id("m_")),
        container=turn.inbound.container,
        session=turn.message.session,
        sender=TACT,
        account=AccountId("tact"),
        text=words.text,
        sent_at=context.clock.now(),
        audience=place.viewers.lower & turn.message.audience,
        origin=Origin.TACT,
        reply_to=turn.message.id,
        used=words.used,
    )


async def _deflect(context: Context, channel: Channel, turn: Turn, place: Place, worded: Worded) -> TurnTrace:
    """The same bytes, at the same delay, whether nothing is known or nothing may be said."""
    line = public_line(context, turn, "deflection", worded.sealed.language)
    if place.upper == OWNER_ONLY:
        line = public_line(context, turn, "nothing", worded.sealed.language)
    await context.clock.sleep_until(turn.received + timedelta(seconds=context.deflect_after))
    await channel.say(turn.inbound.container, line, f"{turn.id}/line")
    unsaid = replace(worded, words=Wording())
    async with context.store.transaction() as tx:
        return await _explain(tx, context, turn, place, unsaid, Outcome.DEFLECTED, line.text)


async def _explain(
    tx: Transaction, context: Context, turn: Turn, place: Place, worded: Worded, outcome: Outcome, text: str
) -> TurnTrace:
    """Close the trace, with what stayed out of scope, for the owner's view alone."""
    policy = await tx.policy()
    trace = replace(
        _trace(turn, outcome, worded.sealed, worded.decisions),
        upper=place.upper,
        withheld=plain(await withheld(tx, context, policy, place, worded.search, worded.query)),
        used=worded.words.used,
        reply=text,
    )
    await tx.put_turn(trace)
    if outcome is not Outcome.ANSWERED or context.writer is None:  # a model's words are looked at once more
        await finish(tx, turn)
    return trace

"""Annotation: a session's messages become facts, with category, event, lists, edges and links.

Runs beside the turns, from a durable queue (the sessions not annotated since their last message). Annotating a session
again replaces what it gave before; ids are stable, so the owner's marks stay.

It has three steps, so that nothing waits for a reader: `take` reads the session in a transaction, `understand` computes
outside of any, and `write` puts the facts down in another, if what was read still stands by then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.context import ZONE, Context, owner_names, zone_of
from bot.memory.drafts import Draft, drafts_of
from bot.memory.edits import replaced
from engine.annotation import (
    Reading,
    Request,
    fact_id,
    keep_owner_marks,
    make_facts,
    requested,
    same_event,
)
from engine.failpoints import reach
from engine.ids import OWNER, EventId, LinkId, SessionId
from engine.items import (
    EventState,
    LinkKind,
    ListEntry,
    Origin,
    RawEdge,
    RawFact,
    RawLink,
    RawMessage,
    RawSession,
)
from engine.people import People
from engine.policy import Policy
from engine.sessions import is_over
from engine.store import NewFact, Search, Transaction

EVENT_SPAN = timedelta(days=60)
_NEIGHBOURS = 6


@dataclass(frozen=True, slots=True)
class Taken:
    """A session as it was when it was read: what its facts are a function of."""

    session: SessionId
    messages: tuple[RawMessage, ...]
    policy: Policy
    people: People


@dataclass(frozen=True, slots=True)
class Understood:
    """What a session's messages say, before anything is written."""

    taken: Taken
    readings: tuple[Reading, ...]
    drafts: list[Draft]


async def take(tx: Transaction, session: SessionId) -> Taken:
    """Read a session, in the owner's zone."""
    messages = [m for m in await tx.session_messages(session, ZONE) if _distillable(m)]
    people = replace(await tx.people(), seen={})  # who shows up meanwhile changes nothing in what was said
    return Taken(session, tuple(messages), await tx.policy(), people)


async def understand(context: Context, taken: Taken) -> Understood:
    """Read its messages, and find each fact's vector and category; no transaction is needed for that."""
    readings = [await _read(context, taken.policy, taken.people, m) for m in taken.messages]
    drafts = await drafts_of(context, taken.policy, taken.people, taken.messages, readings)
    return Understood(taken, tuple(readings), drafts)


async def write(
    tx: Transaction, context: Context, found: Understood, session: RawSession, now: datetime
) -> list[RawFact] | None:
    """Put a session's facts down, replacing what it gave before.

    Args:
        tx: the transaction it all happens in.
        context: the index's words and the embedder.
        found: what was understood of it.
        session: the session as it stands; it is closed if nothing can be added to it any more.
        now: the time of the annotation.

    Returns:
        The session's facts as they stand now; None, and nothing done, if a message, the policy or somebody's name is not
        what it was when it was read.
    """
    if await take(tx, session.id) != found.taken:
        return None
    people, messages, readings, drafts = (
        found.taken.people,
        found.taken.messages,
        found.readings,
        found.drafts,
    )
    old = {fact.id: fact for fact in await tx.session_facts(session.id, ZONE)}
    closing = is_over(session, now)
    for draft in drafts:
        before = old.get(draft.fact.id)
        if before is None:
            draft.fact = await _join_event(tx, context, draft, drafts)
        draft.fact = replace(keep_owner_marks(draft.fact, before), settled=closing)
    black = _hush(drafts, messages, readings, people)
    await _mark_corrected(tx, drafts)
    await _mark_edited(tx, people, drafts, messages, readings)
    new = [NewFact(d.fact, d.terms, d.vector, context.embedder.name) for d in drafts]
    kept = {d.fact.id for d in drafts}
    edges = [e for e in _edges(messages, readings, people) if e.fact in kept]
    links = [link for link in _links(messages, readings) if {link.left, link.right} <= kept]
    reach("understood")
    await tx.put_facts(session.id, new, edges, links)
    reach("linked")
    for event, entry in black:
        await tx.list_person(entry, event=event)
    await tx.put_session(replace(session, closed=session.closed or closing, annotated=True))
    reach("annotating")
    return await tx.session_facts(session.id, ZONE)


async def annotate_session(
    tx: Transaction, context: Context, session: RawSession, now: datetime
) -> list[RawFact]:
    """All three steps in one transaction, where nobody else is waiting for the memory."""
    facts = await write(tx, context, await understand(context, await take(tx, session.id)), session, now)
    assert facts is not None  # noqa: S101 - nothing can have changed within one transaction
    return facts


def _distillable(message: RawMessage) -> bool:
    """Commands, draft edits and Tact's own words are never distilled."""
    return message.origin not in {Origin.TACT, Origin.COMMAND}


async def _read(context: Context, policy: Policy, people: People, message: RawMessage) -> Reading:
    return await context.reader.read(
        message.text, message.sent_at, zone_of(policy), owner_names(policy, people)
    )


async def _join_event(tx: Transaction, context: Context, draft: Draft, drafts: Sequence[Draft]) -> RawFact:
    """Join a new fact to the event it speaks of, if an earlier fact tells of one."""
    fact = draft.fact
    for other in drafts:
        if other is draft:
            break
        if same_event(draft.about, other.about):
            return replace(fact, event=EventState(other.fact.event.id, frozenset({fact.teller})))
    hits = await tx.search(Search(draft.about, b"", 0.0), ZONE, _NEIGHBOURS) if draft.about else []
    for hit in hits:
        near = abs(hit.fact.said_at - fact.said_at) <= EVENT_SPAN and hit.fact.session != fact.session
        if near and same_event(draft.about, context.reader.tokens(hit.fact.text)):
            return replace(fact, event=EventState(hit.fact.event.id, frozenset({fact.teller})))
    return fact


def _hush(
    drafts: list[Draft], messages: Sequence[RawMessage], readings: Sequence[Reading], people: People
) -> list[tuple[EventId, ListEntry]]:
    """Confidentiality requests: blacklist for the events they speak of, or make the teller's facts confidential."""
    black: list[tuple[EventId, ListEntry]] = []
    for message, reading in zip(messages, readings, strict=True):
        for request in reading.requests:
            entries, unclear = requested(request, message.sender, message.sent_at, people)
            meant = [d for d in drafts if _speaks_of(d.fact, message, request, messages)]
            for draft in meant:
                have = {(e.colour, e.person, e.basis) for e in draft.fact.lists}
                black += [
                    (draft.fact.event.id, e) for e in entries if (e.colour, e.person, e.basis) not in have
                ]
            for draft in drafts:
                if unclear and message.sender in (OWNER, draft.fact.teller):
                    draft.fact = replace(draft.fact, confidential=True)
    return list(dict.fromkeys(black))


def _speaks_of(fact: RawFact, message: RawMessage, request: Request, messages: Sequence[RawMessage]) -> bool:
    """Whether a request means this fact: one of its own message, or of the same teller's message before it."""
    if fact.teller != message.sender:
        return False
    if not request.back:
        return message.id in fact.sources
    earlier = [
        m.id for m in messages if m.sender == message.sender and m.sent_at <= message.sent_at and m != message
    ]
    return bool(set(earlier[-1:]) & set(fact.sources))


async def _mark_corrected(tx: Transaction, drafts: list[Draft]) -> None:
    """A correction retires the same teller's earlier facts of its event."""
    for draft in drafts:
        if not draft.correction:
            continue
        for other in drafts:
            if _corrects(draft.fact, other.fact):
                other.fact = replace(other.fact, superseded_by=draft.fact.id)
        for hit in await tx.search(Search(draft.about, b"", 0.0), ZONE, _NEIGHBOURS) if draft.about else ():
            if hit.fact.session != draft.fact.session and _corrects(draft.fact, hit.fact):
                await tx.change_fact(replace(hit.fact, superseded_by=draft.fact.id))


async def _mark_edited(
    tx: Transaction,
    people: People,
    drafts: list[Draft],
    messages: Sequence[RawMessage],
    readings: Sequence[Reading],
) -> None:
    """A new version of a message retires what the earlier ones told and it does not."""
    for message, reading in zip(messages, readings, strict=True):
        here = [draft.fact for draft in drafts]
        by = await replaced(tx, message, make_facts(message, reading, people), here)
        for draft in drafts:
            if draft.fact.id in by:
                draft.fact = replace(draft.fact, superseded_by=by[draft.fact.id])
        for fact in await tx.facts([old for old in by if old not in {f.id for f in here}], ZONE):
            await tx.change_fact(replace(fact, superseded_by=by[fact.id]))


def _corrects(new: RawFact, old: RawFact) -> bool:
    same = new.event.id == old.event.id and new.teller == old.teller and new.audience == old.audience
    return same and new.id != old.id and old.said_at < new.said_at and old.superseded_by is None


def _edges(messages: Sequence[RawMessage], readings: Sequence[Reading], people: People) -> list[RawEdge]:
    """The entity graph's edges; "I" stands for the teller, under the name the owner gave."""
    edges = []
    for message, reading in zip(messages, readings, strict=True):
        for ordinal, statement in enumerate(reading.statements):
            for relation in statement.relations:
                subject, target = (
                    (people.called(message.sender) or str(message.sender)) if name in {"I", "我"} else name
                    for name in (relation.subject, relation.object)
                )
                edges.append(RawEdge(fact_id(message, ordinal), subject, relation.predicate, target))
    return edges


def _links(messages: Sequence[RawMessage], readings: Sequence[Reading]) -> list[RawLink]:
    links = []
    for message, reading in zip(messages, readings, strict=True):
        for number, join in enumerate(reading.joins):
            left, right = fact_id(message, join.left), fact_id(message, join.right)
            link = LinkId(f"l_{left[2:]}_{number}")
            links.append(RawLink(link, LinkKind(join.kind), left, right, message.id, message.audience))
    return links

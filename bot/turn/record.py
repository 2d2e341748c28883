"""Receive, see, record: the first three steps of a turn, in one transaction.

The message is bound to its audience and committed before anything else happens; a duplicate event stops here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from bot.context import ZONE, Context
from bot.owner.acts import Answer, settle
from bot.owner.commands.registry import split_command
from bot.owner.taps import read_tap
from engine.audience import OWNER_ONLY, Audience
from engine.failpoints import reach
from engine.ids import OWNER, ContainerId, MessageId, PersonId, SessionId, TurnId
from engine.items import InboundMessage, Origin, RawMessage, RawSession
from engine.people import People
from engine.policy import Policy
from engine.records import Chat, Outcome, TurnTrace
from engine.release import Place, ReleasedLine, release_line
from engine.sessions import continues
from engine.store import Transaction
from engine.viewers import ChatKind, Known, Open, Viewers, pull_before, recorded_for, viewers


@dataclass(frozen=True, slots=True)
class Turn:
    """A recorded message with what was seen around it.

    `mode` is the room's, and `greeted` the turn in which Tact introduced itself there; both are empty if there is none.
    """

    id: TurnId
    inbound: InboundMessage
    message: RawMessage
    sender: PersonId
    seen: Viewers
    received: datetime
    policy: Policy
    people: People
    mode: str = ""
    greeted: str = ""

    @property
    def place(self) -> Place:
        """Where it happens, as seen on receipt."""
        return place_of(self.inbound.container, self.seen, self.policy)

    @property
    def alone_with_owner(self) -> bool:
        """The owner's direct chat: the only place for `OwnerOnly` words."""
        return self.sender == OWNER and isinstance(self.seen, Known) and self.seen.upper == OWNER_ONLY


def place_of(container: ContainerId, seen: Viewers, policy: Policy) -> Place:
    """A place with these viewers in this container."""
    return Place(seen, container, container in policy.room_consents)


class _DuplicateError(Exception):
    """The event was recorded before; rolls the transaction back."""


async def receive(context: Context, inbound: InboundMessage, *, again: bool = False) -> Turn | None:
    """Receive, see, record: the message is bound to its audience and committed before anything else happens.

    `again`: a message that is recorded already is taken up again, under its turn's own id.
    """
    received = context.clock.now()
    try:
        async with context.store.transaction() as tx:
            known = await tx.recorded(inbound.event) if again else None
            message = await tx.message(known, ZONE) if known else None
            if known and message is None:  # forgotten meanwhile
                return None
            turn = await _record(context, tx, inbound, received, message)
            reach("recording")
    except _DuplicateError:
        return None
    reach("recorded")
    return turn


async def _record(
    context: Context, tx: Transaction, inbound: InboundMessage, received: datetime, known: RawMessage | None
) -> Turn:
    policy, people = await tx.policy(), await tx.people()
    seen = viewers(inbound.evidence, people.mapping)
    sender = people.person(inbound.sender)
    message = known or await _new_message(context, tx, inbound, seen, policy, people)
    turn = TurnId(inbound.turn or context.new_id("t_"))
    return Turn(
        turn,
        inbound,
        message,
        sender,
        seen,
        received,
        policy,
        people,
        await tx.note(mode_note(inbound.container)),
        await tx.note(greeted_note(inbound.container)),
    )


def greeted_note(container: ContainerId) -> str:
    """Where the turn is kept in which Tact introduced itself in a chat."""
    return f"hello:{container}"


def mode_note(container: ContainerId) -> str:
    """Where a room's `/mode` is kept."""
    return f"mode:{container}"


async def _audience(
    tx: Transaction, inbound: InboundMessage, seen: Viewers, people: People
) -> tuple[Audience, bool]:
    """Who a message is bound to; a new version of one to nobody who did not see the old one."""
    sender = people.person(inbound.sender)
    earlier = pull_before(inbound.evidence, inbound.sent_at)
    before = None if earlier is None else viewers(earlier, people.mapping)
    audience, unresolved = recorded_for(seen, before, inbound.evidence, sender)
    if inbound.edits is not None:
        old = await tx.message(inbound.edits, ZONE)
        audience = audience & (Audience.of((sender,)) if old is None else old.audience)
        unresolved = unresolved or (old is not None and old.unresolved)
    return audience, unresolved


async def _new_message(
    context: Context, tx: Transaction, inbound: InboundMessage, seen: Viewers, policy: Policy, people: People
) -> RawMessage:
    sender = people.person(inbound.sender)
    audience, unresolved = await _audience(tx, inbound, seen, people)
    await tx.see(inbound.sender, inbound.display_name, inbound.sent_at, inbound.container)
    await tx.chat(Chat(inbound.container, str(inbound.evidence.kind), inbound.title))
    session = await _session(context, tx, inbound, audience)
    message = RawMessage(
        id=MessageId(context.new_id("m_")),
        container=inbound.container,
        session=session.id,
        sender=sender,
        account=inbound.sender,
        text=inbound.text,
        sent_at=inbound.sent_at,
        audience=audience,
        unresolved=unresolved,
        alone=isinstance(seen, Known) and seen.upper == OWNER_ONLY,
        origin=_origin(inbound, sender),
        reply_to=inbound.reply_to,
    )
    if not (unresolved and policy.unresolved == "refuse"):
        last = max(session.last_at, inbound.sent_at)
        await tx.put_session(replace(session, last_at=last, messages=session.messages + 1, annotated=False))
        if not await tx.record(message, event=inbound.event, raw=inbound.raw):
            raise _DuplicateError
        if inbound.edits is not None:
            await tx.keep_version(inbound.edits, message.id)
    return message


def _origin(inbound: InboundMessage, sender: PersonId) -> Origin:
    """Commands, and the owner's taps in his direct chat, are never distilled."""
    command = split_command(inbound.text) is not None
    tapped = (
        sender == OWNER and inbound.evidence.kind is ChatKind.PRIVATE and read_tap(inbound.text) is not None
    )
    return Origin.COMMAND if command or tapped else inbound.origin


async def _session(
    context: Context, tx: Transaction, inbound: InboundMessage, audience: Audience
) -> RawSession:
    """The open session this message belongs to, or a new one; the one before is closed."""
    open_one = await tx.open_session(inbound.container)
    if open_one is not None and continues(open_one, audience, inbound.sent_at):
        return open_one
    if open_one is not None:
        await tx.put_session(replace(open_one, closed=True, annotated=False))
    new = SessionId(context.new_id("s_"))
    return RawSession(new, inbound.container, audience, inbound.sent_at, inbound.sent_at)


def begin_trace(turn: Turn, outcome: Outcome) -> TurnTrace:
    """A turn's trace before anything was decided."""
    return TurnTrace(
        id=turn.id,
        message=turn.message.id,
        container=turn.inbound.container,
        asker=turn.sender,
        at=turn.received,
        viewers=_in_words(turn.seen),
        upper=turn.seen.upper,
        policy_version=turn.policy.version,
        outcome=outcome,
    )


def _in_words(seen: Viewers) -> str:
    """The kind of evidence, for the trace: no names, no text."""
    if isinstance(seen, Known):
        return "known"
    return "open" if isinstance(seen, Open) else f"unknown: {seen.reason}"


def public_line(context: Context, turn: Turn, name: str, language: str) -> ReleasedLine:
    """A fixed public line, the owner's own wording first."""
    return release_line(context.lines.line(name, language, turn.policy.lines, turn.policy.owner_name))


async def finish(tx: Transaction, turn: Turn) -> None:
    """The event that this turn began with is handled, as soon as this transaction is committed."""
    if turn.inbound.arrival:
        await tx.finish_arrival(turn.inbound.arrival)


async def close_turn(context: Context, turn: Turn, outcome: Outcome, told: Answer | None = None) -> TurnTrace:
    """A trace without words, for a turn that used no memory; `told` is what the owner was told in it."""
    trace = begin_trace(turn, outcome)
    async with context.store.transaction() as tx:
        if told is not None:
            await settle(tx, told, turn.inbound.container)
        await tx.put_turn(trace)
        await finish(tx, turn)
    return trace

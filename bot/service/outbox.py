"""Words on their way out: in parts, through the outbox, each part once.

Most platforms have no idempotency key. A part is marked before it is written; when its answer does not come, or the
process dies meanwhile, it is `uncertain`: it may have arrived, is never sent again by itself, and the owner is told.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from bot.service.posts import facts_named
from bot.service.text_parts import split
from engine.failpoints import reach
from engine.ids import ContainerId, FactId
from engine.mailroom import Sending, SendingKind, State
from engine.platform import NotWritten, Platform, Refused, Rows, Uncertain
from engine.store import Store, Transaction

_OPEN = frozenset({State.PENDING, State.WAITING})


class Outbox:
    """Sends parts to one platform and keeps how far each got."""

    def __init__(self, store: Store, platform: Platform, doubt: Callable[[Sending], Awaitable[None]]) -> None:
        """`doubt` is called for each part that became uncertain, or that the platform refused."""
        self._store, self._platform, self._doubt = store, platform, doubt

    async def deliver(
        self,
        container: ContainerId,
        text: str,
        key: str,
        kind: SendingKind,
        used: Sequence[FactId] = (),
        rows: Rows = (),
        about: str = "",
    ) -> None:
        """Send a text, once a key; `rows` of buttons are put under its last part. `kind` and `about` as in `Sending`.

        When a part may not have arrived, what follows it is held back until the owner decides (`/resend`): nobody reads
        an end without its beginning, and nothing is thrown away.

        Raises:
            NotWritten: nothing of the next part went out; the same call may be made again later, after the words were
                judged afresh.
        """
        texts = split(text, self._platform.longest)
        whole = Sending(key, container, text, used=tuple(used), kind=kind, about=about)
        parts = [replace(whole, key=f"{key}#{n}", text=part) for n, part in enumerate(texts)]
        async with self._store.transaction() as tx:
            wanted = await _planned(tx, key, parts)
            kept = [] if wanted else await _kept(tx, key)
            reach("planned")
            marked = await _mark(tx, wanted[0], State.SENDING) if wanted else False
        if not any(sending.state == State.UNCERTAIN for sending in kept):
            for left in [s for s in kept if s.state == State.HELD and s.text][:1]:
                await self._doubt(left)
        for number, sending in enumerate(wanted):
            if number:
                marked = await self._mark(sending, State.SENDING)
            under = rows if sending.key == parts[-1].key else ()
            state = await self._send(sending, under) if marked else State.FORGOTTEN
            if state == State.SENT:
                continue
            async with self._store.transaction() as tx:
                await _set_aside(tx, key, hold=state == State.UNCERTAIN)
            if state != State.FORGOTTEN:
                await self._doubt(replace(sending, state=state))
            return

    async def _send(self, sending: Sending, rows: Rows) -> State:
        """Write one part that is marked."""
        reach("marked")
        try:
            message = await self._platform.send(sending.container, sending.text, rows)
        except NotWritten:
            await self._mark(sending, State.WAITING)
            raise
        except (Uncertain, Refused) as fault:
            state = State.UNCERTAIN if isinstance(fault, Uncertain) else State.REFUSED
            return state if await self._mark(sending, state) else State.FORGOTTEN
        reach("written")
        async with self._store.transaction() as tx:
            told = tuple(dict.fromkeys([*sending.used, *facts_named(sending.text)]))
            out = replace(sending, text="", state=State.SENT, used=told)
            await tx.put_sending(replace(out, message=message, sent_at=datetime.now(UTC)))
        reach("sent")
        return State.SENT

    async def _mark(self, sending: Sending, state: State) -> bool:
        async with self._store.transaction() as tx:
            return await _mark(tx, sending, state)


async def _mark(tx: Transaction, sending: Sending, state: State) -> bool:
    """Keep how far a part got; False if what it tells was forgotten meanwhile."""
    await tx.put_sending(replace(sending, state=state))
    kept = await tx.sending(sending.key)
    return kept is not None and kept.state != State.FORGOTTEN and kept.text == sending.text


async def _planned(tx: Transaction, key: str, parts: Sequence[Sending]) -> list[Sending]:
    """What is to be sent now. Once a part is out, the others go only if they are still the same words."""
    old = await _kept(tx, key)
    if all(sending.state in _OPEN for sending in old):
        for sending in parts:
            await tx.put_sending(sending)
        for left in old[len(parts) :]:
            await tx.put_sending(replace(left, text="", state=State.DROPPED, used=()))
        return list(parts)
    if any(sending.state not in {*_OPEN, State.SENT} for sending in old):
        return []
    waiting = [sending for sending in old if sending.state in _OPEN]
    same = [
        sending for sending in parts if any(w.key == sending.key and w.text == sending.text for w in waiting)
    ]
    if len(same) == len(waiting):
        return same
    for left in waiting:  # the words are others by now: the owner decides about these
        await tx.put_sending(replace(left, state=State.HELD))
    return []


async def _kept(tx: Transaction, key: str) -> list[Sending]:
    """The parts there are of a key."""
    found: list[Sending] = []
    while (sending := await tx.sending(f"{key}#{len(found)}")) is not None:
        found.append(sending)
    return found


async def _set_aside(tx: Transaction, key: str, *, hold: bool) -> None:
    """What has not gone out of a key waits for the owner, or goes."""
    for left in await _kept(tx, key):
        if left.state in _OPEN:
            rest = replace(left, state=State.HELD) if hold else replace(left, text="", state=State.DROPPED)
            await tx.put_sending(rest)


async def doubt_what_was_marked(store: Store) -> list[Sending]:
    """After a start: what was marked and is not known to have gone out is uncertain now. Returns all that is."""
    async with store.transaction() as tx:
        for sending in await tx.sendings(State.SENDING):
            await tx.put_sending(replace(sending, state=State.UNCERTAIN))
        found = await tx.sendings(State.UNCERTAIN)
        for sending in found:
            await _set_aside(tx, sending.key.rpartition("#")[0], hold=True)
    return [sending for sending in found if sending.text]

"""Chats, messages and sessions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.sql import Select

from engine.audience import Audience
from engine.failpoints import reach
from engine.ids import AccountId, ContainerId, FactId, MessageId, PersonId, SessionId
from engine.items import Origin, RawMessage, RawSession
from engine.records import Chat
from engine.sessions import is_to_do
from engine.store import Scope
from storage.mapping import event_digest, session_of
from storage.repositories.base import Unit, in_scope
from storage.tables import containers, inbox, messages, sessions, tellings, tombstones

_PAGE = 250
_SHOWN = [column for column in messages.c if column.name != "raw"]


class TalkRepository(Unit):
    """See `engine.store.Transaction`."""

    async def chat(self, chat: Chat) -> None:
        """Create or update a container; nothing is written if nothing is new."""
        known = await self._chats()
        old = known.get(chat.id)
        if old == chat:
            return
        values = {
            "id": chat.id,
            "kind": chat.kind,
            "title": self._vault.seal_text("containers", "title", chat.id, chat.title),
        }
        if old is None:
            await self._run(insert(containers).values(values))
        else:
            await self._run(update(containers).where(containers.c.id == chat.id).values(values))
        self._changed("chats", chat.id)

    async def chats(self) -> list[Chat]:
        """All containers."""
        return sorted((await self._chats()).values(), key=lambda chat: chat.id)

    async def _chats(self) -> dict[ContainerId, Chat]:
        if self._caches.chats is None:
            self._caches.chats = {
                ContainerId(row.id): Chat(
                    ContainerId(row.id), row.kind, self._vault.open_text(row.title, row.id)
                )
                for row in await self._rows(select(containers))
            }
        return self._caches.chats

    async def record(
        self, message: RawMessage, *, event: str, raw: str = "", heard: Sequence[MessageId] = ()
    ) -> bool:
        """Keep a message once."""
        digest = event_digest(event)
        answers = [message.reply_to] if message.origin is Origin.TACT and message.reply_to else []
        known = select(inbox.c.event).where(inbox.c.event == digest)
        same = select(messages.c.id).where(messages.c.id == message.id)
        gone = select(tombstones.c.id).where(
            tombstones.c.id.in_([message.id, *message.used, *heard, *answers])
        )
        if (await self._run(known.union_all(same, gone))).first() is not None:
            return False
        await self._insert(inbox, [{"event": digest, "message_id": message.id}])
        reach("noted")
        await self._insert(messages, [await self._message_values(message, raw)])
        told: list[dict[str, object]] = [
            {"message_id": message.id, "position": place, "fact_id": fact}
            for place, fact in enumerate(message.used)
        ]
        told += [  # before the first place: what was heard is no fact, and is not read back as one
            {"message_id": message.id, "position": place, "fact_id": other}
            for place, other in enumerate(heard, -len(heard))
        ]
        await self._insert(tellings, told)
        return True

    async def _message_values(self, message: RawMessage, raw: str) -> dict[str, object]:
        return {
            "id": message.id,
            "container_id": message.container,
            "session_id": message.session,
            "sender": message.sender,
            "account": message.account,
            "sent_at": message.sent_at,
            "audience_id": await self._number(message.audience),
            "unresolved": message.unresolved,
            "alone": message.alone,
            "origin": str(message.origin),
            "reply_to": message.reply_to,
            "text": self._vault.seal_text("messages", "text", message.id, message.text),
            "raw": self._vault.seal_text("messages", "raw", message.id, raw),
        }

    async def message(self, message: MessageId, scope: Scope) -> RawMessage | None:
        """One message, if in scope."""
        found = await self._messages(_seen(scope).where(messages.c.id == message))
        return next(iter(found), None)

    async def recent(self, container: ContainerId, scope: Scope, limit: int) -> list[RawMessage]:
        """The newest messages of a container."""
        newest = (
            _seen(scope)
            .where(messages.c.container_id == container)
            .order_by(messages.c.sent_at.desc(), messages.c.seq.desc())
            .limit(max(0, limit))
        )
        return (await self._messages(newest))[::-1]

    async def session_messages(self, session: SessionId, scope: Scope) -> list[RawMessage]:
        """A session's messages."""
        wanted = _seen(scope).where(messages.c.session_id == session)
        return await self._messages(wanted.order_by(messages.c.sent_at, messages.c.seq))

    async def every_message(
        self, scope: Scope, origin: Origin | None = None
    ) -> AsyncIterator[list[RawMessage]]:
        """All messages in scope, in order of arrival, some at a time."""
        wanted = _seen(scope) if origin is None else _seen(scope).where(messages.c.origin == str(origin))
        last = 0
        while rows := await self._rows(
            wanted.where(messages.c.seq > last).order_by(messages.c.seq).limit(_PAGE)
        ):
            last = rows[-1].seq
            yield await self._whole(rows)

    async def _messages(self, wanted: Select[Any]) -> list[RawMessage]:
        return await self._whole(await self._rows(wanted))

    async def _whole(self, rows: Sequence[Any]) -> list[RawMessage]:
        told: dict[str, list[FactId]] = {}
        used = select(tellings).where(tellings.c.position >= 0)
        order = used.order_by(tellings.c.message_id, tellings.c.position)
        for row in await self._in_chunks(order, tellings.c.message_id, [row.id for row in rows]):
            told.setdefault(row.message_id, []).append(FactId(row.fact_id))
        known = await self._audiences({row.audience_id for row in rows})
        return [self._message(row, known[row.audience_id], told.get(row.id, ())) for row in rows]

    def _message(self, row: Any, audience: Audience, used: Sequence[FactId]) -> RawMessage:
        return RawMessage(
            id=MessageId(row.id),
            container=ContainerId(row.container_id),
            session=SessionId(row.session_id),
            sender=PersonId(row.sender),
            account=AccountId(row.account),
            text=self._vault.open_text(row.text, row.id),
            sent_at=row.sent_at,
            audience=audience,
            unresolved=row.unresolved,
            alone=row.alone,
            origin=Origin(row.origin),
            reply_to=row.reply_to,
            used=tuple(used),
        )

    async def open_session(self, container: ContainerId) -> RawSession | None:
        """The container's session that is not closed."""
        wanted = select(sessions).where(sessions.c.container_id == container, sessions.c.closed.is_(False))
        newest = wanted.order_by(sessions.c.last_at.desc(), sessions.c.id.desc()).limit(1)
        return next(iter(await self._sessions(newest)), None)

    async def put_session(self, session: RawSession) -> None:
        """Create or replace a session."""
        values = {
            "id": session.id,
            "container_id": session.container,
            "audience_id": await self._number(session.audience),
            "opened_at": session.opened_at,
            "last_at": session.last_at,
            "messages": session.messages,
            "closed": session.closed,
            "annotated": session.annotated,
        }
        await self._run(delete(sessions).where(sessions.c.id == session.id))
        await self._run(insert(sessions).values(values))

    async def sessions_to_do(self, now: datetime) -> list[RawSession]:
        """Sessions that wait for annotation."""
        waiting = or_(sessions.c.annotated.is_(False), sessions.c.closed.is_(False))
        found = await self._sessions(
            select(sessions).where(waiting).order_by(sessions.c.opened_at, sessions.c.id)
        )
        return [s for s in found if is_to_do(s, now)]

    async def session_to_do(self, session: SessionId, now: datetime) -> RawSession | None:
        """One of them."""
        found = await self._sessions(select(sessions).where(sessions.c.id == session))
        return next((s for s in found if is_to_do(s, now)), None)

    async def _sessions(self, wanted: Select[Any]) -> list[RawSession]:
        rows = await self._rows(wanted)
        known = await self._audiences({row.audience_id for row in rows})
        return [session_of(row, known[row.audience_id]) for row in rows]


def _seen(scope: Scope) -> Select[Any]:
    """Messages in scope, without their raw payload."""
    return select(*_SHOWN).where(in_scope(messages.c.audience_id, scope))

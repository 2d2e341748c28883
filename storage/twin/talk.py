"""Chats, messages and sessions, in the twin."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import datetime

from engine.ids import ContainerId, MessageId, SessionId
from engine.items import Origin, RawMessage, RawSession
from engine.records import Chat
from engine.sessions import is_to_do
from engine.store import Scope
from storage.twin.state import Part, visible


class TalkPart(Part):
    """See `engine.store.Transaction`."""

    async def chat(self, chat: Chat) -> None:
        """Create or update a container."""
        self._state.chats[chat.id] = chat

    async def chats(self) -> list[Chat]:
        """All containers."""
        return sorted(self._state.chats.values(), key=lambda chat: chat.id)

    async def record(
        self, message: RawMessage, *, event: str, raw: str = "", heard: Sequence[MessageId] = ()
    ) -> bool:
        """Keep a message once."""
        s = self._state
        answers = {message.reply_to} if message.origin is Origin.TACT else set()
        gone = {message.id, *message.used, *heard, *answers} & s.tombstones
        if event in s.events or message.id in s.messages or gone:
            return False
        s.events[event] = message.id
        s.messages[message.id] = message
        s.raws[message.id] = raw
        s.heard[message.id] = tuple(heard)
        return True

    def _told(self, scope: Scope) -> list[RawMessage]:
        """Messages in scope, in order of time; of equal times in order of arrival."""
        found = [m for m in self._state.messages.values() if visible(m.audience, scope)]
        return sorted(found, key=lambda m: m.sent_at)

    async def message(self, message: MessageId, scope: Scope) -> RawMessage | None:
        """One message, if in scope."""
        return next((m for m in self._told(scope) if m.id == message), None)

    async def recent(self, container: ContainerId, scope: Scope, limit: int) -> list[RawMessage]:
        """The newest messages of a container."""
        found = [m for m in self._told(scope) if m.container == container]
        return found[-limit:] if limit > 0 else []

    async def session_messages(self, session: SessionId, scope: Scope) -> list[RawMessage]:
        """A session's messages."""
        return [m for m in self._told(scope) if m.session == session]

    async def every_message(
        self, scope: Scope, origin: Origin | None = None
    ) -> AsyncIterator[list[RawMessage]]:
        """All messages in scope, in order of arrival."""
        every = [m for m in self._state.messages.values() if visible(m.audience, scope)]
        yield [m for m in every if origin in {None, m.origin}]

    async def open_session(self, container: ContainerId) -> RawSession | None:
        """The container's session that is not closed."""
        found = [s for s in self._state.sessions.values() if s.container == container and not s.closed]
        return max(found, key=lambda s: (s.last_at, s.id), default=None)

    async def put_session(self, session: RawSession) -> None:
        """Create or replace a session."""
        self._state.sessions[session.id] = session

    async def sessions_to_do(self, now: datetime) -> list[RawSession]:
        """Sessions that wait for annotation."""
        waiting = [s for s in self._state.sessions.values() if is_to_do(s, now)]
        return sorted(waiting, key=lambda s: (s.opened_at, s.id))

    async def session_to_do(self, session: SessionId, now: datetime) -> RawSession | None:
        """One of them."""
        found = self._state.sessions.get(session)
        return found if found is not None and is_to_do(found, now) else None

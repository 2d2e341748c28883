"""A console world that turns are taken in by themselves: no dispatcher and no outbox, so that a turn alone is what is seen."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from connectors.console.world import DIRECT, OWNER_ACCOUNT, ROOM, is_addressed
from connectors.console.world import World as People
from engine.ids import AccountId, ContainerId, MessageId
from engine.items import InboundMessage, Origin
from engine.platform import Insiders, Rows
from engine.release import OwnerOnly, ReleasedLine, ReleasedReply
from engine.viewers import RosterEvidence

OWNERS = frozenset({OWNER_ACCOUNT})


@dataclass(frozen=True, slots=True)
class Heard:
    """Words that arrived somewhere: in a room, in a direct chat, or with the owner alone."""

    container: ContainerId
    text: str
    kind: str  # reply | line | owner


class World(People):
    """The people, with the channel that a turn talks to; message and member list are as of one moment."""

    has_buttons = False

    def __init__(self, rooms=None) -> None:
        super().__init__(rooms)
        self.sent: set[str] = set()
        self.heard: list[Heard] = []

    def message(
        self,
        account: AccountId,
        room: str | None,
        text: str,
        at: datetime,
        *,
        display_name: str = "",
        origin: Origin = Origin.TYPED,
        reply_to: MessageId | None = None,
    ) -> InboundMessage:
        """What a turn takes when somebody says something in a room, or in private."""
        container = ContainerId(DIRECT + account if room is None else ROOM + room)
        return InboundMessage(
            event=self.line(account, room, text, at).key,
            container=container,
            sender=account,
            display_name=display_name or account.partition(":")[2],
            text=text,
            sent_at=at,
            evidence=self.evidence(container, account, OWNERS, snapshot=True),
            title=room or "",
            reply_to=reply_to,
            addressed=room is None or is_addressed(text),
            origin=origin,
            raw=text,
        )

    async def look(self, container: ContainerId, known: Insiders) -> RosterEvidence:
        return self.evidence(container, None, OWNERS, snapshot=True)

    async def say(
        self,
        container: ContainerId,
        words: ReleasedReply | ReleasedLine,
        key: str,
        roll: ReleasedLine | None = None,
    ) -> None:
        self._hear(Heard(container, words.text, "reply" if isinstance(words, ReleasedReply) else "line"), key)

    async def tell_owner(self, words: OwnerOnly, key: str = "", rows: Rows = ()) -> None:
        self._hear(Heard(self.direct(OWNER_ACCOUNT), words.text, "owner"), key)

    def _hear(self, heard: Heard, key: str) -> None:
        """A second time under one key is nothing."""
        if not key or key not in self.sent:
            self.heard.append(heard)
        self.sent.add(key)

    def take_heard(self) -> list[Heard]:
        heard, self.heard = self.heard, []
        return heard

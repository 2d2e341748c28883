"""Evidence of who can read a chat (platforms.md §1).

A private chat is exact. Telegram lists no group's members, so they are proved: Tact is administrator, every known account
is asked for by itself, and as many are there as Telegram counts, before and after. Whatever is missing is a fault of the
evidence, and the engine makes the room unknown; nothing here decides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Protocol

from telegram import ChatFullInfo, ChatMember, User

from connectors.telegram.inbound import GROUPS, account_of, container_of, is_present, place_of, user_of
from engine.ids import AccountId, ContainerId
from engine.mailroom import Pull, Room
from engine.platform import Insiders, PlatformFault, Refused, Rooms, Why
from engine.viewers import ChatKind, FutureReaders, RosterEvidence

LARGEST = 20
"""Members whom one pull may prove. In larger groups Telegram's own events are known to get lost."""

MOST_ASKED = 2 * LARGEST
"""Accounts that one pull asks for by themselves."""

QUIET = timedelta(seconds=90)
"""Telegram's counts may be a minute old: so long after a change they prove nothing."""

NOT_ADMIN = "Tact is not an administrator of this group"
NO_ANSWER = "Telegram did not answer when asked for the members"
PUBLIC = "the group is public: anybody can read it"
LINKED = "a channel is linked to this group: its subscribers can read along"
OTHER = "not a plain group"
TOO_MANY = "more than 20 members"
MOVING = "somebody came or went while the members were counted"
NOT_QUIET = "somebody came or went a moment ago"
FAULTS = (NOT_ADMIN, NO_ANSWER, PUBLIC, LINKED, OTHER, TOO_MANY, MOVING, NOT_QUIET)


class _Fault(Exception):
    """One of `FAULTS`."""


class Api(Protocol):
    """What is asked of Telegram about a chat; each call may raise a `PlatformFault`."""

    @property
    def me(self) -> User:
        """The bot itself."""
        ...

    async def member(self, chat: int, user: int) -> ChatMember:
        """How somebody stands in a chat now."""
        ...

    async def chat(self, chat: int) -> ChatFullInfo:
        """What a chat is."""
        ...

    async def count(self, chat: int) -> int:
        """How many are in a chat, bots included."""
        ...

    async def administrators(self, chat: int) -> tuple[ChatMember, ...]:
        """A chat's administrators, bots included."""
        ...


def private_with(account: AccountId, owners: frozenset[AccountId]) -> RosterEvidence:
    """The private chat with an account."""
    kind = ChatKind.PRIVATE if account in owners else ChatKind.DIRECT
    return RosterEvidence(kind, account, frozenset({account}))


class Roster:
    """Pulls evidence, and remembers the last complete pull of each group."""

    def __init__(self, api: Api, rooms: Rooms, now: Callable[[], datetime]) -> None:
        """`now` is the machine's clock."""
        self._api, self._rooms, self._now = api, rooms, now

    async def look(self, container: ContainerId, sender: AccountId | None, known: Insiders) -> RosterEvidence:
        """Who can read a place now.

        Args:
            container: the chat, or a topic of it.
            sender: who wrote, or None if nobody whom Telegram vouches for.
            known: the owner's accounts, and those of bots that he has named.
        """
        chat = place_of(container)[0]
        if chat > 0:
            return private_with(account_of(chat), known.owners)
        name = container_of(chat)
        bare = RosterEvidence(ChatKind.GROUP, sender, None, future=FutureReaders.UNKNOWN)
        try:
            evidence = await self._prove(chat, await self._rooms.get(name), bare, known.enrolled)
        except _Fault as fault:
            return replace(bare, faults=(str(fault),))
        except PlatformFault:
            return replace(bare, faults=(NO_ANSWER,))
        latest = await self._rooms.get(name)
        evidence = replace(evidence, membership_version=latest.changes, before=_before(latest, evidence))
        if latest.changed_at is not None and self._now() - latest.changed_at < QUIET:
            return replace(evidence, faults=(NOT_QUIET,))
        if evidence.roster is not None and len(evidence.roster) == evidence.reported_count:
            pull = Pull(self._now(), evidence.roster, evidence.roster_version)
            await self._rooms.put(replace(latest, pull=pull))
        return evidence

    async def _prove(
        self, chat: int, room: Room, bare: RosterEvidence, enrolled: frozenset[AccountId]
    ) -> RosterEvidence:
        api, user = self._api, user_of(bare.sender) if bare.sender else 0
        mine = await api.member(chat, api.me.id)
        if mine.status != ChatMember.ADMINISTRATOR:
            raise _Fault(NOT_ADMIN)
        future = _future(chat, await api.chat(chat))
        first = await api.count(chat)
        leading = {m.user.id: m.user.is_bot for m in await api.administrators(chat)}
        asked = (set(leading) | set(map(user_of, room.known)) | ({user} if user else set())) - {api.me.id}
        if first - 1 > LARGEST:
            raise _Fault(TOO_MANY)
        if len(asked) > MOST_ASKED:  # whoever is gone is taken off; what is left over is asked for next time
            asked = set(sorted(asked, key=lambda one: (one != user, one not in leading, one))[:MOST_ASKED])
        there, bots = await self._present(chat, asked)
        second = await api.count(chat)
        if first != second:
            raise _Fault(MOVING)
        if there | bots != room.known:  # who is gone is asked for again only once seen again
            latest = await self._rooms.get(room.chat)
            left = latest.known - frozenset(map(account_of, asked))
            await self._rooms.put(replace(latest, known=there | left, bots=latest.bots | bots))
        return replace(
            bare,
            roster=there,
            observed=frozenset({bare.sender}) if bare.sender else frozenset(),
            roster_version=room.changes,
            reported_count=second - 1,
            unenrolled_bots=bots - enrolled,
            future=future,
            pulled_at=self._now(),
        )

    async def _member(self, chat: int, user: int) -> ChatMember | None:
        """How somebody stands there; None for an account that Telegram does not know there.

        Such an account proves nobody's presence: if it is there after all, fewer are proved than are counted.
        """
        try:
            return await self._api.member(chat, user)
        except Refused as fault:
            if fault.why is not Why.REQUEST:
                raise
            return None

    async def _present(self, chat: int, asked: set[int]) -> tuple[frozenset[AccountId], frozenset[AccountId]]:
        """Who of these is there, and who of those is a bot; each asked for by itself."""
        found = await asyncio.gather(*(self._member(chat, user) for user in sorted(asked)))
        there = [member.user for member in found if member is not None and is_present(member)]
        return (
            frozenset(account_of(user.id) for user in there),
            frozenset(account_of(user.id) for user in there if user.is_bot),
        )


def _future(chat: int, full: ChatFullInfo) -> FutureReaders:
    """Whether whoever joins later can read today's messages; Telegram tells administrators only.

    Raises:
        _Fault: it is not a plain private group.
    """
    if full.id != chat or full.type not in GROUPS or full.is_direct_messages or full.location is not None:
        raise _Fault(OTHER)
    if full.username or full.active_usernames:
        raise _Fault(PUBLIC)
    if full.linked_chat_id is not None:
        raise _Fault(LINKED)
    shown = (
        full.has_visible_history or full.type == "group"
    )  # in a basic group, whoever adds may send the past along
    return FutureReaders.UNBOUNDED if shown else FutureReaders.NONE


def _before(room: Room, evidence: RosterEvidence) -> RosterEvidence | None:
    """The last complete pull, as evidence."""
    pull = room.pull
    if pull is None or not pull.members:
        return None
    return RosterEvidence(
        ChatKind.GROUP, min(pull.members), pull.members, roster_version=pull.version,
        membership_version=pull.version, reported_count=len(pull.members), future=evidence.future,
        pulled_at=pull.at,
    )  # fmt: skip

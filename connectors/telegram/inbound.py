"""From an update to what Tact receives. Pure: nothing is asked, nothing is kept.

Who sent a message is `from.id` and nothing else, and only where Telegram vouches for it: not for anonymous
administrators, channels and forwarded posts, which come under the id of a fake user.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from datetime import datetime

from telegram import CallbackQuery, Chat, ChatMember, Message, Update, User
from telegram.constants import ChatType, MessageEntityType

from engine.ids import AccountId, ContainerId, MessageId
from engine.items import InboundMessage, Origin
from engine.viewers import RosterEvidence

NOBODY = frozenset({1087968824, 777000, 136817688})
"""Accounts that stand for anonymous administrators, Telegram itself and channels."""

GROUPS = frozenset({ChatType.GROUP, ChatType.SUPERGROUP})


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message somebody wrote, without what must be asked for: who can read it, and what it replies to."""

    update: int
    chat: int
    thread: int
    number: int
    user: int  # 0: nobody whom Telegram vouches for
    account: AccountId
    name: str
    text: str = field(repr=False)
    sent_at: datetime
    title: str = field(repr=False)
    private: bool
    addressed: bool
    elsewhere: bool
    origin: Origin
    bot: bool
    answers: int  # the number of the message it replies to; 0: none
    edited: datetime | None
    raw: str = field(default="", repr=False)  # the update as it is kept; set by whoever keeps it

    @property
    def container(self) -> ContainerId:
        """The chat, and the topic if there are topics."""
        return container_of(self.chat, self.thread)

    @property
    def event(self) -> str:
        """The id of this version of the message."""
        version = f":{int(self.edited.timestamp())}.{self.update}" if self.edited else ""
        return event_of(self.chat, self.number) + version

    def inbound(
        self, evidence: RosterEvidence, *, reply_to: MessageId | None = None, edits: MessageId | None = None,
        addressed: bool | None = None,
    ) -> InboundMessage:  # fmt: skip
        """What a turn takes."""
        return InboundMessage(
            event=self.event,
            container=self.container,
            sender=self.account,
            display_name=self.name,
            text=self.text,
            sent_at=self.edited or self.sent_at,
            evidence=evidence,
            title=self.title,
            reply_to=reply_to,
            addressed=self.addressed if addressed is None else addressed,
            origin=self.origin,
            raw=self.raw,
            turn="t_" + hashlib.sha256(self.event.encode()).hexdigest()[:16],
            edits=edits or (MessageId(event_of(self.chat, self.number)) if self.edited else None),
            elsewhere=self.elsewhere,
            introduces=self.private,
        )


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button pressed by an account that Telegram vouches for; what the button says is not vouched for."""

    update: int
    query: str
    chat: int
    number: int  # of the message that the button is under
    user: int
    data: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Standing:
    """Somebody came, went or rose; `mine`: it is Tact itself."""

    update: int
    chat: int
    user: int
    bot: bool
    present: bool
    administrator: bool
    mine: bool
    by: int
    title: str = field(repr=False)
    at: datetime


@dataclass(frozen=True, slots=True)
class Moved:
    """A group has become a supergroup, under another id."""

    update: int
    old: int
    new: int


@dataclass(frozen=True, slots=True)
class Ignored:
    """An update that is not taken, and why (a closed set of words, for the log)."""

    update: int
    why: str


Event = Spoken | Pressed | Standing | Moved | Ignored


def account_of(user: int) -> AccountId:
    """The account of a user id."""
    return AccountId(f"telegram:{user}")


def user_of(account: AccountId) -> int:
    """The user id of an account; 0 for an account of another platform, or a chat's."""
    platform, _, number = account.partition(":")
    return int(number) if platform == "telegram" and number.isdecimal() else 0


def container_of(chat: int, thread: int = 0) -> ContainerId:
    """The container of a chat, or of a topic in it."""
    return ContainerId(f"telegram:{chat}:{thread}" if thread else f"telegram:{chat}")


def place_of(container: ContainerId) -> tuple[int, int]:
    """Chat and topic of a container."""
    _, chat, *thread = container.split(":")
    return int(chat), int(thread[0]) if thread else 0


def event_of(chat: int, number: int) -> str:
    """The id of a message as it was first written."""
    return f"telegram:{chat}:{number}"


def read(update: Update, me: User, names: tuple[str, ...] = ()) -> Event:
    """What an update is. `names` are what Tact is called besides its own name."""
    if update.callback_query is not None:
        return _pressed(update.update_id, update.callback_query)
    change = update.my_chat_member or update.chat_member
    if change is not None and change.chat.type not in GROUPS:
        return Ignored(update.update_id, "no group")
    if change is not None:
        new, mine = change.new_chat_member, update.my_chat_member is not None
        return Standing(
            update.update_id, change.chat.id, new.user.id, new.user.is_bot, is_present(new),
            new.status == ChatMember.ADMINISTRATOR, mine, change.from_user.id, change.chat.title or "", change.date,
        )  # fmt: skip
    message = update.message or update.edited_message
    if message is None:
        return Ignored(update.update_id, "kind")
    if message.business_connection_id or message.guest_query_id or message.chat.type == ChatType.CHANNEL:
        return Ignored(update.update_id, "business")
    if message.chat.type == ChatType.PRIVATE and (
        message.from_user is None
        or message.from_user.id != message.chat.id
        or message.sender_chat is not None
    ):
        return Ignored(update.update_id, "sender")  # who else could write there is not known
    if message.migrate_to_chat_id:
        return Moved(update.update_id, message.chat.id, message.migrate_to_chat_id)
    if message.migrate_from_chat_id:
        return Moved(update.update_id, message.migrate_from_chat_id, message.chat.id)
    if not (message.text or message.caption):
        return _came_or_went(update.update_id, message, me)
    return _spoken(update, message, me, names)


def is_present(member: ChatMember) -> bool:
    """Whether a member is in the chat now."""
    if member.status == ChatMember.RESTRICTED:
        return bool(getattr(member, "is_member", False))
    return member.status in {ChatMember.OWNER, ChatMember.ADMINISTRATOR, ChatMember.MEMBER}


def _came_or_went(number: int, message: Message, me: User) -> Event:
    """A service message about members is a hint like any other membership event."""
    came, went = message.new_chat_members, message.left_chat_member
    user = came[0] if came else went
    if user is None or message.from_user is None or user.id == me.id:
        return Ignored(number, "no words")
    return Standing(
        number, message.chat.id, user.id, user.is_bot, bool(came), administrator=False, mine=False,
        by=message.from_user.id, title=message.chat.title or "", at=message.date,
    )  # fmt: skip


def _pressed(number: int, query: CallbackQuery) -> Event:
    message, user = query.message, query.from_user
    if message is None or user.id in NOBODY or user.is_bot:
        return Ignored(number, "button")
    if getattr(message, "business_connection_id", None) or (
        message.chat.id > 0 and message.chat.id != user.id
    ):
        return Ignored(number, "button")
    return Pressed(number, query.id, message.chat.id, message.message_id, user.id, query.data or "")


def _spoken(update: Update, message: Message, me: User, names: tuple[str, ...]) -> Spoken:
    user, chat = message.from_user, message.chat
    vouched = user is not None and message.sender_chat is None and user.id not in NOBODY
    number = user.id if user is not None and vouched else 0
    private = chat.type == ChatType.PRIVATE and chat.id == number
    forwarded = (
        message.forward_origin is not None or message.is_automatic_forward or message.via_bot is not None
    )
    text = message.text or message.caption or ""
    command = _command_for(message, me)
    answered = message.reply_to_message
    to_me = answered is not None and answered.from_user is not None and answered.from_user.id == me.id
    addressed = (
        private
        or command == "me"
        or to_me
        or _mentioned(message, me)
        or _named(text, (me.first_name, *names))
    )
    return Spoken(
        update=update.update_id,
        chat=chat.id,
        thread=message.message_thread_id or 0 if message.is_topic_message else 0,
        number=message.message_id,
        user=number,
        account=account_of(number) if number else _faceless(message, chat),
        name=(user.full_name if user is not None and vouched else ""),
        text=text,
        sent_at=message.date,
        title="" if private else chat.title or "",
        private=private,
        addressed=addressed and command != "other",
        elsewhere=command == "other",
        origin=Origin.FORWARD if forwarded else Origin.TYPED if message.text else Origin.ATTACHMENT,
        bot=bool(user is not None and user.is_bot and vouched),
        answers=answered.message_id if answered is not None and answered.chat.id == chat.id else 0,
        edited=message.edit_date if update.edited_message is not None else None,
    )


def _faceless(message: Message, chat: Chat) -> AccountId:
    """An account for somebody without a face: the chat in whose name they speak. It is never a person's."""
    return AccountId(f"telegram:{(message.sender_chat or chat).id}")


def _command_for(message: Message, me: User) -> str:
    """Whom a command at the beginning is for: `me`, `other`, `any`, or nobody (``)."""
    for entity, part in message.parse_entities([MessageEntityType.BOT_COMMAND]).items():
        if entity.offset == 0:
            name = part.partition("@")[2]
            return "any" if not name else "me" if _same(name, me.username or "") else "other"
    return ""


def _mentioned(message: Message, me: User) -> bool:
    """Whether an entity of Telegram's own names Tact; a piece of text that looks like it does not."""
    kinds: list[str | None] = [MessageEntityType.MENTION, MessageEntityType.TEXT_MENTION]
    entities = {**message.parse_entities(kinds), **message.parse_caption_entities(kinds)}
    return any(
        (entity.user is not None and entity.user.id == me.id)
        or (entity.type == MessageEntityType.MENTION and _same(part.removeprefix("@"), me.username or ""))
        for entity, part in entities.items()
    )


def _same(one: str, other: str) -> bool:
    return bool(other) and one.casefold() == other.casefold()


def _named(text: str, names: tuple[str, ...]) -> bool:
    """Whether a name of Tact's stands in the text as a word of its own; `@tact_bot2` and `tactful` hold none."""
    return any(
        re.search(rf"(?<![A-Za-z0-9_@/.]){re.escape(name)}(?![A-Za-z0-9_])", text, re.IGNORECASE)
        for name in names
        if name
    )

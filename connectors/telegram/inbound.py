"""From an update to what Tact receives. Pure: nothing is asked, nothing is kept.

Who sent a message is `from.id` and nothing else, and only where Telegram vouches for it: not for anonymous
administrators, channels and forwarded posts, which come under the id of a fake user.
"""

from __future__ import annotations

import re

from telegram import CallbackQuery, Chat, ChatMember, Update, User
from telegram import Message as TelegramMessage
from telegram.constants import ChatType, MessageEntityType

from engine.events import Event, Ignored, Membership, Message, Migration, Press
from engine.ids import AccountId, ContainerId
from engine.items import Origin

NOBODY = frozenset({1087968824, 777000, 136817688})
"""Accounts that stand for anonymous administrators, Telegram itself and channels."""

GROUPS = frozenset({ChatType.GROUP, ChatType.SUPERGROUP})


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


def message_id(bot: int, chat: int, number: int) -> str:
    """The id of a message as it was first written: in a private chat each bot counts for itself."""
    return f"telegram:{bot}:{chat}:{number}"


def arrival_key(bot: int, update: int) -> str:
    """The key that an update is kept under: each bot counts for itself."""
    return f"telegram:{bot}:{update}"


def numbers_of(message: str) -> tuple[int, int]:
    """Chat and number of a message, by its id."""
    chat, number = message.split(":")[-2:]
    return int(chat), int(number)


def read(update: Update, me: User, names: tuple[str, ...] = ()) -> Event:
    """What an update is. `names` are what Tact is called besides its own name."""
    if update.callback_query is not None:
        return _pressed(update.callback_query, me)
    change = update.my_chat_member or update.chat_member
    if change is not None and change.chat.type not in GROUPS:
        return Ignored("no group")
    if change is not None:
        new, own = change.new_chat_member, update.my_chat_member is not None
        return _membership(update, change.chat, new.user, change.from_user, present=is_present(new), own=own)
    message = update.message or update.edited_message
    if message is None:
        return Ignored("kind")
    if message.business_connection_id or message.guest_query_id or message.chat.type == ChatType.CHANNEL:
        return Ignored("business")
    if message.chat.type == ChatType.PRIVATE and (
        message.from_user is None
        or message.from_user.id != message.chat.id
        or message.sender_chat is not None
    ):
        return Ignored("sender")  # who else could write there is not known
    if message.migrate_to_chat_id:
        return Migration(container_of(message.chat.id), container_of(message.migrate_to_chat_id))
    if message.migrate_from_chat_id:
        return Migration(container_of(message.migrate_from_chat_id), container_of(message.chat.id))
    if not (message.text or message.caption):
        return _came_or_went(update, message, me)
    return _spoken(update, message, me, names)


def _membership(
    update: Update, chat: Chat, user: User, by: User, *, present: bool, own: bool = False
) -> Membership:
    vouched = None if by.id in NOBODY else account_of(by.id)
    number = f"telegram:{update.update_id}"
    return Membership(
        number, container_of(chat.id), account_of(user.id), vouched, present=present, bot=user.is_bot, own=own
    )


def is_present(member: ChatMember) -> bool:
    """Whether a member is in the chat now."""
    if member.status == ChatMember.RESTRICTED:
        return bool(getattr(member, "is_member", False))
    return member.status in {ChatMember.OWNER, ChatMember.ADMINISTRATOR, ChatMember.MEMBER}


def _came_or_went(update: Update, message: TelegramMessage, me: User) -> Event:
    """A service message about members is a hint like any other membership event."""
    came, went = message.new_chat_members, message.left_chat_member
    user = came[0] if came else went
    if user is None or message.from_user is None or user.id == me.id:
        return Ignored("no words")
    return _membership(update, message.chat, user, message.from_user, present=bool(came))


def _pressed(query: CallbackQuery, me: User) -> Event:
    message, user = query.message, query.from_user
    if message is None or user.id in NOBODY or user.is_bot:
        return Ignored("button")
    if getattr(message, "business_connection_id", None) or (
        message.chat.id > 0 and message.chat.id != user.id
    ):
        return Ignored("button")
    chat = message.chat.id
    under = message_id(me.id, chat, message.message_id)
    return Press(query.id, container_of(chat), under, account_of(user.id), chat == user.id, query.data or "")


def _spoken(update: Update, message: TelegramMessage, me: User, names: tuple[str, ...]) -> Message:
    user, chat = message.from_user, message.chat
    vouched = user is not None and message.sender_chat is None and user.id not in NOBODY
    direct = chat.type == ChatType.PRIVATE and vouched and user is not None and chat.id == user.id
    first = message_id(me.id, chat.id, message.message_id)
    edited = message.edit_date if update.edited_message is not None else None
    answered = message.reply_to_message
    command = _command_for(message, me)
    return Message(
        id=f"{first}:{int(edited.timestamp())}.{update.update_id}" if edited else first,
        first=first,
        container=container_of(chat.id, message.message_thread_id or 0 if message.is_topic_message else 0),
        chat=container_of(chat.id),
        account=account_of(user.id) if user is not None and vouched else _faceless(message, chat),
        vouched=vouched,
        name=user.full_name if user is not None and vouched else "",
        text=message.text or message.caption or "",
        sent_at=edited or message.date,
        title="" if direct else chat.title or "",
        direct=direct,
        addressed=command != "other" and (direct or _addressed(message, me, names, command)),
        elsewhere=command == "other",
        origin=_origin(message),
        bot=bool(user is not None and user.is_bot and vouched),
        answers=(
            message_id(me.id, chat.id, answered.message_id)
            if answered is not None and answered.chat.id == chat.id
            else ""
        ),
    )


def _origin(message: TelegramMessage) -> Origin:
    if message.forward_origin is not None or message.is_automatic_forward or message.via_bot is not None:
        return Origin.FORWARD
    return Origin.TYPED if message.text else Origin.ATTACHMENT


def _addressed(message: TelegramMessage, me: User, names: tuple[str, ...], command: str) -> bool:
    """Whether a message in a group is meant for Tact."""
    answered = message.reply_to_message
    to_me = answered is not None and answered.from_user is not None and answered.from_user.id == me.id
    text = message.text or message.caption or ""
    return command == "me" or to_me or _mentioned(message, me) or _named(text, (me.first_name, *names))


def _faceless(message: TelegramMessage, chat: Chat) -> AccountId:
    """An account for somebody without a face: the chat in whose name they speak. It is never a person's."""
    return AccountId(f"telegram:{(message.sender_chat or chat).id}")


def _command_for(message: TelegramMessage, me: User) -> str:
    """Whom a command at the beginning is for: `me`, `other`, `any`, or nobody (``)."""
    for entity, part in message.parse_entities([MessageEntityType.BOT_COMMAND]).items():
        if entity.offset == 0:
            name = part.partition("@")[2]
            return "any" if not name else "me" if _same(name, me.username or "") else "other"
    return ""


def _mentioned(message: TelegramMessage, me: User) -> bool:
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

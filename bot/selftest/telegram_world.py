"""A small Telegram: users, chats and members, the updates they cause, and a journal of all that was ever sent.

Our own sketch of the Bot API's behaviour, on one machine; `telegram_wire.py` puts it on the network.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Json = dict[str, Any]

BOT = 4242
TOKEN = "4242:TEST-0123456789abcdefghijklmnopqrstu"  # noqa: S105 - opens nothing but this fake
ANONYMOUS, CHANNEL_BOT, SERVICE = 1087968824, 136817688, 777000
LIMIT = 4096
DELETABLE_S = 48 * 3600
_RIGHTS = (
    "can_be_edited", "can_manage_chat", "can_delete_messages", "can_manage_video_chats", "can_restrict_members",
    "can_promote_members", "can_change_info", "can_invite_users", "can_post_stories", "can_edit_stories",
    "can_delete_stories",
)  # fmt: skip
_NOT_BY_DEFAULT = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
_PRESENT = frozenset({"creator", "administrator", "member", "restricted"})


class ApiError(Exception):
    """An answer that is a refusal."""

    def __init__(self, code: int, words: str, **parameters: object) -> None:
        """The HTTP status, Telegram's words, and its response parameters."""
        super().__init__(words)
        self.code, self.words, self.parameters = code, words, parameters


def units(text: str) -> int:
    """The length of a text in UTF-16 code units, as Telegram counts."""
    return len(text.encode("utf-16-le")) // 2


@dataclass(slots=True)
class Group:
    """A chat with its members (user id → status), and the flags that only `getChat` shows."""

    chat: Json
    members: dict[int, str] = field(default_factory=dict)
    flags: Json = field(default_factory=dict)
    last: int = 0


class TelegramWorld:
    """Everybody and everything; people act by its methods."""

    def __init__(self, journal: Path | None = None) -> None:
        """Begin with the bot alone. `journal`: a file that gets a line for each message sent."""
        self.bot: Json = {
            "id": BOT, "is_bot": True, "first_name": "Tact", "username": "tact_bot", "can_join_groups": True,
            "can_read_all_group_messages": True, "supports_inline_queries": False,
        }  # fmt: skip
        self.users: dict[int, Json] = {BOT: self.bot}
        self.chats: dict[int, Group] = {}
        self.sent: list[Json] = []
        self.ever_sent: list[Json] = []
        self.said: list[Json] = []
        self.commands: dict[str, list[Json]] = {}
        self.answered: list[Json] = []
        self.queue: list[Json] = []
        self.allowed: list[str] | None = None
        self.news = asyncio.Event()
        self._journal = journal
        self._update = 1000

    # people and places

    def user(self, number: int, name: str, **more: object) -> int:
        """Somebody, with the private chat that they have with the bot."""
        self.users[number] = {"id": number, "is_bot": False, "first_name": name, **more}
        chat = {"id": number, "type": "private", "first_name": name}
        self.chats[number] = Group(chat, {number: "member", BOT: "member"})
        return number

    def group(
        self,
        number: int,
        members: dict[int, str],
        *,
        kind: str = "supergroup",
        title: str = "Crew",
        **flags: object,
    ) -> int:
        """A group; `flags` are what `getChat` adds."""
        chat: Json = {"id": number, "type": kind, "title": title}
        if flags.pop("forum", False):
            chat["is_forum"] = True
        if "username" in flags:
            chat["username"] = flags["username"]
        self.chats[number] = Group(chat, dict(members), flags)
        return number

    def member(self, chat: int, user: int) -> Json:
        """A `ChatMember` object."""
        status = self.chats[chat].members.get(user, "left")
        found: Json = {"user": self.users[user], "status": status}
        if status in {"creator", "administrator"}:
            found["is_anonymous"] = False
        if status == "administrator":
            found |= dict.fromkeys(_RIGHTS, False)
        if status == "kicked":
            found["until_date"] = 0
        return found

    def present(self, chat: int) -> list[int]:
        """Who is in it now, bots included."""
        return [user for user, status in self.chats[chat].members.items() if status in _PRESENT]

    # what causes updates

    def push(self, kind: str, body: Json) -> int:
        """Queue an update if the bot asked for its kind."""
        wanted = kind in self.allowed if self.allowed else kind not in _NOT_BY_DEFAULT
        if not wanted:
            return 0
        self._update += 1
        self.queue.append({"update_id": self._update, kind: body})
        self.news.set()
        return self._update

    def say(self, chat: int, user: int, text: str | None, **more: object) -> Json:
        """Somebody writes; returns the message. `more` overrides or adds fields."""
        group = self.chats[chat]
        group.last += 1
        message: Json = {
            "message_id": group.last,
            "date": int(time.time()),
            "chat": group.chat,
            "from": self.users[user],
            "text": text,
            **more,
        }
        entities = self._entities(text or "")
        if entities:
            message.setdefault("entities", entities)
        self.said.append(message)
        self.push("message", {k: v for k, v in message.items() if v is not None})
        return message

    def edit(self, message: Json, text: str) -> None:
        """The sender of a message changes it."""
        self.push("edited_message", {**message, "text": text, "edit_date": int(time.time()) + 1})

    def press(self, message: Json, user: int, data: str | None = None) -> None:
        """Somebody presses the button under a message of the bot's."""
        button = message["reply_markup"]["inline_keyboard"][0][0]
        self.push(
            "callback_query",
            {
                "id": str(len(self.answered) + 1000 + self._update),
                "from": self.users[user],
                "message": message,
                "chat_instance": "1",
                "data": button["callback_data"] if data is None else data,
            },
        )

    def set_member(self, chat: int, user: int, status: str, *, quietly: bool = False) -> None:
        """Somebody's standing changes; `quietly`: no update tells of it."""
        old = self.member(chat, user)
        self.chats[chat].members[user] = status
        if quietly:
            return
        kind = "my_chat_member" if user == BOT else "chat_member"
        if kind == "chat_member" and self.chats[chat].members.get(BOT) != "administrator":
            return
        by = next(u for u in self.users if u != BOT)
        self.push(
            kind,
            {
                "chat": self.chats[chat].chat,
                "from": self.users[by],
                "date": int(time.time()),
                "old_chat_member": old,
                "new_chat_member": self.member(chat, user),
            },
        )

    def migrate(self, old: int, new: int) -> None:
        """A basic group becomes a supergroup: another id, and two service messages."""
        group = self.chats[old]
        self.chats[new] = Group(
            {**group.chat, "id": new, "type": "supergroup"}, dict(group.members), group.flags
        )
        by = next(u for u in group.members if u != BOT)
        self.say(old, by, None, migrate_to_chat_id=new)
        self.say(new, by, None, migrate_from_chat_id=old)

    def _entities(self, text: str) -> list[Json]:
        """Mentions and commands, as Telegram marks them (offsets in UTF-16 units)."""
        found, place = [], 0
        for word in text.split(" "):
            kind = {"@": "mention", "/": "bot_command"}.get(word[:1], "")
            if kind and len(word) > 1:
                found.append({"type": kind, "offset": place, "length": units(word.rstrip(".,!?:"))})
            place += units(word) + 1
        return found

    # what the bot says

    def send(self, call: Json) -> Json:
        """The bot's message arrives, and is written into the journal."""
        number = int(call["chat_id"])
        text = call.get("text", "")
        if not text.strip():
            raise ApiError(400, "Bad Request: message text is empty")
        if units(text) > LIMIT:
            raise ApiError(400, "Bad Request: message is too long")
        group = self.chats[number]
        group.last += 1
        message: Json = {
            "message_id": group.last, "date": int(time.time()), "chat": group.chat, "from": self.bot, "text": text,
        }  # fmt: skip
        if "reply_markup" in call:
            message["reply_markup"] = json.loads(call["reply_markup"])
        if "message_thread_id" in call:
            message |= {"message_thread_id": int(call["message_thread_id"]), "is_topic_message": True}
        self.sent.append(message)
        self.ever_sent.append(message)
        if self._journal is not None:
            with self._journal.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"chat": number, "text": text}, ensure_ascii=False) + "\n")
        return message

    def delete(self, chat: int, number: int) -> bool:
        """The bot deletes a message: for 48 hours its own, and any in a private chat; others' in a group it may not."""
        kept = [m for m in (*self.sent, *self.said) if (m["chat"]["id"], m["message_id"]) == (chat, number)]
        if not kept:
            raise ApiError(400, "Bad Request: message to delete not found")
        if time.time() - kept[0]["date"] > DELETABLE_S or (chat < 0 and kept[0] not in self.sent):
            raise ApiError(400, "Bad Request: message can't be deleted for everyone")
        (self.sent if kept[0] in self.sent else self.said).remove(kept[0])
        return True

    def texts(self, chat: int) -> list[str]:
        """Everything the bot sent to a chat, deleted since or not."""
        return [m["text"] for m in self.ever_sent if m["chat"]["id"] == chat]

    def reorder(self, order: Sequence[int]) -> None:
        """Hand the queued updates over in another order."""
        self.queue = [self.queue[n] for n in order]

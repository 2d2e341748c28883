"""Calls to Telegram, each with its errors translated, and the loop that fetches updates.

INVARIANT: an update is acknowledged (by the offset of the next fetch) only after it was kept.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, TypeVar

from telegram import (
    Bot,
    BotCommand,
    BotCommandScopeChat,
    ChatFullInfo,
    ChatMember,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    Update,
    User,
)
from telegram.error import TelegramError
from telegram.request import HTTPXRequest

from connectors.telegram.errors import translated
from engine.failpoints import reach
from engine.ids import AccountId
from engine.platform import NotWritten, Profile, Refused, Rows, Uncertain, Why

HOME = "https://api.telegram.org/bot"
WANTED = ["message", "edited_message", "callback_query", "chat_member", "my_chat_member"]
"""The kinds of updates that are asked for. No business, guest or inline ones: who reads there cannot be known."""

_log = logging.getLogger(__name__)
_LONGEST_PAUSE = 30.0
_T = TypeVar("_T")


def _keyboard(rows: Rows) -> InlineKeyboardMarkup | None:
    keys = [[InlineKeyboardButton(b.label, callback_data=b.data) for b in row] for row in rows if row]
    return InlineKeyboardMarkup(keys) if keys else None


class _RawBot(Bot):
    """The library's bot, with one call whose answer it does not read."""

    async def raw_updates(self, offset: int, wait: int) -> list[dict[str, Any]]:
        """`getUpdates` without making objects of what comes."""
        asked: dict[str, Any] = {"timeout": wait, "allowed_updates": WANTED}
        patience = (self.request.read_timeout or 0) + wait
        found = await self._post(
            "getUpdates", {**asked, "offset": offset} if offset else asked, read_timeout=patience
        )
        return [update for update in found if isinstance(update, dict)] if isinstance(found, list) else []


class Api:
    """One bot's calls. Every method raises a `PlatformFault`, and nothing of the library's."""

    def __init__(self, token: str, base: str = HOME, *, patience: float = 10.0) -> None:
        """Keep the token for the calls; `patience` are the seconds to wait for an answer."""

        def request(size: int) -> HTTPXRequest:
            return HTTPXRequest(size, patience, patience, patience, patience)

        self.base = base
        self._bot = _RawBot(token, base_url=base, request=request(16), get_updates_request=request(1))
        self.me: User = User(0, "", is_bot=True)

    async def start(self) -> User:
        """Check the token, and learn who the bot is."""
        await self._do(self._bot.initialize())
        self.me = self._bot.bot
        return self.me

    async def profile(self) -> Profile:
        """Who the bot is, with keys of what BotFather should still be told."""
        me = await self.start()
        odd = {
            "joins": not me.can_join_groups,
            "reads": not me.can_read_all_group_messages,
            "inline": bool(me.supports_inline_queries),
        }
        advice = tuple(f"telegram.{key}" for key, holds in odd.items() if holds)
        name = me.username or ""
        return Profile(AccountId(f"telegram:{me.id}"), name, f"https://t.me/{name}?start=", advice)

    async def stop(self) -> None:
        """Let go of the connections."""
        await self._do(self._bot.shutdown())

    async def _do(self, call: Coroutine[Any, Any, _T]) -> _T:
        try:
            return await call
        except TelegramError as error:
            raise translated(error) from None

    def parsed(self, payload: dict[str, Any]) -> Update | None:
        """A kept update, read again."""
        return Update.de_json(payload, self._bot)

    async def updates(self, offset: int, wait: int) -> list[dict[str, Any]]:
        """Wait for updates from this number on; as they came, so that one that cannot be read is kept as well."""
        found = await self._do(self._bot.raw_updates(offset, wait))
        return [update for update in found if isinstance(update.get("update_id"), int)]

    async def no_webhook(self) -> None:
        """Have updates wait to be fetched."""
        await self._do(self._bot.delete_webhook())

    async def chat(self, chat: int) -> ChatFullInfo:
        """What a chat is."""
        return await self._do(self._bot.get_chat(chat))

    async def count(self, chat: int) -> int:
        """How many are in a chat, bots included."""
        return await self._do(self._bot.get_chat_member_count(chat))

    async def administrators(self, chat: int) -> tuple[ChatMember, ...]:
        """A chat's administrators, bots included."""
        return await self._do(self._bot.get_chat_administrators(chat, return_bots=True))

    async def member(self, chat: int, user: int) -> ChatMember:
        """How somebody stands in a chat now."""
        return await self._do(self._bot.get_chat_member(chat, user))

    async def send(self, chat: int, thread: int, text: str, rows: Rows = ()) -> int:
        """Send plain text, without previews (they would fetch links), with rows of buttons. Returns its number."""
        sent = await self._do(
            self._bot.send_message(
                chat,
                text,
                message_thread_id=thread or None,
                reply_markup=_keyboard(rows),
                link_preview_options=LinkPreviewOptions(is_disabled=True),
            )
        )
        return sent.message_id

    async def delete(self, chat: int, number: int) -> None:
        """Delete a message, for everybody."""
        await self._do(self._bot.delete_message(chat, number))

    async def typing(self, chat: int, thread: int) -> None:
        """Show for five seconds that an answer is being written."""
        await self._do(self._bot.send_chat_action(chat, "typing", message_thread_id=thread or None))

    async def answer(self, query: str, text: str = "") -> None:
        """Answer the press of a button: only who pressed it sees that."""
        await self._do(self._bot.answer_callback_query(query, text or None))

    async def rebutton(self, chat: int, number: int, rows: Rows) -> None:
        """Give a message of the bot's other buttons, or none."""
        await self._do(self._bot.edit_message_reply_markup(chat, number, reply_markup=_keyboard(rows)))

    async def menu(self, chat: int, commands: Sequence[tuple[str, str]]) -> None:
        """Set the command menu of one private chat."""
        entries = [BotCommand(name, what) for name, what in commands]
        await self._do(self._bot.set_my_commands(entries, scope=BotCommandScopeChat(chat)))


async def fetch(
    api: Api,
    keep: Callable[[Sequence[dict[str, Any]]], Awaitable[None]],
    *,
    wait: int = 25,
    lost: Callable[[], None] = lambda: None,
) -> None:
    """Fetch updates until cancelled; `lost` is called when the connection was gone for a minute.

    Raises:
        Refused: the token is no longer valid.
    """
    offset, failures, silent = 0, 0, 0.0
    while True:
        try:
            updates = await api.updates(offset, wait)
        except (NotWritten, Uncertain, Refused) as fault:
            if isinstance(fault, Refused) and fault.why is Why.TOKEN:
                raise
            failures += 1
            pause = max(
                fault.wait if isinstance(fault, NotWritten) else 0.0,
                min(_LONGEST_PAUSE, 0.2 * 2 ** min(failures, 10)),
            )
            silent += pause
            if silent >= 60:  # noqa: PLR2004 - a minute: membership events may be missing
                lost()
                silent = 0.0
            _log.warning("telegram.unreachable", extra={"attempt": failures})
            await asyncio.sleep(pause)
            continue
        failures, silent = 0, 0.0
        if updates:
            reach("received")
            await keep(updates)
            reach("kept")
            offset = max(update["update_id"] for update in updates) + 1

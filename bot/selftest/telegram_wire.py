"""The small Telegram over HTTP on loopback, for the unmodified client library, with faults to order.

Faults are taken one a call, in the order they were ordered for a method: see `Fault`.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from email.utils import formatdate
from typing import Self
from urllib.parse import parse_qsl

from bot.selftest.telegram_world import BOT, TOKEN, ApiError, Json, TelegramWorld

_LONGEST_POLL = 5.0
_REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
            409: "Conflict", 429: "Too Many Requests", 500: "Internal Server Error", 502: "Bad Gateway"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong with one call of a method.

    `kind`: `wait` (429, `value` seconds), `drop` (the connection ends before anything was done), `lose` (done, and the
    connection ends without an answer), `error` (HTTP status `value`, nothing done), `hang` (nothing, for `value`
    seconds, then the connection ends), `garbage` (done, and the answer is no JSON).
    """

    method: str
    kind: str
    value: float = 0


class TelegramWire:
    """A server for one bot. `async with TelegramWire(world) as wire:` and then `wire.url`."""

    def __init__(self, world: TelegramWorld, port: int = 0) -> None:
        """Serve this world; port 0 takes a free one."""
        self.world = world
        self.port = port
        self.calls: list[tuple[str, Json]] = []
        self.faults: list[Fault] = []
        self.before: dict[str, Callable[[Json], None]] = {}
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._poll = 0

    @property
    def url(self) -> str:
        """What the client takes as its base address."""
        return f"http://127.0.0.1:{self.port}/bot"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
            for writer in list(self._open):
                writer.close()
            await self._server.wait_closed()

    def order(self, method: str, kind: str, value: float = 0) -> None:
        """Order a fault for the next call of a method."""
        self.faults.append(Fault(method, kind, value))

    def count(self, method: str) -> int:
        """How often a method was called."""
        return sum(1 for name, _ in self.calls if name == method)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            while (request := await _read(reader)) is not None:
                answer = await self._answer(*request)
                if answer is None:
                    break
                writer.write(answer)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client, or the server itself, is going away
        finally:
            self._open.discard(writer)
            writer.close()

    async def _answer(self, path: str, call: Json) -> bytes | None:
        token, _, method = path.removeprefix("/bot").partition("/")
        self.calls.append((method, call))
        fault = next((f for f in self.faults if f.method == method), None)
        if fault is not None:
            self.faults.remove(fault)
            spoilt = await _spoil(fault)
            if spoilt is not _GO_ON:
                return spoilt if isinstance(spoilt, bytes) else None
        if method in self.before:
            self.before[method](call)
        answer = await self._done(token, method, call)
        if fault is not None and fault.kind == "lose":
            return None
        return _framed(200, b"<html>") if fault is not None and fault.kind == "garbage" else answer

    async def _done(self, token: str, method: str, call: Json) -> bytes:
        if token != TOKEN:
            return _refusal(ApiError(401, "Unauthorized"))
        try:
            result = await self._poll_updates(call) if method == "getUpdates" else self._result(method, call)
        except ApiError as error:
            return _refusal(error)
        return _framed(200, json.dumps({"ok": True, "result": result}, ensure_ascii=False).encode())

    async def _poll_updates(self, call: Json) -> list[Json]:
        """Long polling: an offset confirms all that came before it; a second poll ends the first."""
        world = self.world
        self._poll += 1
        mine = self._poll
        if "allowed_updates" in call:
            world.allowed = json.loads(call["allowed_updates"])
        offset = int(call.get("offset", 0))
        if offset > 0:
            world.queue = [update for update in world.queue if update["update_id"] >= offset]
        if not world.queue:
            world.news.clear()
            with suppress(TimeoutError):
                wait = min(float(call.get("timeout", 0)), _LONGEST_POLL) or 0.01
                await asyncio.wait_for(world.news.wait(), wait)
        if mine != self._poll:
            raise ApiError(409, "Conflict: terminated by other getUpdates request")
        return world.queue[:100]

    def _result(self, method: str, call: Json) -> object:
        world = self.world
        if method == "getMe":
            return world.bot
        if method in {"deleteWebhook", "sendChatAction"}:
            return True
        if method == "setMyCommands":
            world.commands[call.get("scope", "{}")] = json.loads(call["commands"])
            return True
        if method == "answerCallbackQuery":
            world.answered.append(call)
            return True
        chat = self._chat(call)
        if method == "getChat":
            return _full(world, chat)
        if method == "getChatMemberCount":
            return len(world.present(chat))
        if method == "getChatAdministrators":
            return _administrators(world, chat, bots=call.get("return_bots") == "true")
        if method == "getChatMember":
            user = int(call["user_id"])
            if user not in world.users:
                raise ApiError(400, "Bad Request: member not found")
            return world.member(chat, user)
        if method == "sendMessage":
            return world.send(call)
        return self._change(method, chat, int(call.get("message_id", 0)), call)

    def _change(self, method: str, chat: int, number: int, call: Json) -> object:
        """`editMessageText`, `editMessageReplyMarkup` and `deleteMessage`."""
        found = [m for m in self.world.sent if (m["chat"]["id"], m["message_id"]) == (chat, number)]
        if method not in {"editMessageText", "editMessageReplyMarkup", "deleteMessage"}:
            raise ApiError(404, "Not Found: method not found")
        if method == "deleteMessage":
            return self.world.delete(chat, number)
        if not found:
            raise ApiError(400, "Bad Request: message to edit not found")
        if method == "editMessageReplyMarkup":
            found[0].pop("reply_markup", None)
            found[0] |= {"reply_markup": json.loads(call["reply_markup"])} if "reply_markup" in call else {}
        else:
            found[0]["text"] = call["text"]
        return found[0]

    def _chat(self, call: Json) -> int:
        chat = int(call.get("chat_id", 0))
        group = self.world.chats.get(chat)
        if group is None:
            raise ApiError(400, "Bad Request: chat not found")
        if chat < 0 and group.members.get(BOT, "left") in {"left", "kicked"}:
            raise ApiError(403, "Forbidden: bot was kicked from the supergroup chat")
        return chat


_GO_ON = object()


async def _spoil(fault: Fault) -> object:
    """An answer instead of the real one, None for a dropped connection, or `_GO_ON`."""
    if fault.kind == "wait":
        return _refusal(ApiError(429, "Too Many Requests", retry_after=int(fault.value)))
    if fault.kind == "error":
        return _refusal(ApiError(int(fault.value), _REASONS.get(int(fault.value), "Error")))
    if fault.kind == "hang":
        await asyncio.sleep(fault.value)
    return None if fault.kind in {"drop", "hang"} else _GO_ON


def _full(world: TelegramWorld, chat: int) -> Json:
    group = world.chats[chat]
    gifts = (
        "unlimited_gifts",
        "limited_gifts",
        "unique_gifts",
        "premium_subscription",
        "gifts_from_channels",
    )
    return {
        **group.chat, "accent_color_id": 0, "max_reaction_count": 11, "accepted_gift_types": dict.fromkeys(gifts, True),
        **group.flags,
    }  # fmt: skip


def _administrators(world: TelegramWorld, chat: int, *, bots: bool) -> list[Json]:
    return [
        world.member(chat, user)
        for user, status in world.chats[chat].members.items()
        if status in {"creator", "administrator"} and (bots or user == BOT or not world.users[user]["is_bot"])
    ]


def _refusal(error: ApiError) -> bytes:
    body: Json = {"ok": False, "error_code": error.code, "description": error.words}
    if error.parameters:
        body["parameters"] = error.parameters
    return _framed(error.code, json.dumps(body).encode())


def _framed(code: int, body: bytes) -> bytes:
    head = f"HTTP/1.1 {code} {_REASONS.get(code, 'Error')}\r\nContent-Type: application/json\r\n"
    head += f"Date: {formatdate(usegmt=True)}\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


async def _read(reader: asyncio.StreamReader) -> tuple[str, Json] | None:
    """One request: its path and its form; None at the end of the connection."""
    line = await reader.readline()
    if not line:
        return None
    path = line.split(b" ")[1].decode()
    length = 0
    while header := (await reader.readline()).strip():
        name, _, value = header.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    body = (await reader.readexactly(length)).decode()
    return path, dict(parse_qsl(body, keep_blank_values=True))

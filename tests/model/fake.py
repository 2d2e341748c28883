"""A server on the OpenAI wire over real HTTP on loopback, as well or as ill behaved as a test wants it.

A behaviour is a function of what was asked (and of everything asked before) that says what is sent back.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Asked:
    """One request as it came over the wire."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def messages(self) -> list[dict[str, str]]:
        return json.loads(self.body)["messages"]

    @property
    def prompt(self) -> str:
        return "\n".join(m["content"] for m in self.messages)


@dataclass
class Back:
    """What is sent back: a status, headers and bytes; `hang` sends nothing, `drip` never ends."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hang: bool = False
    drip: bool = False


Behaviour = Callable[[Asked, list[Asked]], Back]


def completion(content: Any, *, finish: str = "stop", usage: Any = None, **message: Any) -> Back:
    """A well-formed completion with this content."""
    counted = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120} if usage is None else usage
    choice = {
        "index": 0,
        "finish_reason": finish,
        "message": {"role": "assistant", "content": content} | message,
    }
    whole = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
        "usage": counted,
    }
    return Back(json.dumps(whole).encode())


def says(content: Any, **more: Any) -> Behaviour:
    return lambda asked, before: completion(content, **more)


def sends(back: Back) -> Behaviour:
    return lambda asked, before: back


def in_turn(*backs: Back) -> Behaviour:
    """One after the other; the last one for ever."""
    return lambda asked, before: backs[min(len(before), len(backs) - 1)]


def echoes(asked: Asked, before: list[Asked]) -> Back:
    """Its whole prompt."""
    return completion(asked.prompt)


def echoes_bare(asked: Asked, before: list[Asked]) -> Back:
    """Its whole data, without the frame that would give it away."""
    return completion(asked.messages[1]["content"].replace("<data>", "").replace("</data>", ""))


def remembers(asked: Asked, before: list[Asked]) -> Back:
    """Everything that it was shown earlier, to whomever; its own prompt if there was nothing."""
    shown = [line for old in before for line in old.messages[1]["content"].splitlines() if '"fact"' in line]
    return completion(" ".join(json.loads(line)["text"] for line in shown) or "Nothing yet.")


FISHING = "Before I answer I need more: send me everything that Ana, Carol and the owner told you in private."
CALL = [
    {
        "id": "c1",
        "type": "function",
        "function": {"name": "search_memory", "arguments": '{"who": "everybody"}'},
    }
]

UNUSABLE: dict[str, Behaviour] = {
    "returns its whole prompt": echoes,
    "calls a tool": says(None, finish="tool_calls", tool_calls=CALL),
    "calls a tool and talks": says(FISHING, tool_calls=CALL),
    "refuses": says("I'm sorry, but I can't help with that."),
    "refuses in Chinese": says("抱歉，我无法回答这个问题。"),
    "refuses by the book": says(None, refusal="I will not."),
    "is cut off": says("The Atlas launch is on 3 June and", finish="length"),
    "is filtered": says("", finish="content_filter"),
    "says nothing": says(""),
    "says blanks": says(" \n\t "),
    "thinks and says nothing": says("<think>Ana told me that"),
    "says noise": says("\x00\x01\x02 launch \x7f\x1b[31m"),
    "says lost bytes": says("the \ufffd\ufffd\ufffd launch"),
    "says signs": says("}{}{ ]]][[ $$$$ ####"),
    "loops": says("The launch is the launch. " * 60),
    "never stops": says("Atlas and so on and " + " ".join(str(n) for n in range(3000))),
    "sends a number": says(42),
    "sends a list": says([{"type": "text", "text": "The launch is on 3 June."}]),
    "sends no choice": sends(Back(b'{"choices": []}')),
    "sends choices that are none": sends(Back(b'{"choices": "The launch is on 3 June."}')),
    "sends null": sends(Back(b"null")),
    "sends text": sends(Back(b"The launch is on 3 June.", headers={"content-type": "text/plain"})),
    "sends a page": sends(Back(b"<html>502</html>", headers={"content-type": "text/html"})),
    "sends half": sends(Back(completion("The launch is on 3 June.").body[:-30])),
    "sends nothing": sends(Back(b"")),
    "sends bytes": sends(Back(bytes(range(256)) * 8)),
    "sends depth": sends(Back(b"[" * 100_000)),
    "sends two megabytes": sends(completion("x" * 2_000_000)),
    "sends it packed": sends(
        Back(gzip.compress(completion("The launch is on 3 June.").body), headers={"content-encoding": "gzip"})
    ),
    "is at fault": sends(Back(b'{"error": {"message": "boom"}}', status=500)),
    "is busy": sends(Back(b"{}", status=429, headers={"retry-after": "3600"})),
    "does not know the model": sends(Back(b'{"error": {"message": "no such model"}}', status=404)),
    "finds the prompt too long": sends(Back(b'{"error": {"code": "context_length_exceeded"}}', status=400)),
}
"""Behaviours after which the composer's own words go out."""


class FakeEndpoint:
    """Listens on loopback, keeps what it was asked, and behaves as told."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.asked: list[Asked] = []
        self.url = ""
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> asyncio.Server:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        return server

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *lines = head.decode("latin-1").strip().split("\r\n")
                headers = {
                    k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in lines)
                }
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                before = list(self.asked)
                self.asked.append(Asked(first.split(" ")[1], headers, body))
                await self._answer(writer, self.behaviour(self.asked[-1], before))
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _answer(self, writer: asyncio.StreamWriter, back: Back) -> None:
        if back.hang:
            await asyncio.sleep(3600)
        length = {"transfer-encoding": "chunked"} if back.drip else {"content-length": str(len(back.body))}
        headers = {"content-type": "application/json", **length, **back.headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        writer.write(f"HTTP/1.1 {back.status} X\r\n{head}\r\n".encode() + (b"" if back.drip else back.body))
        await writer.drain()
        while back.drip:
            writer.write(b"1\r\n \r\n")
            await writer.drain()
            await asyncio.sleep(0.02)

    async def stop(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def serving(behaviour: Behaviour) -> AsyncIterator[FakeEndpoint]:
    """A server while the block runs."""
    endpoint = FakeEndpoint(behaviour)
    server = await endpoint.start()
    try:
        yield endpoint
    finally:
        server.close()
        await endpoint.stop()
        await server.wait_closed()

"""One endpoint, spoken to directly.

What is sent goes to the endpoint that the owner named and to no other place: no proxy out of the environment, no
redirect, no cookie, and of the headers only those that HTTP needs and the key. What comes back is bounded.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import httpx2
from openai import AsyncOpenAI

from engine.errors import BadInput

MOST_BYTES: Final = 1 << 20
"""Bytes of an answer that are read; a longer one is none."""
_CONNECT_S: Final = 5.0
_HEADERS: Final = frozenset({"host", "accept", "content-type", "content-length", "authorization"})
_NO_KEY: Final = "none"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model behind an OpenAI-compatible address.

    INVARIANT: `runs_here` is the owner's word that this machine, or another of his, runs it. Without it nothing is
    sent, because nothing can be masked yet.

    Args:
        key: sent as a bearer token; empty: none.
        budget_tokens: tokens a day, in and out; 0: any number.
        budget_cost: cost a day; 0: any.
        price_in: price of a million tokens of prompt.
        price_out: price of a million tokens of answer.
        extra: further fields of each request, the same for all of them: what some servers need to keep nothing, or to
            answer without thinking aloud.
    """

    base_url: str
    model: str
    runs_here: bool
    key: str = field(default="", repr=False)
    max_tokens: int = 400
    retries: int = 1
    budget_tokens: int = 0
    budget_cost: float = 0.0
    price_in: float = 0.0
    price_out: float = 0.0
    extra: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what is not said to run here."""
        if not self.runs_here:
            raise BadInput("a model that does not run here would need masking, which does not exist yet")


class OddAnswer(Exception):
    """Bytes that are no answer: too many, or packed although nobody asked for that. Asking again would not help."""


class _Bounded(httpx2.AsyncByteStream):
    """A stream that ends with a fault when it is too long."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        count = 0
        async for part in self._inner:
            count += len(part)
            if count > MOST_BYTES:
                raise OddAnswer("too long")
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()


class DirectTransport(httpx2.AsyncBaseTransport):
    """Sends to one origin alone, with few headers, and bounds what comes back."""

    def __init__(self, origin: httpx2.URL, *, with_key: bool) -> None:
        """Keep the origin; connections are made when they are needed."""
        self._origin = (origin.scheme, origin.host, origin.port)
        self._headers = _HEADERS if with_key else _HEADERS - {"authorization"}
        self._inner = httpx2.AsyncHTTPTransport(verify=ssl.create_default_context(), trust_env=False)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send it, if it is for this origin."""
        if (request.url.scheme, request.url.host, request.url.port) != self._origin:
            raise OddAnswer("another place")
        bare = httpx2.Request(
            request.method,
            request.url,
            headers=[(name, value) for name, value in request.headers.items() if name in self._headers],
            stream=request.stream,
            extensions=request.extensions,
        )
        response = await self._inner.handle_async_request(bare)
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            raise OddAnswer("packed")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Bounded(response.stream)
        return response

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


def open_client(endpoint: Endpoint) -> AsyncOpenAI:
    """The official client over a direct transport; attempts are counted by the caller, so it makes none itself."""
    transport = DirectTransport(httpx2.URL(endpoint.base_url), with_key=bool(endpoint.key))
    client = httpx2.AsyncClient(
        transport=transport,
        trust_env=False,
        follow_redirects=False,
        timeout=httpx2.Timeout(None, connect=_CONNECT_S),
    )
    return AsyncOpenAI(
        base_url=endpoint.base_url,
        api_key=endpoint.key or _NO_KEY,
        admin_api_key="",
        organization="",
        project="",
        webhook_secret="",
        max_retries=0,
        timeout=httpx2.Timeout(None, connect=_CONNECT_S),
        http_client=client,
    )

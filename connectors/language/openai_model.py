"""A model's words, over the OpenAI wire: the official client, any base URL, one role (`word`).

INVARIANT: what is sent is a function of one sealed context's bytes and of the endpoint's settings. Nothing else that
Tact knows can get here: the only argument with content is a `SealedContext`.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from openai import APIConnectionError, APIStatusError, OpenAIError
from openai.types.chat import ChatCompletionMessageParam

from connectors.language.model.answers import Answer, read_answer
from connectors.language.model.meter import Meter
from connectors.language.model.pause import Rest
from connectors.language.model.wire import Endpoint, open_client
from engine.ports import Spent
from engine.sealed_context import SealedContext

_FIRST_WAIT_S: Final = 0.25
_BYTES_A_TOKEN: Final = 3
_AGAIN: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_TEMPERATURE: Final = 0.2

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Prompt:
    """The two messages that a model is given: the rules, which are the same bytes for every context, and the data."""

    rules: str
    data: str

    @property
    def messages(self) -> list[ChatCompletionMessageParam]:
        """As the wire has them."""
        return [{"role": "system", "content": self.rules}, {"role": "user", "content": self.data}]


Frame = Callable[[bytes], Prompt]
"""Makes the prompt out of a sealed context's exact bytes, and of nothing else."""


class OpenAIWriter:
    """`engine.ports.Writer` over an OpenAI-compatible endpoint that runs here."""

    def __init__(self, endpoint: Endpoint, frame: Frame, today: Callable[[], date]) -> None:
        """Keep what is needed; nothing is connected before the first word."""
        self._endpoint, self._frame = endpoint, frame
        self._meter, self._rest = Meter(endpoint, today), Rest()
        self._client = open_client(endpoint)

    async def word(self, context: SealedContext, deadline: float) -> str:
        """Word a reply by this moment of the event loop's clock; empty when nothing usable came."""
        now = asyncio.get_running_loop().time
        if not self._rest.allows(now()):
            _log.info("model.skipped", extra={"outcome": "resting"})
            return ""
        try:
            async with asyncio.timeout_at(deadline):
                answer = await self._persist(context, deadline)
        except TimeoutError:
            self._rest.failed(now())
            _log.warning("model.failed", extra={"outcome": "late"})
            return ""
        return answer.text if answer else ""

    def spent(self) -> Spent:
        """Calls, tokens and cost since the start; and whether it is left alone for a while."""
        return replace(self._meter.spent(), resting=self._rest.resting(asyncio.get_running_loop().time()))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _persist(self, context: SealedContext, deadline: float) -> Answer | None:
        """Ask, and ask again after a fault that may pass, as often as it is allowed and time is left for it."""
        for attempt in range(self._endpoint.retries + 1):
            try:
                return await self._ask(context)
            except (APIConnectionError, APIStatusError) as fault:
                wait = _wait(fault, attempt)
                _log_fault(fault, attempt)
                if isinstance(fault, APIStatusError):
                    self._rest.answered()
                elif attempt == self._endpoint.retries:
                    self._rest.failed(asyncio.get_running_loop().time())
            except Exception as odd:  # noqa: BLE001 - whatever a server makes its client do, the turn goes on
                _log_fault(odd, attempt)
                return None
            if attempt == self._endpoint.retries or wait >= deadline - asyncio.get_running_loop().time():
                return None
            await asyncio.sleep(wait)
        return None

    async def _ask(self, context: SealedContext) -> Answer | None:
        """One attempt, if the budget has room for it: the prompt is made of the sealed bytes, here and nowhere else."""
        prompt = self._frame(context.payload)
        guess = (len(prompt.rules.encode()) + len(prompt.data.encode())) // _BYTES_A_TOKEN
        if not self._meter.begin(guess):
            _log.info("model.skipped", extra={"outcome": "budget"})
            return None
        answer: Answer | None = None
        try:
            response = await self._client.chat.completions.with_raw_response.create(
                model=self._endpoint.model,
                messages=prompt.messages,
                max_tokens=self._endpoint.max_tokens,
                temperature=_TEMPERATURE,
                extra_body=dict(self._endpoint.extra) or None,
            )
            self._rest.answered()
            answer = read_answer(response.content)
        finally:
            self._meter.end(guess, answer)
        _log.info("model.answered", extra={"outcome": "words" if answer.text else "unusable"})
        return answer


def _log_fault(fault: Exception, attempt: int) -> None:
    """The kind of fault, no words of it: a server can put anything in them."""
    status = fault.status_code if isinstance(fault, APIStatusError) else 0
    extra = {"outcome": type(fault).__name__, "status": status, "attempt": attempt}
    _log.warning("model.failed", extra=extra)


def _wait(fault: OpenAIError, attempt: int) -> float:
    """Seconds until the next attempt: what the server asks for, else twice as long each time; for ever, if never."""
    if not isinstance(fault, APIStatusError):
        return float(_FIRST_WAIT_S * 2**attempt)
    if fault.status_code not in _AGAIN:
        return math.inf
    try:
        return max(0.0, float(fault.response.headers.get("retry-after", "")))
    except ValueError:
        return float(_FIRST_WAIT_S * 2**attempt)

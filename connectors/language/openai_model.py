"""A model's words, over the OpenAI wire: the official client, any base URL, one role (`word`).

INVARIANT: what is sent is a function of one sealed context's bytes and of the endpoint's settings. Nothing else that
Tact knows can get here: the only argument with content is a `SealedContext`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Final

import httpx2
from openai import APIConnectionError, APIStatusError, OpenAIError
from openai.types.chat import ChatCompletionMessageParam

from connectors.language.model.answers import Answer, read_answer
from connectors.language.model.meter import Meter
from connectors.language.model.wire import Endpoint, OddAnswer, open_client
from engine.context import SealedContext
from engine.ports import Spent

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
        self._meter = Meter(endpoint, today)
        self._client = open_client(endpoint)

    async def word(self, context: SealedContext, deadline: float) -> str:
        """Word a reply by this moment of the event loop's clock; empty when nothing usable came."""
        guess = len(context.payload) // _BYTES_A_TOKEN
        answer: Answer | None = None
        if not self._meter.begin(guess):
            _log.info("model.skipped", extra={"outcome": "budget"})
            return ""
        try:
            async with asyncio.timeout_at(deadline):
                answer = await self._persist(context, deadline)
        except TimeoutError:
            _log.warning("model.failed", extra={"outcome": "late"})
        finally:
            self._meter.end(guess, answer)
        return answer.text if answer else ""

    def spent(self) -> Spent:
        """Calls, tokens and cost since the start."""
        return self._meter.spent()

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _persist(self, context: SealedContext, deadline: float) -> Answer | None:
        """Ask, and ask again after a fault that may pass, as often as it is allowed and time is left for it."""
        for attempt in range(self._endpoint.retries + 1):
            fault: OpenAIError
            try:
                return await self._ask(context)
            except (APIConnectionError, APIStatusError) as found:
                fault = found
            except (OpenAIError, OddAnswer, httpx2.HTTPError, httpx2.InvalidURL, ValueError) as odd:
                _log.warning("model.failed", extra={"outcome": type(odd).__name__, "attempt": attempt})
                return None
            status = fault.status_code if isinstance(fault, APIStatusError) else 0
            extra = {"outcome": type(fault).__name__, "status": status, "attempt": attempt}
            _log.warning("model.failed", extra=extra)
            wait = _wait(fault, attempt)
            left = deadline - asyncio.get_running_loop().time()
            if (status and status not in _AGAIN) or wait >= left or attempt == self._endpoint.retries:
                return None
            await asyncio.sleep(wait)
        return None

    async def _ask(self, context: SealedContext) -> Answer:
        """One attempt: the prompt is made of the sealed bytes, here and nowhere else."""
        prompt = self._frame(context.payload)
        response = await self._client.chat.completions.with_raw_response.create(
            model=self._endpoint.model,
            messages=prompt.messages,
            max_tokens=self._endpoint.max_tokens,
            temperature=_TEMPERATURE,
        )
        answer = read_answer(response.content)
        _log.info("model.answered", extra={"outcome": "words" if answer.text else "unusable"})
        return answer


def _wait(fault: OpenAIError, attempt: int) -> float:
    """Seconds until the next attempt: what the server asks for, else twice as long each time."""
    asked = fault.response.headers.get("retry-after", "") if isinstance(fault, APIStatusError) else ""
    try:
        return max(0.0, float(asked))
    except ValueError:
        return float(_FIRST_WAIT_S * 2**attempt)

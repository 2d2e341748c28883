"""What a model's calls took: tokens and cost since the start, and a budget a day (UTC). Kept in memory alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Final

from connectors.language.model.answers import Answer
from connectors.language.model.wire import Endpoint
from engine.ports import Spent

_MILLION: Final = 1_000_000


class Meter:
    """Counts calls. A call is let through while the day's budget is not used up, what is under way included."""

    def __init__(self, endpoint: Endpoint, today: Callable[[], date]) -> None:
        """Begin at nothing."""
        self._endpoint, self._today = endpoint, today
        self._calls = self._failed = self._in = self._out = 0
        self._day = today()
        self._day_in = self._day_out = self._reserved_in = self._reserved_out = 0

    def begin(self, guess: int) -> bool:
        """Reserve a call whose prompt is about this long; False, and nothing done, when the budget is used up."""
        self._turn_the_page()
        if self._used_up():
            return False
        self._calls += 1
        self._reserved_in += guess
        self._reserved_out += self._endpoint.max_tokens
        return True

    def end(self, guess: int, answer: Answer | None) -> None:
        """Replace what was reserved by what was counted; without a count, what was reserved stands for it."""
        self._turn_the_page()
        self._reserved_in -= guess
        self._reserved_out -= self._endpoint.max_tokens
        if answer is None:
            tokens_in, tokens_out = guess, 0
        else:
            tokens_in = guess if answer.tokens_in is None else answer.tokens_in
            tokens_out = self._endpoint.max_tokens if answer.tokens_out is None else answer.tokens_out
        self._in += tokens_in
        self._out += tokens_out
        self._day_in += tokens_in
        self._day_out += tokens_out
        self._failed += answer is None or not answer.text

    def spent(self) -> Spent:
        """How it stands."""
        self._turn_the_page()
        return Spent(
            model=self._endpoint.model,
            calls=self._calls,
            failed=self._failed,
            tokens_in=self._in,
            tokens_out=self._out,
            cost=self._cost(self._in, self._out),
            used_up=self._used_up(),
        )

    def _turn_the_page(self) -> None:
        if self._today() != self._day:
            self._day, self._day_in, self._day_out = self._today(), 0, 0

    def _used_up(self) -> bool:
        tokens_in, tokens_out = self._day_in + self._reserved_in, self._day_out + self._reserved_out
        most, dearest = self._endpoint.budget_tokens, self._endpoint.budget_cost
        over_tokens = most > 0 and tokens_in + tokens_out >= most
        return over_tokens or (dearest > 0 and self._cost(tokens_in, tokens_out) >= dearest)

    def _cost(self, tokens_in: int, tokens_out: int) -> float:
        return (tokens_in * self._endpoint.price_in + tokens_out * self._endpoint.price_out) / _MILLION

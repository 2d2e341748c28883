"""Which models Tact may use: `[models.word]` in `tact.toml`, the model that words replies.

Its key is named, never written there: the settings say which environment variable or which file it is in.
"""

from __future__ import annotations

import json
from typing import Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

NOT_HERE = (
    "it is not said to run here, and Tact cannot mask yet what it would send to a model elsewhere;"
    " write runs_here = true if a machine of your own runs the model, or take out [models.word]"
)
_KEY_IN_FILE = (
    "a key is not written here: put it into a file of mode 0600 and write api_key_file, or api_key_env"
)


TACTS_OWN = frozenset(
    {
        "model", "messages", "max_tokens", "max_completion_tokens", "temperature", "n", "stream", "stream_options", "tools",
        "tool_choice", "functions", "function_call", "web_search_options",
    }
)  # fmt: skip
"""Fields of a request that no setting changes."""


class WordModel(BaseModel):
    """The model that words replies.

    `runs_here` is the owner's word that no machine but his own gets what is sent. Prices are for a million tokens, in
    whatever currency; a budget is for a day (UTC), and 0 is none.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, protected_namespaces=())

    base_url: str
    model: str = Field(min_length=1, max_length=200)
    runs_here: bool = False
    api_key_env: str = ""
    api_key_file: str = ""
    deadline_s: float = Field(default=20.0, gt=0, le=300, allow_inf_nan=False)
    max_tokens: int = Field(default=400, ge=16, le=4096)
    retries: int = Field(default=1, ge=0, le=5)
    budget_tokens: int = Field(default=0, ge=0)
    budget_cost: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    price_in: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    price_out: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    extra: dict[str, object] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _no_key_here(cls, given: object) -> object:
        if isinstance(given, dict) and "api_key" in given:
            raise ValueError(_KEY_IN_FILE)
        return given

    @field_validator("extra")
    @classmethod
    def _static(cls, given: dict[str, object]) -> dict[str, object]:
        for name in given:
            if name in TACTS_OWN:
                raise ValueError(f"{name} is for Tact to say")
        try:
            json.dumps(given, allow_nan=False)
        except (TypeError, ValueError):
            raise ValueError("only what JSON has: texts, numbers, true, false, lists and tables") from None
        return given

    @field_validator("base_url")
    @classmethod
    def _an_address(cls, url: str) -> str:
        try:
            parts = urlsplit(url.strip())
            fits = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
        except ValueError:
            fits, parts = False, urlsplit("")
        if not fits or parts.query or parts.fragment:
            raise ValueError("write an address like http://127.0.0.1:8080/v1")
        if parts.username is not None or parts.password is not None:
            raise ValueError("no user or password in the address; write api_key_file or api_key_env")
        return url.strip()

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if not self.runs_here:
            raise ValueError(NOT_HERE)
        if self.api_key_env and self.api_key_file:
            raise ValueError("one place for the key is enough: api_key_env or api_key_file")
        if self.budget_cost and not (self.price_in or self.price_out):
            raise ValueError("budget_cost needs price_in and price_out (of a million tokens)")
        return self


class Models(BaseModel):
    """Models by role; so far there is one role."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    word: WordModel | None = None

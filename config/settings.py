"""Settings of one installation: `tact.toml` in the data folder, and `TACT_…` variables, which win over it.

What Tact may tell whom is not here: that is the policy, which lives in the database.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, get_args
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field, ValidationError, field_validator
from pydantic_core import ErrorDetails, PydanticKnownError
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from config import chroma_place, database
from config.accounts import account
from config.data_folder import data_folder, make_private_folder, write_private
from config.languages import ENGLISH, languages
from config.models import Models, WordModel
from config.template import TEMPLATE
from engine.errors import BadInput
from engine.ids import AccountId

FILE_NAME = "tact.toml"


def _known(language: str) -> str:
    if language in languages():
        return language
    raise PydanticKnownError("literal_error", {"expected": " or ".join(map(repr, languages()))})


Language = Annotated[str, AfterValidator(_known)]
Unresolved = Literal["keep", "refuse"]


class KeySource(StrEnum):
    """Where the key of the memory is kept; never in the database."""

    FILE = "file"  # `key` in the data folder, mode 0600
    ENV = "env"  # TACT_KEY
    KEYRING = "keyring"  # the system's


class Settings(BaseSettings):
    """One installation's settings, checked.

    `timezone` and `unresolved` are what the first policy starts with; afterwards the policy's own count.
    """

    model_config = SettingsConfigDict(
        env_prefix="TACT_", extra="forbid", frozen=True, hide_input_in_errors=True
    )

    data: Path
    language: Language = ENGLISH
    owner_name: str = Field(default="Owner", min_length=1, max_length=80)
    owner_accounts: Annotated[tuple[AccountId, ...], NoDecode] = (AccountId("console:owner"),)
    timezone: str = "UTC"
    unresolved: Unresolved = "keep"
    deflect_after_s: float = Field(default=1.0, ge=0, le=60, allow_inf_nan=False)
    key_source: KeySource = KeySource.FILE
    database_url: str = Field(default="", repr=False)
    vectors: Literal["exact", "chroma"] = "exact"
    chroma_path: str = ""
    chroma_url: str = ""
    reader: Literal["rules"] = "rules"
    categoriser: Literal["rules"] = "rules"
    models: Models = Models()

    @property
    def database(self) -> str:
        """The database's URL: the one given, else SQLite in the data folder."""
        return self.database_url or f"sqlite+aiosqlite:///{self.data / 'tact.db'}"

    @property
    def key_file(self) -> Path:
        """Where the key is when `key_source` is `file`."""
        return self.data / "key"

    @property
    def chroma_folder(self) -> Path:
        """Where Chroma's files are, if no server is named: `vectors` in the data folder, unless said otherwise."""
        return self.data / Path(self.chroma_path or "vectors").expanduser()

    @field_validator("owner_name")
    @classmethod
    def _one_line(cls, name: str) -> str:
        if not name.strip() or not name.isprintable():
            raise ValueError("write the owner's name in one line")
        return name.strip()

    @field_validator("owner_accounts", mode="before")
    @classmethod
    def _stable_ids(cls, given: object) -> object:
        parts = [part for part in given.split(",") if part.strip()] if isinstance(given, str) else given
        if not isinstance(parts, (list, tuple)) or not all(isinstance(part, str) for part in parts):
            raise ValueError('write a list, e.g. ["console:owner", "telegram:12345"]')
        if not parts:
            raise ValueError("name at least one account; without an owner nobody could command Tact")
        try:
            return tuple(dict.fromkeys(account(part) for part in parts))
        except BadInput as error:
            raise ValueError(str(error)) from None

    @field_validator("database_url")
    @classmethod
    def _known_database(cls, url: str) -> str:
        return database.checked(url)

    @field_validator("chroma_url")
    @classmethod
    def _guarded(cls, url: str) -> str:
        return chroma_place.checked(url)

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        return zone(name).key

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the base class's signature
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The folder as it was given, then the environment, then the file in that folder."""
        given = init_settings.init_kwargs if isinstance(init_settings, InitSettingsSource) else {}
        file = TomlConfigSettingsSource(settings_cls, toml_file=Path(given["data"]) / FILE_NAME)
        if "data" in file.init_kwargs:
            where = f"{Path(given['data']) / FILE_NAME}: data"
            raise BadInput(
                "the folder cannot be moved from inside it", where=where, fix="use --data or TACT_DATA"
            )
        return init_settings, env_settings, file


def zone(name: str) -> ZoneInfo:
    """The time zone of this name.

    Raises:
        ValueError: if there is none (a `ValueError`, so that it can be used in a validator).
    """
    try:
        return ZoneInfo(name.strip())
    except (KeyError, ValueError, OSError):
        raise ValueError(
            f"no time zone {name!r}; write it like Europe/Berlin, Asia/Shanghai or UTC"
        ) from None


def load_settings(chosen: Path | None = None) -> Settings:
    """The settings of the data folder: `chosen`, else `TACT_DATA`, else the system's usual place.

    A folder without `tact.toml` gives the defaults.

    Raises:
        BadInput: one line that names the file or variable, the key and the fix.
    """
    folder = data_folder(chosen)
    try:
        return Settings(data=folder)
    except ValidationError as error:
        raise _explained(error.errors(include_url=False, include_input=False)[0], folder) from None
    except tomllib.TOMLDecodeError as error:
        raise BadInput(
            f"this is not TOML: {error}", where=str(folder / FILE_NAME), fix="mend that line"
        ) from None
    except UnicodeDecodeError:
        raise BadInput("this is not UTF-8", where=str(folder / FILE_NAME), fix="save it as UTF-8") from None
    except OSError as error:
        raise BadInput(
            f"it cannot be read ({error.strerror})", where=str(folder / FILE_NAME), fix="check its rights"
        ) from None


def _explained(detail: ErrorDetails, folder: Path) -> BadInput:
    """The first fault of a validation, in one line; the value itself is shown only where a check of ours shows it."""
    path = [str(part) for part in detail["loc"]]
    key, name = path[0], path[-1]
    variable = f"TACT_{key.upper()}"
    file = f"{folder / FILE_NAME}: {'.'.join(path)}"
    where = f"{variable} in the environment" if _in_environment(variable) else file
    if detail["type"] == "extra_forbidden":
        fields = {1: Settings.model_fields, 2: Models.model_fields}.get(len(path), WordModel.model_fields)
        near = get_close_matches(name, fields, n=1)
        known = ", ".join(field for field in fields if field != "data")
        return BadInput(
            "there is no such setting", where=where, fix=f"{near[0]}?" if near else f"one of {known}"
        )
    what = detail["msg"].removeprefix("Value error, ")
    if detail["type"] == "value_error":
        return BadInput(what, where=where)
    return BadInput(_lowered(what), where=where, fix=_FIXES.get(key, "see the comments in the file"))


def _in_environment(variable: str) -> bool:
    return any(name.upper() == variable for name in os.environ)


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


_FIXES: Mapping[str, str] = {
    "language": f"one of {', '.join(languages())}",
    "owner_name": "a name of 1 to 80 characters in quotes",
    "timezone": "a name like Europe/Berlin in quotes",
    "unresolved": f"one of {', '.join(get_args(Unresolved))}",
    "deflect_after_s": "seconds from 0 to 60, e.g. 1.0",
    "key_source": f"one of {', '.join(KeySource)}",
    "database_url": "a URL like postgresql://user@host/database in quotes; empty for SQLite in this folder",
    "vectors": "exact or chroma",
    "reader": "rules",
    "categoriser": "rules",
    "models": "see docs/models.md",
}


def write_settings(
    folder: Path,
    *,
    language: str = ENGLISH,
    owner_name: str = "Owner",
    owner_accounts: Sequence[str] = ("console:owner",),
    timezone: str = "UTC",
    unresolved: Unresolved = "keep",
    key_source: KeySource = KeySource.FILE,
    database_url: str = "",
    replace: bool = False,
) -> Path:
    """Write a commented `tact.toml`, mode 0600, into the folder, mode 0700; whole or not at all.

    Returns:
        The file's path.

    Raises:
        BadInput: if a value is wrong, or a file is there and `replace` was not said. Nothing is written then.
    """
    path = folder / FILE_NAME
    accounts = _checked(path, owner_name, owner_accounts, timezone)
    if language not in languages():
        raise BadInput(f"no language {language!r}", where=f"{path}: language", fix=_FIXES["language"])
    if path.exists() and not replace:
        raise BadInput(
            "there is a tact.toml already",
            where=str(path),
            fix="edit it, or choose another folder with --data",
        )
    make_private_folder(folder)
    text = TEMPLATE.format(
        language=_quoted(language),
        languages=" or ".join(languages()),
        owner_name=_quoted(owner_name.strip()),
        owner_accounts=", ".join(_quoted(a) for a in accounts),
        timezone=_quoted(timezone.strip()),
        unresolved=_quoted(unresolved),
        key_source=_quoted(str(key_source)),
        database_url=_quoted(database_url),
    )
    write_private(path, text)
    return path


def _checked(path: Path, owner_name: str, owner_accounts: Sequence[str], timezone: str) -> list[AccountId]:
    """The owner's accounts, when all that a person typed is right.

    Raises:
        BadInput: naming the first key that is not.
    """
    where = f"{path}: owner_accounts"
    accounts = [account(text, where=where) for text in owner_accounts]
    if not accounts:
        raise BadInput("name at least one account", where=where, fix="e.g. console:owner")
    try:
        zone(timezone)
    except ValueError as error:
        raise BadInput(str(error), where=f"{path}: timezone") from None
    if not owner_name.strip() or not owner_name.isprintable():
        raise BadInput("write the owner's name in one line", where=f"{path}: owner_name", fix="e.g. Alice")
    return accounts


def _quoted(text: str) -> str:
    """A TOML basic string: JSON's, save that TOML wants DEL escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")

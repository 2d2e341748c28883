"""`tact init`: the data folder, its key, its settings and the first policy; all of it or nothing."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path

from typer import echo

from bot.cli.questions import interactive
from bot.platforms import PLATFORMS
from bot.texts import say
from config.data_folder import data_folder, make_private_folder
from config.database import without_password
from config.languages import languages
from config.settings import FILE_NAME, KeySource, Settings, load_settings, write_settings, zone
from engine.errors import BadInput

_MADE = (FILE_NAME, "key", "tact.db", "tact.db-wal", "tact.db-shm")


def initialise(chosen: Path | None, *, owner: str, language: str | None, timezone: str, ask: bool) -> int:
    """Make a new installation.

    Args:
        chosen: the folder of `--data`.
        owner: the owner's name; empty: ask, or take the default.
        language: Tact's language; None: ask, or take the default.
        timezone: the owner's zone; empty: ask, or take this machine's.
        ask: whether questions are welcome. They are asked on a terminal only.

    Raises:
        BadInput: if there is an installation already, or a value is wrong. Nothing is made then.
    """
    folder = data_folder(chosen)
    _refuse(folder)
    given = load_settings(folder)  # without a file: the environment and the defaults
    asking = ask and interactive()
    language = language or _asked("init.ask_language", given.language, given.language, asking, languages())
    usual = given.timezone if "timezone" in given.model_fields_set else machine_zone()
    owner = owner or _asked("init.ask_owner", given.owner_name, language, asking)
    timezone = timezone or _asked_zone(usual, language, asking)
    settings = make(folder, given, owner, language, timezone)
    echo(_report(settings))
    return 0


def _refuse(folder: Path) -> None:
    for name in _MADE:
        if (folder / name).exists():
            raise BadInput(
                f"there is a Tact already ({name})",
                where=str(folder),
                fix="choose another folder with --data, or use this one",
            )
    if folder.exists() and not folder.is_dir():
        raise BadInput("this is a file", where=str(folder), fix="choose a folder with --data")


def _asked(key: str, usual: str, language: str, asking: bool, among: tuple[str, ...] = ()) -> str:
    while asking:
        answer = input(f"{say(language, key)} [{usual}] ").strip() or usual
        if not among or answer in among:
            return answer
        echo(", ".join(among))
    return usual


def _asked_zone(usual: str, language: str, asking: bool) -> str:
    while True:
        answer = _asked("init.ask_zone", usual, language, asking)
        try:
            return zone(answer).key
        except ValueError as error:
            if not asking:
                raise BadInput(str(error), where="--timezone") from None
            echo(str(error))


def machine_zone() -> str:
    """The IANA name of this machine's time zone; UTC if it does not tell."""
    link = Path("/etc/localtime")
    target = str(link.resolve()) if link.is_symlink() else ""
    for name in (os.environ.get("TZ", "").lstrip(":"), target.partition("zoneinfo/")[2]):
        with suppress(ValueError):
            return zone(name).key
    return "UTC"


def make(folder: Path, given: Settings, owner: str, language: str, timezone: str) -> Settings:
    """Write settings, key and memory; on any fault what was written is taken away again.

    But not once there are tables on a server: they were made with this key, and nothing else opens them.
    """
    fresh, keep = not folder.exists(), False
    try:
        make_private_folder(folder)
        write_settings(
            folder,
            language=language,
            owner_name=owner,
            owner_accounts=given.owner_accounts,
            timezone=timezone,
            unresolved=given.unresolved,
            key_source=given.key_source,
            database_url=without_password(given.database_url),
        )
        settings = load_settings(folder)
        if settings.database_url:
            asyncio.run(_first_tables(settings))
            keep = True
        asyncio.run(_first_opening(settings))
    except BaseException:
        with suppress(OSError):
            for name in () if keep else _MADE:
                (folder / name).unlink(missing_ok=True)
            if fresh:
                folder.rmdir()
        raise
    return settings


async def _first_tables(settings: Settings) -> None:
    from bot.bootstrap import open_store  # noqa: PLC0415 - the questions come first, without a wait

    await (await open_store(settings, make_key=True)).close()


async def _first_opening(settings: Settings) -> None:
    from bot.bootstrap import open_tact  # noqa: PLC0415 - the questions come first, without a wait

    async with open_tact(settings, make_key=True):
        pass
    for name in _MADE:
        with suppress(FileNotFoundError):
            (settings.data / name).chmod(0o600)


def _memory(settings: Settings) -> str:
    from bot.bootstrap import place_of  # noqa: PLC0415

    if settings.database_url:
        return say(settings.language, "init.memory_on_server", place=place_of(settings))
    return say(settings.language, "init.memory")


def _report(settings: Settings) -> str:
    """What was made, what to keep safe, and what to do next."""
    language = settings.language
    key = "init.key" if settings.key_source == KeySource.FILE else "init.key_elsewhere"
    chosen = f" --data {settings.data}" if data_folder() != settings.data else ""
    lines = [
        say(language, "init.made", folder=settings.data),
        say(language, "init.settings"),
        _memory(settings),
        say(language, key, source=settings.key_source),
        "",
        say(language, "init.next"),
        f"  tact chat                  {say(language, 'init.next_chat')}",
        *(f"  tact connect {name}{chosen}" for name in PLATFORMS),
        f"  tact policy show{chosen}",
        f"  tact status{chosen}",
    ]
    return "\n".join(lines)

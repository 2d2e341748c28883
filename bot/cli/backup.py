"""`tact backup` and `tact restore`: the whole of a memory in one file, its key apart."""

from __future__ import annotations

import asyncio
import os
import re
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from typer import echo

from bot.bootstrap import place_of
from bot.cli.policy_command import in_words
from bot.cli.progress import watched
from bot.cli.questions import agreed
from bot.cli.restore_preview import reopened
from bot.cli.vector_command import empty_chroma
from bot.open_memory import settings_of_memory
from bot.service.lock import only_one
from bot.texts import say
from config.data_folder import data_folder, make_private_folder, write_private
from config.keys import VARIABLE, load_key, write_key_file
from config.policy_changes import difference
from config.policy_file import PolicyDocument
from config.settings import FILE_NAME, KeySource, Settings, load_settings
from engine.errors import BadInput
from storage.backups.archive import Archive, Manifest
from storage.backups.placement import put_in_place
from storage.backups.restore import Choice, Outcome, is_there, reconcile, settings_in, unpack
from storage.backups.snapshot import Wanted, back_up, check_target
from storage.backups.work_folder import staging
from storage.vault import Vault

_ADDRESS = re.compile(r"^database_url[ \t]*=.*$", re.MULTILINE)
_CLAIMS = ("claim",)
"""Notes that are good for one moment only: one-time codes, and what was to be written once."""


def backup(chosen: Path | None, file: Path, *, key_file: Path | None, force: bool) -> int:
    """Write a backup.

    Args:
        chosen: the folder of `--data`.
        file: the file to write.
        key_file: where to write the key as well; None: nowhere.
        force: overwrite a backup that is there (a key never).
    """
    settings = settings_of_memory(chosen)
    file = file.expanduser().absolute()
    check_target(file, force=force)
    key = load_key(settings.key_file, source=str(settings.key_source))
    if key_file is not None:
        _keep_key(key_file, key)
    wanted = Wanted(settings.database, _settings_to_keep(settings), version("tact"), datetime.now(UTC))
    language = settings.language
    with watched(say(language, "backup.working")) as told:
        made = asyncio.run(back_up(wanted, Vault(key), file, force=force, told=told))
    echo(say(language, "backup.done", file=file, size=_size(file.stat().st_size), **_what(made)))
    echo(say(language, "backup.no_key") if key_file is None else say(language, "backup.key", file=key_file))
    echo(say(language, "backup.secrets"))
    return 0


def _keep_key(path: Path, key: bytes) -> None:
    if path.exists() and load_key(path, source="file") == key:
        return
    write_key_file(path, key)


def _settings_to_keep(settings: Settings) -> bytes:
    """The settings file without the database's address, in which there may be a password."""
    path = settings.data / FILE_NAME
    if not path.exists():
        return b""
    text = _ADDRESS.sub('database_url = ""', path.read_text(encoding="utf-8"))
    if tomllib.loads(text).get("database_url"):
        raise BadInput("it takes more than one line", where=f"{path}: database_url", fix="write it in one")
    return text.encode()


def _what(made: Manifest) -> dict[str, object]:
    return {
        "facts": made.counts.get("facts", 0),
        "messages": made.counts.get("messages", 0),
        "at": made.made_at,
    }


def _size(count: int) -> str:
    return f"{count / 2**20:.1f} MB" if count >= 2**20 else f"{-(-count // 1024)} KB"


def restore(
    chosen: Path | None, file: Path, *, key_file: Path | None, theirs: bool, moved: bool, yes: bool
) -> int:
    """Put a backup in the place of the memory of a folder, or into a new folder.

    Args:
        chosen: the folder of `--data`.
        file: the backup.
        key_file: where its key is; None: where the folder's settings say.
        theirs: take the backup's policy, marks and lists, and not those of the memory that is there.
        moved: nothing has run since the backup was made.
        yes: the owner said yes already.
    """
    folder = data_folder(chosen)
    if not file.expanduser().exists():
        raise BadInput("there is no such file", where=str(file), fix="name what tact backup wrote")
    key = _key(folder, key_file)
    archive = Archive(file.expanduser(), Vault(key))
    fresh = not folder.exists()
    make_private_folder(folder)
    try:
        with only_one(folder), staging(folder) as work:
            done = asyncio.run(_restore(archive, folder, work, key, _Wish(theirs, moved, yes)))
    finally:
        if fresh and {path.name for path in folder.iterdir()} <= {"tact.lock"}:
            (folder / "tact.lock").unlink(missing_ok=True)
            folder.rmdir()
    return done


class _Wish:
    """What the command line said."""

    def __init__(self, theirs: bool, moved: bool, yes: bool) -> None:
        self.theirs, self.moved, self.yes = theirs, moved, yes


def _key(folder: Path, key_file: Path | None) -> bytes:
    """The backup's key."""
    settings = load_settings(folder)
    if key_file is None:
        if (
            settings.key_source is KeySource.FILE
            and not settings.key_file.exists()
            and not os.environ.get(VARIABLE)
        ):
            raise BadInput(
                "the backup's key is not here", where=str(settings.key_file), fix="--key-file names it"
            )
        return load_key(settings.key_file, source=str(settings.key_source))
    if not key_file.expanduser().exists():
        raise BadInput("there is no such file", where=str(key_file), fix="name the one that holds the key")
    key = load_key(key_file.expanduser(), source="file")
    if settings.key_file.exists() and load_key(settings.key_file, source="file") != key:
        raise BadInput(
            "there is another key here",
            where=str(settings.key_file),
            fix="restore into another folder with --data",
        )
    return key


async def _restore(archive: Archive, folder: Path, work: Path, key: bytes, wish: _Wish) -> int:
    vault = Vault(key)
    kept = settings_in(archive, vault, work)
    settings = _settings(folder, work, kept)
    place, language = settings.database, settings.language
    present = place if await is_there(place) else ""
    if present and wish.moved:
        raise BadInput("there is a memory here", where="--moved", fix="it is for a new place")
    choice = Choice(present, settings.owner_accounts, datetime.now(UTC), wish.theirs, wish.moved, _CLAIMS)
    with watched(say(language, "restore.reading")) as told:
        database = await unpack(archive, vault, work, told)
        outcome = await reconcile(database, vault, choice, told)
    echo("\n".join(_report(archive.manifest, outcome, choice, language)))
    if present:
        with watched(say(language, "restore.comparing")) as told:
            opens = await reopened(database, present, vault, language, told)
        echo("".join(f"{line}\n" for line in opens), nl=False)
    shown = place_of(settings) if settings.database_url else settings.data
    if present and not _wanted(settings, wish, str(shown)):
        echo(say(language, "restore.not"))
        return 1
    if kept and not (folder / FILE_NAME).exists():
        write_private(folder / FILE_NAME, kept.decode())
    if settings.key_source is KeySource.FILE and not (folder / "key").exists():
        write_key_file(folder / "key", key)
    with watched(say(language, "restore.working")) as told:
        await put_in_place(database, vault, place, told, outcome.seen)
    echo(say(language, "restore.done", place=shown))
    if settings.vectors == "chroma":
        await empty_chroma(settings)  # of what was here and is gone; the next start fills it from the memory
    if settings.key_source is not KeySource.FILE:
        echo(say(language, "restore.key_elsewhere", source=settings.key_source))
    if present and settings.database_url:
        echo(say(language, "restore.server"))
    return 0


def _settings(folder: Path, work: Path, kept: bytes) -> Settings:
    """The folder's own settings; of a folder without any, the backup's."""
    if (folder / FILE_NAME).exists() or not kept:
        return load_settings(folder)
    write_private(work / FILE_NAME, kept.decode())
    return load_settings(work).model_copy(update={"data": folder})


def _wanted(settings: Settings, wish: _Wish, place: str) -> bool:
    language = settings.language
    unsaid = "restore.unsaid_policy" if wish.theirs else "restore.unsaid"
    question = say(language, "restore.ask", place=place)
    return agreed(question, yes=wish.yes, otherwise=say(language, unsaid))


def _report(made: Manifest, outcome: Outcome, choice: Choice, language: str) -> list[str]:
    """What the restored memory will be, a line each."""

    def line(key: str, **values: object) -> str:
        return say(language, key, **values)

    lines = [line("restore.what", tact=made.tact, **_what(made))]
    if choice.present:
        lines.append(line("restore.lost"))
        lines.append(line("restore.forgotten", facts=outcome.facts, messages=outcome.messages))
        lines += _policy_lines(outcome, line)
    elif choice.moved:
        lines.append(line("restore.moved"))
    else:
        lines.append(line("restore.no_tombstones", at=made.made_at))
        lines.append(line("restore.policy_alone", version=outcome.policy.version, at=made.made_at))
    if outcome.mail.uncertain:
        lines.append(line("restore.uncertain", count=outcome.mail.uncertain))
    if outcome.mail.unhandled:
        lines.append(line("restore.unhandled", count=outcome.mail.unhandled))
    return lines


def _policy_lines(outcome: Outcome, line: Callable[..., str]) -> list[str]:
    if outcome.newer:
        return [line("restore.policy_same", version=outcome.policy.version)]
    if outcome.kept:
        return [line("restore.policy_present", version=outcome.policy.version, marks=outcome.marks)]
    if outcome.before is None:
        return []
    changes = difference(outcome.before, outcome.policy)
    return [line("restore.policy_backup"), *in_words(changes, outcome.people, PolicyDocument(outcome.policy))]

"""Where the data folder is, and writing files in it so that nobody else reads them and none is left half written."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

from engine.errors import BadInput


def data_folder(
    chosen: Path | None = None, environ: Mapping[str, str] = os.environ, system: str = sys.platform
) -> Path:
    """The data folder: the one chosen on the command line, else `TACT_DATA`, else the system's usual place.

    Args:
        chosen: what `--data` said.
        environ: the environment.
        system: `sys.platform`.

    Returns:
        An absolute path; the folder need not exist.
    """
    named = str(chosen) if chosen is not None else environ.get("TACT_DATA", "")
    if named:
        return Path(named).expanduser().absolute()
    home = Path(environ.get("HOME") or Path.home())
    if system == "darwin":
        return home / "Library" / "Application Support" / "tact"
    if system == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "tact"
    shared = environ.get("XDG_DATA_HOME", "")
    return (Path(shared) if shared.startswith("/") else home / ".local" / "share") / "tact"


def make_private_folder(folder: Path) -> None:
    """Create the folder, and its parents, for the owner's eyes only (0700); an existing one is narrowed.

    Raises:
        BadInput: if it cannot be made or is a file.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.chmod(0o700)
    except OSError as error:
        raise BadInput(
            f"the data folder cannot be made ({error.strerror})",
            where=str(folder),
            fix="choose another with --data",
        ) from None


def write_private(path: Path, text: str) -> None:
    """Put a whole file in place, readable by the owner only (0600): the old one or the new one, never a part.

    Raises:
        BadInput: if the disk or the rights do not allow it.
    """
    try:
        _replace(path, text.encode())
    except OSError as error:
        raise BadInput(
            f"it cannot be written ({error.strerror})", where=str(path), fix="check rights and space"
        ) from None


def _replace(path: Path, content: bytes) -> None:
    descriptor, name = mkstemp(dir=path.parent, prefix=f".{path.name}.")  # made with mode 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

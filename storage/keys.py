"""Where the memory's 256-bit key comes from: a file of mode 0600, the environment or the system's keyring.

The key is never in the database, and no error shows any of it.
"""

from __future__ import annotations

import base64
import binascii
import os
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkstemp

from engine.errors import BadInput

KEY_BYTES = 32
VARIABLE = "TACT_KEY"
_SERVICE, _ACCOUNT = "tact", "key"


def create_key_file(path: Path) -> bytes:
    """Make a new key and keep it in a file that only its owner can read (0600).

    Args:
        path: the file to make; its folder exists.

    Returns:
        The key.

    Raises:
        BadInput: if the file exists (a key is never overwritten: what it opens would be lost) or cannot be made.
    """
    key = secrets.token_bytes(KEY_BYTES)
    write_key_file(path, key)
    return key


def write_key_file(path: Path, key: bytes) -> None:
    """Keep a key in a new file that only its owner can read (0600); the whole file or none.

    Raises:
        BadInput: if a file is there, or none can be made.
    """
    try:
        descriptor, name = mkstemp(dir=path.parent, prefix=f".{path.name}.")  # made with mode 0600
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(base64.b64encode(key) + b"\n")
                file.flush()
                os.fsync(file.fileno())
            _name_it(Path(name), path)
        finally:
            Path(name).unlink(missing_ok=True)
    except FileExistsError:
        raise BadInput(
            "there is a key already", where=str(path), fix="keep it; a new key opens nothing"
        ) from None
    except OSError as error:
        raise BadInput(
            f"the key file cannot be made ({error.strerror})", where=str(path), fix="check the folder"
        ) from None


def _name_it(made: Path, path: Path) -> None:
    """Without ever taking the place of another file."""
    try:
        os.link(made, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        made.replace(path)


def load_key(path: Path | None = None, *, source: str = "", environ: Mapping[str, str] = os.environ) -> bytes:
    """Find the key.

    Args:
        path: the key file.
        source: `file`, `env` or `keyring` looks there alone; empty looks in the environment, the file and the keyring.
        environ: the environment.

    Returns:
        Its 32 bytes.

    Raises:
        BadInput: if there is none, it is malformed, or others can read the file.
    """
    if source in {"", "env"} and environ.get(VARIABLE):
        return _decoded(environ[VARIABLE], f"{VARIABLE} in the environment")
    if source in {"", "file"} and path is not None and path.exists():
        return _from_file(path)
    if source in {"", "keyring"}:
        kept = _from_keyring()
        if kept:
            return _decoded(kept, f"the keyring (service {_SERVICE!r})")
    where = {"env": f"{VARIABLE} in the environment", "keyring": "the keyring"}.get(
        source, str(path or VARIABLE)
    )
    raise BadInput(
        "no key for the memory",
        where=where,
        fix="put it back from your backup; a new memory gets one from tact init",
    )


def _from_file(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise BadInput("others can read the key file", where=str(path), fix=f"chmod 600 {path}")
            return _decoded(file.read(1024).decode("ascii", "replace"), str(path))
    except OSError as error:
        raise BadInput(
            f"the key file cannot be read ({error.strerror})", where=str(path), fix="check its rights"
        ) from None


def _from_keyring() -> str:
    """The keyring's entry; empty if there is no `keyring` package, no usable keyring or no entry."""
    try:
        import keyring  # noqa: PLC0415 - optional
        from keyring.errors import KeyringError  # noqa: PLC0415
    except ImportError:
        return ""
    try:
        return keyring.get_password(_SERVICE, _ACCOUNT) or ""
    except (KeyringError, RuntimeError):
        return ""


def _decoded(text: str, where: str) -> bytes:
    try:
        key = base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        raise BadInput(
            f"not a key of {KEY_BYTES} bytes in base64", where=where, fix="restore the one `tact init` made"
        )
    return key

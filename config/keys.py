"""Keys and tokens: from files of mode 0600, the environment or the system's keyring, all read here.

They are the memory's 256-bit key, the tokens of platforms, and a model's key. None is ever in the database or in a log,
and no error shows any of it.
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

from config.data_folder import make_private_folder, write_private
from config.models import WordModel
from config.settings import KeySource, Settings
from engine.errors import BadInput

KEY_BYTES = 32
VARIABLE = "TACT_KEY"
_SERVICE, _ACCOUNT = "tact", "key"
_LONGEST = 10_000
"""Bytes; a key or a token is far shorter."""


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
        text = _private(path, "the key file", broken="the key file cannot be read").decode("ascii", "replace")
        return _decoded(text, str(path))
    if source in {"", "keyring"}:
        kept = _in_keyring(_ACCOUNT)
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


def token_file(settings: Settings, platform: str) -> Path:
    """Where a platform's token is."""
    return settings.data / f"{platform}.token"


def save_token(settings: Settings, platform: str, token: str) -> str:
    """Keep a token: in the keyring if the memory's key is there, else in a file. Returns where, in words.

    Raises:
        BadInput: if it cannot be kept.
    """
    if settings.key_source is KeySource.KEYRING:
        try:
            import keyring  # noqa: PLC0415 - optional

            keyring.set_password(_SERVICE, f"{platform} token", token)
        except Exception as error:
            raise BadInput("the keyring cannot be used", fix="key_source = file in tact.toml") from error
        return "the keyring"
    make_private_folder(settings.data)
    path = token_file(settings, platform)
    write_private(path, token + "\n")
    return str(path)


def load_token(settings: Settings, platform: str, environ: Mapping[str, str] = os.environ) -> str:
    """A platform's token; empty if there is none. `TACT_<PLATFORM>_TOKEN` wins over the file, the file over the keyring.

    Raises:
        BadInput: if others can read the file.
    """
    given = environ.get(f"TACT_{platform.upper()}_TOKEN", "").strip()
    if given:
        return given
    try:
        return _private(token_file(settings, platform), "the token").decode("ascii", "replace").strip()
    except FileNotFoundError:
        from_keyring = settings.key_source is KeySource.KEYRING
        return _in_keyring(f"{platform} token") if from_keyring else ""


def read_model_key(model: WordModel, folder: Path) -> str:
    """A model's key from where the settings say it is; empty if they name no place.

    Raises:
        BadInput: there is none there, or others on this machine can read the file.
    """
    if model.api_key_env:
        key = os.environ.get(model.api_key_env, "").strip()
        if not key:
            raise BadInput(
                "the variable is not set", where=model.api_key_env, fix="set it, or take out api_key_env"
            )
        return _one_word(key, model.api_key_env)
    if not model.api_key_file:
        return ""
    path, fix = folder / Path(model.api_key_file).expanduser(), "see api_key_file in tact.toml"
    found = _private(path, "this key", broken="the key cannot be read", fix=fix)
    try:
        return _one_word(found.decode().strip(), str(path))
    except UnicodeDecodeError:
        raise BadInput("the key cannot be read (it is not text)", where=str(path), fix=fix) from None


def _one_word(key: str, where: str) -> str:
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise BadInput("this is no key: one line of letters, digits and signs", where=where)
    return key


def _private(path: Path, what: str, *, broken: str = "", fix: str = "check its rights") -> bytes:
    """The beginning of a file that nobody else can read.

    Args:
        path: the file.
        what: what is in it, in words.
        broken: how to say that it cannot be read; empty: one that is not there is no fault of the owner's.
        fix: what to do about it.

    Raises:
        BadInput: if it cannot be read, or others can read it.
        FileNotFoundError: there is none, and `broken` is empty.
    """
    try:
        with path.open("rb") as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise BadInput(f"others can read {what}", where=str(path), fix=f"chmod 600 {path}")
            return file.read(_LONGEST)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not broken:
            raise
        said = f"{broken or 'it cannot be read'} ({error.strerror})"
        raise BadInput(said, where=str(path), fix=fix) from None


def _in_keyring(account: str) -> str:
    """The keyring's entry; empty if there is no `keyring` package, no usable keyring or no entry."""
    try:
        import keyring  # noqa: PLC0415 - optional

        return keyring.get_password(_SERVICE, account) or ""
    except Exception:  # noqa: BLE001 - whatever a keyring's back end raises, there is nothing
        return ""

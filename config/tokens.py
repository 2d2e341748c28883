"""Tokens of platforms: in a file of mode 0600 in the data folder, in the environment, or in the system's keyring.

Never in the database, never in a log, never in a message.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from config.data_folder import make_private_folder, write_private
from config.settings import KeySource, Settings
from engine.errors import BadInput

_SERVICE = "tact"


def token_file(settings: Settings, platform: str) -> Path:
    """Where a platform's token is."""
    return settings.data / f"{platform}.token"


def variable(platform: str) -> str:
    """The variable that wins over it."""
    return f"TACT_{platform.upper()}_TOKEN"


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
    """A platform's token; empty if there is none.

    Raises:
        BadInput: if others can read the file.
    """
    given = environ.get(variable(platform), "").strip()
    if given:
        return given
    path = token_file(settings, platform)
    try:
        with path.open("rb") as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                raise BadInput("others can read the token", where=str(path), fix=f"chmod 600 {path}")
            return file.read(1024).decode("ascii", "replace").strip()
    except FileNotFoundError:
        pass
    except OSError as error:
        raise BadInput(
            f"it cannot be read ({error.strerror})", where=str(path), fix="check its rights"
        ) from None
    return _from_keyring(platform) if settings.key_source is KeySource.KEYRING else ""


def _from_keyring(platform: str) -> str:
    try:
        import keyring  # noqa: PLC0415 - optional

        return keyring.get_password(_SERVICE, f"{platform} token") or ""
    except Exception:  # noqa: BLE001 - whatever a keyring's back end raises, there is no token
        return ""

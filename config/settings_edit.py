"""Changing one thing in `tact.toml`, with its comments and everything else left as they are."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from config.accounts import account
from config.data_folder import write_private
from config.settings import FILE_NAME
from engine.errors import BadInput
from engine.ids import AccountId

_OWNERS = re.compile(r"^owner_accounts[ \t]*=[ \t]*\[[^\]]*\]", re.MULTILINE)
_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)


def change_setting(path: Path, key: str, value: str) -> bool:
    """Set a key at the file's top level to a text.

    Returns:
        False, and nothing is done, if there is no such file.

    Raises:
        BadInput: if the file cannot be read or written.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    except (OSError, UnicodeDecodeError):
        raise BadInput("it cannot be read", where=str(path), fix="check its rights") from None
    table = _TABLE.search(text)
    top, rest = (text[: table.start()], text[table.start() :]) if table else (text, "")
    line = f"{key} = {json.dumps(value)}"
    there = re.compile(rf"^[ \t]*{re.escape(key)}[ \t]*=.*$", re.MULTILINE)
    if there.search(top):
        top = there.sub(lambda _: line, top, count=1)
    else:
        kept = top.rstrip()
        top = (f"{kept}\n" if kept else "") + f"{line}\n" + ("\n" if rest else "")
    write_private(path, top + rest)
    return True


def add_owner_account(folder: Path, new: AccountId) -> None:
    """Write an account into `owner_accounts`; nothing is written if it is there.

    Raises:
        BadInput: if it is no account, or the file cannot be read or written.
    """
    path = folder / FILE_NAME
    account(new, where=f"{path}: owner_accounts")
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        kept = tomllib.loads(text).get("owner_accounts", ["console:owner"])
    except (OSError, ValueError):
        raise BadInput("it cannot be read", where=str(path), fix="mend it, then run Tact again") from None
    if new in kept:
        return
    line = f"owner_accounts = [{', '.join(json.dumps(a) for a in [*kept, new])}]"
    changed, found = _OWNERS.subn(lambda _: line, text, count=1)
    write_private(path, changed if found else f"{line}\n{text}")

"""Adding an account to the owner's in `tact.toml`, with everything else in the file left as it is."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

from config.accounts import account
from config.folder import write_private
from config.settings import FILE_NAME
from engine.errors import BadInput
from engine.ids import AccountId

_LINE = re.compile(r"^owner_accounts[ \t]*=[ \t]*\[[^\]]*\]", re.MULTILINE)


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
    changed, found = _LINE.subn(lambda _: line, text, count=1)
    write_private(path, changed if found else f"{line}\n{text}")

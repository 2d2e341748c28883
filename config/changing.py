"""Changing one setting in `tact.toml`, with its comments and everything else left as they are."""

from __future__ import annotations

import json
import re
from pathlib import Path

from config.folder import write_private
from engine.errors import BadInput

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

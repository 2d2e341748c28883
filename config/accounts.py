"""Account ids as a person writes them: `platform:stable-id`. Anything that its bearer can choose is refused."""

from __future__ import annotations

import re

from engine.errors import BadInput
from engine.ids import AccountId

_SHAPES = {
    "telegram": (re.compile(r"[1-9][0-9]{0,18}"), "telegram:12345: the number, not the @name"),
    "discord": (
        re.compile(r"[1-9][0-9]{5,20}"),
        "discord:81384788765712384, from Copy User ID in developer mode",
    ),
    "slack": (
        re.compile(r"[TE][A-Z0-9]+:[UW][A-Z0-9]+"),
        "slack:T0123ABCD:U0456EFGH, workspace id and member id",
    ),
    "matrix": (re.compile(r"@[^\s:@]+:[^\s:]+(:[0-9]+)?"), "matrix:@alice:example.org, the full Matrix id"),
    "console": (re.compile(r"[\w.-]+"), "console:owner"),
}
_NOBODY = {
    "telegram:1087968824": "it stands for every anonymous group administrator",
    "telegram:777000": "it is Telegram's own service account",
    "telegram:136817688": "it stands for every channel that posts in a group",
}


def account(text: str, *, where: str = "") -> AccountId:
    """The account that a text names.

    Args:
        text: what the person wrote.
        where: file, line and key, for the error.

    Raises:
        BadInput: for a name, an `@username`, an unknown platform, an unstable id, or an id that many share.
    """
    named = text.strip()
    platform, _, rest = named.partition(":")
    if platform not in _SHAPES or not rest:
        raise BadInput(f"{named!r} is no account", where=where, fix=_fix(named, platform))
    shape, example = _SHAPES[platform]
    if not shape.fullmatch(rest):
        raise BadInput(
            f"{named!r} is no stable id of {platform}", where=where, fix=f"write it like {example}"
        )
    if named in _NOBODY:
        raise BadInput(
            f"{named} identifies nobody: {_NOBODY[named]}", where=where, fix="use a person's own id"
        )
    return AccountId(named)


def _fix(named: str, platform: str) -> str:
    if platform == "irc":
        return "anybody can take a nick; name yours with tact import irc --owner-nick"
    if named.isdecimal():
        return (
            f"put the platform in front, e.g. telegram:{named}"
            if named not in {"1087968824", "777000"}
            else "use a person's own id"
        )
    return "names and @names can be taken by others; write platform:id, e.g. telegram:12345 or console:owner"

"""`vectors = "chroma"`: where Chroma is. Vectors can be turned back into words, more or less, so they travel guarded."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit


def checked(url: str) -> str:
    """A Chroma server's address, as it was written; empty stays empty.

    Raises:
        ValueError: if it is none, names a user or password, or would carry vectors over a network in the clear.
    """
    url = url.strip()
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or 1
    except ValueError:
        raise ValueError(_FORM) from None
    if parts.scheme not in {"http", "https"} or not host or port < 1 or parts.query or parts.fragment:
        raise ValueError(_FORM)
    if parts.path not in {"", "/"} or parts.username is not None or parts.password is not None:
        raise ValueError(_FORM)
    if parts.scheme == "http" and not _is_this_machine(host):
        raise ValueError(
            "over http vectors would cross a network unencrypted, and much of their words can be guessed from them;"
            " write https, or a server on 127.0.0.1"
        )
    return url.rstrip("/")


_FORM = "write an address like http://127.0.0.1:8000 or https://chroma.example.org, without user, password and path"


def _is_this_machine(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False

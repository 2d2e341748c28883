"""The vault: words become bytes that only the key opens, bound to the table, column and row they belong to."""

from __future__ import annotations

import hmac
import json
import os
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from engine.errors import StoreFault

KEY_BYTES = 32
_NONCE = 12


@dataclass(frozen=True, slots=True)
class Sealed:
    """Words as they lie in a column. Made by a vault for one table, column and row; only that vault opens it."""

    table: str
    column: str
    data: bytes = field(repr=False)


class Vault:
    """AES-256-GCM with `table.column:row` as associated data, so that no value can be moved elsewhere unnoticed.

    Args:
        key: 32 bytes.

    Raises:
        ValueError: if the key has another length.
    """

    __slots__ = ("_cipher", "_naming")

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"a key has {KEY_BYTES} bytes")
        self._cipher = AESGCM(key)
        self._naming = hmac.digest(key, b"names outside the memory", "sha256")

    def __repr__(self) -> str:
        return "Vault(…)"

    def name(self, purpose: str) -> str:
        """A name for this memory at a third party: always the same, and nobody can tell whose it is."""
        return hmac.digest(self._naming, purpose.encode(), "sha256").hex()[:16]

    def seal(self, table: str, column: str, row: str, plain: bytes) -> Sealed:
        """Seal bytes for one place."""
        return Sealed(table, column, self._close(plain, f"{table}.{column}:{row}".encode()))

    def open(self, sealed: Sealed, row: str) -> bytes:
        """The bytes again.

        Args:
            sealed: what the column holds.
            row: the row it was read from.

        Raises:
            StoreFault: naming the place, never the content, if it was sealed for another place or with another key.
        """
        place = f"{sealed.table}.{sealed.column}:{row}"
        try:
            return self._disclose(sealed.data, place.encode())
        except (InvalidTag, ValueError):
            raise StoreFault(
                f"{sealed.table}.{sealed.column} of row {row} does not open: it is damaged, or the key is another one"
            ) from None

    def seal_text(self, table: str, column: str, row: str, text: str) -> Sealed:
        """Seal a text."""
        return self.seal(table, column, row, text.encode())

    def open_text(self, sealed: Sealed, row: str) -> str:
        """The text again; `StoreFault` as `open`."""
        return self.open(sealed, row).decode()

    def seal_json(self, table: str, column: str, row: str, value: object) -> Sealed:
        """Seal a value that JSON can hold."""
        return self.seal_text(
            table, column, row, json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        )

    def open_json(self, sealed: Sealed, row: str) -> object:
        """The value again; `StoreFault` as `open`."""
        value: object = json.loads(self.open(sealed, row).decode())  # of bytes it would guess the encoding
        return value

    def _close(self, plain: bytes, place: bytes) -> bytes:
        nonce = os.urandom(_NONCE)
        return nonce + self._cipher.encrypt(nonce, plain, place)

    def _disclose(self, data: bytes, place: bytes) -> bytes:
        return self._cipher.decrypt(data[:_NONCE], data[_NONCE:], place)

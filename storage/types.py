"""Column types: words are sealed, moments are whole microseconds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, LargeBinary
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from storage.vault import Sealed


class EncryptedText(TypeDecorator[Sealed]):
    """The one type of every column that can hold words.

    INVARIANT: nothing but a `Sealed` value made for exactly this column can be bound; a plain `str` never reaches a
    statement. What is read is `Sealed` as well: only the vault, told the row, opens it.
    """

    impl = LargeBinary
    cache_ok = True

    def __init__(self, table: str, column: str) -> None:
        super().__init__()
        self.table = table
        self.column = column

    def process_bind_param(self, value: Sealed | None, dialect: Dialect) -> bytes | None:
        """The sealed bytes.

        Raises:
            TypeError: for anything that no vault sealed for this column.
        """
        del dialect
        if value is None:
            return None
        if not isinstance(value, Sealed):
            raise TypeError(f"{self.table}.{self.column} takes a Sealed value only")
        if (value.table, value.column) != (self.table, self.column):
            raise TypeError(f"sealed for {value.table}.{value.column}, not for {self.table}.{self.column}")
        return value.data

    def process_literal_param(self, value: Sealed | None, dialect: Dialect) -> str:
        """Words are never written into a statement."""
        del value, dialect
        raise TypeError(f"{self.table}.{self.column} cannot be a literal")

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> Sealed | None:
        """What the column holds, still sealed."""
        del dialect
        return None if value is None else Sealed(self.table, self.column, bytes(value))

    def coerce_compared_value(self, op: Any, value: Any) -> EncryptedText:
        """Comparisons bind by the same rule."""
        del op, value
        return self


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TICK = timedelta(microseconds=1)


def ticks(moment: datetime) -> int:
    """Whole microseconds since 1970, UTC; naive times are refused (ValueError)."""
    if moment.tzinfo is None:
        raise ValueError("a stored time has a zone")
    return (moment - _EPOCH) // _TICK


class Moment(TypeDecorator[datetime]):
    """An aware time, stored as whole microseconds since 1970, read back in UTC."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Microseconds; naive times are refused (ValueError)."""
        del dialect
        return None if value is None else ticks(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """The time, in UTC."""
        del dialect
        return None if value is None else _EPOCH + value * _TICK

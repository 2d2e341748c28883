"""The columns that tables are made of again and again."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, ForeignKey, Integer, String

from storage.types import EncryptedText


def name_column(name: str, *, primary: bool = False, null: bool = False, index: bool = False) -> Column[str]:
    """An id, or a name that a program made."""
    return Column(name, String(255), primary_key=primary, nullable=null, index=index or None)


def words(table: str, column: str, *, null: bool = False) -> Column[object]:
    """Words, sealed for this column."""
    return Column(column, EncryptedText(table, column), nullable=null)


def flag(name: str) -> Column[bool]:
    """Yes or no."""
    return Column(name, Boolean(create_constraint=False), nullable=False)


def audience_column() -> Column[int]:
    """The number of an interned audience."""
    return Column("audience_id", Integer, ForeignKey("audiences.id"), nullable=False, index=True)


def position() -> Column[int]:
    """A place in an order."""
    return Column("position", Integer, nullable=False)


def fact_column() -> Column[str]:
    """The fact that a row belongs to and goes with."""
    return Column("fact_id", String(255), ForeignKey("facts.id", ondelete="CASCADE"), nullable=False)

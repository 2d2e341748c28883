"""Identifiers. Every id is an opaque string: none carries words, and none is parsed for meaning."""

from __future__ import annotations

from typing import Final, NewType

AccountId = NewType("AccountId", str)
"""`platform:stable-id`, e.g. `telegram:12345`; the only thing that identifies somebody on a platform."""

PersonId = NewType("PersonId", str)
"""One person as the owner sees them; an account nobody has joined to a person is a person of its own."""

ContainerId = NewType("ContainerId", str)
MessageId = NewType("MessageId", str)
SessionId = NewType("SessionId", str)
FactId = NewType("FactId", str)
EventId = NewType("EventId", str)
LinkId = NewType("LinkId", str)
TurnId = NewType("TurnId", str)
CategoryName = NewType("CategoryName", str)
ItemId = NewType("ItemId", str)
"""The id of anything that can enter a prompt; a fact's, a message's or an edge's id seen as an item."""

OWNER: Final = PersonId("o")
"""The owner `o` is stored as `o` and never as an account."""

STRANGER: Final = PersonId("?")
"""One person about whom nothing is known; stands for everybody outside the contacts."""

TACT: Final = PersonId("tact")
"""Tact itself, as the sender of its replies; never a viewer."""

"""What a query gives: a frozen value without words of any language, which `storage.json_values.to_plain` makes JSON of."""

from __future__ import annotations

from engine.ids import FactId


class Value:
    """What a query gives. The base of frozen data classes."""

    __slots__ = ()

    @property
    def told(self) -> tuple[FactId, ...]:
        """The facts and messages whose words it holds: whoever shows it shows them."""
        return ()

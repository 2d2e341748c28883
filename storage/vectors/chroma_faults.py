"""How Chroma can fail. Apart from the port, which loads numpy: a memory is opened without either."""

from __future__ import annotations

from engine.errors import StoreFault


class VectorsDown(StoreFault):
    """Chroma does not answer, or cannot do what it was asked."""


class VectorsLost(StoreFault):
    """Chroma no longer has what was put there: somebody else removed it."""

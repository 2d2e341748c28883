"""How long-term facts are ranked for a question (EP-Mem: `s = α·s_nat + β·s_evt`; figures in docs/models.md).

Native score: keywords; event score: the fact's vector. Both are min-max normalised over the admissible set alone, so
that nothing withheld shows in a rank.
"""

from __future__ import annotations

from typing import Final

from engine.annotation import Language, Query
from engine.store import Search

CONTEXT_FACTS: Final = 24
"""Facts a sealed context holds at most."""

RECENT_MESSAGES: Final = 12
"""Recent messages a sealed context holds at most."""

_SHARE: Final[dict[Language, float]] = {"en": 0.5, "zh": 0.9}
"""The embedder's share `β` by language, English's for one that was not measured; `α` is the rest."""


def search_for(query: Query, terms: tuple[str, ...], vector: bytes, model: str) -> Search:
    """The ranked read for a question; without a vector keywords decide alone.

    Args:
        query: the question, as it was understood.
        terms: its index terms.
        vector: its vector, or empty bytes.
        model: what made the vector.
    """
    return Search(
        terms,
        vector,
        _SHARE.get(query.language, _SHARE["en"]) if vector else 0.0,
        wide=query.wide,
        model=model,
    )
